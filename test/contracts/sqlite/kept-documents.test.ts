// What is kept of the documents that were asked for: the latest ones, a bounded number, and never what is no longer so.
import { expect, test } from 'vitest';
import { createKeptDocuments } from '../../../src/adapters/sqlite/kept-documents.ts';

function counting(capacity: number) {
  const kept = createKeptDocuments(capacity);
  const read: string[] = [];
  const get = (key: string) =>
    kept.get(key, () => {
      read.push(key);
      return key === 'none' ? undefined : { key };
    });
  return { kept, read, get };
}

test('a document is read once, and so is that there is none', () => {
  const { read, get } = counting(4);
  expect([get('a'), get('none'), get('a'), get('none')]).toEqual([
    { key: 'a' },
    undefined,
    { key: 'a' },
    undefined,
  ]);
  expect(read).toEqual(['a', 'none']);
});

test('what is asked for again and again stays, however many others come by', () => {
  const { read, get } = counting(4);
  for (let other = 0; other < 100; other++) {
    get('a');
    get(`other ${other}`);
  }
  expect(read.filter((key) => key === 'a')).toHaveLength(1);
});

test('no more are kept than twice the capacity', () => {
  const { read, get } = counting(4);
  const keys = Array.from({ length: 100 }, (_, number) => `key ${number}`);
  for (const key of keys) get(key);
  read.length = 0;
  for (const key of keys.toReversed()) get(key);
  expect(keys.length - read.length).toBeLessThanOrEqual(8);
});

test('a document that is forgotten is read anew, also one that was not asked for lately', () => {
  const { kept, read, get } = counting(1);
  get('a');
  get('b');
  for (const key of ['a', 'b']) kept.forget(key);
  get('a');
  get('b');
  expect(read).toEqual(['a', 'b', 'a', 'b']);
  kept.forgetAll();
  get('b');
  expect(read).toEqual(['a', 'b', 'a', 'b', 'b']);
});

test('a document that is kept cannot be changed, in no part', () => {
  const kept = createKeptDocuments(4);
  const document = kept.get('a', () => ({ list: [{ amount: '1' }] }));
  expect(() => Object.assign(document ?? {}, { list: [] })).toThrow(TypeError);
  expect(() => (document?.list as unknown[]).push(1)).toThrow(TypeError);
  expect(kept.get('a', () => undefined)).toEqual({ list: [{ amount: '1' }] });
});
