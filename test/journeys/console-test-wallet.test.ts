import { describe, expect, test } from 'vitest';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import {
  connectTestWallet,
  lookAt,
  makeToken,
  openConsoleForTheBlock,
  prepareToken,
} from '../support/console-stage.ts';

tellOfSkippedChromium(2);

describe.skipIf(chromiumProgram === undefined)('with the test wallet, a newcomer', () => {
  const stage = openConsoleForTheBlock();
  const { open } = stage;

  test('gets more SOL from the faucet, which says what has arrived', async () => {
    const { page, complaints } = await open('');
    await connectTestWallet(page);
    await page.locator('.top button', { hasText: 'Test wallet' }).click();
    await page.locator('dialog[open] p', { hasText: 'lost when the tab is closed' }).waitFor();
    await page.locator('dialog[open] button', { hasText: 'Get 2 SOL from the faucet' }).click();
    await page.locator('dialog[open] [role=status]', { hasText: '2 worthless SOL received' }).waitFor();
    await lookAt(page, 'faucet');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('finds its tokens and drafts under Mine', async () => {
    const { page, complaints } = await open('mine');
    await page.locator('.empty', { hasText: 'Connect a wallet' }).waitFor();
    await connectTestWallet(page);
    await page.locator('.empty', { hasText: 'has no tokens yet' }).waitFor();
    await lookAt(page, 'mine-empty');
    await page.locator('main a', { hasText: 'Create one' }).click();
    await makeToken(page, '<i>Dawn</i>');
    await page.locator('nav a', { hasText: 'Create' }).click();
    await page.locator('#field-name').waitFor();
    await prepareToken(page);
    await page.locator('nav a', { hasText: 'My tokens' }).click();
    const drafts = page.locator('.card', { hasText: 'In progress' });
    await drafts.locator('.state', { hasText: /unsigned; expires in 0[45]:/ }).waitFor();
    await page.locator('td[data-name=Token] a', { hasText: '<i>Dawn</i>' }).waitFor();
    await lookAt(page, 'mine');
    await drafts.locator('button', { hasText: 'Cancel the draft' }).click();
    await drafts.waitFor({ state: 'detached' });

    // A session that ends elsewhere: the page asks for the wallet again, and goes on.
    const { token }: { token: string } = JSON.parse(
      await page.evaluate('sessionStorage.getItem("levy-session")'),
    );
    await createClient(stage.service.url).ask('POST', '/auth/logout', { token });
    await page.locator('main .empty > .fault', { hasText: 'Your session has ended.' }).waitFor();
    await connectTestWallet(page);
    await page.locator('td[data-name=Token] a', { hasText: '<i>Dawn</i>' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});
