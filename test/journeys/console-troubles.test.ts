// An operator sees in the console what the service has trouble with, and ends it there with reasons that the log keeps.
import { randomUUID } from 'node:crypto';
import { COSIGNATURE, noteKey, verifierKey } from 'levy-transparency-log';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { isComplaint, lookAt, picture } from '../support/console-stage.ts';
import { openCreator } from '../support/creator.ts';
import {
  DISTRIBUTION_ENVIRONMENT,
  type DistributionJourney,
  openDistributionJourney,
} from '../support/distribution-journey.ts';
import { startHonestWitness } from '../support/honest-witness.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { SCRIPT_METADATA } from '../support/recorded-events.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkippedChromium(4);

const OPERATORS_CALLS = /\/(operator\/|log\/)/;

const REFUSAL = {
  type: 'about:blank',
  title: 'x',
  status: 503,
  code: 'STORE_UNAVAILABLE',
  detail: 'The event store is not responding; try again.',
};

describe.skipIf(chromiumProgram === undefined)('the operator’s pages', () => {
  let service: TestService;
  let journey: DistributionJourney;
  let browser: Browser;

  beforeAll(async () => {
    const { address } = await startHonestWitness();
    const silent = verifierKey(noteKey('witness.example/silent', COSIGNATURE, new Uint8Array(32).fill(7)));
    const environment = {
      ...DISTRIBUTION_ENVIRONMENT,
      DISTRIBUTION_ANNOUNCE: '4s',
      WITNESSES: `${address},${silent} http://127.0.0.1:1`,
    };
    [service, browser] = await Promise.all([openTestService(environment), openBrowser()]);
  });

  afterAll(() => browser?.close());

  async function openAs(path: string, url = service.url) {
    const opened = await openPage(browser, `${url}/console/${path}`, {}, isComplaint);
    await opened.page.locator('#field-operator-key').fill(OPERATOR_KEY);
    await opened.page.locator('form.card button[type=submit]').click();
    await opened.page.locator('nav.tabs').waitFor();
    return opened;
  }

  const goTo = (page: Page, name: string) => page.locator('nav.tabs a', { hasText: name }).click();

  const refuseAll = (page: Page) =>
    page.route(OPERATORS_CALLS, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(REFUSAL) }),
    );

  const undecodable = () => ({
    id: randomUUID(),
    type: 'RunPainted',
    data: {},
    metadata: SCRIPT_METADATA,
  });

  test('are served by one key until it is forgotten, and say where there is nothing', async () => {
    const { page, complaints } = await openAs('operate/projections');
    await page.locator('h1', { hasText: 'All projections are up to date' }).waitFor();
    await goTo(page, 'Drafts');
    await page.locator('.empty', { hasText: 'Nothing is pending' }).waitFor();
    await lookAt(page, 'operate-drafts-empty');
    await goTo(page, 'Quarantine');
    await page.locator('.empty', { hasText: 'No undecodable events' }).waitFor();
    await page.locator('.empty', { hasText: 'No quarantined events' }).waitFor();
    await lookAt(page, 'operate-quarantine-empty');
    await goTo(page, 'Proof and backup');
    await page.locator('.state.ok', { hasText: 'signature checked in this browser' }).waitFor();
    await page.locator('.sums div', { hasText: /^Signed.*witness\.example\/honest/ }).waitFor();
    await page.locator('.sums div', { hasText: /^Silent.*witness\.example\/silent/ }).waitFor();
    await lookAt(page, 'operate-safety');
    await goTo(page, 'Overview');
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();

    await page.locator('.top nav a', { hasText: 'Verify' }).click();
    await page.locator('h1', { hasText: 'Verify' }).waitFor();
    await page.goBack();
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();
    await page.reload();
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();
    await page.locator('button', { hasText: 'Remove the key' }).click();
    await page.locator('#field-operator-key').waitFor();
    await page.reload();
    await page.locator('#field-operator-key').waitFor();
    expect(await page.locator('#field-operator-key').inputValue()).toBe('');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('say so while the service does not answer, or refuses', async () => {
    const { page } = await openAs('operate/projections');
    const paths = ['projections', 'drafts', 'quarantine', 'safety'];
    const names = ['Projections', 'Drafts', 'Quarantine', 'Proof and backup'];
    await refuseAll(page);
    for (const [index, name] of names.entries()) {
      await goTo(page, 'Overview');
      await goTo(page, name);
      await page.locator('.failed', { hasText: 'The event store is not responding; try again.' }).waitFor();
      await lookAt(page, `operate-${paths[index]}-failed`);
    }
    await page.close();
  });

  test('show drafts and what became of them, and rebuild a projection', async () => {
    const creator = await openCreator(service);
    await creator.createToken();
    const draft = await creator.draft();
    const { page, complaints } = await openAs('operate/drafts');
    await page.locator('#list-open').waitFor();
    await page.locator(`button[title="${draft.transactionId}"]`).waitFor();
    await lookAt(page, 'operate-drafts');
    await page.getByLabel('Show').selectOption('Final');
    await page.waitForURL(/show=finalized/);
    await page.locator('#list-finalized').waitFor();
    await page.locator('td[data-name=State] .state.ok').first().waitFor();

    await service.append(`draft-${draft.transactionId}`, 0, [
      {
        id: randomUUID(),
        type: 'DraftOutcomeUnknown',
        data: {
          transactionId: draft.transactionId,
          code: 'TRANSACTION_NOT_SHOWN',
          address: creator.address,
          signatures: [],
        },
        metadata: SCRIPT_METADATA,
      },
    ]);
    await page.getByLabel('Show').selectOption('All pending');
    const unknown = page.locator('.trouble', { hasText: 'Outcome of a token creation' });
    await unknown.locator('code', { hasText: 'TRANSACTION_NOT_SHOWN' }).waitFor();
    await unknown.locator('button', { hasText: 'Record the outcome …' }).click();
    const form = page.locator('form.act');
    await form.locator('select').selectOption('Confirmed');
    await form.locator('input').first().fill('no signature');
    await form.locator('input').last().fill('An archive node shows it.');
    await form.locator('button[type=submit]').click();
    await form.locator('.wrong .fault').waitFor();
    await lookAt(page, 'operate-unknown');
    await form.locator('select').selectOption('Not confirmed');
    await form.locator('button[type=submit]').click();
    await form.locator('.fault', { hasText: 'This transaction was never submitted.' }).waitFor();

    await goTo(page, 'Projections');
    await page.locator('h1', { hasText: 'All projections are up to date' }).waitFor();
    await page.locator('main button', { hasText: 'Rebuild …' }).first().click();
    await lookAt(page, 'operate-projections');
    const answered = page.waitForResponse(/\/operator\/projections\/\w+\/rebuild$/);
    // This log is read in no time: as in a long one, where a quarter is read.
    await page.route('**/operator/projections', async (route) => {
      const response = await route.fetch();
      const { projections, ...rest } = await response.json();
      const [first, ...others] = projections;
      const progress = {
        unit: 'events',
        done: 2_500,
        of: 10_000,
        percent: 25,
        perSecond: 50,
        secondsLeft: 150,
      };
      const building = { ...first, state: 'building', build: progress };
      return route.fulfill({ response, json: { ...rest, projections: [building, ...others] } });
    });
    await page.locator('form.act button', { hasText: 'Rebuild' }).click();
    expect(await (await answered).json()).toEqual({ started: true });
    await page.locator('form.act').waitFor({ state: 'detached' });
    await page.locator('h1', { hasText: '1 projection is being built' }).waitFor();
    const rebuilt = page.locator('tbody tr').first();
    expect(await rebuilt.locator('progress').getAttribute('value')).toBe('25');
    await rebuilt
      .locator('small', { hasText: '2,500 of 10,000 events, 50 a second, 2 min 30 s left' })
      .waitFor();
    expect(await rebuilt.locator('button').count()).toBe(0);
    await lookAt(page, 'operate-projections-building');
    await page.unrouteAll({ behavior: 'wait' });
    await page.locator('h1', { hasText: 'All projections are up to date' }).waitFor();
    expect(await page.locator('progress').count()).toBe(0);
    await rebuilt.locator('button', { hasText: 'Rebuild …' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('show a run that waits at an event that cannot be decoded, which goes on once that is quarantined', async () => {
    journey = await openDistributionJourney(service, { holders: 6 });
    const { page, complaints } = await openAs('operate');
    await journey.askForRun();
    await journey.announcedRun(1);
    const stream = `distribution-${journey.tokenId}`;
    const bad = undecodable();
    for (let revision = 1; ; revision++) {
      const { outcome } = await service.append(stream, revision, [bad]);
      if (outcome === 'appended') break;
    }
    await page.locator('.trouble', { hasText: 'An event cannot be decoded' }).waitFor();
    // The run that waits at it is shown with it: one cause.
    const waiting = page.locator('.trouble .of-token', { hasText: 'in step “' });
    await waiting.locator('code', { hasText: 'record-unreadable' }).waitFor();
    await waiting.locator('a', { hasText: 'Sunrise' }).waitFor();
    await waiting.getByText(/Failed attempts: \d+\. Next attempt/).waitFor();
    await page.locator('td[data-name=State] .state.bad', { hasText: 'stuck in step' }).waitFor();
    expect(await page.locator('h1').textContent()).toBe('1 item needs attention');
    await lookAt(page, 'operate-undecodable');

    // A refusal takes nothing of what is shown, or typed, and goes by itself.
    await page.locator('main button', { hasText: 'Quarantine …' }).click();
    await page.locator('form.act input').fill('A script went wrong.');
    await refuseAll(page);
    const refusal = page.locator('.away', {
      hasText: 'is not responding; try again. Showing cached data',
    });
    await refusal.waitFor();
    await picture(page, 'operate-refused-1280-light');
    await page.unrouteAll({ behavior: 'wait' });
    await refusal.waitFor({ state: 'detached' });
    expect(await page.locator('form.act input').inputValue()).toBe('A script went wrong.');
    await page.locator('form.act button', { hasText: 'Quarantine event' }).click();
    await page.locator('h1', { hasText: 'Nothing needs attention' }).waitFor();
    await journey.closedRun(1);
    await goTo(page, 'Quarantine');
    await page.locator('td[data-name=Reason]', { hasText: 'A script went wrong.' }).waitFor();
    await lookAt(page, 'operate-quarantine');
    expect(complaints).toEqual([]);
    await page.close();
  });
});
