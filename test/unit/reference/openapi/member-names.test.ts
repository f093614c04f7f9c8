/** A member with a single value has one type wherever it occurs, so that a reader of one answer can read the others. */
import { expect, test } from 'vitest';
import { commands } from '../../../../src/commands/index.ts';
import type { JsonObject } from '../../../../src/kernel/ports/event-store.ts';
import { queries } from '../../../../src/queries/index.ts';
import { createOpenApiDocument } from '../../../../src/reference/openapi/document.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | boolean;
}

/** Names that others have fixed, or that fit more than one kind of value; each with its meanings. */
const FIXED: { readonly [name: string]: string } = {
  token: "the contract's record of a token; the access token; an amount in base units beside `sol`",
  status: 'the HTTP status of a problem (RFC 9457); the state of a transaction, run or launch',
  error: "a problem's sentence, as other services name it; the failure of a transaction",
  state: 'the folded state of a stream, of any form; the state of a draft, role or read model',
  proof: "a proof's text as C2SP `tlog-proof` defines it, among proofs as objects",
};

const document = createOpenApiDocument({
  routes: [...commands, ...queries],
  version: '0.0.0',
  publicUrl: 'https://levy.example',
});
const components = Reflect.get(Object(document.components), 'schemas') as { readonly [name: string]: Schema };

const DIGITS = /^\^\(0\|\[1-9\]\[0-9\]\*/;

function kindsOf(schema: Schema): readonly string[] {
  if (schema.$ref !== undefined) return kindsOf(components[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.oneOf !== undefined) return schema.oneOf.flatMap(kindsOf);
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null');
  return types.map((type) => {
    if (type !== 'string') return type;
    return schema.format === 'date-time'
      ? 'timestamp'
      : DIGITS.test(schema.pattern ?? '')
        ? 'amount'
        : 'text';
  });
}

const CONTAINERS = ['object', 'array', 'any'];

test('a name stands for one type of value, or for containers only', () => {
  const kinds = new Map<string, Set<string>>();
  (function collect(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as Schema;
    for (const [name, member] of Object.entries(typeof properties === 'object' ? properties : {}))
      for (const kind of kindsOf(member)) kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
    for (const [keyword, value] of Object.entries(node))
      if (keyword !== 'example' && keyword !== 'examples') collect(value);
  })(document as JsonObject);
  const several = [...kinds].filter(
    ([, found]) => found.size > 1 && [...found].some((kind) => !CONTAINERS.includes(kind)),
  );
  const names = several.map(([name, found]) => `${name}: ${[...found].join(', ')}`);
  expect(names.filter((each) => !Object.hasOwn(FIXED, each.split(':')[0] ?? ''))).toEqual([]);
  expect(
    Object.keys(FIXED).filter((name) => !kinds.has(name) || !several.some(([each]) => each === name)),
  ).toEqual([]);
});
