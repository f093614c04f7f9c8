import fc from 'fast-check';
import { canonicalRecord, entryOf as inBrowsers } from 'levy-transparency-log';
import { expect, test } from 'vitest';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';

const record = {
  id: 'a',
  type: 'Told',
  stream: 'notes-1',
  revision: 3,
  data: { b: 1, a: '€' },
  metadata: {},
};

test('the entry of an event is that of the package, whichever library hashes it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
      expect(Buffer.from(inBrowsers({ ...record, data })).equals(entryOf({ ...record, data }))).toBe(true);
    }),
  );
});

test('what an event says is part of its entry, as are the bytes of one that cannot be read', () => {
  expect(canonicalRecord(record)).toBe(
    '{"data":{"a":"€","b":1},"id":"a","metadata":{},"revision":3,"stream":"notes-1","type":"Told"}',
  );
  const raw = { data: '{', metadata: '{}' };
  expect(canonicalRecord({ ...record, raw })).toBe(
    '{"id":"a","raw":{"data":"{","metadata":"{}"},"revision":3,"stream":"notes-1","type":"Told"}',
  );
});
