// A reader of /docs signs in there, and calls as who signed in.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { type DocsReader, openDocsReader } from '../support/docs-reader.ts';

tellOfSkippedChromium(2);

describe.skipIf(chromiumProgram === undefined)('the page of the API', () => {
  let reader: DocsReader;

  beforeAll(async () => {
    reader = await openDocsReader();
  });

  afterAll(() => reader?.close());

  test.each([
    'localhost',
    '127.0.0.1',
  ])('lets a reader sign in, and call as who signed in, from %s', async (hostname) => {
    const { page, complaints } = await reader.openPage(hostname);
    const own = page.locator('.opblock', { has: page.locator('[data-path="/tokens/me"]') });
    await own.locator('.opblock-summary-control').click();
    await own.locator('[data-code="401"]', { hasText: 'TOKEN_EXPIRED: ' }).getByRole('button').click();
    await own.locator('.response', { hasText: '"code": "UNAUTHENTICATED"' }).waitFor();
    await own.locator('.try-out__btn').click();
    await own.locator('.execute').click();
    await own.locator('.live-responses-table .response-col_status', { hasText: '401' }).first().waitFor();
    await reader.signIn(page);
    await own.locator('.execute').click();
    await own.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor();
    expect(await own.locator('.request-url').textContent()).toContain(`http://${hostname}:`);
    await page.locator('#sign-in-open').click();
    await page.locator('#sign-out').click();
    await page.locator('#signed-in', { hasText: 'Signed out: the token is revoked.' }).waitFor();
    await page.locator('#sign-in-close').click();
    await own.locator('.execute').click();
    await own.locator('.live-responses-table .response-col_status', { hasText: '401' }).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
