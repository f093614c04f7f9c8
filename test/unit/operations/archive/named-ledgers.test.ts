import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/kernel/ports/event-store.ts';
import { ledgersIn } from '../../../../src/operations/archive/named-ledgers.ts';
import { files } from '../../../support/distribution-examples.ts';
import { examplesOf, storedTypes } from '../../../support/golden-files.ts';

const examples = storedTypes.flatMap(examplesOf);

/** What looks like the name of a file, with the field that holds it. */
function hashesIn(value: JsonValue, field = ''): readonly (readonly [field: string, hash: string])[] {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? [[field, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => hashesIn(inner, name));
}

test('every event that names a ledger file is known, in every form that was ever recorded', () => {
  const found = new Set(examples.flatMap(({ data }) => hashesIn(data).map(([field]) => field)));
  // Whoever records another SHA-256 decides here whether it names a file that backups need.
  expect([...found].sort()).toEqual([
    'inputHash',
    'ledger',
    'root',
    'seedFingerprint',
    'settlement',
    'sha256',
  ]);
  for (const { stream, data } of examples)
    expect(ledgersIn({ stream, data })).toEqual(
      hashesIn(data).flatMap(([field, hash]) => (/^(ledger|settlement)$/.test(field) ? [hash] : [])),
    );
});

test.each([
  ['RunAllotted', [files.ledger]],
  ['RunClosed', [files.ledger, files.settlement]],
])('%s names ledger files', (type, expected) => {
  const named = examples.filter((event) => event.type === type).flatMap(ledgersIn);
  expect([...new Set(named)]).toEqual(expected);
});

test('an event of another stream names no ledger file, whatever it says', () => {
  expect(ledgersIn({ stream: 'token-a', data: { ledger: files.ledger } })).toEqual([]);
  expect(ledgersIn({ stream: 'run-a', data: { ledger: 'a1', settlement: null } })).toEqual([]);
});
