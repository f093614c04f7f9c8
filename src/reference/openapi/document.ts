/** OpenAPI 3.1 document of the service, generated from its routes. */
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { HEADER_PARAMETERS, RESPONSE_HEADERS } from './headers.ts';
import { type ConfiguredLimits, createSchemaCollection } from './json-schema.ts';
import { type Described, operationOf, pathOf } from './operation.ts';
import { PROBLEM_SCHEMAS } from './problem-responses.ts';
import { TAGS, tagOf } from './tags.ts';

const DESCRIPTION = `Levy creates tokens on Solana with a built-in transfer fee, and distributes the tax.

**The service never signs for a wallet.** It returns unsigned transactions, the caller's wallet signs them, and the service
submits them.

**Amounts** are strings of digits in the smallest unit (lamports, base units of a token). Percentages are numbers with at
most two decimals.

**Signing in**: \`POST /auth/challenge\`, sign the text with the wallet, \`POST /auth/verify\`; then send
\`Authorization: Bearer <token>\`.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Responses may gain
members, so ignore unknown members.

**Repeating** a call is safe: with an \`Idempotency-Key\`, it returns the first response again. Responses to changes contain
\`X-Position\`; a later call that sends it as \`X-After-Position\` reflects at least these changes.

**This operator's** limits, prices and quotas are at \`GET /config\`; this description contains the limits of the schemas.

**Rate limits** are counted by wallet and by address. A launchpad's backend with a partner key sends it as
\`X-Partner-Key\` with every call, and is counted by partner instead of by address.`;

const SECURITY_SCHEMES: JsonObject = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token from `POST /auth/verify`, or from an issuer that the service accepts.',
  },
  partnerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Partner-Key',
    description: 'Key of a partner, issued by the operator. Do not use it in web pages.',
  },
  operatorKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Operator-Key',
    description: 'Key of an operator of the service. Do not use it in web pages.',
  },
};

const { operatorKey: _operators, ...WITHOUT_OPERATORS } = SECURITY_SCHEMES;

interface DocumentOptions {
  /** In any order: the document is sorted by tags, then by paths. */
  readonly routes: readonly Described[];
  readonly version: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The operator's limits; defaults to the limits of the schemas. */
  readonly limits?: ConfiguredLimits | undefined;
}

/** Deterministic. Throws if two schemas have the same name, or a route declares an unknown code. */
export function createOpenApiDocument({ routes, version, publicUrl, limits }: DocumentOptions): JsonObject {
  const schemas = createSchemaCollection(limits);
  const paths: { [path: string]: JsonObject } = {};
  const operators = routes.some(({ route }) => route.auth === 'operator');
  for (const described of [...routes].sort(byTagAndPath)) {
    const path = pathOf(described.route.url);
    const method = described.route.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf(described, { schemas, operators }) };
  }
  const used = JSON.stringify(paths);
  return {
    openapi: '3.1.0',
    info: { title: 'Levy', version, description: DESCRIPTION },
    servers: [{ url: publicUrl }],
    tags: TAGS.filter(({ prefixes }) =>
      routes.some(({ route }) => prefixes.some((prefix) => route.url.startsWith(prefix))),
    ).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: operators ? SECURITY_SCHEMES : WITHOUT_OPERATORS,
      parameters: onlyUsed('parameters', HEADER_PARAMETERS, used),
      headers: onlyUsed('headers', RESPONSE_HEADERS, used),
      schemas: { ...schemas.components(), ...PROBLEM_SCHEMAS },
    },
  };
}

/** Removes components that no route references. */
function onlyUsed(kind: string, components: JsonObject, references: string): JsonObject {
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => references.includes(`"#/components/${kind}/${name}"`)),
  );
}

function byTagAndPath(one: Described, other: Described): number {
  const order = TAGS.map(({ name }) => name);
  const [a, b] = [one, other].map(({ route }) => order.indexOf(tagOf(route.url)));
  if (a !== b) return (a ?? 0) - (b ?? 0);
  const [first, second] = [one, other].map(({ route }) => `${route.url} ${route.method}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
