// A reader of /docs enters an access token and an operator key there, and calls with them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { openCreator } from '../support/creator.ts';
import { type DocsReader, openDocsReader } from '../support/docs-reader.ts';
import { OPERATOR_KEY } from '../support/operator.ts';

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
    const { token } = await openCreator(reader.service);
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
});
