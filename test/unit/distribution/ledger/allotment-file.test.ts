import fc from 'fast-check';
import { addressBytes, addressOf } from 'levy-solana-wire';
import { leafHash, rootFromPath, rootOf } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { createAllotmentWriter, openAllotment } from '../../../../src/distribution/ledger/allotment-file.ts';
import {
  AMOUNTS,
  compareRecords,
  decodeRecord,
  encodeColumns,
  KINDS,
  type LedgerRecord,
  REASONS,
  RECORD_SIZE,
} from '../../../../src/distribution/ledger/ledger-record.ts';
import { encodeRecord } from '../../../support/encode-record.ts';
import { makeAllotment } from '../../../support/ledger-files.ts';

const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const owner = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf);
const record: fc.Arbitrary<LedgerRecord> = fc.record({
  kind: fc.constantFrom(...KINDS),
  reason: fc.constantFrom(...REASONS),
  owner,
  balance: amount,
  basis: amount,
  share: amount,
  owedBefore: amount,
  planned: amount,
  paidBefore: amount,
});

/** Numbered owners, every third twice, so that several records have one owner. */
function sorted(count: number): readonly LedgerRecord[] {
  const made = Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(index - (index % 3 === 1 ? 1 : 0), 0);
    const amounts = Object.fromEntries(AMOUNTS.map((name, place) => [name, BigInt(index * 7 + place)]));
    const kind = index % 3 === 1 ? ('holder' as const) : ('developer' as const);
    return { kind, reason: 'planned', owner: addressOf(bytes), ...amounts } as LedgerRecord;
  });
  return made.map(encodeRecord).toSorted(compareRecords).map(decodeRecord);
}

const reading = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

describe('a record', () => {
  test('is the same whether it is written from an object or from columns', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), fc.nat(), (given, some) => {
        const columnOf = (name: (typeof AMOUNTS)[number]) => {
          const column = createAmountColumn(given.length);
          for (const [index, each] of given.entries()) column.set(index, each[name]);
          return column;
        };
        const columns = {
          ownerAt: (index: number) => addressBytes(given[index]?.owner ?? ''),
          balanceAt: (index: number) => given[index]?.balance ?? 0n,
          kinds: Uint8Array.from(given, ({ kind }) => KINDS.indexOf(kind)),
          reasons: Uint8Array.from(given, ({ reason }) => REASONS.indexOf(reason)),
          amounts: {
            basis: columnOf('basis'),
            share: columnOf('share'),
            owedBefore: columnOf('owedBefore'),
            planned: columnOf('planned'),
            paidBefore: columnOf('paidBefore'),
          },
        };
        const from = some % (given.length + 1);
        expect(encodeColumns(columns, from, given.length)).toEqual(
          Buffer.concat(given.slice(from).map(encodeRecord)),
        );
      }),
    );
  });

  test('is refused where its kind or reason is unknown, or its length is another', () => {
    const bytes = encodeRecord(fc.sample(record, 1)[0] as LedgerRecord);
    for (const place of [32, 33]) {
      const changed = Uint8Array.from(bytes);
      changed[place] = 200;
      expect(() => decodeRecord(changed)).toThrow('unknown');
    }
    expect(() => decodeRecord(bytes.subarray(1))).toThrow('82 bytes');
  });
});

