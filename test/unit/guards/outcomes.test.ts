/**
 * Whether an event is told to subscribers is decided for each type, and what was once told never changes its meaning.
 * test/golden-outcomes has a file for each outcome: a list of the schemas under which its data were ever published.
 * Schemas are added, never changed.
 */
import { basename } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { cloudEventOf, cloudEventSchema, cloudEventType } from '../../../src/outcomes/cloud-event.ts';
import { internalEvents, outcomes } from '../../../src/outcomes/index.ts';
import { exampleOf } from '../../../src/reference/openapi/example-of.ts';
import { categoryOfType } from '../../../src/streams/index.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';
import { decoded, examplesOf } from '../../support/golden-files.ts';
import { schemaRulesOf } from '../../support/schema-rules.ts';
import { filesBelow, textOf } from './source-files.ts';

const types = [...categoryOfType.keys()];
const told = outcomes.map(({ of }) => of);
const pathOf = (name: string) => `test/golden-outcomes/${name}.json`;
const published = filesBelow('test/golden-outcomes', '.json');

/** One for the file: each has to compile the meta-schema first. */
const ajv = addFormats.default(new Ajv());

/** Every recorded shape of the events of a type, of every version. */
function goldenEvents(type: string) {
  return deepFreeze(decoded(examplesOf({ type })));
}

test('every event type is told by an outcome, or is said to stay inside, and why', () => {
  const undecided = types.filter((type) => !told.includes(type) && !(type in internalEvents));
  expect(undecided, 'add an outcome, or a line under `internal` of its stream').toEqual([]);
  expect(
    told.filter((type) => type in internalEvents),
    'both told and kept inside',
  ).toEqual([]);
});

test('no decision is about an event that does not exist', () => {
  expect([...told, ...Object.keys(internalEvents)].filter((type) => !types.includes(type))).toEqual([]);
});

test('an event is told by one outcome at most: the id of the message is that of the event', () => {
  expect(new Set(told).size).toBe(told.length);
});

test('a change of private settings alone is told to nobody', () => {
  const changed = outcomes.find(({ of }) => of === 'DistributionSettingsUpdated');
  const concerns = (to: object) => changed?.concernsPublic?.({ data: { to } } as never);
  expect([concerns({ telegramGroupId: '-1' }), concerns({ burnBasisPoints: 1 })]).toEqual([false, true]);
  expect(concerns({ telegramGroupId: '-1', burnBasisPoints: 1 })).toBe(true);
});

test('names are unique, and of the families that the contract knows', () => {
  for (const { name } of outcomes) {
    expect(name).toMatch(/^(tokens|promotions|launches|distributions|submissions)\.[a-z]+(-[a-z]+)*$/);
  }
  expect(new Set(outcomes.map(({ name }) => name)).size).toBe(outcomes.length);
});

test('every outcome has its published schemas, and nothing that was published is gone', () => {
  const missing = outcomes.filter(({ name }) => !published.includes(pathOf(name)));
  expect(
    missing.map(({ name, data }) => `${pathOf(name)}: ${JSON.stringify([schemaRulesOf(data)])}`),
    'add these files',
  ).toEqual([]);
  const names = outcomes.map(({ name }) => name);
  expect(published.filter((path) => !names.includes(basename(path, '.json')))).toEqual([]);
});

/** What only a creator and the service know of a token, or of what they are about to do. */
const PRIVATE =
  /^(telegramGroupId|reward|minimumHolding|sell|percentageToSell|burn|developer|distribution(Model|Interval|Enabled)|message|signedTransaction|transactionId|reason|operator)/;

describe.each(outcomes.map((outcome) => [outcome.name, outcome] as const))('%s', (name, outcome) => {
  const events = goldenEvents(outcome.of);

  test('tells every shape in which its event was recorded as a CloudEvent of its schema', () => {
    expect(events.length).toBeGreaterThan(0);
    const validate = ajv.compile(cloudEventSchema(outcome, outcome.data));
    for (const event of events) {
      const message = cloudEventOf(outcome, event, 'urn:uuid:log', {});
      expect([validate(message), validate.errors]).toEqual([true, null]);
      expect(Value.Clean(structuredClone(outcome.data), structuredClone(message.data))).toEqual(message.data);
      expect(JSON.parse(JSON.stringify(message))).toEqual(message);
      expect(message).toMatchObject({ id: event.eventId, type: cloudEventType(outcome) });
      expect(message.position).toBe(event.position);
    }
  });

  test('tells nothing that does not fit every schema under which it was ever published', () => {
    const schemas: readonly object[] = JSON.parse(textOf(pathOf(name)));
    expect(schemaRulesOf(schemas.at(-1)), `the schema has grown: add it to ${pathOf(name)}`).toEqual(
      schemaRulesOf(outcome.data),
    );
    for (const schema of schemas) {
      const validate = ajv.compile(schema);
      for (const event of events)
        expect([validate(outcome.dataOf(event)), validate.errors]).toEqual([true, null]);
    }
  });

  test('has an example of its message, for readers of the description, and it is a good one', () => {
    const schema = cloudEventSchema(outcome, outcome.data);
    const { value, missing } = exampleOf(schema);
    expect(missing, 'add examples: [...] to these schemas').toEqual([]);
    const validate = ajv.compile(schema);
    expect([validate(value), validate.errors]).toEqual([true, null]);
  });

  if (outcome.audience === 'public') {
    test('says nothing that only a creator and the service know', () => {
      expect(Object.keys(outcome.data.properties).filter((property) => PRIVATE.test(property))).toEqual([]);
    });

    test('is not told while its token is hidden, unless it says just that', () => {
      if (name === 'tokens.hidden') {
        expect(outcome.hiddenWith).toBeUndefined();
        expect(Object.keys(outcome.data.properties)).toEqual(['tokenId', 'mintAddress']);
      } else for (const event of events) expect(outcome.hiddenWith?.(event)).toEqual(expect.any(String));
    });
  }
});
