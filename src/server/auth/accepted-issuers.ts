/** Describes and checks ACCEPTED_ISSUERS: the other issuers whose tokens prove a caller's wallet. */
import { type Static, Type } from '@sinclair/typebox';

/**
 * Asymmetric algorithms only: with a shared secret, anybody who can verify tokens can also make them; with `none`, everybody can.
 */
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
      description: 'Where its public keys are; https, or http on loopback.',
    }),
    algorithms: Type.Array(Type.Union(ALGORITHMS.map((name) => Type.Literal(name))), {
      minItems: 1,
      uniqueItems: true,
      description: 'The signature algorithms that it uses.',
    }),
    audience: Type.String({
      minLength: 1,
      description: 'The `aud` claim that its tokens must carry for this service.',
    }),
    walletClaim: Type.String({
      minLength: 1,
      description:
        'The claim that holds the wallet address, often `sub`, or the way to it with dots: `app_metadata.wallet`, `linked_accounts.address`.',
    }),
  },
  { additionalProperties: false },
);
export type AcceptedIssuer = Static<typeof AcceptedIssuer>;

/** The whole variable, a JSON array. */
export const AcceptedIssuers = Type.Array(AcceptedIssuer);

/** Checks beyond the schema: one message for each invalid entry. `ownIssuer` is the `iss` of our own tokens. */
export function acceptedIssuerProblems(issuers: readonly AcceptedIssuer[], ownIssuer: string): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { issuer, jwksUrl } of issuers) {
    // `iss` must select exactly one entry, or another issuer's key could sign in our name.
    if (issuer === ownIssuer)
      problems.push(`accepted issuer ${issuer} has the name of this service's own issuer`);
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
  if (url.username || url.password) return 'must not hold a user name or password';
  if (url.protocol === 'https:') return undefined;
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined;
  return 'must be https (http only on loopback)';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
