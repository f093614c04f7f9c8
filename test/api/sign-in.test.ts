/** Signing in, access tokens and who may call what, over HTTP. */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createSignInMessageText } from '@solana/wallet-standard-util';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import { type Client, createClient } from '../support/client.ts';
import { type Creator, openCreator, signatureOf, signIn } from '../support/creator.ts';
import { listening } from '../support/listening.ts';
import { openTestService, type TestService } from '../support/service.ts';

const PAGE = 'https://app.example';
const MINUTE = 60_000;
const now = () => Math.floor(Date.now() / 1_000);

let service: TestService;
let client: Client;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService({ ALLOWED_ORIGINS: `${PAGE}, https://*.preview.example` });
  client = createClient(service.url);
  creator = await openCreator(service, { sol: 0 });
});

async function challengeFor(keypair: Keypair, headers: Record<string, string> = {}): Promise<string> {
  const json = { walletAddress: keypair.publicKey.toBase58() };
  const answer = await client.ask<{ challenge: string }>('POST', '/auth/challenge', { json, headers });
  return answer.challenge;
}

function proof(keypair: Keypair, message: string) {
  const signature = signatureOf(keypair, Buffer.from(message));
  return { walletAddress: keypair.publicKey.toBase58(), signature, message };
}

async function refusedSignIn(json: object): Promise<void> {
  const recorded = service.recorded.length;
  await client.refusal('SIGN_IN_FAILED', 'POST', '/auth/verify', { json });
  expect(service.recorded.slice(recorded)).toEqual([]);
}

describe('a challenge', () => {
  test('is a Sign-In-With-Solana message for the service itself, good for five minutes', async () => {
    const before = Date.now();
    const json = { walletAddress: creator.address };
    const answer = await client.ask<{
      challenge: string;
      expiresAt: string;
      signInInput: Parameters<typeof createSignInMessageText>[0];
    }>('POST', '/auth/challenge', { json });
    const after = Date.now();
    // The message that a wallet builds from the standard's sign-in input equals the challenge byte for byte.
    expect(createSignInMessageText(answer.signInInput)).toBe(answer.challenge);
    const { host, origin } = new URL(service.url);
    const [first, second, , , , uri, ...rest] = answer.challenge.split('\n');
    expect(first).toBe(`${host} wants you to sign in with your Solana account:`);
    expect(second).toBe(creator.address);
    expect(uri).toBe(`URI: ${origin}`);
    expect(rest.slice(0, 2)).toEqual(['Version: 1', 'Chain ID: localnet']);
    expect(answer.challenge).toContain(`Expiration Time: ${answer.expiresAt}`);
    expect(Date.parse(answer.expiresAt) - 5 * MINUTE).toBeGreaterThanOrEqual(before);
    expect(Date.parse(answer.expiresAt) - 5 * MINUTE).toBeLessThanOrEqual(after);
  });

  test('names the page that asks, if it may call, and signs in', async () => {
    const keypair = Keypair.generate();
    const message = await challengeFor(keypair, { origin: PAGE });
    expect(message).toMatch(/^app\.example wants you to sign in/);
    expect(message).toContain(`URI: ${PAGE}\n`);
    await client.ask('POST', '/auth/verify', { json: proof(keypair, message) });
  });
});

describe('signing in', () => {
  test('gives a token, its expiry and the user', async () => {
    const session = await signIn(client, creator.keypair);
    expect(session.user.walletAddress).toBe(creator.address);
    expect((await signIn(client, creator.keypair)).user.id).toBe(session.user.id);
    const payload = JSON.parse(Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ sub: creator.address, exp: Date.parse(session.expiresAt) / 1_000 });
    expect(payload.exp - payload.iat).toBe(24 * 60 * 60);
  });

  test('works once with a challenge also when it is used several times at the same moment', async () => {
    const json = proof(creator.keypair, await challengeFor(creator.keypair));
    const answered = await Promise.all([1, 2, 3].map(() => client.call('POST', '/auth/verify', { json })));
    expect(answered.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    await refusedSignIn(json);
  });

  test('says which encoding a signature has to have, and which one it seems to have', async () => {
    const { signature, ...json } = proof(creator.keypair, await challengeFor(creator.keypair));
    const bytes = Buffer.from(bs58.decode(signature));
    for (const [sent, seems] of [
      [bytes.toString('base64'), '; it looks like base64'],
      [`0x${bytes.toString('hex')}`, '; it looks like hexadecimal'],
      [JSON.stringify([...bytes]), '; it looks like JSON'],
      ['ä', ''],
    ] as const) {
      const { details } = await client.refusal('VALIDATION_FAILED', 'POST', '/auth/verify', {
        json: { ...json, signature: sent },
      });
      expect(details).toEqual([{ path: ['signature'], message: `must be base58${seems}` }]);
    }
  });
});

describe('signing out', () => {
  test('ends this session and no other', async () => {
    const [one, other] = [await signIn(client, creator.keypair), await signIn(client, creator.keypair)];
    const { token } = one;
    expect(await client.ask('POST', '/auth/logout', { token })).toStrictEqual({ success: true });
    await client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token });
    await client.refusal('UNAUTHENTICATED', 'POST', '/auth/logout', { token });
    await client.ask('GET', '/tokens/me', { token: other.token });
  });
});

