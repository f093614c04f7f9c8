// Ids that are made again must come out the same, and those of different things differently.
import { describe, expect, test } from 'vitest';
import {
  commandIdFor,
  deriveId,
  eventIdFor,
  hashInput,
  randomId,
} from '../../../../src/kernel/runtime/ids.ts';

describe('a derived id', () => {
  test('is the same UUID for the same parts, in every version of this service', () => {
    // Every log hangs on these: they must never come out differently.
    expect(deriveId('wallet', 'one')).toBe('48af0082-7308-57b4-bbc7-a6dc19a9283c');
    expect(deriveId('token', '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR')).toBe(
      '6d508ca5-37b1-5121-9016-90415358a3f6',
    );
    expect(commandIdFor('actor', 'POST /route', 'key')).toBe('a9585342-0a87-57c4-be59-4b603220ea5c');
  });

  test('differs as soon as one part does, and parts cannot run into each other', () => {
    const parts = [
      ['a', 'b'],
      ['ab'],
      ['a,b'],
      ['a","b'],
      ['a', 'b', ''],
      ['', 'a', 'b'],
      ['b', 'a'],
      ['a\\', 'b'],
    ];
    expect(new Set(parts.map((each) => deriveId(...each))).size).toBe(parts.length);
  });
});

describe('the id of a command', () => {
  const id = commandIdFor('actor', 'POST /route', 'key');

  test('differs with the key, the actor and the route', () => {
    const others = [
      commandIdFor('actor', 'POST /route', 'another key'),
      commandIdFor('another actor', 'POST /route', 'key'),
      commandIdFor('actor', 'POST /another-route', 'key'),
      commandIdFor('actor', 'POST /route/key', ''),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test('is new at every call without a key', () => {
    expect(commandIdFor('actor', 'POST /route', undefined)).not.toBe(
      commandIdFor('actor', 'POST /route', undefined),
    );
    expect(randomId()).not.toBe(randomId());
  });
});

test('the events of one run have different ids, the same each time', () => {
  const run = randomId();
  expect(eventIdFor(run, 0)).toBe(eventIdFor(run, 0));
  expect(new Set([eventIdFor(run, 0), eventIdFor(run, 1), eventIdFor(randomId(), 0)]).size).toBe(3);
});

describe('the hash of an input', () => {
  test('does not depend on the order of an object’s keys, at any depth', () => {
    expect(hashInput({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } })).toBe(
      hashInput({ b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }),
    );
  });

  test('takes an absent field and an undefined one as the same', () => {
    expect(hashInput({ a: 1, b: undefined })).toBe(hashInput({ a: 1 }));
    expect(hashInput({ a: null })).not.toBe(hashInput({}));
  });

  test('tells values of different kinds apart that look alike', () => {
    const inputs = [
      { a: 1 },
      { a: '1' },
      { a: [1] },
      { a: { 0: 1 } },
      { a: true },
      { a: 'true' },
      { a: null },
      { a: 'null' },
      { a: '' },
      { 'a":1,"b': 1 },
      { a: 1, b: 1 },
      { a: [1, 2] },
      { a: ['1,2'] },
      { a: Uint8Array.of(1) },
      { a: Uint8Array.of(1, 2) },
      { a: `bytes:${hashInput(1)}` },
    ];
    expect(new Set(inputs.map(hashInput)).size).toBe(inputs.length);
  });

  test('is that of the bytes where the input has bytes, whatever view they are', () => {
    const image = Uint8Array.of(1, 2, 3);
    expect(hashInput({ image })).toBe(hashInput({ image: Uint8Array.of(0, 1, 2, 3).subarray(1) }));
  });
});
