// The golden files of schemas compare what a schema demands: neither less of it, nor how it is written down.
import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { schemaRulesOf } from '../../support/schema-rules.ts';

const example = Type.Object({
  title: Type.String({ maxLength: 3 }),
  tax: Type.Optional(Type.Integer({ minimum: 0 })),
  owner: Type.Union([Type.Object({ id: Type.String() }), Type.Null()]),
});
const { title, tax, owner } = example.properties;

test('what is for readers, and the order of members, play no part', () => {
  const told = { title: 'A thing', description: 'It is so.', examples: [{}] };
  const other = Type.Object(
    { owner, tax: Type.Optional(Type.Integer({ ...told, minimum: 0 })), title },
    told,
  );
  expect(schemaRulesOf(other)).toEqual(schemaRulesOf(example));
  expect(JSON.stringify(schemaRulesOf(other))).not.toContain('It is so');
});

test('members that are called as what is for readers do', () => {
  expect(schemaRulesOf(Type.Object({ tax: Type.Optional(tax), owner }))).not.toEqual(schemaRulesOf(example));
});

test.each([
  ['a member more', Type.Object({ ...example.properties, more: Type.String() })],
  ['a member that may be absent', Type.Object({ ...example.properties, title: Type.Optional(title) })],
  ['a member that may not', Type.Object({ ...example.properties, tax: Type.Integer({ minimum: 0 }) })],
  ['another type', Type.Object({ ...example.properties, title: Type.Integer() })],
  ['another bound', Type.Object({ ...example.properties, title: Type.String({ maxLength: 4 }) })],
  ['another member of a union', Type.Object({ ...example.properties, owner: Type.Null() })],
])('%s is another rule', (_what, changed) => {
  expect(schemaRulesOf(changed)).not.toEqual(schemaRulesOf(example));
});
