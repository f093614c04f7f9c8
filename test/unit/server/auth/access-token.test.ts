/** Our own access tokens: what they say, which forgeries are refused, and what the cache may and may not remember. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import bs58 from 'bs58';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';
import { describe, expect, test } from 'vitest';
import { type AccessTokensOptions, openAccessTokens } from '../../../../src/server/auth/access-token.ts';
import {
  createKey,
  parseSigningKey,
  publicHalf,
  type SigningKey,
} from '../../../../src/server/auth/signing-key.ts';

const ISSUER = 'https://levy.example';
const AUDIENCE = 'levy';
const START = Date.parse('2026-03-01T12:00:00.000Z');
const HOUR = 3_600;
const UNAUTHENTICATED = { ok: false, code: 'UNAUTHENTICATED' };
const TOKEN_EXPIRED = { ok: false, code: 'TOKEN_EXPIRED' };

const wallet = newAddress();
const [key, other] = [await createKey(), await createKey()];

function newAddress(): string {
  return bs58.encode(
    Buffer.from(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
  );
}

/** A service with a clock that the test turns and a list of revoked ids. */
async function service(overrides: Partial<AccessTokensOptions> = {}) {
  const clock = { now: START };
  const revoked = new Set<string>();
  const tokens = await openAccessTokens({
    signingKey: key,
    issuer: ISSUER,
    audience: AUDIENCE,
    lifetimeSeconds: HOUR,
    isRevoked: (jti) => revoked.has(jti),
    now: () => clock.now,
    ...overrides,
  });
  return { tokens, clock, revoked };
}

const seconds = Math.floor(START / 1_000);
const goodClaims = {
  sub: wallet,
  iss: ISSUER,
  aud: AUDIENCE,
  iat: seconds,
  exp: seconds + HOUR,
  jti: 'a-token',
};

/** A token with any claims and header, properly signed by `by`. */
async function forge(
  claims: Record<string, unknown>,
  header: Partial<JWTHeaderParameters> = {},
  by: SigningKey = key,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: by.alg, kid: by.kid, typ: 'JWT', ...header })
    .sign(await importJWK({ ...by }, by.alg));
}

