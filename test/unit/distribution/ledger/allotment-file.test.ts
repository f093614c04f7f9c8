import fc from 'fast-check';
import { addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  type AllotmentHeader,
  createAllotmentWriter,
  openAllotment,
} from '../../../../src/distribution/ledger/allotment-file.ts';
import { leafHash, rootFromPath } from '../../../../src/distribution/ledger/merkle-tree.ts';
import {
  AMOUNTS,
  compareRecords,
  decodeRecord,
  encodeRecord,
  KINDS,
  type LedgerRecord,
  REASONS,
  RECORD_SIZE,
} from '../../../../src/distribution/ledger/record.ts';

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
function sorted(count: number): readonly Uint8Array[] {
  const made = Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(index - (index % 3 === 1 ? 1 : 0), 0);
    const amounts = Object.fromEntries(AMOUNTS.map((name, place) => [name, BigInt(index * 7 + place)]));
    const kind = index % 3 === 1 ? ('holder' as const) : ('developer' as const);
    return encodeRecord({ kind, reason: 'planned', owner: addressOf(bytes), ...amounts } as LedgerRecord);
  });
  return made.toSorted(compareRecords);
}

function headerOf(records: number): AllotmentHeader {
  return {
    format: 'levy-allotment-1',
    runId: '00000000-0000-4000-8000-000000000001',
    tokenId: '00000000-0000-5000-8000-000000000002',
    mint: addressOf(Buffer.alloc(32, 9)),
    slots: ['100', '104'],
    records,
    previousRoot: null,
    divided: '1000000',
    sumOfWeights: '5000',
    sums: { balance: '1', basis: '2', share: '3', owedBefore: '4', planned: '5', paidBefore: '6' },
  };
}

function fileOf(records: readonly Uint8Array[], pieces = 500) {
  const writer = createAllotmentWriter(headerOf(records.length));
  const parts = [writer.begin];
  for (let start = 0; start < records.length; start += pieces)
    parts.push(writer.add(records.slice(start, start + pieces)));
  parts.push(writer.end());
  return { bytes: Buffer.concat(parts), root: writer.root() };
}

const reading = (bytes: Uint8Array) => async (offset: number, length: number) =>
  bytes.subarray(offset, offset + length);

describe('a record', () => {
  test('is 82 bytes, and reads back as it was written', () => {
    fc.assert(
      fc.property(record, (given) => {
        const bytes = encodeRecord(given);
        expect(bytes).toHaveLength(RECORD_SIZE);
        expect(decodeRecord(bytes)).toEqual(given);
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
    const { bytes, root } = fileOf(records);
    const allotment = await openAllotment(reading(bytes));
    expect(allotment.header).toEqual(headerOf(count));
    const all = await allotment.records(0, count + 10);
    expect(all.map((one) => Buffer.from(one.bytes))).toEqual(records.map((one) => Buffer.from(one)));
    const some = [0, 1, 1_021, 1_022, 1_023, 1_024, count - 1].filter((index) => index >= 0 && index < count);
    for (const index of new Set(some)) {
      const { leafIndex, treeSize, path } = await allotment.prove(index);
      const leaf = leafHash(records[index] ?? new Uint8Array());
      expect(Buffer.from(rootFromPath(leaf, leafIndex, treeSize, path) ?? []).toString('hex')).toBe(root);
    }
    await expect(allotment.prove(count)).rejects.toThrow(`no record ${count} among ${count}`);
  });

  test('is the same whatever pieces it is written in', () => {
    const records = sorted(2_100);
    expect(fileOf(records, 1)).toEqual(fileOf(records, 2_100));
  });

  test('finds all records of an owner, and the place of one who has none', async () => {
    const records = sorted(3_000);
    const allotment = await openAllotment(reading(fileOf(records).bytes));
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
    const writer = () => createAllotmentWriter(headerOf(4));
    expect(() => writer().add(records.toReversed())).toThrow('in the order');
    expect(() => writer().add([...records.slice(0, 1), ...records.slice(0, 1)])).toThrow('each once');
    const short = writer();
    short.add(records.slice(0, 3));
    expect(() => short.end()).toThrow('4 records were announced, and 3 were written');
  });

  test('is refused where it is cut off or something else', async () => {
    const { bytes } = fileOf(sorted(10));
    const cut = await openAllotment(reading(bytes.subarray(0, bytes.length - 40)));
    await expect(cut.prove(3)).rejects.toThrow('cut off');
    await expect(openAllotment(reading(Buffer.alloc(2)))).rejects.toThrow('cut off');
    await expect(openAllotment(reading(Buffer.alloc(100, 255)))).rejects.toThrow('does not begin');
    await expect(openAllotment(reading(Buffer.alloc(100)))).rejects.toThrow('not JSON');
    const other = Buffer.from('\u0002\u0000\u0000\u0000{}');
    await expect(openAllotment(reading(other))).rejects.toThrow('not that of an allotment');
  });
});

function decodeOwner(address: string): Uint8Array {
  return encodeRecord({ ...decodeRecord(new Uint8Array(RECORD_SIZE)), owner: address }).subarray(0, 32);
}
