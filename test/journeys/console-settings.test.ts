// A creator changes a token's settings in the console: what changes is shown first, and nobody else's change is overwritten.
import { associatedTokenAddress } from 'levy-solana-wire';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { connectTestWallet, lookAt, makeToken, openConsoleForTheBlock } from '../support/console-stage.ts';

tellOfSkippedChromium(2);

const OWNER = '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj';
/** The associated token account of some wallet: an address that a program signs for. */
const PROGRAM_OWNED = associatedTokenAddress(OWNER, OWNER);

describe.skipIf(chromiumProgram === undefined)('a creator', () => {
  const stage = openConsoleForTheBlock();
  const { open } = stage;

  const tokenOf = async (page: Page): Promise<string> =>
    JSON.parse(await page.evaluate('sessionStorage.getItem("levy-session")')).token;

  async function endSession(page: Page): Promise<void> {
    await createClient(stage.service.url).call('POST', '/auth/logout', { token: await tokenOf(page) });
  }

  /** Changes the settings as another program of the same creator does. */
  async function callElsewhere(
    page: Page,
    mint: string,
    method: string,
    what: 'settings' | 'owners',
    json: object,
  ): Promise<void> {
    const token = await tokenOf(page);
    const client = createClient(stage.service.url);
    const { token: made } = await client.ask<{ token: { id: string } }>('GET', `/tokens/${mint}`);
    await client.ask(method, `/distribution/${made.id}/${what}`, { token, json });
  }

  test('changes the settings', async () => {
    const { page, complaints } = await open('create');
    await connectTestWallet(page);
    const mint = await makeToken(page, '<u>Dawn</u>');
    await page.locator('.head a', { hasText: 'settings' }).click();
    await page.locator('h1', { hasText: 'Settings of <u>Dawn</u>' }).waitFor();
    const save = page.locator('button', { hasText: 'Save changes' });
    const changes = page.locator('section[aria-labelledby=differences]');
    await changes.locator('p', { hasText: 'No changes yet' }).waitFor();
    expect(await save.isDisabled()).toBe(true);

    await page.locator('#field-burnPercent').fill('many');
    await page.locator('.wrong #about-burnPercent', { hasText: 'must be a number' }).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.locator('#field-burnPercent').fill('20');
    await page.locator('#field-developerWallet').fill('nobody');
    await page.locator('.wrong #about-developerWallet', { hasText: 'Must be a Solana address.' }).waitFor();
    await page.locator('#field-developerWallet').fill('1'.repeat(44));
    await save.click();
    await changes.locator('.fault', { hasText: 'Nothing was changed' }).waitFor();
    await page.locator('.wrong #about-developerWallet').waitFor();
    await page.locator('#field-developerWallet').fill('67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj');
    await page.locator('#field-distributionInterval').selectOption('6h');
    expect(await changes.locator('.differences li').allTextContents()).toHaveLength(3);
    await lookAt(page, 'settings');

    // A session that ends takes nothing of what was typed.
    await endSession(page);
    await save.click();
    await page.locator('.empty', { hasText: 'Your session has ended.' }).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await lookAt(page, 'settings-session-over');
    await connectTestWallet(page);
    await page.locator('.empty', { hasText: 'Your session has ended.' }).waitFor({ state: 'detached' });
    expect(await changes.locator('.differences li').allTextContents()).toHaveLength(3);
    await save.click();
    await changes.locator('[role=status]', { hasText: 'Saved.' }).waitFor();
    const history = page.locator('section', { has: page.locator('h2', { hasText: 'History' }) });
    await history.locator('li', { hasText: 'every 5 minutes every 6 hours' }).waitFor();
    await history.locator('td', { hasText: 'Created with the token.' }).waitFor();

    // Somebody else is quicker: nothing is overwritten, and what was typed is still there.
    await page.locator('#field-burnPercent').fill('25');
    await callElsewhere(page, mint, 'PATCH', 'settings', { burnPercent: 30, developerFeePercent: 3 });
    await save.click();
    await changes.locator('.failed', { hasText: 'changed elsewhere' }).waitFor();
    expect(await page.locator('#field-developerFeePercent').inputValue()).toBe('3');
    expect(await page.locator('#field-burnPercent').inputValue()).toBe('25');
    await lookAt(page, 'settings-conflict');
    await save.click();
    await changes.locator('[role=status]', { hasText: 'Saved.' }).waitFor();
    await changes.locator('.failed').waitFor({ state: 'detached' });

    await page.locator('button', { hasText: 'Preview' }).click();
    await page.locator('section[aria-labelledby=preview] p', { hasText: 'No run would be opened' }).waitFor();
    await lookAt(page, 'settings-saved');

    expect(complaints).toEqual([]);
    await page.close();
  });

  test('keeps owners out, changes the tax and promotes', async () => {
    const { page, complaints } = await open('create');
    await connectTestWallet(page);
    await page.locator('.check', { hasText: 'Let me change the tax later' }).click();
    const mint = await makeToken(page, 'Dawn');
    await page.locator('nav a', { hasText: 'My tokens' }).click();
    await page.locator('td[data-name=Token] a', { hasText: 'Settings' }).click();
    const section = (name: string) => page.locator(`section[aria-labelledby=${name}]`);

    const owners = section('owners');
    await owners.locator('dd', { hasText: 'no exclusions' }).waitFor();
    const save = owners.locator('button[type=submit]');
    expect(await save.isDisabled()).toBe(true);
    await owners.locator('#field-excludedOwners').fill(`${OWNER}\n<b>nobody, who is nowhere at all</b>`);
    await save.click();
    await owners.locator('> .fault', { hasText: 'Nothing was changed' }).waitFor();
    await owners.locator('.wrong #about-excludedOwners .fault').waitFor();
    await owners.locator('#field-excludedOwners').fill(OWNER);
    await save.click();
    await owners.locator('[role=status]', { hasText: 'Saved. Takes effect in 4 min' }).waitFor();
    await owners.locator('div', { hasText: /^Nowno exclusions/ }).waitFor();
    await owners
      .locator('div', { hasText: /^Thenexcluded: 67aU…LGLj/ })
      .first()
      .waitFor();

    // Somebody else is quicker: nothing is overwritten, and what was typed is still there.
    await owners.locator('#field-excludedOwners').fill('');
    await callElsewhere(page, mint, 'PUT', 'owners', { excludedOwners: [], allowedOwners: [PROGRAM_OWNED] });
    await save.click();
    await owners.locator('> .fault', { hasText: 'changed elsewhere' }).waitFor();
    await owners.locator('small', { hasText: 'allowed:' }).waitFor();
    await save.click();
    await owners.locator('[role=status]', { hasText: 'Saved.' }).waitFor();

    const tax = section('tax');
    await tax.locator('button', { hasText: 'Review transaction' }).click();
    await tax.locator('.wrong .fault', { hasText: 'equals the current or the pending tax' }).waitFor();
    await tax.locator('#field-transferFeePercent').fill('3');
    await tax.locator('button', { hasText: 'Review transaction' }).click();
    const review = page.locator('.review');
    await review.locator('li', { hasText: 'sets the tax on transfers to 3' }).waitFor();
    await review.locator('dd', { hasText: 'instead of' }).waitFor();
    await lookAt(page, 'settings-tax');
    await review.locator('button', { hasText: 'Sign change' }).click();
    await tax.locator('[role=status]', { hasText: 'Changed. The chain takes 3' }).waitFor();
    await tax.locator('.meta', { hasText: 'from epoch' }).waitFor();

    const promote = section('promote');
    await promote.locator('#field-days').fill('31');
    await promote.locator('.wrong .fault', { hasText: 'from 1 to 30' }).waitFor();
    expect(await promote.locator('button').isDisabled()).toBe(true);
    await promote.locator('#field-days').fill('2');
    await promote.locator('small', { hasText: 'Costs 0.2 SOL' }).waitFor();
    await promote.locator('button', { hasText: 'Review transaction' }).click();
    await review.locator('li', { hasText: 'transfers 0.2 SOL' }).waitFor();
    await review.locator('button', { hasText: 'Edit' }).click();
    await promote.locator('button', { hasText: 'Review transaction' }).click();
    const pay = review.locator('button', { hasText: 'Sign and pay' });
    await pay.click();
    await promote.locator('[role=status]', { hasText: 'Paid. The promotion ends in 2 days.' }).waitFor();

    await section('launch').locator('p', { hasText: 'is not on this chain' }).waitFor();
    await lookAt(page, 'settings-actions');
    await page.locator('.brand').click();
    await page.locator('.featured h3', { hasText: 'Dawn' }).first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