describe('an access token', () => {
  const CLAIMS = () => ({
    iss: 'levy',
    aud: 'levy',
    sub: creator.address,
    iat: now(),
    exp: now() + 600,
    jti: 'x',
  });
  let key: JWK;

  beforeAll(async () => {
    key = JSON.parse(await readFile(join(service.folder, 'jwt-key.json'), 'utf8'));
  });

  async function made(claims: JWTPayload, header: object = {}): Promise<string> {
    const alg = key.alg ?? '';
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: key.kid ?? '', typ: 'JWT', ...header })
      .sign(await importJWK(key, alg));
  }

  test('can be checked by anybody with the published keys, which hold no secret', async () => {
    const { headers, body } = await client.call<{ keys: object[] }>('GET', '/.well-known/jwks.json');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const { kid, x } = key;
    expect(body).toStrictEqual({ keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x }] });
  });

  test('that has expired is told so', async () => {
    const token = await made({ ...CLAIMS(), iat: now() - 700, exp: now() - 60 });
    const { headers } = await client.call('GET', '/tokens/me', { token });
    expect(headers.get('www-authenticate')).toBe('Bearer');
    await client.refusal('TOKEN_EXPIRED', 'GET', '/tokens/me', { token });
  });

  test('must come as a bearer token', async () => {
    const good = await made(CLAIMS());
    const authorizations = [
      '',
      'Bearer',
      'Bearer ',
      good,
      `Basic ${good}`,
      `Bearer ${good} ${good}`,
      `Token ${good}`,
    ];
    for (const authorization of authorizations) {
      await client.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { headers: { authorization } });
    }
    await client.ask('GET', '/tokens/me', { headers: { authorization: `bearer ${good}` } });
  });

  test('of an accepted issuer is as good as our own, for the wallet that it names', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'theirs' };
    const keyServer = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
    const issuer = 'https://login.example';
    const port = await listening(keyServer);
    const { url } = await openTestService({
      ACCEPTED_ISSUERS: JSON.stringify([
        {
          issuer,
          jwksUrl: `http://127.0.0.1:${port}/`,
          algorithms: ['ES256'],
          audience: 'levy-of-ours',
          walletClaim: 'wallet',
        },
      ]),
    });
    const elsewhere = createClient(url);
    const theirs = (claims: JWTPayload) =>
      new SignJWT({ iss: issuer, aud: 'levy-of-ours', exp: now() + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'theirs' })
        .sign(privateKey);
    const token = await theirs({ wallet: creator.address });
    expect(await elsewhere.ask('GET', '/tokens/me', { token })).toEqual({ tokens: [], next: null });
    for (const claims of [
      {},
      { wallet: 'nobody' },
      { wallet: creator.address, aud: 'levy' },
      { wallet: creator.address, iss: 'levy' },
    ]) {
      await elsewhere.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token: await theirs(claims) });
    }
    expect(await elsewhere.ask('POST', '/auth/logout', { token })).toEqual({ success: true });
    await elsewhere.refusal('UNAUTHENTICATED', 'GET', '/tokens/me', { token });
  });
});

describe('every endpoint', () => {
  /** All others are for wallets, operators or partners alone. */
  const PUBLIC = [
    'POST /auth/challenge',
    'POST /auth/verify',
    'POST /faucet',
    'POST /faucet/transfers/create-unsigned',
    'POST /faucet/transfers/submit',
    'POST /tokens/generate-distribution-wallet',
    'GET /tokens',
    'GET /featured',
    'GET /images/:file',
    'GET /files/:sha256',
    'GET /metadata/:file',
    'GET /.well-known/jwks.json',
    'GET /config',
    'GET /asyncapi.json',
    'GET /health',
    'GET /log/checkpoint',
    'GET /log/key',
    'GET /log/tile/:level/:first',
    'GET /log/tile/:level/:first/:second',
    'GET /log/tile/:level/:first/:second/:third',
    'GET /log/tile/:level/:first/:second/:third/:fourth',
    'GET /openapi.json',
    'GET /ready',
    'GET /totals',
  ];
  /** Anybody may call them, and be somebody in doing so. */
  const EITHER = [
    'GET /events',
    'GET /launchpad/:mintAddress/status',
    'GET /tokens/:mintAddress',
    'GET /tokens/:mintAddress/transfer-quote',
    'GET /distribution/:tokenId/holders',
    'GET /distribution/:tokenId/holders/:wallet',
    'GET /distribution/:tokenId/owners',
    'GET /distribution/:tokenId/runs',
    'GET /distribution/:tokenId/runs/:runId',
    'GET /distribution/:tokenId/runs/:runId/batches',
    'GET /distribution/:tokenId/runs/:runId/payments',
    'GET /distribution/:tokenId/runs/:runId/payments/:wallet',
    'GET /distribution/:tokenId/runs/:runId/payments/:wallet/proof',
    'GET /distribution/:tokenId/series',
    'GET /distribution/:tokenId/tax',
    'GET /wallets/:wallet/shares',
  ];
  const routes = [...commands, ...queries].map(({ route: { method, url } }) => ({ method, url }));

  test.each(routes)('$method $url asks for credentials unless it is for anybody', async ({ method, url }) => {
    const path = url.replace(/:\w+/, '7c9e6679-7425-40de-944b-e07fc1f90ae7');
    const without = await client.call<{ code?: string }>(method, path);
    const withGarbage = await client.call<{ code?: string }>(method, path, { token: 'garbage' });
    const asked = [without, withGarbage].map(({ body }) => body?.code === 'UNAUTHENTICATED');
    const isIn = (list: readonly string[]) => list.includes(`${method} ${url}`);
    expect(asked).toEqual([!isIn(PUBLIC) && !isIn(EITHER), !isIn(PUBLIC)]);
  });
});
