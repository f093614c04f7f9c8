/** Access tokens that must not be accepted, each of them good but for one thing. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { SigningKey } from '../../src/server/auth/signing-key.ts';

export interface ForgedToken {
  /** What several have in common. */
  readonly kind: string;
  readonly name: string;
  readonly token: string;
  readonly code: 'UNAUTHENTICATED' | 'TOKEN_EXPIRED';
}

export interface Forge {
  /** As the service makes them: shows that the others are refused for their own reason. */
  good(claims?: Claims, header?: Header): string;
  readonly forged: readonly ForgedToken[];
}

type Claims = Readonly<Record<string, unknown>>;
type Header = Readonly<Record<string, unknown>>;

const HOUR = 3_600;

export interface ForgeOptions {
  /** Of the service: what its owner alone could sign with. */
  readonly key: SigningKey;
  /** Whom the tokens are to be taken for. */
  readonly wallet: string;
  /** Where the forger publishes its own keys. */
  readonly keysUrl: string;
}

export function createForge({ key, wallet, keysUrl }: ForgeOptions): Forge {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: 'levy', aud: 'levy', sub: wallet, iat: now, exp: now + HOUR, jti: 'forged' };
  const header = { alg: key.alg, kid: key.kid, typ: 'JWT' };
  const ours = createPrivateKey({ key: { ...key }, format: 'jwk' });
  const theirs = generateKeyPairSync('ed25519');

  const good = (changed: Claims = {}, also: Header = {}) =>
    compose({ ...header, ...also }, { ...claims, ...changed }, signedWith(ours));
  const byForger = (also: Header = {}) =>
    compose({ ...header, ...also }, claims, signedWith(theirs.privateKey));

  const groups: readonly (readonly [string, TokensByName, ForgedToken['code']?])[] = [
    ['', shapes(good())],
    ['unsigned', unsigned(header, claims)],
    ['signed with a public key as the secret', withPublicSecret(key, header, claims)],
    ['of another algorithm', otherAlgorithms(header, claims)],
    ['with a key brought along', withOwnKey(theirs.publicKey, byForger, keysUrl)],
    ['with a key id', oddKeyIds(key.kid, byForger, (kid) => good({}, { kid }), header, claims)],
    ['with a critical extension', criticalExtensions((also) => good({}, also))],
    ['with a claim', oddClaims(good, wallet, now)],
    ['of another', { issuer: good({ iss: 'https://login.example' }), audience: good({ aud: 'elsewhere' }) }],
    [
      'expired',
      { 'a minute ago': good({ exp: now - 60 }), 'in 1970': good({ iat: 0, exp: 1 }) },
      'TOKEN_EXPIRED',
    ],
  ];
  return {
    good,
    forged: groups.flatMap(([group, tokens, code = 'UNAUTHENTICATED']) =>
      Object.entries(tokens).map(([name, token]) => ({
        kind: group,
        name: `${group} ${name}`.trim(),
        token,
        code,
      })),
    ),
  };
}

type TokensByName = { readonly [name: string]: string };

function shapes(good: string): TokensByName {
  const [header = '', payload = '', signature = ''] = good.split('.');
  const other = Keypair.generate().publicKey.toBase58();
  const claims: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return {
    garbage: 'garbage',
    'no token in three parts': 'a.b.c',
    'dots alone': '..',
    'an empty object': `${encoded({})}.${encoded({})}.AA`,
    'a token cut short': good.slice(0, -2),
    'a token without its signature': `${header}.${payload}.`,
    'a token without its last part': `${header}.${payload}`,
    'a token with another signature': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'a token with more at its end': `${good}AA`,
    'a token twice': `${good}.${good}`,
    'a token in five parts': `${header}..${payload}.${payload}.${signature}`,
    'a token of another wallet': `${header}.${encoded({ ...claims, sub: other })}.${signature}`,
    'a token in quotes': `"${good}"`,
    'a token in base64 with padding': `${header}.${payload}.${signature}==`,
    'a token as JSON': JSON.stringify({ payload, signatures: [{ protected: header, signature }] }),
    'a token of 8 kB': good + 'A'.repeat(8_193 - good.length),
  };
}

function unsigned(header: Header, claims: Claims): TokensByName {
  const names = ['none', 'None', 'NONE', 'nOnE', '', 'null'];
  return Object.fromEntries([
    ...names.map((alg) => [`as ${JSON.stringify(alg)}`, compose({ ...header, alg }, claims, () => '')]),
    ['with a signature all the same', compose({ ...header, alg: 'none' }, claims, () => 'AAAA')],
    ['without an algorithm', compose({ ...header, alg: undefined }, claims, () => '')],
    ['with a list of algorithms', compose({ ...header, alg: ['none'] }, claims, () => '')],
  ]);
}

