// A creator changes a token's settings in the console: what changes is shown first, and nobody else's change is overwritten.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide, openBrowser, openPage } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { connectTestWallet, isComplaint, makeToken, picture } from '../support/console-stage.ts';
import { DISTRIBUTION_ENVIRONMENT } from '../support/distribution-journey.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

tellOfSkippedChromium(3);

describe.skipIf(chromiumProgram === undefined)('a creator', () => {
  let service: ServiceProcess;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startServiceProcess(DISTRIBUTION_ENVIRONMENT), openBrowser()]);
  });

  afterAll(() => browser?.close());

  const open = (path: string, look = {}) =>
    openPage(browser, `${service.url}/console/${path}`, look, isComplaint);

  /** As another program of the same creator would. */
  async function changeElsewhere(page: Page, mint: string, json: object): Promise<void> {
    const { token }: { token: string } = JSON.parse(
      await page.evaluate('sessionStorage.getItem("levy-session")'),
    );
    const client = createClient(service.url);
    const { token: made } = await client.ask<{ token: { id: string } }>('GET', `/tokens/${mint}`);
    await client.ask('PATCH', `/distribution/${made.id}/settings`, { token, json });
  }

  test.each([
    [1_280, 'light'],
    [390, 'dark'],
  ] as const)('changes the settings, at %d pixels (%s)', async (width, colorScheme) => {
    const { page, complaints } = await open('create', { width, colorScheme });
    await connectTestWallet(page);
    const mint = await makeToken(page, '<u>Dawn</u>');
    await page.locator('nav a', { hasText: 'Mine' }).click();
    await page.locator('td[data-name=Token] a', { hasText: 'Settings' }).click();
    await page.locator('h1', { hasText: 'Settings of <u>Dawn</u>' }).waitFor();
    const save = page.locator('button[type=submit]');
    const changes = page.locator('section[aria-labelledby=differences]');
    await changes.locator('p', { hasText: 'Nothing yet' }).waitFor();
    expect(await save.isDisabled()).toBe(true);

    await page.locator('#field-burnPercent').fill('many');
    await page.locator('.wrong #about-burnPercent', { hasText: 'must be a number' }).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.locator('#field-burnPercent').fill('20');
    await page.locator('#field-developerWallet').fill('nobody');
    await save.click();
    await changes.locator('.fault', { hasText: 'Nothing was changed' }).waitFor();
    await page.locator('.wrong #about-developerWallet').waitFor();
    await page.locator('#field-developerWallet').fill('67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj');
    await page.locator('#field-distributionInterval').selectOption('6h');
    expect(await changes.locator('.differences li').allTextContents()).toHaveLength(3);
    await picture(page, `settings-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await save.click();
    await changes.locator('[role=status]', { hasText: 'Saved.' }).waitFor();
    const history = page.locator('section', { has: page.locator('h2', { hasText: 'History' }) });
    await history.locator('li', { hasText: 'every 15 minutes every 6 hours' }).waitFor();
    await history.locator('td', { hasText: 'Created with the token.' }).waitFor();

    // Somebody else is quicker: nothing is overwritten, and what was typed is still there.
    await page.locator('#field-burnPercent').fill('25');
    await changeElsewhere(page, mint, { burnPercent: 30, developerFeePercent: 3 });
    await save.click();
    await changes.locator('.failed', { hasText: 'changed elsewhere meanwhile' }).waitFor();
    expect(await page.locator('#field-developerFeePercent').inputValue()).toBe('3');
    expect(await page.locator('#field-burnPercent').inputValue()).toBe('25');
    await picture(page, `settings-conflict-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    await save.click();
    await changes.locator('[role=status]', { hasText: 'Saved.' }).waitFor();
    await changes.locator('.failed').waitFor({ state: 'detached' });

    await page.locator('button', { hasText: 'Work it out' }).click();
    await page.locator('section[aria-labelledby=preview] p', { hasText: 'No run would be opened' }).waitFor();
    await picture(page, `settings-saved-${width}-${colorScheme}`);
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is asked for the wallet first, and is refused the settings of another’s token', async () => {
    const { page } = await open('create');
    await connectTestWallet(page);
    const mint = await makeToken(page, 'Dawn');
    const other = await open(`tokens/${mint}/settings`);
    await other.page.locator('.empty', { hasText: 'The creator’s wallet is needed' }).waitFor();
    expect(await faultsOf(other.page)).toEqual([]);
    await connectTestWallet(other.page);
    await other.page.locator('.failed', { hasText: 'The settings could not be loaded.' }).waitFor();
    expect(other.complaints).toEqual([]);
    await Promise.all([page.close(), other.page.close()]);
  });
});