/** A token put together by hand: header and claims as they are, signature by `sign`. */
function compose(header: object, claims: object, sign: (input: string) => string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(input)}`;
}

describe('issuing', () => {
  test('a token names the wallet, the service, its times and itself', async () => {
    const { tokens } = await service();
    const { token, expiresAt, jti } = await tokens.issue(wallet);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', kid: key.kid, typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({ ...goodClaims, jti });
    expect(expiresAt).toBe('2026-03-01T13:00:00.000Z');
    expect(await tokens.verify(token)).toEqual({ ok: true, wallet, jti, issuer: ISSUER, expiresAt });
  });

  test('an ES256 key works as an Ed25519 key does', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(privateKey);
    const signingKey = parseSigningKey(JSON.stringify({ ...jwk, alg: 'ES256', kid: 'p256' }));
    const { tokens } = await service({ signingKey });
    expect(await tokens.verify((await tokens.issue(wallet)).token)).toMatchObject({ ok: true, wallet });
  });

  test('every key made for a key file is a new one and reads back the same', async () => {
    const other = await createKey();
    expect(other.kid).not.toBe(key.kid);
    expect(parseSigningKey(JSON.stringify(other))).toEqual(other);
  });

  test('a key file that holds no signing key is refused without being quoted', async () => {
    const { d, ...withoutSecret } = key;
    const files = [
      '{',
      '{}',
      JSON.stringify(withoutSecret),
      JSON.stringify({ ...key, alg: 'HS256', secret: d }),
    ];
    for (const text of files) {
      expect(() => parseSigningKey(text)).toThrow(/JWT key/);
      expect(() => parseSigningKey(text)).not.toThrow(d);
    }
  });
});

describe('a key whose halves do not belong together', () => {
  test('is refused at the start', async () => {
    const mixed = { ...key, x: other.x };
    await expect(service({ signingKey: mixed })).rejects.toThrow('halves do not match');
  });
});

describe('forged tokens', () => {
  const signedByHand = (alg: string, sign: (input: string) => string) =>
    compose({ alg, kid: key.kid, typ: 'JWT' }, goodClaims, sign);
  const byHmac = (secret: Buffer | string) =>
    signedByHand('HS256', (input) => createHmac('sha256', secret).update(input).digest('base64url'));

  test.each<[string, () => string | Promise<string>]>([
    ['of the algorithm none', () => signedByHand('none', () => '')],
    ['of the algorithm None, with a signature', () => signedByHand('None', () => 'AAAA')],
    ['of no algorithm', () => signedByHand('', () => '')],
    ['of HMAC with the published bytes as the secret', () => byHmac(Buffer.from(key.x, 'base64url'))],
    ['of HMAC with the published text as the secret', () => byHmac(key.x)],
    ['of HMAC with the published key as the secret', () => byHmac(JSON.stringify(publicHalf(key)))],
    ['of another key under our id', () => forge(goodClaims, { kid: key.kid }, other)],
    ['of another key under its own id', () => forge(goodClaims, {}, other)],
    ['of another key under no id', () => forge(goodClaims, { kid: undefined }, other)],
    ['of our key under another id', () => forge(goodClaims, { kid: 'other' })],
    ['of our key under no id', () => forge(goodClaims, { kid: undefined })],
    ['of another type', () => forge(goodClaims, { typ: 'at+jwt' })],
    ['of no type', () => forge(goodClaims, { typ: undefined })],
    ['that is empty', () => ''],
    ['that is no token', () => '\ud800.\ud800.\ud800'],
    ['of no JSON', () => 'a.b.c'],
  ])('one %s is refused', async (_what, token) => {
    const { tokens } = await service();
    expect(await tokens.verify(await token())).toEqual(UNAUTHENTICATED);
  });

  test('a key that the token brings along is not used', async () => {
    const { tokens } = await service();
    const hints = [
      { jwk: publicHalf(other) },
      { jku: 'https://evil.example/jwks.json' },
      { x5u: 'https://evil.example/cert.pem' },
      { x5c: ['AAAA'] },
    ];
    for (const hint of hints) {
      expect(await tokens.verify(await forge(goodClaims, hint, other))).toEqual(UNAUTHENTICATED);
      expect(await tokens.verify(await forge(goodClaims, { ...hint, kid: other.kid }, other))).toEqual(
        UNAUTHENTICATED,
      );
      // Signed by us the hint is merely noise.
      expect(await tokens.verify(await forge(goodClaims, hint))).toMatchObject({ ok: true });
    }
  });

  test('a token with critical extensions is refused, even those that are harmless', async () => {
    const { tokens } = await service();
    expect(await tokens.verify(await forge(goodClaims, { crit: ['b64'], b64: true }))).toEqual(
      UNAUTHENTICATED,
    );
    const secret = await importJWK({ ...key }, key.alg);
    const odd = await new SignJWT(goodClaims)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', crit: ['x'], x: 1 })
      .sign(secret, { crit: { x: true } });
    expect(await tokens.verify(odd)).toEqual(UNAUTHENTICATED);
  });

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['no issuer', { iss: undefined }],
    ['an issuer that is no text', { iss: [ISSUER] }],
    ['the name of an object member as issuer', { iss: '__proto__' }],
    ['another audience', { aud: 'other' }],
    ['no audience', { aud: undefined }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is no number', { exp: '9999999999' }],
    ['an expiry beyond all dates', { exp: 1e300 }],
    ['no time of issue', { iat: undefined }],
    ['no id', { jti: undefined }],
    ['an id that is no text', { jti: 7 }],
    ['no wallet', { sub: undefined }],
    ['a wallet that is no text', { sub: { wallet } }],
    ['the name of an operator as its wallet', { sub: 'operator:ann' }],
    ['the name of the service as its wallet', { sub: 'settler' }],
    ['a time of issue in the future', { iat: seconds + 31 }],
    ['a beginning in the future', { nbf: seconds + 31 }],
  ])('a token with %s is refused though we signed it', async (_what, claims) => {
    const { tokens } = await service();
    expect(await tokens.verify(await forge({ ...goodClaims, ...claims }))).toEqual(UNAUTHENTICATED);
  });

  test('changing any part of a token is refused', async () => {
    const { tokens } = await service();
    const { token } = await tokens.issue(wallet);
    // From here on the cache holds it.
    await tokens.verify(token);
    const [header = '', claims = '', signature = ''] = token.split('.');
    const otherClaims = Buffer.from(JSON.stringify({ ...goodClaims, sub: newAddress() })).toString(
      'base64url',
    );
    const changed = [
      `${header}.${otherClaims}.${signature}`,
      `${header}.${claims}.${signature.slice(0, -2)}`,
      `${header}.${claims}.${signature}AA`,
      `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}..${signature}`,
      `${header}.${claims}.${signature}.`,
      ` ${token}`,
      `${token} `,
    ];
    for (const text of changed) expect(await tokens.verify(text)).toEqual(UNAUTHENTICATED);
  });

  test('a token longer than 8 KB is refused before it is read', async () => {
    const { tokens } = await service();
    const long = await forge({ ...goodClaims, padding: 'x'.repeat(7_000) });
    expect(long.length).toBeGreaterThan(8_192);
    expect(await tokens.verify(long)).toEqual(UNAUTHENTICATED);
    const padded = (size: number) => forge({ ...goodClaims, padding: 'x'.repeat(size) });
    const room = Math.floor(((8_192 - (await padded(0)).length) * 3) / 4);
    const largest = await padded(room);
    expect(largest).toHaveLength(8_192);
    expect(await tokens.verify(largest)).toMatchObject({ ok: true });
  });
});

describe.each([
  ['with the cache', false],
  ['without a cache', true],
])('time and revocation, %s', (_name, isForgetful) => {
  /** Closing empties the cache. */
  async function serviceOf(options: Parameters<typeof service>[0] = {}) {
    const opened = await service(options);
    const verify: typeof opened.tokens.verify = (token) => {
      if (isForgetful) opened.tokens.close();
      return opened.tokens.verify(token);
    };
    return { ...opened, tokens: { ...opened.tokens, verify } };
  }

  test('an expired token is accepted for less than 30 s more, and says that it expired from then on', async () => {
    const { tokens, clock } = await serviceOf();
    const { token } = await tokens.issue(wallet);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.now = START + (HOUR + 30) * 1_000 - 1;
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.now = START + (HOUR + 30) * 1_000;
    expect(await tokens.verify(token)).toEqual(TOKEN_EXPIRED);
  });

  test('a clock 29 s behind the one that issued is accepted, one 31 s behind is not', async () => {
    const { tokens, clock } = await serviceOf();
    const { token } = await tokens.issue(wallet);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    for (const ahead of [29_000, 30_000]) {
      clock.now = START - ahead;
      expect(await tokens.verify(token)).toMatchObject({ ok: true });
    }
    clock.now = START - 31_000;
    expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
  });

  test('an expired token with a bad signature does not say that it expired', async () => {
    const { tokens, clock } = await serviceOf();
    const token = await forge(goodClaims, {}, { ...(await createKey()), kid: key.kid });
    clock.now = START + 2 * HOUR * 1_000;
    expect(await tokens.verify(token)).toEqual(UNAUTHENTICATED);
  });

  test('a revoked token is refused at its next use, and another of the same wallet is not', async () => {
    const { tokens, revoked } = await serviceOf();
    const first = await tokens.issue(wallet);
    const second = await tokens.issue(wallet);
    expect(await tokens.verify(first.token)).toMatchObject({ ok: true });
    expect(await tokens.verify(second.token)).toMatchObject({ ok: true });
    revoked.add(first.jti);
    expect(await tokens.verify(first.token)).toEqual(UNAUTHENTICATED);
    expect(await tokens.verify(second.token)).toMatchObject({ ok: true });
  });

  test('when revocations cannot be looked up the token is neither accepted nor refused', async () => {
    let broken = false;
    const isRevoked = () => (broken ? Promise.reject(new Error('read model gone')) : false);
    const { tokens } = await serviceOf({ isRevoked });
    const { token } = await tokens.issue(wallet);
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    broken = true;
    await expect(tokens.verify(token)).rejects.toThrow('read model gone');
  });
});

describe('the cache', () => {
  test('a verified token is not verified anew, and a refused one is not remembered', async () => {
    const { tokens } = await service();
    const { token } = await tokens.issue(wallet);
    const first = await tokens.verify(token);
    // The very same object: no second verification made it.
    expect(await tokens.verify(token)).toBe(first);
    const bad = `${token.slice(0, -4)}AAAA`;
    expect(await tokens.verify(bad)).toEqual(UNAUTHENTICATED);
    expect(await tokens.verify(bad)).toEqual(UNAUTHENTICATED);
  });

  test('it holds no more than its capacity, and forgets what was used least recently', async () => {
    const { tokens } = await service({ cacheCapacity: 2 });
    const [a, b, c] = await Promise.all([tokens.issue(wallet), tokens.issue(wallet), tokens.issue(wallet)]);
    const seenA = await tokens.verify(a.token);
    const seenB = await tokens.verify(b.token);
    expect(await tokens.verify(a.token)).toBe(seenA);
    await tokens.verify(c.token);
    expect(await tokens.verify(a.token)).toBe(seenA);
    expect(await tokens.verify(b.token)).not.toBe(seenB);
  });
});
