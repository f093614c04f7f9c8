// A reader of /docs finds what they look for, with any screen and hearing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { type DocsReader, openDocsReader } from '../support/docs-reader.ts';

tellOfSkippedChromium(4);

describe.skipIf(chromiumProgram === undefined)('the page of the API', () => {
  let reader: DocsReader;

  beforeAll(async () => {
    reader = await openDocsReader();
  });

  afterAll(() => reader?.close());

  test.each([
    [1_280, 'light'],
    [390, 'dark'],
  ] as const)('at %d pixels (%s), is as wide as the screen and has no fault that axe finds, an answer open', async (width, colorScheme) => {
    const { page, complaints } = await reader.openPage('localhost', { width, colorScheme });
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
    const { page, complaints } = await reader.openPage('localhost', { width: 390, path });
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
