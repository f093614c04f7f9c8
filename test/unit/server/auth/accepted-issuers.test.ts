// Tokens of other issuers without their servers: which are believed, for how long, and which entries a start refuses.
import { Value } from '@sinclair/typebox/value';
import bs58 from 'bs58';
import { importJWK, type JWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  type AcceptedIssuer,
  AcceptedIssuers,
  acceptedIssuerProblems,
} from '../../../../src/server/auth/accepted-issuers.ts';
import { type AccessTokensOptions, openAccessTokens } from '../../../../src/server/auth/access-token.ts';
import { createKey, publicHalf } from '../../../../src/server/auth/signing-key.ts';

const OWN = 'https://levy.example';
const ISSUER = 'https://login.example';
const START = Date.parse('2026-03-01T12:00:00.000Z');
const [COOLDOWN, REMEMBERED] = [30_000, 10 * 60_000];
const UNAUTHENTICATED = { ok: false, code: 'UNAUTHENTICATED' };
const seconds = START / 1_000;

const [ownKey, foreignKey] = [await createKey(), await createKey()];
const wallet = bs58.encode(Buffer.from(ownKey.x, 'base64url'));
const claims = { wallet, iss: ISSUER, aud: 'levy', jti: 'theirs', exp: seconds + 3_600 };

async function sign(payload: Record<string, unknown>, by: JWK & { alg: string; kid: string } = foreignKey) {
  const signer = await importJWK({ ...by }, by.alg);
  return new SignJWT(payload).setProtectedHeader({ alg: by.alg, kid: by.kid }).sign(signer);
}

const theirs: AcceptedIssuer = {
  issuer: ISSUER,
  jwksUrl: `${ISSUER}/jwks.json`,
  algorithms: ['EdDSA'],
  audience: 'levy',
  walletClaim: 'wallet',
};

async function service(
  acceptedIssuers: readonly AcceptedIssuer[] = [theirs],
  overrides: Partial<AccessTokensOptions> = {},
) {
  const clock = { now: START };
  const complaints: string[] = [];
  const fetches: { readonly url: string; readonly signal: AbortSignal }[] = [];
  const server = { status: 200 };
  const tokens = await openAccessTokens({
    signingKey: ownKey,
    issuer: OWN,
    audience: 'levy',
    lifetimeSeconds: 3_600,
    acceptedIssuers,
    isRevoked: () => false,
    now: () => clock.now,
    onKeysUnavailable: (issuer, reason) => complaints.push(`${issuer}: ${reason}`),
    async fetchKeys(url, { signal }) {
      fetches.push({ url, signal });
      return new Response(JSON.stringify({ keys: [publicHalf(foreignKey)] }), { status: server.status });
    },
    ...overrides,
  });
  return { tokens, clock, complaints, fetches, server };
}

