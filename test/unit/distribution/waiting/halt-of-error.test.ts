import { expect, test } from 'vitest';
import { LedgerInvalid, LedgerMissing } from '../../../../src/distribution/ledger/read-range.ts';
import { haltOfError } from '../../../../src/distribution/run/take-step.ts';
import { ContentDamaged, StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';

test('a ledger whose bytes are not those of its name halts its token, without saying where it is kept', () => {
  expect(haltOfError(new ContentDamaged('ledger file', 'ab', '/var/lib/levy/ledgers'))).toEqual({
    kind: 'halt',
    code: 'LEDGER_CORRUPT',
    reason:
      'The bytes of the ledger file ab are not those of its name. Nothing of it was used. Put the file back from a backup, then resume.',
  });
});

test.each([
  new LedgerMissing('ab'),
  new LedgerInvalid('cut off'),
  new StoreUnavailable('away'),
  new Error('unexpected'),
  undefined,
])('what may pass by itself halts nothing: %s', (error) => {
  expect(haltOfError(error)).toBeUndefined();
});
