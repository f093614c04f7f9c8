/** Schema and checks of ACCEPTED_ISSUERS: other issuers whose access tokens prove a caller's wallet. */
import { type Static, Type } from '@sinclair/typebox';

/** Only asymmetric algorithms. With a shared secret every verifier could issue tokens, and with `none` every caller could. */
const ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
] as const;

export const AcceptedIssuer = Type.Object(
  {
    issuer: Type.String({ minLength: 1, description: 'The exact `iss` claim.' }),
    jwksUrl: Type.String({
      minLength: 1,
      description: 'URL of its public keys (JWK Set); https, or http on loopback.',
    }),
    algorithms: Type.Array(Type.Union(ALGORITHMS.map((name) => Type.Literal(name))), {
      minItems: 1,
      uniqueItems: true,
      description: 'Signature algorithms of its tokens.',
    }),
    audience: Type.String({
      minLength: 1,
      description: 'Required `aud` claim.',
    }),
    walletClaim: Type.String({
      minLength: 1,
      description:
        'Claim that contains the wallet address, often `sub`; nested claims are written with dots: `app_metadata.wallet`, `linked_accounts.address`.',
    }),
  },
  { additionalProperties: false },
);
export type AcceptedIssuer = Static<typeof AcceptedIssuer>;

/** Schema of the whole variable, a JSON array. */
export const AcceptedIssuers = Type.Array(AcceptedIssuer);

/**
 * Returns one message for each entry that passes the schema but is invalid. `ownIssuer` is the `iss` of this service's
 * tokens.
 */
export function acceptedIssuerProblems(issuers: readonly AcceptedIssuer[], ownIssuer: string): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { issuer, jwksUrl } of issuers) {
    // `iss` must select exactly one entry, or another issuer's key could sign in this service's name.
    if (issuer === ownIssuer) problems.push(`accepted issuer ${issuer} equals this service's own issuer`);
    if (seen.has(issuer)) problems.push(`accepted issuer ${issuer} is listed twice`);
    seen.add(issuer);
    const problem = jwksUrlProblem(jwksUrl);
    if (problem) problems.push(`accepted issuer ${issuer}: jwksUrl ${problem}`);
  }
  return problems;
}

function jwksUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username || url.password) return 'must not contain a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'must be https (http only on loopback)';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
