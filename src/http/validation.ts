/** Checks input against the route's schemas. Converts only what always arrives as text: path and query parameters. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import { compiledCheck } from '../runtime/compiled-check.ts';
import type { InputSchemas } from '../runtime/define-route.ts';
import type { RejectionDetail } from '../runtime/rejection.ts';
import { rejection } from '../streams/rejections.ts';
import { fieldMessage } from './field-message.ts';

const DETAILS_SHOWN = 20;

export interface ReceivedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export type InputReader = (received: ReceivedInput) => ReceivedInput;

/** Gives the reader of a route's input. The reader throws `VALIDATION_FAILED` with all that is wrong. */
export function createInputReader(
  schemas: InputSchemas,
  options: { readonly bodyIsChecked: boolean },
): InputReader {
  const params = checkerOf(schemas.params, true);
  const query = checkerOf(schemas.query, true);
  const body = options.bodyIsChecked ? (received: unknown) => received : bodyCheckerOf(schemas.body);
  return (received) => ({
    params: params(received.params),
    query: query(received.query),
    body: body(received.body),
  });
}

function checkerOf(schema: TObject | undefined, isText: boolean): (received: unknown) => unknown {
  if (schema === undefined) return () => ({});
  const compiled = compiledCheck(schema);
  const numbers = isText ? integersOf(schema) : [];
  return (received) => {
    const value = numbers.length === 0 ? received : withNumbers(numbers, received);
    const check = compiled();
    if (!check.Check(value)) throw refusal(check, value);
    return value;
  };
}

function bodyCheckerOf(schema: TObject | undefined): (received: unknown) => unknown {
  if (schema !== undefined) {
    const check = checkerOf(schema, false);
    // If every field is optional, so is the body.
    const absent = (schema.required ?? []).length === 0 ? {} : undefined;
    return (received) => check(received === undefined ? absent : received);
  }
  return (received) => {
    if (received === undefined || received === null) return undefined;
    if (typeof received === 'object' && !Array.isArray(received) && Object.keys(received).length === 0)
      return undefined;
    throw rejection('VALIDATION_FAILED', 'This call takes no body.');
  };
}

function integersOf(schema: TObject): readonly string[] {
  return Object.entries<TSchema>(schema.properties).flatMap(([name, property]) =>
    TypeGuard.IsInteger(property) ? [name] : [],
  );
}

/** Converts the named members to numbers if they are digits; leaves everything else as text. */
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
    if (details.size === DETAILS_SHOWN) break;
    // A wrong value often breaks several rules at once; the first is enough.
    const { path } = error;
    if (!details.has(path)) details.set(path, { path: pathOf(path), message: fieldMessage(error) });
  }
  return rejection('VALIDATION_FAILED', 'The request is not valid; see the details.', {
    details: [...details.values()],
  });
}

function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
