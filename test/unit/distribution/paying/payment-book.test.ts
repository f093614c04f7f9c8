// The payments of a run by number, as its allotment lists them.
import { associatedTokenAddress } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { AllotmentReader } from '../../../../src/distribution/ledger/allotment-file.ts';
import { createRecordSums, type LedgerRecord } from '../../../../src/distribution/ledger/ledger-record.ts';
import { readPaymentBook } from '../../../../src/distribution/paying/payment-book.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import { encodeRecord } from '../../../support/encode-record.ts';
import { TOKEN } from '../../../support/run-examples.ts';
import { numberedOwner } from '../../../support/scanned.ts';

function record(number: number, kind: LedgerRecord['kind'], planned: bigint): LedgerRecord {
  return {
    kind,
    reason: planned > 0n ? 'planned' : 'below-minimum-payout',
    owner: numberedOwner(number),
    balance: 7n,
    basis: 7n,
    share: planned,
    owedBefore: 0n,
    planned,
    paidBefore: 0n,
  };
}

async function bookOf(records: readonly LedgerRecord[], asset: RewardAsset = 'sol') {
  const sums = createRecordSums(asset);
  for (const each of records) sums.add(encodeRecord(each));
  const reads: (readonly [number, number])[] = [];
  let rests = 0;
  const allotment = {
    header: { asset, records: records.length, payments: sums.payments() } as AllotmentReader['header'],
    async bytes(from: number, count: number) {
      reads.push([from, count]);
      return Buffer.concat(records.slice(from, from + count).map(encodeRecord));
    },
  };
  const book = await readPaymentBook(allotment, TOKEN.mint, async () => {
    rests += 1;
  });
  return { book, reads, rests };
}

const RECORDS = [
  record(1, 'costs', 5n),
  record(2, 'holder', 0n),
  record(3, 'developer', 2n ** 40n),
  record(3, 'holder', 11n),
  record(4, 'debt', 13n),
  record(5, 'holder', 17n),
];
const all = (to: number, without: number[] = []) => ({ from: 0, to, without });

describe('the book of a run that pays SOL', () => {
  test('numbers what is paid, each asset by itself, and leaves out what is not', async () => {
    const { book } = await bookOf(RECORDS);
    expect(book.count).toEqual({ sol: 4, token: 1 });
    expect(book.paymentsOf('sol', all(4))).toEqual([
      { to: numberedOwner(1), amount: 5n },
      { to: numberedOwner(3), amount: 2n ** 40n },
      { to: numberedOwner(3), amount: 11n },
      { to: numberedOwner(5), amount: 17n },
    ]);
    expect(book.paymentsOf('token', all(1))).toEqual([
      { to: associatedTokenAddress(numberedOwner(4), TOKEN.mint), amount: 13n },
    ]);
  });

  test('knows which payments go to no holder', async () => {
    const { book } = await bookOf(RECORDS);
    expect(book.notToHolders).toEqual([
      { number: 0, kind: 'costs', amount: 5n },
      { number: 1, kind: 'developer', amount: 2n ** 40n },
    ]);
  });

  test('leaves out of a batch whom the batch leaves out, and adds up the others exactly', async () => {
    const { book } = await bookOf(RECORDS);
    expect(book.numbersOf({ from: 1, to: 4, without: [2] })).toEqual([1, 3]);
    expect(book.paymentsOf('sol', { from: 2, to: 4, without: [3] })).toEqual([
      { to: numberedOwner(3), amount: 11n },
    ]);
    expect(book.sum('sol', 0, 4)).toBe(2n ** 40n + 33n);
    expect(book.sum('sol', 2, 3)).toBe(11n);
    expect(book.sumOfBatch('sol', all(4))).toBe(2n ** 40n + 33n);
    expect(book.sumOfBatch('sol', all(4, [1, 2]))).toBe(22n);
    expect(book.sumOfBatch('token', all(1))).toBe(13n);
  });
});
