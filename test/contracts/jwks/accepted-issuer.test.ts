/** Tokens of other issuers, against a real key server on loopback: whom they may name, and what happens when the server misbehaves. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import bs58 from 'bs58';
import { importJWK, type JWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { AcceptedIssuer } from '../../../src/server/auth/accepted-issuers.ts';
import {
  type AccessTokens,
  type AccessTokensOptions,
  openAccessTokens,
} from '../../../src/server/auth/access-token.ts';
import { createKey, publicHalf, type SigningKey } from '../../../src/server/auth/signing-key.ts';
import { ofTheTest } from '../../support/lifetime.ts';
import { listening } from '../../support/listening.ts';

const ISSUER = 'https://login.example';
const UNAUTHENTICATED = { ok: false, code: 'UNAUTHENTICATED' };
const START = Date.parse('2026-03-01T12:00:00.000Z');
const seconds = Math.floor(START / 1_000);
const wallet = bs58.encode(
  Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
);
const claims = {
  user_wallet: wallet,
  sub: 'user-1',
  iss: ISSUER,
  aud: 'levy',
  iat: seconds,
  exp: seconds + 3_600,
};
const ownKey = await createKey();

let answer: RequestListener;
let requests: number;
let clock: number;
let complaints: string[];
let revoked: Set<string>;
let foreignKey: SigningKey;
let jwksUrl: string;

function publish(keys: object[]): void {
  answer = (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  };
}

beforeEach(async () => {
  requests = 0;
  clock = START;
  complaints = [];
  revoked = new Set();
  foreignKey = await createKey();
  publish([publicHalf(foreignKey)]);
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  jwksUrl = `http://127.0.0.1:${await listening(server, ofTheTest)}/jwks.json`;
});

async function service(
  entry: Partial<AcceptedIssuer> = {},
  overrides: Partial<AccessTokensOptions> = {},
): Promise<AccessTokens> {
  const tokens = await openAccessTokens({
    signingKey: ownKey,
    issuer: 'https://levy.example',
    audience: 'levy',
    lifetimeSeconds: 3_600,
    acceptedIssuers: [
      {
        issuer: ISSUER,
        jwksUrl,
        algorithms: ['EdDSA'],
        audience: 'levy',
        walletClaim: 'user_wallet',
        ...entry,
      },
    ],
    isRevoked: (jti) => revoked.has(jti),
    now: () => clock,
    onKeysUnavailable: (issuer, reason) => complaints.push(`${issuer}: ${reason}`),
    ...overrides,
  });
  onTestFinished(() => tokens.close());
  return tokens;
}

async function sign(
  payload: Record<string, unknown>,
  by: JWK & { alg: string; kid: string } = foreignKey,
): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: by.alg, kid: by.kid })
    .sign(await importJWK(by, by.alg));
}

describe('a token of an accepted issuer', () => {
  test('proves the wallet in the configured claim, and its keys are fetched once', async () => {
    const tokens = await service({}, { cacheCapacity: 1 });
    const token = await sign(claims);
    const verdict = await tokens.verify(token);
    expect(verdict).toMatchObject({
      ok: true,
      wallet,
      issuer: ISSUER,
      expiresAt: '2026-03-01T13:00:00.000Z',
    });
    // Takes the only place in the cache.
    await tokens.verify(await sign({ ...claims, jti: 'another' }));
    await tokens.verify(token);
    expect(requests).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('is refused when its issuer publishes no such key, and random key ids do not make us fetch again', async () => {
    const tokens = await service();
    for (let i = 0; i < 20; i += 1) {
      const stranger = { ...(await createKey()), kid: `key-${i}` };
      expect(await tokens.verify(await sign(claims, stranger))).toEqual(UNAUTHENTICATED);
    }
    expect(requests).toBe(1);
  });
});

describe('a key server that', () => {
  const failures: [string, RequestListener][] = [
    ['answers 500', (_request, response) => void response.writeHead(500).end('{}')],
    ['breaks off', (_request, response) => void response.destroy()],
    ['sends no JSON', (_request, response) => void response.end('<html>')],
    ['redirects', (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['is silent', () => {}],
  ];

  test.each(
    failures,
  )('%s makes its tokens unauthenticated, is reported, and is left in peace for a while', async (_what, failure) => {
    const tokens = await service({}, { keysTimeoutMs: 200, keysCooldownMs: 5_000 });
    const recovered = answer;
    answer = failure;
    const token = await sign(claims);
    for (let i = 0; i < 3; i += 1) expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
    expect(requests).toBe(1);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(ISSUER);
    expect(await tokens.verify((await tokens.issue(wallet)).token)).toMatchObject({ ok: true });

    answer = recovered;
    expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
    clock += 5_000;
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
  });
});
