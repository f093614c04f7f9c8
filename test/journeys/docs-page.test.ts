// A reader of /docs finds what they look for, signs and is refused there, with any screen and hearing.
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf, isTooWide } from '../support/browser.ts';
import { chromiumProgram, tellOfSkippedChromium } from '../support/chromium.ts';
import { createClient } from '../support/client.ts';
import { lookAt } from '../support/console-stage.ts';
import { creatorWith, openCreator } from '../support/creator.ts';
import { type DocsReader, openDocsReader } from '../support/docs-reader.ts';
import { newOperatorKey, OPERATOR_KEY } from '../support/operator.ts';

tellOfSkippedChromium(4);

/** Three wallets as the Wallet Standard has them: one of Solana, one that signs nothing, one of another chain. */
const WALLETS = `{
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  const accounts = [{ address: '67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj' }];
  const signing = {
    'standard:connect': { connect: async () => ({ accounts }) },
    'solana:signMessage': { signMessage: async () => Promise.reject(new Error('The user said no.')) },
  };
  const wallets = [
    { name: 'Sunny', icon, chains: ['solana:mainnet'], features: signing },
    { name: 'Signs nothing', icon, chains: ['solana:mainnet'], features: {} },
    { name: 'Elsewhere', icon, chains: ['eip155:1'], features: signing },
  ];
  addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(...wallets));
}`;

describe.skipIf(chromiumProgram === undefined)('the page of the API', () => {
  let reader: DocsReader;

  beforeAll(async () => {
    reader = await openDocsReader();
  });

  afterAll(() => reader?.close());

  test('offers the wallets of the browser that can sign a message of Solana, and says what one refuses', async () => {
    const { page, complaints } = await reader.openPage('localhost', { before: WALLETS });
    await page.locator('#sign-in-open').click();
    expect(await page.locator('#wallets button').allTextContents()).toEqual([' Sunny']);
    expect(await page.locator('#no-wallet').isVisible()).toBe(false);
    await page.locator('#wallets button').click();
    await page.locator('#signed-in', { hasText: 'Not signed in: The user said no.' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('gives a reader of the embedded chain a test wallet that can pay for a token and sign it', async () => {
    const { page, complaints } = await reader.openPage('localhost', { width: 390 });
    const verified = page.waitForResponse('**/auth/verify');
    await page.locator('#sign-in-open').click();
    expect(await page.locator('#sign-transaction').isVisible()).toBe(false);
    await page.locator('#sign-in-new-key').click();
    await page.locator('#signed-in', { hasText: 'The wallet has SOL of the embedded chain.' }).waitFor();
    const { token } = (await (await verified).json()) as { token: string };
    const client = createClient(reader.service.url);
    const creator = creatorWith({ client, keypair: Keypair.generate(), token });
    const { transactionId, transaction } = await creator.draft();

    const sign = async (text: string) => {
      await page.locator('#transaction').fill(text);
      await page.locator('#sign-transaction button').click();
    };
    await sign('no transaction');
    await page.locator('#signed-in', { hasText: 'The transaction must be base64.' }).waitFor();
    const others = await openCreator(reader.service);
    await sign((await others.draft()).transaction);
    await page.locator('#signed-in', { hasText: 'does not need a signature of the test wallet' }).waitFor();
    await sign(transaction);
    await page.locator('#signed-in', { hasText: /^Signed\.$/ }).waitFor();
    expect(await faultsOf(page, '#sign-in')).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    const signedTransaction = await page.locator('#signed-transaction').inputValue();
    const made = await creator.levy.post('/tokens/submit', { body: { transactionId, signedTransaction } });
    expect(made.token).toMatchObject({ symbol: 'SUN' });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('says at the field what the service refuses, and uses nothing of it', async () => {
    const { page, complaints } = await reader.openPage('localhost');
    await page.locator('#sign-in-open').click();
    await page.locator('#no-wallet').waitFor();
    await page.locator('#sign-in-token button').click();
    await page.locator('#token-fault', { hasText: 'Paste the token' }).waitFor();
    await page.locator('#token').fill('<b>not a token</b>');
    await page.locator('#sign-in-token button').click();
    await page.locator('#token-fault', { hasText: 'access token' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('token');
    await page.locator('#operator-key').fill(newOperatorKey());
    await page.locator('#sign-in-operator button').click();
    await page.locator('#operator-key-fault', { hasText: 'key' }).waitFor();
    expect(await faultsOf(page, '#sign-in')).toEqual([]);
    expect(await page.locator('#sign-in-open').textContent()).toBe('Sign in');
    await page.locator('#operator-key').fill(OPERATOR_KEY);
    await page.locator('#sign-in-operator button').click();
    await page.locator('#signed-in', { hasText: "Calls of operators' routes now use this key." }).waitFor();
    expect(await page.locator('#operator-key-fault').textContent()).toBe('');
    await page.locator('#sign-in-close').click();
    await page.locator('.top a', { hasText: 'Console' }).click();
    await page.locator('h1', { hasText: 'Tokens that share' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is as wide as the screen and has no fault that axe finds, an answer open', async () => {
    const { page, complaints } = await reader.openPage('localhost');
    const operation = page.locator('.opblock', {
      has: page.locator('[data-path="/tokens/create-unsigned"]'),
    });
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status').first().waitFor();
    await lookAt(page, 'docs');
    await page.locator('#sign-in-open').click();
    expect(await faultsOf(page, '#sign-in')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
