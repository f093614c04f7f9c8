/** Holds answers to what the API's description says of them: their status, their code, their body, their headers. */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { commands } from '../../src/commands/index.ts';
import { queries } from '../../src/queries/index.ts';
import { createOpenApiDocument } from '../../src/reference/openapi/document.ts';

export interface ReceivedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: { readonly type: string };
}

interface DescribedResponse {
  readonly 'x-codes'?: readonly string[];
  readonly headers?: { readonly [name: string]: unknown };
  readonly content?: { readonly [mediaType: string]: unknown };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly parameters: number;
  /** Operators' routes do not exist where no operator's key is configured. */
  readonly mayBeAbsent: boolean;
  readonly responses: { readonly [status: string]: unknown };
}

/** Headers of every response of any server, and those that the service adds to every response. */
const HEADERS_OF_ALL: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-encoding',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  // For proxies, of answers that are not to be collected before they are passed on.
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
]);
const PROBLEM_TYPE = 'application/problem+json';
const CORS_HEADER = /^access-control-/;

const document = createOpenApiDocument({
  routes: [...commands, ...queries],
  version: '0.0.0',
  publicUrl: 'https://levy.example',
}) as AnySchemaObject;

const operations: readonly Operation[] = Object.entries<AnySchemaObject>(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries<AnySchemaObject>(methods).map(([method, { responses, security }]) => ({
      method: method.toUpperCase(),
      path,
      // A parameter may be empty: that is for the route to refuse.
      pattern: new RegExp(`^${patternOf(path)}$`),
      parameters: path.split('{').length,
      mayBeAbsent: JSON.stringify(security).includes('operatorKey'),
      responses,
    })),
  )
  // A path that is spelled out comes before one with parameters.
  .sort((one, other) => one.parameters - other.parameters);

function patternOf(path: string): string {
  return path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*');
}

const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv, ['date-time', 'uuid', 'binary', 'int32', 'int64']);
ajv.addSchema(withoutAdditions(document), 'description');

/** What the description does not say about the answer; undefined if it says all of it. */
export function undescribed(answer: ReceivedAnswer): string | undefined {
  const method = answer.method === 'HEAD' ? 'GET' : answer.method;
  const operation = operations.find((each) => each.method === method && each.pattern.test(answer.path));
  if (operation === undefined || (operation.mayBeAbsent && isAbsence(answer))) return elsewhere(answer);
  const response = resolved(operation.responses[answer.status]);
  // The same for every route, and described in the table of codes.
  if ([408, 414, 431].includes(answer.status)) return problemSchemaFault(answer.body);
  if (response === undefined) return `its status is not described for ${method} ${operation.path}`;
  const place = ['paths', operation.path, method.toLowerCase(), 'responses', String(answer.status)];
  return (
    headerFault(response.described.headers ?? {}, answer.headers) ??
    contentFault(response, response.place ?? place, answer)
  );
}

/** What is wrong with a refusal as the description has it for all routes. */
export function problemSchemaFault(body: unknown): string | undefined {
  return schemaFault(['components', 'schemas', 'Problem'], body);
}

/** Where nothing is described, nothing may be; but for the pages that show the description, and questions of browsers. */
function elsewhere({ method, path, status, body }: ReceivedAnswer): string | undefined {
  if (path === '/' || path.startsWith('/docs') || (method === 'OPTIONS' && status === 204)) return undefined;
  // A body is read, or refused, before it shows that there is nothing to read it for.
  if ([400, 404, 405, 408, 413, 414, 415, 431].includes(status))
    return method === 'HEAD' ? undefined : problemSchemaFault(body);
  return 'its route is not described';
}

function isAbsence({ method, status, body }: ReceivedAnswer): boolean {
  return status === 404 && (method === 'HEAD' || Reflect.get(Object(body), 'code') === 'ROUTE_NOT_FOUND');
}

function headerFault(described: { readonly [name: string]: unknown }, headers: Headers): string | undefined {
  const known = Object.entries(described).map(
    ([name, header]) => [name.toLowerCase(), referenced<DescribedHeader>(header)] as const,
  );
  for (const [name, { required, schema }] of known) {
    const value = headers.get(name);
    if (value === null && required) return `it has no header ${name}`;
    if (value !== null && schema.type === 'integer' && !/^\d+$/.test(value))
      return `its header ${name} is no number`;
  }
  const undescribedName = [...headers.keys()].find(
    (name) => !HEADERS_OF_ALL.has(name) && !CORS_HEADER.test(name) && !known.some(([each]) => each === name),
  );
  return undescribedName === undefined ? undefined : `its header ${undescribedName} is not described`;
}

function contentFault(
  { described: { content = {}, 'x-codes': codes = [] } }: { readonly described: DescribedResponse },
  place: readonly string[],
  { method, status, headers, body }: ReceivedAnswer,
): string | undefined {
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  if (Object.keys(content).length === 0) {
    return body === undefined ? undefined : 'its body is not described';
  }
  if (!Object.hasOwn(content, mediaType)) return `its media type ${mediaType} is not described`;
  if (mediaType === PROBLEM_TYPE && method !== 'HEAD') {
    const problem: { readonly code?: unknown; readonly status?: unknown } = Object(body);
    if (!codes.includes(String(problem.code))) return `its /code ${problem.code} is not described`;
    if (problem.status !== status) return `its /status is ${problem.status}, not ${status}`;
  }
  if (method === 'HEAD' || !/[/+]json$/.test(mediaType)) return undefined;
  return schemaFault([...place, 'content', mediaType, 'schema'], body);
}

function schemaFault(place: readonly string[], body: unknown): string | undefined {
  const pointer = `description#/${place.map(escaped).join('/')}`;
  const validate = validators.get(pointer) ?? ajv.getSchema(pointer);
  if (validate === undefined) throw new Error(`the description has no ${pointer}`);
  validators.set(pointer, validate);
  if (validate(body)) return undefined;
  const { instancePath, message, params } = validate.errors?.[0] ?? {};
  return `its body is not as described: ${instancePath ?? ''} ${message} ${JSON.stringify(params)}`;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** The response, and where it is if it is not where it is referred to from. */
function resolved(
  response: unknown,
): { readonly described: DescribedResponse; readonly place?: readonly string[] } | undefined {
  if (response === undefined) return undefined;
  const reference: unknown = Reflect.get(Object(response), '$ref');
  if (typeof reference !== 'string') return { described: Object(response) };
  return { described: referenced<DescribedResponse>(response), place: reference.split('/').slice(1) };
}

function referenced<Component>(value: unknown): Component {
  const reference: unknown = Reflect.get(Object(value), '$ref');
  if (typeof reference !== 'string') return Object(value);
  return reference
    .split('/')
    .slice(1)
    .reduce<AnySchemaObject>((at, part) => at[part], document) as Component;
}

/**
 * The same, but for every object that does not say that it may have other members: it may not. Clients must bear what is
 * added later; here an addition that nobody described is a mistake.
 */
function withoutAdditions(schema: AnySchemaObject): AnySchemaObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'examples' ? value : narrowed(value, key)]),
  );
}

function narrowed(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    // Branches of `allOf` see only a part of the members each.
    return value.map((each) => (key === 'allOf' ? each : narrowed(each, '')));
  }
  if (typeof value !== 'object' || value === null) return value;
  const schema = withoutAdditions(value);
  const isOfObject = 'properties' in schema || 'allOf' in schema || '$ref' in schema;
  const isSchema = key !== 'properties' && isOfObject && !('additionalProperties' in schema);
  return isSchema ? { ...schema, unevaluatedProperties: false } : schema;
}
