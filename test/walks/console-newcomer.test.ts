// A newcomer with nothing but the embedded chain: the test wallet makes a token, sends some of it, is paid, and checks the proof.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import {
  connectTestWallet,
  isComplaint,
  makeToken,
  picture,
  prepareToken,
} from '../support/console-stage.ts';
import { DISTRIBUTION_ENVIRONMENT } from '../support/distribution-journey.ts';
import { eventually } from '../support/eventually.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

tellOfSkippedChromium(9);

describe.skipIf(chromiumProgram === undefined)('a newcomer', () => {
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startServiceProcess(DISTRIBUTION_ENVIRONMENT), openBrowser()]);
  });

  afterAll(() => browser?.close());

  const open = (path: string, look = {}) =>
    openPage(browser, `${service.url}/console/${path}`, look, isComplaint);

  /** The run of the first five minutes, sooner. What was sent is collected once it is final. */
  async function askForRun(mint: string): Promise<void> {
    const client = createClient(service.url);
    await eventually('a run has paid', async () => {
      const { token } = await client.ask<{ token: { id: string } }>('GET', `/tokens/${mint}`);
      const { runs } = await client.ask<{ runs: { status: string; paidTo?: object }[] }>(
        'GET',
        `/distribution/${token.id}/runs`,
      );
      if (runs.some(({ status, paidTo }) => status === 'completed' && paidTo)) return true;
      const isUnderWay = runs.some(({ status }) => status !== 'completed');
      if (!isUnderWay)
        await client.call('POST', `/operator/distributions/${token.id}/run`, {
          operatorKey: OPERATOR_KEY,
          json: { reason: 'A test asks for it.' },
        });
      return false;
    });
  }

  test('makes a token with the test wallet, sees its tax paid, checks the proof, and breaks it', async () => {
    const { page, complaints } = await open('create');
    // Each page says what kind of chain this is.
    await page.locator('.top .net', { hasText: 'embedded chain' }).waitFor();
    await connectTestWallet(page);
    // Nobody waits a quarter of an hour to see a run.
    expect(await page.locator('#field-distributionInterval').inputValue()).toBe('5m');
    const mint = await makeToken(page);

    const tryOut = page.locator('section', { hasText: 'Try it out' });
    await tryOut.locator('#field-test-amount').fill('many');
    await tryOut.locator('button', { hasText: 'Send a test transfer' }).click();
    await tryOut.locator('.wrong #about-test-amount', { hasText: 'must be a number' }).waitFor();
    await tryOut.locator('#field-test-amount').fill('1,000,000');
    await tryOut.locator('#field-test-to').fill('<b>nobody</b>');
    await tryOut.locator('button', { hasText: 'Send a test transfer' }).click();
    await tryOut.locator('.wrong #about-test-to', { hasText: 'Ed25519 public key' }).waitFor();
    await tryOut.locator('#field-test-to').fill('');
    await tryOut.locator('button', { hasText: 'Send a test transfer' }).click();
    await tryOut.locator('[role=status]', { hasText: '1,000,000 DAWN sent' }).waitFor();
    expect(await tryOut.locator('div[role=status]').textContent()).toContain('50,000 DAWN of it is tax');
    await tryOut.locator('.proof li', { hasText: /The next run collects it within 0[45]:\d\d/ }).waitFor();
    await picture(page, 'newcomer-transfer-1280-light');
    expect(await faultsOf(page)).toEqual([]);

    await askForRun(mint);
    await page.locator('table.lines tbody tr .state.ok', { hasText: 'closed' }).waitFor({ timeout: 90_000 });
    await tryOut.locator('.proof li.holds', { hasText: /Run #\d has paid out/ }).waitFor();
    await picture(page, 'newcomer-paid-1280-light');
    await tryOut.locator('a', { hasText: 'Look up your share' }).click();
    await page.locator('.share button', { hasText: 'Look up my wallet' }).click();
    const payment = page.locator('.payment').first();
    await payment.locator('button', { hasText: 'Check the proof' }).click();
    await payment.locator('.verdict', { hasText: 'The proof holds.' }).waitFor();
    await payment.locator('button', { hasText: 'Break it and check again' }).click();
    await payment.locator('.verdict.fails').waitFor();
    expect(complaints).toEqual([]);

    // The key is in the tab alone: it stays when the page is loaded again, and is in no other tab.
    const wallet = new URL(page.url()).searchParams.get('wallet') ?? '';
    await page.reload();
    await connectTestWallet(page);
    const shown = page.locator('.top button .mono');
    expect(await shown.textContent()).toBe(`${wallet.slice(0, 4)}…${wallet.slice(-4)}`);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    const other = await open('');
    await connectTestWallet(other.page);
    expect(await other.page.locator('.top button .mono').textContent()).not.toBe(await shown.textContent());
    await other.page.close();
    await page.close();
  });

  test('gets more SOL from the faucet, which says what has arrived', async () => {
    const { page, complaints } = await open('');
    await connectTestWallet(page);
    await page.locator('.top button', { hasText: 'Test wallet' }).click();
    await page.locator('dialog[open] p', { hasText: 'gone when the tab is closed' }).waitFor();
    await page.locator('dialog[open] button', { hasText: 'Get 2 SOL from the faucet' }).click();
    await page.locator('dialog[open] [role=status]', { hasText: '2 SOL have arrived' }).waitFor();
    await picture(page, 'faucet-1280-light');
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    [1_280, 'light'],
    [1_280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is told what the test wallet is, at %d pixels (%s)', async (width, colorScheme) => {
    const { page, complaints } = await open('create', { width, colorScheme });
    await page.locator('.top button', { hasText: 'Connect a wallet' }).click();
    await page.locator('dialog[open]', { hasText: 'The test wallet is none of yours' }).waitFor();
    await picture(page, `test-wallet-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await connectTestWallet(page);
    const mint = await makeToken(page);
    await page.locator('section', { hasText: 'Try it out' }).waitFor();
    await picture(page, `newcomer-token-${width}-${colorScheme}`);
    expect(mint.length).toBeGreaterThan(31);
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    [1_280, 'light'],
    [390, 'dark'],
  ] as const)('finds its tokens and drafts under Mine, at %d pixels (%s)', async (width, colorScheme) => {
    const { page, complaints } = await open('mine', { width, colorScheme });
    await page.locator('.empty', { hasText: 'A wallet is needed' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await connectTestWallet(page);
    await page.locator('.empty', { hasText: 'made no token yet' }).waitFor();
    await picture(page, `mine-empty-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('main a', { hasText: 'Create one' }).click();
    await makeToken(page, '<i>Dawn</i>');
    await page.locator('nav a', { hasText: 'Create' }).click();
    await page.locator('#field-name').waitFor();
    await prepareToken(page);
    await page.locator('nav a', { hasText: 'Mine' }).click();
    const drafts = page.locator('.card', { hasText: 'Under way' });
    await drafts.locator('.state', { hasText: /not signed; over in 0[45]:/ }).waitFor();
    await page.locator('td[data-name=Token] a', { hasText: '<i>Dawn</i>' }).waitFor();
    await picture(page, `mine-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await drafts.locator('button', { hasText: 'Cancel the draft' }).click();
    await drafts.waitFor({ state: 'detached' });

    // A session that ends elsewhere: the page asks for the wallet again, and goes on.
    const { token }: { token: string } = JSON.parse(
      await page.evaluate('sessionStorage.getItem("levy-session")'),
    );
    await createClient(service.url).ask('POST', '/auth/logout', { token });
    await page.locator('main .empty > .fault', { hasText: 'Your session is over.' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await connectTestWallet(page);
    await page.locator('td[data-name=Token] a', { hasText: '<i>Dawn</i>' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('with a thousand tokens, the lists stay short and quick', async () => {
    const { page, complaints } = await open('create');
    await connectTestWallet(page);
    await makeToken(page);
    // The service's own answers, a thousand times: to make so many takes an hour.
    const many = async (path: string, change: (answer: Record<string, unknown[]>) => object) =>
      page.route(path, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: change(await response.json()) });
      });
    const thousand = ([row]: unknown[] = []) =>
      Array.from({ length: 1_000 }, (_, index) => ({ ...(row as object), id: `${index}` }));
    let first: unknown[] = [];
    await many('**/tokens/me', ({ tokens }) => ({ tokens: thousand(tokens) }));
    await many('**/tokens?*', ({ tokens = [], pagination }) => {
      // The service's second page is empty.
      first = tokens.length > 0 ? tokens : first;
      return { tokens: thousand(first).slice(0, 24), pagination: { ...pagination, total: 1_000 } };
    });
    await page.locator('nav a', { hasText: 'Mine' }).click();
    await page.locator('h2 .sub', { hasText: '1,000' }).waitFor();
    expect(await page.locator('td[data-name=Token]').count()).toBe(50);
    await page.locator('button', { hasText: 'Show all 1,000' }).click();
    await expect.poll(() => page.locator('td[data-name=Token]').count()).toBe(1_000);
    await page.locator('nav a', { hasText: 'Explore' }).click();
    await page.locator('.pager span', { hasText: 'Page 1 of 42' }).waitFor();
    expect(await page.locator('.cards:not(.featured) > li').count()).toBe(24);
    await page.locator('.pager button', { hasText: 'Older' }).click();
    await page.locator('.pager span', { hasText: 'Page 2 of 42' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
