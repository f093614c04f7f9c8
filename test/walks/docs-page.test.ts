// A reader of /docs finds what they look for, with any screen and hearing, enters an access token and an operator key, and calls with them.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide, type Look, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { openCreator } from '../support/creator.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkippedChromium(6);

describe.skipIf(chromiumProgram === undefined)('the page of the API', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([openTestService({ NONCE_ACCOUNTS_MIN: '3' }), openBrowser()]);
  });

  afterAll(() => browser?.close());

  async function open(
    hostname: string,
    { path = '/docs/', ...look }: Look & { readonly path?: string } = {},
  ) {
    const url = `http://${hostname}:${new URL(service.url).port}${path}`;
    const opened = await openPage(browser, url, look, (message) =>
      /Content Security Policy|CORS/.test(message),
    );
    await opened.page
      .locator(path === '/docs/' ? '.opblock' : 'h1')
      .first()
      .waitFor();
    return opened;
  }

  test.each([
    'localhost',
    '127.0.0.1',
  ])('lets a reader sign in, and call as who signed in, from %s', async (hostname) => {
    const { page, complaints } = await open(hostname);
    const own = page.locator('.opblock', { has: page.locator('[data-path="/tokens/me"]') });
    await own.locator('.opblock-summary-control').click();
    await own.locator('[data-code="401"]', { hasText: 'TOKEN_EXPIRED: ' }).getByRole('button').click();
    await own.locator('.response', { hasText: '"code": "UNAUTHENTICATED"' }).waitFor();
    await own.locator('.try-out__btn').click();
    await own.locator('.execute').click();
    await own.locator('.live-responses-table .response-col_status', { hasText: '401' }).first().waitFor();
    const { token } = await openCreator(service);
    await page.locator('#sign-in-open').click();
    await page.locator('#token').fill(token);
    await page.locator('#operator-key').fill(OPERATOR_KEY);
    await page.locator('#sign-in button').click();
    await own.locator('.execute').click();
    await own.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor();
    expect(await own.locator('.request-url').textContent()).toContain(`http://${hostname}:`);
    expect(await own.locator('.curl').textContent()).not.toContain(OPERATOR_KEY);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    [1_280, 'light'],
    [390, 'dark'],
  ] as const)('at %d pixels (%s), is as wide as the screen and has no fault that axe finds, an answer open', async (width, colorScheme) => {
    const { page, complaints } = await open('localhost', { width, colorScheme });
    const operation = page.locator('.opblock', {
      has: page.locator('[data-path="/tokens/create-unsigned"]'),
    });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.locator('#sign-in-open').click();
    expect(await faultsOf(page, '#sign-in')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.each([
    '/docs/guides/tutorial/first-token.md',
    '/docs/errors/TOKEN_NOT_FOUND',
  ])('%s is as wide as a telephone and has no fault that axe finds', async (path) => {
    const { page, complaints } = await open('localhost', { width: 390, path });
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