describe('a token of an accepted issuer', () => {
  test('proves the wallet in the configured claim; its id is made here, since theirs might be one of ours', async () => {
    const { tokens, fetches } = await service();
    const verdict = await tokens.verify(await sign(claims));
    expect(verdict).toMatchObject({
      ok: true,
      wallet,
      issuer: ISSUER,
      expiresAt: '2026-03-01T13:00:00.000Z',
    });
    expect(verdict).not.toMatchObject({ jti: 'theirs' });
    await tokens.verify(await sign({ ...claims, jti: 'another' }));
    expect(fetches.map(({ url }) => url)).toEqual([theirs.jwksUrl]);
  });

  test.each([
    ['no wallet in that claim', { wallet: undefined, sub: wallet }],
    ['something else than a text there', { wallet: { wallet } }],
    [
      'no wallet among many',
      { wallet: JSON.stringify(['0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B', 7, null]) },
    ],
    ['an account of which it is only the end', { wallet: `x:solana:y:${wallet}` }],
    ['an account of another chain', { wallet: `eip155:1:${wallet}` }],
    ['an address that is none', { wallet: 'operator:ann' }],
    // The address of a program's account: nobody has its key.
    ['an address that no key has', { wallet: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi' }],
    ['another audience', { aud: 'other' }],
    ['no expiry', { exp: undefined }],
    ['a beginning that is more than half a minute away', { nbf: seconds + 31 }],
    ['our name as its issuer', { iss: OWN }],
    ['the name of nobody', { iss: 'https://nobody.example' }],
  ])('is refused with %s', async (_what, change) => {
    const { tokens } = await service();
    expect(await tokens.verify(await sign({ ...claims, ...change }))).toEqual(UNAUTHENTICATED);
  });

  const privy = JSON.stringify([
    { type: 'email', address: 'ann@example.com' },
    { type: 'wallet', chain_type: 'ethereum', address: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' },
    { type: 'wallet', chain_type: 'solana', address: wallet },
  ]);

  test.each([
    ['nested', 'app_metadata.wallet', { app_metadata: { wallet } }],
    ['in JSON text, among other accounts', 'linked_accounts.address', { linked_accounts: privy }],
    ['in a list', 'wallets', { wallets: ['bitcoin', wallet] }],
    ['under a name with dots', 'https://login.example/wallet', { 'https://login.example/wallet': wallet }],
    ['as a CAIP-10 account', 'sub', { sub: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${wallet}` }],
    ['as a did:pkh', 'sub', { sub: `did:pkh:solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${wallet}` }],
  ])('may hold the wallet %s', async (_how, walletClaim, more) => {
    const { tokens } = await service([{ ...theirs, walletClaim }]);
    const verdict = await tokens.verify(await sign({ ...claims, wallet: undefined, ...more }));
    expect(verdict).toMatchObject({ ok: true, wallet });
    for (const other of [`${walletClaim}.wallet`, 'linked_accounts', '__proto__', 'constructor.name']) {
      const elsewhere = await service([{ ...theirs, walletClaim: other }]);
      expect(await elsewhere.tokens.verify(await sign({ ...claims, wallet: undefined, ...more }))).toEqual(
        UNAUTHENTICATED,
      );
    }
  });

  test('is not verified with a key of another name', async () => {
    const fetchKeys = async () =>
      new Response(JSON.stringify({ keys: [{ ...publicHalf(foreignKey), kid: 'other' }] }));
    const { tokens } = await service([theirs], { fetchKeys });
    expect(await tokens.verify(await sign(claims))).toEqual(UNAUTHENTICATED);
  });

  test('has one id however its signature is written: a revoked one stays revoked', async () => {
    const { tokens } = await service();
    const token = await sign(claims);
    // The last letter has bits that say nothing.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = `${token.slice(0, -1)}${letters[letters.indexOf(token.at(-1) ?? '') ^ 1]}`;
    const [one, two] = [await tokens.verify(token), await tokens.verify(other)];
    expect(one).toMatchObject({ ok: true });
    expect(two).toEqual(one);
    expect(await tokens.verify(await sign({ ...claims, jti: 'another' }))).not.toMatchObject({
      jti: one.ok ? one.jti : '',
    });
  });

  test('is verified again after ten minutes, and not before: its key may have been withdrawn', async () => {
    const { tokens, clock } = await service();
    const token = await sign(claims);
    const first = await tokens.verify(token);
    clock.now = START + REMEMBERED - 1;
    expect(await tokens.verify(token)).toBe(first);
    clock.now = START + REMEMBERED;
    const second = await tokens.verify(token);
    expect(second).not.toBe(first);
    expect(second).toEqual(first);
  });

  test('is not used before it begins, though it was remembered by a clock that was ahead', async () => {
    const { tokens, clock } = await service();
    const token = await sign({ ...claims, nbf: seconds });
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.now = START - 31_000;
    expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
  });
});

describe('while the keys of an issuer cannot be had', () => {
  test('its tokens are refused, which is told once, and the server is asked again after a while', async () => {
    const { tokens, clock, complaints, fetches, server } = await service();
    server.status = 503;
    const token = await sign(claims);
    for (const at of [0, 1, COOLDOWN - 1]) {
      clock.now = START + at;
      expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
    }
    expect(complaints).toEqual([`${ISSUER}: the key server returned HTTP status 503`]);
    expect(fetches).toHaveLength(1);
    server.status = 200;
    clock.now = START + COOLDOWN;
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
  });

  test.each<[string, () => Response | Promise<Response>, string]>([
    [
      'never comes',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
      'fetch failed: connect ECONNREFUSED',
    ],
    ['never comes, for a reason that is no error', () => Promise.reject('no network'), 'no network'],
  ])('its tokens are refused, and it is told why, where the answer %s', async (_how, answer, reason) => {
    const { tokens, complaints } = await service([theirs], { fetchKeys: async () => answer() });
    expect(await tokens.verify(await sign(claims))).toEqual(UNAUTHENTICATED);
    expect(complaints).toEqual([`${ISSUER}: ${reason}`]);
  });
});

test('closing ends the fetches under way and forgets what was verified', async () => {
  let aborted = 0;
  const { tokens, complaints } = await service([theirs], {
    fetchKeys: (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          reject(new Error('aborted'));
        });
      }),
  });
  const { token } = await tokens.issue(wallet);
  const own = await tokens.verify(token);
  const waiting = tokens.verify(await sign(claims));
  await new Promise((resolve) => setImmediate(resolve));
  tokens.close();
  // At once: the time limit of a fetch would end it as well.
  expect(aborted).toBe(1);
  expect(await waiting).toEqual(UNAUTHENTICATED);
  expect(complaints).toEqual([]);
  expect(await tokens.verify(token)).not.toBe(own);
});

describe('the configuration of accepted issuers', () => {
  const entry: AcceptedIssuer = {
    issuer: ISSUER,
    jwksUrl: 'https://login.example/jwks.json',
    algorithms: ['RS256'],
    audience: 'levy',
    walletClaim: 'sub',
  };

  test('allows asymmetric algorithms only, at least one, and no unknown field', () => {
    expect(Value.Check(AcceptedIssuers, [entry])).toBe(true);
    expect(Value.Check(AcceptedIssuers, [])).toBe(true);
    for (const algorithms of [['HS256'], ['none'], ['RS256', 'HS512'], []]) {
      expect(Value.Check(AcceptedIssuers, [{ ...entry, algorithms }])).toBe(false);
    }
    expect(Value.Check(AcceptedIssuers, [{ ...entry, jwksuri: 'x' }])).toBe(false);
    expect(Value.Check(AcceptedIssuers, [{ ...entry, audience: undefined }])).toBe(false);
  });

  test.each([
    'https://login.example/jwks.json',
    'http://localhost:9000/jwks',
    'http://127.0.0.1:9000/jwks',
    'http://[::1]:9000/jwks',
  ])('allows the key address %s', (url) => {
    expect(acceptedIssuerProblems([{ ...entry, jwksUrl: url }], 'own')).toEqual([]);
  });

  test.each([
    'http://login.example/jwks.json',
    'http://127.0.0.1.evil.example/jwks',
    'http://localhost.evil.example/jwks',
    'http://10.0.0.1/jwks',
    'https://user:secret@login.example/jwks.json',
    'ftp://127.0.0.1/jwks',
    'http://x127.0.0.1/jwks',
    'jwks.json',
  ])('refuses the key address %s', (url) => {
    expect(acceptedIssuerProblems([{ ...entry, jwksUrl: url }], 'own')).toHaveLength(1);
  });

  test('names every entry that bears our own name or is listed twice, and the start is refused', async () => {
    expect(acceptedIssuerProblems([entry, entry, { ...entry, issuer: 'own' }], 'own')).toHaveLength(2);
    await expect(service([{ ...entry, issuer: OWN }])).rejects.toThrow(/own issuer/);
    await expect(service([{ ...entry, jwksUrl: 'http://login.example' }])).rejects.toThrow(/https/);
  });
});
