/**
 * Input schemas of routes, and how Fastify checks them. Only path and query parameters are converted, because they are
 * received as text.
 */
import { type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import type { ValueError } from '@sinclair/typebox/errors';
import type { FastifySchemaCompiler } from 'fastify';
import type { InputSchemas, Route } from '../../kernel/runtime/define-route.ts';
import { Uuid } from '../../kernel/runtime/ids.ts';
import { Rejection, type RejectionDetail } from '../../kernel/runtime/rejection.ts';
import { schemaCheck } from '../../kernel/runtime/schema-check.ts';
import { rejection } from '../../streams/rejections.ts';
import { Address, Amount, Base64, Signature, Timestamp } from '../../streams/value-types.ts';

const MAX_DETAILS = 20;

/** Drops all properties. */
const IGNORED = Type.Object({}, { additionalProperties: false });

const NO_QUERY = Type.Object({}, { additionalProperties: false });

/** Query parameters that clients and links add themselves: cache busters, campaigns, polyfills of `EventSource`. */
const ADDED_BY_CLIENTS = /^(?:_|utm_|evs_|lastEventId$)/;

const NO_BODY = Type.Undefined();

/** Schemas for Fastify. The route reads an upload's body itself, and Fastify accepts no body schema for GET. */
export function schemasOf<Output extends TSchema>({
  input,
  output,
  route,
}: {
  readonly input: InputSchemas;
  readonly output: Output;
  readonly route: Pick<Route, 'method' | 'upload'>;
}) {
  return {
    params: input.params ?? IGNORED,
    querystring: input.query ?? (route.method === 'GET' ? NO_QUERY : IGNORED),
    ...(route.method === 'GET' || route.upload !== undefined ? {} : { body: input.body ?? NO_BODY }),
    response: { 200: output },
  };
}

type Check = (received: unknown) => unknown;

/** Fastify's validator compiler. Invalid input becomes `VALIDATION_FAILED` with all details of that part. */
export const checkInput: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check =
    httpPart === 'querystring' && schema !== IGNORED
      ? queryCheckOf(requireObject(schema))
      : checkOf(schema, httpPart === 'body');
  return (received) => {
    try {
      return { value: check(received) };
    } catch (error) {
      if (error instanceof Rejection) return { error };
      throw error;
    }
  };
};

function checkOf(schema: TSchema, isBody: boolean): Check {
  if (schema === IGNORED) return () => ({});
  if (schema === NO_BODY) return requireNoBody;
  const object = requireObject(schema);
  if (!isBody) return checkerOf(object, integersOf(object));
  const check = checkerOf(object, []);
  // If every field is optional, so is the body. Fastify passes null for a missing body.
  const absent = (object.required ?? []).length === 0 ? {} : undefined;
  return (received) => check(received ?? absent);
}

function queryCheckOf(schema: TObject): Check {
  const names = Object.keys(schema.properties);
  const check = checkerOf(schema, integersOf(schema));
  return (received) => {
    const sent = Object.entries(Object(received));
    const meant = sent.filter(([name]) => names.includes(name) || !ADDED_BY_CLIENTS.test(name));
    const unknown = meant.filter(([name]) => !names.includes(name));
    if (unknown.length === 0) return check(Object.fromEntries(meant));
    const message =
      names.length === 0
        ? 'is unknown; this path accepts none'
        : `is unknown; accepted are ${names.join(', ')}`;
    throw rejection('VALIDATION_FAILED', 'The request is not valid; see the details.', {
      details: unknown.slice(0, MAX_DETAILS).map(([name]) => ({ path: [name], message })),
    });
  };
}

function requireObject(schema: TSchema): TObject {
  if (TypeGuard.IsObject(schema)) return schema;
  throw new TypeError('the input schema of a route must be an object schema');
}

/** `numbers`: names of the integer members. */
function checkerOf(schema: TObject, numbers: readonly string[]): Check {
  const compiled = schemaCheck(schema);
  return (received) => {
    const value = numbers.length === 0 ? received : withNumbers(numbers, received);
    const check = compiled();
    if (!check.Check(value)) throw refusal(check, value);
    return value;
  };
}

function requireNoBody(received: unknown): undefined {
  if (received === null) return undefined;
  if (typeof received === 'object' && !Array.isArray(received) && Object.keys(Object(received)).length === 0)
    return undefined;
  throw rejection('VALIDATION_FAILED', 'This call accepts no body.');
}

function integersOf(schema: TObject): readonly string[] {
  return Object.entries<TSchema>(schema.properties).flatMap(([name, property]) =>
    TypeGuard.IsInteger(property) ? [name] : [],
  );
}

/** Converts the named members from digits to numbers; leaves everything else as text. */
function withNumbers(names: readonly string[], received: unknown): unknown {
  if (typeof received !== 'object' || received === null) return received;
  return Object.fromEntries(
    Object.entries(received).map(([name, value]: [string, unknown]) => {
      const isNumber = names.includes(name) && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
      return [name, isNumber ? Number(value) : value];
    }),
  );
}

function refusal(check: TypeCheck<TSchema>, value: unknown) {
  const details = new Map<string, RejectionDetail>();
  for (const error of check.Errors(value)) {
    if (details.size === MAX_DETAILS) break;
    // A wrong value often breaks several rules; the first is enough.
    const { path } = error;
    if (!details.has(path)) details.set(path, { path: pathOf(path), message: fieldMessage(error) });
  }
  return rejection('VALIDATION_FAILED', 'The request is not valid; see the details.', {
    details: [...details.values()],
  });
}

function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Messages for patterns. Addresses and signatures share one. */
const PATTERNS: ReadonlyMap<unknown, string> = new Map([
  [Amount.pattern, 'must be a whole number as digits, without a leading zero'],
  [Uuid.pattern, 'must be a UUID in lower case'],
  [Timestamp.pattern, 'must be a time such as 2026-11-21T12:00:00.000Z'],
  [Base64.pattern, 'must be base64'],
  [Address.pattern, 'must be base58'],
  [Signature.pattern, 'must be base58'],
]);

export function fieldMessage({ schema, message }: Pick<ValueError, 'schema' | 'message'>): string {
  if (TypeGuard.IsUnion(schema)) return allowedValues(schema.anyOf, schema.description);
  if (TypeGuard.IsLiteral(schema)) return `must be ${JSON.stringify(schema.const)}`;
  if (!TypeGuard.IsString(schema) || !message.startsWith('Expected string to match')) return message;
  const example: unknown = schema.examples?.[0];
  const more = schema.description === undefined ? '' : `: ${schema.description}`;
  return (
    PATTERNS.get(schema.pattern) ??
    (example === undefined ? message : `must be written as ${JSON.stringify(example)}${more}`)
  );
}

function allowedValues(branches: readonly TSchema[], description: string | undefined): string {
  const names = branches.map((branch) => {
    if (TypeGuard.IsLiteral(branch)) return JSON.stringify(branch.const);
    return TypeGuard.IsNull(branch) ? 'null' : (branch.title ?? String(branch.type));
  });
  const [only] = names;
  if (names.length === 1 && only !== undefined) return `must be ${only}`;
  const isWhole = branches.every((branch) => TypeGuard.IsLiteral(branch) || TypeGuard.IsNull(branch));
  const more = isWhole || description === undefined ? '' : `: ${description}`;
  return `must be ${isWhole ? 'one of ' : ''}${names.slice(0, -1).join(', ')} or ${names.at(-1)}${more}`;
}
