// An operator finds on the board alone why a distribution stands still, and gets it going again with a reason in the log.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import {
  connectTestWallet,
  isComplaint,
  lookAt,
  makeToken,
  openConsoleForTheBlock,
} from '../support/console-stage.ts';
import { DISTRIBUTION_ENVIRONMENT } from '../support/distribution-journey.ts';
import { freePort } from '../support/free-port.ts';
import { newOperatorKey, OPERATOR_KEY, operatorEntry } from '../support/operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

tellOfSkippedChromium(4);

const HOSTILE_NAME = 'Dawn <img src=x onerror=x()>';

describe.skipIf(chromiumProgram === undefined)('an operator', () => {
  const stage = openConsoleForTheBlock();
  const { open } = stage;

  async function signIn(page: Page, key = OPERATOR_KEY): Promise<void> {
    await page.locator('#field-operator-key').fill(key);
    await page.locator('form.card button[type=submit]').click();
  }

  async function act(page: Page, name: string, button: string, reason: string): Promise<void> {
    await page.locator('main button', { hasText: name }).first().click();
    const form = page.locator('form.act');
    expect(await form.locator('button[type=submit]').isDisabled()).toBe(true);
    await form.locator('input').fill(reason);
    await form.locator('button', { hasText: button }).click();
    await form.waitFor({ state: 'detached' });
  }

  test('opens the board by a link with the key, which leaves the address', async () => {
    const { page, complaints } = await open(`operate#key=${OPERATOR_KEY}`);
    await page.locator('nav.tabs a', { hasText: 'Projections' }).waitFor();
    expect(await page.evaluate('location.href + JSON.stringify(history.state)')).not.toContain(OPERATOR_KEY);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('without a key, or with another one, sees nothing', async () => {
    const { page, complaints } = await open('operate');
    await page.locator('h1', { hasText: 'Operate' }).waitFor();
    await signIn(page, newOperatorKey());
    await page.locator('.wrong #about-operator-key .fault').waitFor();
    await signIn(page);
    await page.locator('.empty', { hasText: 'No tokens yet' }).waitFor();
    // Who does what, and what pays, is there also where nothing is wrong.
    const line = (part: string, name: string) =>
      page.locator(`section[aria-labelledby=${part}] .sums div`, { hasText: name });
    for (const role of ['settler', 'distributor'])
      await line('roles', role)
        .locator('.state.ok', { hasText: `${stage.service.child.pid}` })
        .waitFor();
    for (const payer of ['fee payer', 'distributor'])
      await line('payers', payer)
        .locator('.state.ok', { hasText: /^[\d,.\s]+ SOL, enough$/ })
        .waitFor();
    await line('waiting', 'read models').locator('.state.ok', { hasText: 'up to date' }).waitFor();
    await lookAt(page, 'operate-empty');
    // The key is this tab's alone, and nobody's once it is forgotten.
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(OPERATOR_KEY);
    await page.reload();
    await page.locator('button', { hasText: 'Remove the key' }).click();
    await page.locator('#field-operator-key').waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(OPERATOR_KEY);
    await page.reload();
    await page.locator('#field-operator-key').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('whose key is withdrawn keeps what they typed, and goes on with another', async () => {
    const environment = { ...DISTRIBUTION_ENVIRONMENT, PORT: String(await freePort()) };
    const before = await startServiceProcess(environment);
    const { page } = await openPage(stage.browser, `${before.url}/console/operate`, {}, isComplaint);
    await signIn(page);
    await page.locator('button', { hasText: 'Halt all …' }).click();
    await page.locator('form.act input').fill('The node lies.');
    await before.stop();
    const other = newOperatorKey();
    const after = await startServiceProcess(
      { ...environment, OPERATOR_KEYS: operatorEntry('bob', other) },
      { folder: before.folder },
    );
    const asked: string[] = [];
    await page.locator('.fault', { hasText: 'Your key is no longer accepted.' }).waitFor();
    page.on('request', (request) => asked.push(request.url()));
    expect(await page.locator('form.act input').inputValue()).toBe('The node lies.');
    // A key that is repeated would shut its reader out.
    await page.locator('form.act button', { hasText: 'Halt all' }).click();
    await page
      .locator('form.act .fault', { hasText: 'Nothing was done: your key is no longer accepted.' })
      .waitFor();
    expect(asked.filter((url) => url.includes('/operator/'))).toEqual([]);
    await lookAt(page, 'operate-withdrawn');
    await signIn(page, newOperatorKey());
    await page.locator('.wrong #about-operator-key .fault').waitFor();
    await signIn(page, other);
    await page.locator('form.key').waitFor({ state: 'detached' });
    expect(await page.locator('form.act input').inputValue()).toBe('The node lies.');
    await page.locator('form.act button', { hasText: 'Halt all' }).click();
    await page.locator('.trouble', { hasText: 'The node lies. — bob' }).waitFor();
    await page.close();
    await after.stop();
  });

  test('halts and resumes with reasons', async () => {
    const creator = await open('create');
    await connectTestWallet(creator.page);
    await makeToken(creator.page, HOSTILE_NAME);
    await creator.page.close();

    const { page, complaints } = await open('operate');
    await signIn(page);
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();
    await act(page, 'Halt …', 'Halt', 'The node <i>lies</i>.');
    await page.locator('h1', { hasText: '1 item needs attention' }).waitFor();
    const trouble = page.locator('.trouble', { hasText: 'The node <i>lies</i>.' });
    await trouble.locator('code', { hasText: 'OPERATOR' }).waitFor();
    expect(await trouble.textContent()).toContain('alice');
    await trouble.locator('a', { hasText: 'Dawn' }).waitFor();
    await lookAt(page, 'operate');

    await trouble.locator('button', { hasText: 'Resume …' }).click();
    await lookAt(page, 'operate-resume');
    await page.locator('button', { hasText: 'Cancel' }).click();
    await act(page, 'Resume …', 'Resume', 'It was mended.');
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();

    await act(page, 'Halt all …', 'Halt all', 'For the night.');
    await page.locator('.trouble', { hasText: 'For the night.' }).waitFor();
    await act(page, 'Resume all …', 'Resume all', 'Good morning.');
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();

    await act(page, 'Run now …', 'Request a run', 'A creator asks for it.');
    await page.locator('td[data-name=State] small', { hasText: 'No tax is withheld' }).first().waitFor();
    expect(complaints).toEqual([]);

    const answer = await fetch(`${stage.service.url}/operator/log?limit=100`, {
      headers: { 'x-operator-key': OPERATOR_KEY },
    });
    const log = await answer.text();
    for (const reason of [
      'The node <i>lies</i>.',
      'It was mended.',
      'For the night.',
      'Good morning.',
      'A creator asks for it.',
    ])
      expect(log).toContain(reason);

    await lookIntoLog(page);
    expect(complaints).toEqual([]);
    await page.close();
  });

  /** From the board, whose key serves the log too. */
  async function lookIntoLog(page: Page): Promise<void> {
    const search = async (field: string, text: string) => {
      await page.locator(`#field-${field}`).fill(text);
      await page.locator(`#field-${field}`).press('Enter');
    };
    const open = async (type: string) => {
      await search('type', type);
      await page.locator('table .event', { hasText: type }).first().click();
      await page.locator('.opened h2', { hasText: type }).waitFor();
      await page.locator('.opened h3', { hasText: 'Metadata' }).waitFor();
    };
    await page.locator('nav.tabs a', { hasText: 'Log' }).click();
    await page.locator('#found', { hasText: 'Newest first' }).waitFor();
    await page.locator('table .event').first().waitFor();
    await lookAt(page, 'log');

    await open('DistributionHalted');
    expect(await page.locator('.opened pre').first().textContent()).toContain('The node <i>lies</i>.');
    await page.locator('.changes code', { hasText: 'halted' }).first().waitFor();
    await page.locator('#opened:focus').waitFor();
    await lookAt(page, 'log-event');
    await page.locator('.opened a', { hasText: 'Events with this correlation id' }).click();
    await page.waitForURL(/correlationId=/);
    await page.locator('table .event', { hasText: 'DistributionHalted' }).waitFor();
    const [id] = await page.locator('table .event').evaluateAll((links) => links.map((link) => link.id));
    await page.locator('#opened').press('Escape');
    await page.locator('.opened').waitFor({ state: 'detached' });
    await page.locator(`[id="${id}"]:focus`).waitFor();

    // Where the service refuses the state, as of a stream that it does not know, the event is shown all the same.
    await page.locator('button', { hasText: 'Show everything' }).click();
    await page.route('**/state?revision=0', async (route) => {
      const response = await route.fetch({
        url: route.request().url().replace('revision=0', 'revision=999'),
      });
      return route.fulfill({ response });
    });
    await open('TokenCreated');
    await page.locator('.opened', { hasText: 'The stream state is unavailable.' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await page.locator('.opened pre').first().textContent()).toContain(HOSTILE_NAME);
    expect(await page.locator('.opened img').count()).toBe(0);
    // The address names the search and the event, for all who have a key.
    await page.reload();
    await page.locator('.opened h3', { hasText: 'Stream state after this event' }).waitFor();
    expect(await page.locator('#field-type').inputValue()).toBe('TokenCreated');

    // As in a long log, where one look does not come to the event.
    const [found] = await page.locator('table .event').evaluateAll((links) => links.map((link) => link.id));
    let looks = 0;
    await page.route('**/operator/events?*', async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('since') !== '9d') return route.continue();
      looks += 1;
      url.searchParams.delete('after');
      const response = await route.fetch({ url: url.href });
      const answer = await response.json();
      const far = { ...answer, events: [], next: 'far', scannedCount: 5_000 };
      return route.fulfill({ response, json: looks < 4 ? far : { ...answer, scannedCount: 5_000 } });
    });
    await search('since', '9d');
    await page.locator('.empty', { hasText: 'None found so far' }).waitFor();
    await page.locator('#found', { hasText: '0 events among 5,000, as far as' }).waitFor();
    expect(await page.locator('.opened').count()).toBe(0);
    await lookAt(page, 'log-far');
    await page.locator('button', { hasText: 'Continue search' }).click();
    await page.locator('#found', { hasText: 'among 20,000' }).waitFor();
    expect(found).toBe(await page.locator('table .event').first().getAttribute('id'));
    await page.unrouteAll({ behavior: 'wait' });

    await search('since', '');
    await search('type', 'NoSuchEvent');
    await page.locator('.empty', { hasText: 'No matching events' }).waitFor();
    await search('since', 'yesterday');
    await page.locator('.wrong #about-since .fault').waitFor();
    await lookAt(page, 'log-empty');
  }
});
