// Bytes that are too old to be signed: a page that its reader left open asks for fresh ones, and says so where there are none.
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { isComplaint, picture, prepareToken } from '../support/console-stage.ts';
import { fund } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { standardWallet } from '../support/standard-wallet.ts';

tellOfSkippedChromium(4);

interface Bytes {
  readonly transaction: string;
  readonly transactionId: string;
  readonly bytesExpireAt: string;
}

describe.skipIf(chromiumProgram === undefined)('whoever left a draft open', () => {
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    const environment = {
      DRAFT_LIFETIME_KIND: 'recent-blockhash',
      LOCAL_CHAIN_NONCES: 'off',
      // Bytes end with their blockhash, after 150 slots: long enough for a reader to sign.
      LOCAL_CHAIN_SLOT_MS: '250',
    };
    [service, browser] = await Promise.all([startServiceProcess(environment), openBrowser()]);
  });

  afterAll(() => browser?.close());

  /** Up to what is to be signed, with what the page asks of the service from then on. */
  async function openReview(look = {}) {
    const keypair = Keypair.generate();
    await fund(service.chainUrl, keypair.publicKey.toBase58(), LAMPORTS_PER_SOL);
    const { page, complaints } = await openPage(
      browser,
      `${service.url}/console/create`,
      { before: standardWallet(keypair), ...look },
      isComplaint,
    );
    await page.locator('main button', { hasText: 'Connect a wallet' }).click();
    await page.locator('dialog[open] button', { hasText: 'Sunny' }).click();
    const made = page.waitForResponse(/\/tokens\/create-unsigned$/);
    await prepareToken(page, 'Late');
    const bytes: Bytes = await (await made).json();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    return { page, complaints, asked, ...bytes };
  }

  /** Its bytes are over, and it is not. */
  const waitForTheBytes = (page: Page, bytesExpireAt: string) =>
    page.evaluate(`{ const ahead = ${Date.parse(bytesExpireAt)} + 1_000 - Date.now();
      const now = Date.now.bind(Date); Date.now = () => now() + ahead; }`);

  const inAnotherTab = async (page: Page) => {
    const { token }: { token: string } = JSON.parse(
      await page.evaluate('sessionStorage.getItem("levy-session")'),
    );
    return (path: string) => createClient(service.url).call<Bytes>('POST', path, { token });
  };

  const tooOld = (page: Page) => page.locator('.review [role=status]', { hasText: 'too old to be signed' });
  const getFresh = (page: Page) =>
    page.locator('button', { hasText: 'Get fresh bytes, and sign and create' });
  const created = (page: Page) => page.locator('h2', { hasText: 'Late is on the chain' });

  test.each([
    [1_280, 'light'],
    [390, 'dark'],
  ] as const)('gets fresh bytes and signs them, at %d pixels (%s)', async (width, colorScheme) => {
    const { page, complaints, asked, transactionId, bytesExpireAt } = await openReview({
      width,
      colorScheme,
    });
    expect(await tooOld(page).count()).toBe(0);
    await waitForTheBytes(page, bytesExpireAt);
    await tooOld(page).waitFor();
    await picture(page, `create-old-bytes-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    // The same on the page Mine, to which its owner comes back.
    await page.locator('nav a', { hasText: 'Mine' }).click();
    await page.locator('td[data-name=State]', { hasText: 'Its bytes are too old' }).waitFor();
    await picture(page, `mine-old-bytes-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.locator('button', { hasText: 'Sign it …' }).click();
    await tooOld(page).waitFor();
    await getFresh(page).click();
    await created(page).waitFor();
    expect(asked.filter((path) => path.endsWith('/refresh'))).toEqual([
      `/transactions/${transactionId}/refresh`,
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('whose bytes are refused as too old is told that nothing was paid, and signs fresh ones', async () => {
    const { page, complaints, transactionId, transaction } = await openReview();
    const call = await inAnotherTab(page);
    await eventually('another tab has other bytes', async () => {
      const { status, body } = await call(`/transactions/${transactionId}/refresh`);
      return status === 200 && body.transaction !== transaction;
    });
    await page.locator('button', { hasText: /^Sign and create$/ }).click();
    await page.locator('.review .fault', { hasText: 'came too late' }).waitFor();
    await tooOld(page).waitFor();
    await page.locator('.review .fault', { hasText: 'Nothing was paid.' }).waitFor();
    await getFresh(page).click();
    await created(page).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is told that a draft that was cancelled elsewhere gets no fresh bytes', async () => {
    const { page, transactionId, bytesExpireAt } = await openReview();
    await waitForTheBytes(page, bytesExpireAt);
    await tooOld(page).waitFor();
    // First the service cannot: the draft stays.
    await page.route('**/refresh', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '2' },
        body: JSON.stringify({ status: 503, code: 'CHAIN_UNAVAILABLE', detail: 'The chain is away.' }),
      }),
    );
    await getFresh(page).click();
    const fault = page.locator('.review .fault');
    await fault
      .filter({ hasText: 'There are no fresh bytes now: The chain is away. Nothing was sent' })
      .waitFor();
    await page.unroute('**/refresh');
    const call = await inAnotherTab(page);
    expect(await call(`/transactions/${transactionId}/cancel`)).toMatchObject({ status: 200 });
    await getFresh(page).click();
    await fault.filter({ hasText: 'It can no longer be signed: ' }).waitFor();
    await picture(page, 'create-no-fresh-bytes-1280-light');
    expect(await faultsOf(page)).toEqual([]);
    expect(await getFresh(page).count()).toBe(0);
    await page.locator('button', { hasText: 'Prepare it again' }).click();
    expect(await page.locator('#field-name').inputValue()).toBe('Late');
    await page.close();
  });
});
