/** Generates and parses the key that signs access tokens (a private JWK), and derives its public half. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

const Base64Url = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const Kid = Type.String({ minLength: 1, maxLength: 128 });

const ed25519 = {
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  alg: Type.Literal('EdDSA'),
  kid: Kid,
  x: Base64Url,
};

const p256 = {
  kty: Type.Literal('EC'),
  crv: Type.Literal('P-256'),
  alg: Type.Literal('ES256'),
  kid: Kid,
  x: Base64Url,
  y: Base64Url,
};

/** Private JWK with algorithm and key id. Other members (`use`, `key_ops`) are ignored. */
export const SigningKey = Type.Union([
  Type.Object({ ...ed25519, d: Base64Url }),
  Type.Object({ ...p256, d: Base64Url }),
]);
export type SigningKey = Static<typeof SigningKey>;

/** Public half of a signing key, as `jwks.json` serves it. */
export const VerificationKey = Type.Union([Type.Object(ed25519), Type.Object(p256)]);
export type VerificationKey = Static<typeof VerificationKey>;

/** Generates an Ed25519 key for the key file. Its id is its RFC 7638 thumbprint. */
export async function createKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  return checkSigningKey({ ...jwk, alg: 'EdDSA', kid: await calculateJwkThumbprint(jwk) });
}

/** Parses the text of a key file. Throws an Error with a message for the operator that never quotes the file. */
export function parseSigningKey(text: string): SigningKey {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('the JWT key file is not JSON');
  }
  return checkSigningKey(json);
}

function checkSigningKey(json: unknown): SigningKey {
  if (!Value.Check(SigningKey, json)) {
    throw new Error(
      'the JWT key must be a private JWK with kid and alg: kty OKP, crv Ed25519, alg EdDSA, or kty EC, crv P-256, alg ES256',
    );
  }
  return json;
}

/** Lists the public members explicitly, so that no other member of the file is published. */
export function publicHalf(key: SigningKey | VerificationKey): VerificationKey {
  return key.kty === 'OKP'
    ? { kty: key.kty, crv: key.crv, alg: key.alg, kid: key.kid, x: key.x }
    : { kty: key.kty, crv: key.crv, alg: key.alg, kid: key.kid, x: key.x, y: key.y };
}

/** The members that signing needs, without the file's `use` and `key_ops`. */
export function privateHalf(key: SigningKey): JWK {
  return { ...publicHalf(key), d: key.d };
}
