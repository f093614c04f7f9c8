// The client that others install is good for the whole flow against a live service.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import { createLevyClient, LevyError } from 'levy-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { checkedFetch } from '../support/client.ts';
import { creatorWallet, fund } from '../support/creator.ts';
import { openTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const EXAMPLE = 'packages/client/examples/create-token.ts';

describe('against a live service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await openTestService();
  });

  const client = (options: { readonly accessToken?: string } = {}) =>
    createLevyClient({ baseUrl: service.url, fetch: checkedFetch, ...options });

  test('its example creates a token', async () => {
    const wallet = Keypair.generate();
    await fund(service.chainUrl, wallet.publicKey.toBase58(), LAMPORTS_PER_SOL);
    const keyFile = join(await folderForTheFile(), 'creator.json');
    await writeFile(keyFile, JSON.stringify([...wallet.secretKey]));
    const program = [
      '--import',
      'tsx',
      '--conditions=levy-source',
      EXAMPLE,
      service.url,
      keyFile,
      'examples/token.png',
    ];
    const { stdout } = await run(process.execPath, program);
    const mintAddress = /^Sunrise \(SUN\) is (\w+), created by \w+\n$/.exec(stdout)?.[1] ?? stdout;
    const { token } = await client().get('/tokens/{mintAddress}', { params: { path: { mintAddress } } });
    expect(token.mintAddress).toBe(mintAddress);
  });

  test('a refusal is an error with its code and everything that was said', async () => {
    const refused = await client()
      .post('/auth/challenge', { body: { walletAddress: 'nobody' } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LevyError);
    expect(refused).toMatchObject({
      name: 'LevyError',
      status: 400,
      code: 'INVALID_ADDRESS',
      retryAfterSeconds: undefined,
      problem: { code: 'INVALID_ADDRESS', instance: '/auth/challenge' },
    });
  });

  test('an answer of something else is an error without a code', async () => {
    const levy = createLevyClient({
      baseUrl: service.url,
      fetch: async () =>
        new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'retry-after': '7' } }),
    });
    await expect(levy.get('/tokens')).rejects.toMatchObject({
      status: 502,
      code: undefined,
      problem: undefined,
      retryAfterSeconds: 7,
    });
  });

  test('a wallet signs in and out, and a token in hand is taken', async () => {
    const levy = client();
    await expect(levy.get('/tokens/me')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const wallet = creatorWallet(Keypair.generate());
    const { token, user } = await levy.signIn(wallet);
    expect(user.walletAddress).toBe(wallet.address);
    expect(levy.accessToken).toBe(token);
    expect(await levy.get('/tokens/me')).toEqual({ tokens: [], next: null });

    const other = client({ accessToken: token });
    expect(await other.get('/tokens/me')).toEqual({ tokens: [], next: null });
    await levy.signOut();
    expect(levy.accessToken).toBeUndefined();
    await expect(other.get('/tokens/me')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