describe('an allotment', () => {
  test.each([
    0, 1, 2, 1_022, 1_023, 1_024, 2_500,
  ])('of %i records reads back, and proves each of them', async (count) => {
    const records = sorted(count);
    const { bytes, root, header } = makeAllotment(records);
    const allotment = await openAllotment(reading(bytes));
    expect(allotment.header).toEqual(header);
    expect(allotment.root()).toBe(root);
    const all = await allotment.records(0, count + 10);
    expect(all.map((one) => one.record)).toEqual(records);
    const leaves = [Buffer.from(JSON.stringify(header)), ...all.map((one) => one.bytes)];
    expect(Buffer.from(rootOf(leaves.map(leafHash))).toString('hex')).toBe(root);
    const some = [0, 1, 2, 1_022, 1_023, 1_024, 1_025, count].filter((leaf) => leaf <= count);
    for (const leaf of new Set(some)) {
      const { leafIndex, treeSize, bytes: proved, path } = await allotment.prove(leaf);
      expect(Buffer.from(proved).equals(leaves[leaf] ?? Buffer.alloc(0))).toBe(true);
      const found = rootFromPath(leafHash(proved), leafIndex, treeSize, path);
      expect(Buffer.from(found ?? []).toString('hex')).toBe(root);
    }
    await expect(allotment.prove(count + 1)).rejects.toThrow(`leaf index ${count + 1} is out of range`);
  });

  test('finds all records of an owner, and the place of one who has none', async () => {
    const records = sorted(3_000);
    const allotment = await openAllotment(reading(makeAllotment(records).bytes));
    const all = await allotment.records(0, 3_000);
    for (const { record: wanted } of [all[0], all[1], all[1_500], all[2_999]] as typeof all) {
      const { found } = await allotment.find(decodeOwner(wanted.owner));
      expect(found.map((one) => one.record)).toEqual(
        all.map((one) => one.record).filter((one) => one.owner === wanted.owner),
      );
    }
    const absent = Buffer.alloc(32);
    absent.writeUInt32BE(1_500, 0);
    absent[31] = 1;
    const { found, place } = await allotment.find(absent);
    expect(found).toEqual([]);
    expect(Buffer.compare(decodeOwner(all[place - 1]?.record.owner ?? ''), absent)).toBe(-1);
    expect(Buffer.compare(decodeOwner(all[place]?.record.owner ?? ''), absent)).toBe(1);
  });

  test('takes records in their order only, each once, and as many as were announced', () => {
    const records = sorted(4);
    const bytes = records.map(encodeRecord);
    const { header } = makeAllotment(records);
    const writer = () => createAllotmentWriter(header);
    expect(() => writer().add(Buffer.concat(bytes.toReversed()))).toThrow('must be sorted');
    expect(() => writer().add(Buffer.concat([...bytes.slice(0, 1), ...bytes.slice(0, 1)]))).toThrow(
      'without duplicates',
    );
    expect(() => writer().add(Buffer.alloc(81))).toThrow('82 bytes');
    const short = writer();
    short.add(Buffer.concat(bytes.slice(0, 3)));
    expect(() => short.end()).toThrow('the header announces 4 records, but 3 were written');
  });

  test('does not go on with memory that the caller uses again', () => {
    const bytes = sorted(2).map(encodeRecord);
    const writer = createAllotmentWriter(makeAllotment(sorted(2)).header);
    const memory = Buffer.from(bytes[0] ?? []);
    writer.add(memory);
    memory.set(bytes[1] ?? []);
    expect(() => writer.add(memory)).not.toThrow();
  });

  test('is not ended under a header with other sums or payments', () => {
    const records = sorted(4);
    const { header } = makeAllotment(records);
    const ended = (said: object) => () => {
      const writer = createAllotmentWriter({ ...header, ...said });
      writer.add(Buffer.concat(records.map(encodeRecord)));
      writer.end();
    };
    expect(ended({})).not.toThrow();
    const { sums, payments } = header;
    expect(ended({ sums: { ...sums, holder: { ...sums.holder, share: '1' } } })).toThrow('do not match');
    expect(ended({ payments: { ...payments, sol: { ...payments.sol, count: 9 } } })).toThrow('do not match');
  });

  test('numbers payments by asset, in the order of the records', async () => {
    const records = sorted(3_000).map((each, index) => ({
      ...each,
      kind: index % 5 === 0 ? ('debt' as const) : each.kind,
      planned: index % 4 === 0 ? 0n : 5n,
    }));
    const made = makeAllotment(records);
    const allotment = await openAllotment(reading(made.bytes));
    for (const index of [0, 1, 7, 1_022, 1_023, 1_024, 2_046, 2_047, 2_048, 2_999, 3_000]) {
      const paid = made.records.slice(0, index).filter(({ planned }) => planned > 0n);
      const debts = paid.filter(({ kind }) => kind === 'debt').length;
      expect(await allotment.paymentsBefore(index)).toEqual({ sol: paid.length - debts, token: debts });
    }
    await expect(allotment.paymentsBefore(3_001)).rejects.toThrow(
      'record index 3001 is out of range (3000 records)',
    );
  });

  test('is refused where it is cut off or something else', async () => {
    const { bytes } = makeAllotment(sorted(10));
    await expect(openAllotment(reading(bytes.subarray(0, bytes.length - 40)))).rejects.toThrow('truncated');
    await expect(openAllotment(reading(Buffer.alloc(2)))).rejects.toThrow('truncated');
    await expect(openAllotment(reading(Buffer.alloc(100, 255)))).rejects.toThrow(
      'the file is not the allotment',
    );
    await expect(openAllotment(reading(Buffer.alloc(100)))).rejects.toThrow('not JSON');
    const other = Buffer.from('\u0002\u0000\u0000\u0000{}');
    await expect(openAllotment(reading(other))).rejects.toThrow('the header of the allotment is invalid');
  });
});

function decodeOwner(address: string): Uint8Array {
  return encodeRecord({ ...decodeRecord(new Uint8Array(RECORD_SIZE)), owner: address }).subarray(0, 32);
}
