// The AsyncAPI document: valid by the specification's own schema, and true to what subscribers are told.
import asyncApiSpecs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/kernel/ports/event-store.ts';
import { outcomes } from '../../../../src/outcomes/index.ts';
import { createAsyncApiDocument } from '../../../../src/reference/asyncapi/document.ts';

const options = { version: '1.2.3', publicUrl: 'https://levy.example' };
const whole = createAsyncApiDocument({ ...options, operators: true });
const ofPublic = createAsyncApiDocument({ ...options, operators: false });

/** The specification's schema is of draft 7, and says formats that only people read. */
const isAsyncApi = addFormats
  .default(new Ajv({ strict: false, validateFormats: false, allErrors: false }))
  .compile(asyncApiSpecs.schemasWithoutId['3.0.0']);

const messageRules = addFormats.default(new Ajv({ keywords: ['x-enum-varnames'] }));

function faultsOf(document: JsonObject): unknown {
  return isAsyncApi(document) ? [] : isAsyncApi.errors;
}

function at(document: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((value, key) => (value as JsonObject | undefined)?.[key], document);
}

function referencesIn(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

/** With its references filled in. */
function resolved(document: JsonObject, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => resolved(document, item));
  const object = value as JsonObject;
  if (typeof object.$ref === 'string') return resolved(document, at(document, object.$ref) ?? null);
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, resolved(document, item)]));
}

describe.each([
  ['for operators', whole],
  ['for the public', ofPublic],
] as const)('the document %s', (_for, document) => {
  test('is valid AsyncAPI 3.0', () => {
    expect(faultsOf(JSON.parse(JSON.stringify(document)))).toEqual([]);
  });

  test('refers to nothing that is not there', () => {
    const broken = referencesIn(document).filter(
      (reference) => at(document, reference.slice(1)) === undefined,
    );
    expect(broken).toEqual([]);
  });

  test('has an example of every message, which is good by the schema of the message', () => {
    const messages = at(document, '/components/messages') as { [name: string]: JsonObject };
    for (const [name, message] of Object.entries(messages)) {
      const [example] = message.examples as readonly { payload: JsonValue }[];
      const validate = messageRules.compile(resolved(document, message.payload ?? null) as object);
      expect([name, validate(example?.payload), validate.errors]).toEqual([name, true, null]);
    }
  });

  test('gives every payload a title of its own, by which generators name its class', () => {
    const messages = Object.values(at(document, '/components/messages') as { [name: string]: JsonObject });
    const titles = messages.map(({ payload }) => {
      expect(payload).not.toHaveProperty('$ref');
      return (payload as JsonObject).title;
    });
    expect(titles.filter((title) => !/^[A-Z]\w+Event$/.test(String(title)))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe('what it says', () => {
  const names = (document: JsonObject) =>
    Object.keys(at(document, '/channels/events/messages') as JsonObject);
  const namesOf = (audience: string) =>
    outcomes.filter((outcome) => outcome.audience === audience).map(({ name }) => name);

  const namesToldBy = (document: JsonObject, operation: string) =>
    (at(document, `/operations/${operation}/messages`) as readonly { readonly $ref: string }[])
      .map(({ $ref }) => $ref.split('/').at(-1))
      .toSorted();

  test('is every outcome and the checkpoint, each by whom it is told; nothing of operators where there are none', () => {
    const all = outcomes.map(({ name }) => name);
    const ofCreators = [...namesOf('public'), ...namesOf('creators'), 'checkpoint'].toSorted();
    expect(names(whole).toSorted()).toEqual([...all, 'checkpoint'].toSorted());
    expect(names(ofPublic).toSorted()).toEqual(ofCreators);
    expect(namesToldBy(whole, 'tellOperators')).toEqual([...all, 'checkpoint'].toSorted());
    expect(namesToldBy(ofPublic, 'tellCreators')).toEqual(ofCreators);
    expect(namesToldBy(ofPublic, 'tellPublic')).toEqual([...namesOf('public'), 'checkpoint'].toSorted());
    expect(JSON.stringify(ofPublic)).not.toMatch(/Operator-Key|tellOperators/);
  });

  test('is where the service is called from, with the path before its own', () => {
    const under = createAsyncApiDocument({
      ...options,
      publicUrl: 'http://127.0.0.1:3000/levy',
      operators: false,
    });
    expect(at(under, '/servers/http')).toMatchObject({
      host: '127.0.0.1:3000',
      protocol: 'http',
      pathname: '/levy',
    });
    expect(at(whole, '/servers/http')).toMatchObject({ host: 'levy.example', protocol: 'https' });
  });
});
