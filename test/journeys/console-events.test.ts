// A reader follows what happens in the console: narrowed, paused, and over a service that is killed and comes back.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { isComplaint, lookAt } from '../support/console-stage.ts';
import { type Creator, openCreator } from '../support/creator.ts';
import { DISTRIBUTION_ENVIRONMENT } from '../support/distribution-journey.ts';
import { openEventStream } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { standardWallet } from '../support/standard-wallet.ts';

tellOfSkippedChromium(4);

const HOSTILE = '<img src=x onerror=1>';
/** The rows that the page keeps. */
const KEPT = 200;

describe.skipIf(chromiumProgram === undefined)('a reader of live events', () => {
  let environment: typeof DISTRIBUTION_ENVIRONMENT;
  let service: ServiceProcess;
  let browser: Browser;
  let creator: Creator;

  beforeAll(async () => {
    environment = { ...DISTRIBUTION_ENVIRONMENT, PORT: String(await freePort()) };
    [service, browser] = await Promise.all([startServiceProcess(environment), openBrowser()]);
    creator = await openCreator(service);
  });

  afterAll(() => browser?.close());

  const open = (path: string, look = {}) =>
    openPage(browser, `${service.url}/console/${path}`, look, isComplaint);
  const rows = (page: Page) => page.locator('.feed li');
  const isLive = (page: Page) => page.locator('h2 .state.run', { hasText: 'live' }).waitFor();

  /** Of the events on the page, from top to bottom. */
  const positionsOn = (page: Page): Promise<string[]> =>
    page
      .locator('.feed pre')
      .evaluateAll((all) => all.map((each) => JSON.parse(each.textContent ?? '').position));

  /** Of all that the public is told, the newest first. */
  async function positionsInLog(wish: { readonly token?: string } = {}): Promise<string[]> {
    const stream = await openEventStream(service.url, { after: 'start', ...wish });
    await eventually('the stream has caught up', async () => stream.checkpoints.length > 0);
    stream.close();
    return stream.events.map(({ position }) => position).toReversed();
  }

  test('is told that nothing has happened yet', async () => {
    const { page, complaints } = await open('events');
    await isLive(page);
    await page.locator('.empty', { hasText: 'No events since you opened this page' }).waitFor();
    await lookAt(page, 'events-empty');
    await page.locator('button', { hasText: 'Load earlier events' }).click();
    await page.locator('.empty', { hasText: 'No events of this kind yet' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('sees each event once over a pause and a service that is killed and comes back', async () => {
    const { page, complaints } = await open('events');
    await isLive(page);
    const { mintAddress } = await creator.createToken({ name: HOSTILE });
    await rows(page).filter({ hasText: 'Token created' }).waitFor();
    const link = rows(page).first().locator('a');
    expect(await link.textContent()).toBe(HOSTILE);
    expect(await link.getAttribute('href')).toBe(`/console/tokens/${mintAddress}`);
    await rows(page).first().locator('time').focus();
    expect(await rows(page).first().locator('time').getAttribute('data-exact')).toMatch(/\d\d:\d\d/);

    await page.locator('button', { hasText: 'Pause' }).click();
    await creator.createToken({ name: 'Noon' });
    await creator.createToken({ name: 'Dusk' });
    await page.locator('h2 .state', { hasText: 'paused; 2 new' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.locator('button', { hasText: 'Resume' }).click();
    await rows(page).nth(2).waitFor();
    expect(await rows(page).first().textContent()).toContain('Dusk');

    await service.stop('SIGKILL');
    await page.locator('.away').waitFor();
    await page.locator('h2 .state', { hasText: 'connecting' }).waitFor();
    expect(await rows(page).count()).toBe(3);
    await lookAt(page, 'events-away');
    service = await startServiceProcess(environment, { folder: service.folder });
    creator = await openCreator(service);
    await creator.createToken({ name: 'Midnight' });
    await rows(page).filter({ hasText: 'Midnight' }).waitFor();
    await page.locator('.away').waitFor({ state: 'detached' });
    await isLive(page);
    expect(await positionsOn(page)).toEqual(await positionsInLog());
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('who signs in goes on where they were, and sees what becomes of their own transactions', async () => {
    const { page, complaints } = await open('events', { before: standardWallet(creator.keypair) });
    await isLive(page);
    expect(await page.locator('#field-kind option', { hasText: 'Your transactions' }).count()).toBe(0);
    await creator.createToken({ name: 'Before' });
    await rows(page).filter({ hasText: 'Before' }).waitFor();
    expect(await rows(page).filter({ hasText: 'Your transaction' }).count()).toBe(0);
    await page.locator('.top button', { hasText: 'Connect a wallet' }).click();
    await page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
    await page.locator('.top button', { hasText: 'Sunny' }).waitFor();
    await isLive(page);
    await creator.createToken({ name: 'After' });
    await rows(page).filter({ hasText: 'Your transaction is final' }).waitFor();
    await rows(page).filter({ hasText: 'Token created' }).nth(1).waitFor();
    await rows(page).nth(1).locator('summary').click();
    await lookAt(page, 'events');
    const positions = await positionsOn(page);
    expect(new Set(positions).size).toBe(positions.length);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test(`keeps the newest ${KEPT} rows of many`, async () => {
    const { page } = await open('events');
    await isLive(page);
    const { mintAddress } = await creator.createToken({ name: 'Busy' });
    await rows(page).first().waitFor();
    // The service's own events once more, many times: to record so many takes minutes.
    const [event = ''] = await page.locator('.feed pre').allTextContents();
    const body = Array.from(
      { length: 5_000 },
      (_, index) =>
        `id: ${index}\ndata: ${JSON.stringify({ ...JSON.parse(event), position: `${index}` })}\n\n`,
    ).join('');
    let calls = 0;
    await page.route('**/events?*', async (route) => {
      calls += 1;
      if (calls === 1) await route.fulfill({ contentType: 'text/event-stream', body });
    });
    await page.locator('.actions button', { hasText: 'Load earlier events' }).click();
    await page.locator('p', { hasText: `The newest ${KEPT} are shown` }).waitFor();
    await expect.poll(async () => (await positionsOn(page))[0]).toBe('4999');
    expect(await positionsOn(page)).toEqual(
      Array.from({ length: KEPT }, (_, index) => String(4_999 - index)),
    );
    expect(await rows(page).first().locator('a').getAttribute('href')).toContain(mintAddress);
    await page.close();
  });
});