function withPublicSecret(key: SigningKey, header: Header, claims: Claims): TokensByName {
  const { d: _secret, ...jwk } = key;
  const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  const secrets = {
    'as PEM': pem,
    'as PEM without its line end': pem.trimEnd(),
    'as DER': publicKey.export({ type: 'spki', format: 'der' }),
    'as raw bytes': Buffer.from(key.x, 'base64url'),
    'as base64url': key.x,
    'as JWK': JSON.stringify(jwk),
    'as the published set': JSON.stringify({ keys: [{ ...jwk, use: 'sig' }] }),
  };
  const algorithms = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([form, secret]) =>
      Object.entries(algorithms).map(([alg, hash]) => [
        `${form}, ${alg}`,
        compose({ ...header, alg }, claims, (text) =>
          createHmac(hash, secret).update(text).digest('base64url'),
        ),
      ]),
    ),
  );
}

/** Any will do, and one takes a fifth of a second to make. */
let rsa: KeyObject | undefined;

function otherAlgorithms(header: Header, claims: Claims): TokensByName {
  rsa ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const key = rsa;
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const named = (alg: string, signer: Signer) => compose({ ...header, alg }, claims, signer);
  const es256: Signer = (text) =>
    sign('sha256', Buffer.from(text), { key: p256, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const rs256: Signer = (text) => sign('sha256', Buffer.from(text), key).toString('base64url');
  return {
    RS256: named('RS256', rs256),
    ES256: named('ES256', es256),
    'ES256 whose signature is zero': named('ES256', () => Buffer.alloc(64).toString('base64url')),
    'RS256 that says EdDSA': named('EdDSA', rs256),
    'ES256 that says EdDSA': named('EdDSA', es256),
  };
}

function withOwnKey(
  publicKey: KeyObject,
  byForger: (also?: Header) => string,
  keysUrl: string,
): TokensByName {
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'EdDSA', kid: 'own' };
  const hints: Readonly<Record<string, Header>> = {
    'that it does not show': {},
    'as jwk': { jwk },
    'at jku': { jku: keysUrl },
    'at x5u': { x5u: keysUrl },
    'as x5c': { x5c: [publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
  };
  return Object.fromEntries(
    Object.entries(hints).flatMap(([name, hint]) => [
      [`${name}, under our id`, byForger(hint)],
      [`${name}, under its own id`, byForger({ ...hint, kid: 'own' })],
    ]),
  );
}

function oddKeyIds(
  kid: string,
  byForger: (also: Header) => string,
  byUs: (kid: unknown) => string,
  header: Header,
  claims: Claims,
): TokensByName {
  const nothing = '../../../../../../dev/null';
  const ids = [
    '../jwt-key.json',
    '__proto__',
    'constructor',
    '',
    `${kid}\0`,
    `${kid}' OR '1'='1`,
    [kid],
    {},
    0,
  ];
  return {
    ...Object.fromEntries(
      ids.flatMap((id) => [
        [`${JSON.stringify(id)}, signed by another`, byForger({ kid: id })],
        [`${JSON.stringify(id)}, signed by us`, byUs(id)],
      ]),
    ),
    'of an empty file as the secret': compose({ ...header, alg: 'HS256', kid: nothing }, claims, (text) =>
      createHmac('sha256', '').update(text).digest('base64url'),
    ),
  };
}

function criticalExtensions(signed: (also: Header) => string): TokensByName {
  return {
    'that is harmless': signed({ crit: ['b64'], b64: true }),
    'that is unknown': signed({ crit: ['x'], x: 1 }),
    'that is not there': signed({ crit: ['x'] }),
    'of no name': signed({ crit: [] }),
  };
}

function oddClaims(good: (changed: Claims) => string, wallet: string, now: number): TokensByName {
  const odd: Readonly<Record<string, Claims>> = {
    'sub that is no wallet': { sub: 'nobody' },
    'sub of an operator': { sub: 'operator:alice' },
    'sub of the service': { sub: 'service:settler' },
    'sub of nobody': { sub: 'anonymous' },
    'sub with a space': { sub: `${wallet} ` },
    'sub that is a list': { sub: [wallet] },
    'sub that is an object': { sub: { wallet } },
    'sub left out': { sub: undefined },
    'exp that is a text': { exp: String(now + HOUR) },
    'exp left out': { exp: undefined },
    'exp beyond all dates': { exp: 1e15 },
    'nbf in the future': { nbf: now + HOUR },
    'nbf that is a text': { nbf: 'now' },
    'iat in the future': { iat: now + HOUR, exp: now + 2 * HOUR },
    'iat left out': { iat: undefined },
    'iat that is a text': { iat: String(now) },
    'iss that is a list': { iss: ['levy'] },
    'iss of an object member': { iss: '__proto__' },
    'iss left out': { iss: undefined },
    'aud left out': { aud: undefined },
    'jti left out': { jti: undefined },
    'jti that is a number': { jti: 7 },
  };
  return Object.fromEntries(Object.entries(odd).map(([name, changed]) => [name, good(changed)]));
}

type Signer = (text: string) => string;

function signedWith(key: KeyObject): Signer {
  return (text) => sign(null, Buffer.from(text), key).toString('base64url');
}

function compose(header: Header, claims: Claims, signer: Signer): string {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${signer(text)}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
