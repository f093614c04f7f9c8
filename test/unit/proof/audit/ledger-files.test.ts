// The two files of a run as the audit reads them: what is not their layout is no file, whatever its name says.
import { createHash } from 'node:crypto';
import { addressBytes } from 'levy-solana-wire';
import { REASONS } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import {
  LedgerFileInvalid,
  readAllotment,
  readSettlement,
} from '../../../../src/proof/audit/ledger-files.ts';
import { makeAllotment, makeSettlement, ownerOf } from '../../../support/ledger-files.ts';

const RECORD = 82;
const BATCH = 90;
const [KIND_AT, POT_AT] = [32, 0];

const holders = Array.from({ length: 30 }, (_, number) => ({
  kind: 'holder' as const,
  owner: ownerOf(number),
  balance: BigInt(number + 1),
  basis: BigInt(number + 101),
  share: 9n,
  owedBefore: 0n,
  planned: 9n,
  paidBefore: 0n,
  reason: 'planned' as const,
}));
const allotment = makeAllotment([
  ...holders,
  ...holders.map((holder) => ({ ...holder, kind: 'debt' as const, share: 0n, owedBefore: 9n })),
]);
const settlement = makeSettlement(allotment, {
  stretch: () => 5,
  lands: (index) => index !== 1,
  refuses: (_asset, payment) => (payment % 5 === 0 ? 'frozen' : undefined),
});

/** A file as it is, but for its header and what comes behind it. */
function fileOf(header: object, rest: Uint8Array) {
  const text = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(text.length);
  const bytes = Buffer.concat([size, text, rest]);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function restOf({ bytes }: { readonly bytes: Buffer }): Buffer {
  return Buffer.from(bytes.subarray(4 + bytes.readUInt32LE()));
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return changed;
}

describe('an allotment', () => {
  const read = ({ sha256, bytes } = allotment as Pick<typeof allotment, 'sha256' | 'bytes'>) =>
    readAllotment(sha256, bytes);

  test('has its records one by one, with the bytes of their owners, and no others', () => {
    const { records } = read();
    expect(records.length).toBe(allotment.records.length);
    expect([...records].map(({ owner, kind, balance, basis }) => [owner, kind, balance, basis])).toEqual(
      allotment.records.map(({ owner, kind, balance, basis }) => [owner, kind, balance, basis]),
    );
    const given = ['planned', 'no-account'] as const;
    const reasons = makeAllotment(
      given.flatMap((reason, number) =>
        holders.slice(number, number + 1).map((holder) => ({ ...holder, reason })),
      ),
    );
    expect([...read(reasons).records].map(({ reason }) => reason)).toEqual(
      reasons.records.map(({ reason }) => REASONS.indexOf(reason)),
    );
    expect([...records].map(({ ownerKey }) => ownerKey)).toEqual(
      allotment.records.map(({ owner }) => Buffer.from(addressBytes(owner)).toString('latin1')),
    );
    expect(records.at(0)?.owner).toBe(allotment.records[0]?.owner);
    expect([records.at(-1), records.at(records.length)]).toEqual([undefined, undefined]);
  });

  test('is the file of its name', () => {
    const other = makeAllotment(holders);
    expect(() => read({ ...other, sha256: allotment.sha256 })).toThrow(
      new LedgerFileInvalid(`the file ${allotment.sha256} has the SHA-256 ${other.sha256}`),
    );
  });

  test.each<[string, object]>([
    ['another asset', { ...allotment.header, asset: 'gold' }],
    ['no asset', { records: 0 }],
    ['no count of its records', { asset: 'token' }],
  ])('is none whose header names %s', (_what, header) => {
    expect(() => read(fileOf(header, restOf(allotment)))).toThrow('is no allotment');
  });

  test('is none whose record is cut off, or of a kind that nobody knows', () => {
    const rest = restOf(allotment);
    const header = { asset: 'sol', records: 2 };
    const whole = rest.subarray(0, 2 * RECORD);
    expect(read(fileOf(header, whole)).records.length).toBe(2);
    for (const broken of [whole.subarray(0, -1), withByte(whole, RECORD + KIND_AT, 4)])
      expect(() => read(fileOf(header, broken))).toThrow('the record 1 of the allotment');
  });

  test('is none in which somebody stands twice, or before one who comes first', () => {
    const [one, other] = [0, 2].map((place) =>
      restOf(allotment).subarray(place * RECORD, (place + 1) * RECORD),
    ) as [Buffer, Buffer];
    const header = { asset: 'sol', records: 2 };
    expect(read(fileOf(header, Buffer.concat([one, other]))).records.length).toBe(2);
    for (const wrong of [
      [one, one],
      [other, one],
    ])
      expect(() => read(fileOf(header, Buffer.concat(wrong)))).toThrow(
        /^the record 1 of the allotment .* is doubled or out of order$/,
      );
  });
});

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['less than the size of its header', Buffer.of(1, 0)],
  ['a header that is cut off', Buffer.from([200, 0, 0, 0, 123])],
  ['a header that is no object', fileOf([], Buffer.alloc(0)).bytes],
  ['a header of null', Buffer.from('\u0004\0\0\0null', 'latin1')],
])('a file of %s is neither', (_what, bytes) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const read of [readAllotment, readSettlement])
    expect(() => read(sha256, bytes)).toThrow(LedgerFileInvalid);
});

describe('a settlement', () => {
  const read = ({ sha256, bytes } = settlement as Pick<typeof settlement, 'sha256' | 'bytes'>) =>
    readSettlement(sha256, bytes);

  test('names what each transaction covers, and of that what was refused', () => {
    const { stretches, till } = read();
    const { pots, tillAfter } = settlement.header;
    expect(stretches).toEqual(
      settlement.batches.map(({ pot, from, to, signature }) => ({
        asset: pots[pot]?.asset,
        pot: pots[pot]?.address,
        from,
        to,
        signature,
        // Every fifth, and a transaction covers five.
        without: [from],
      })),
    );
    expect(new Set(stretches.map(({ asset }) => asset))).toEqual(new Set(['sol', 'token']));
    expect(till).toBe(tillAfter.address);
  });

  test('is the file of its name', () => {
    expect(() => read({ ...settlement, sha256: allotment.sha256 })).toThrow(LedgerFileInvalid);
    expect(() => readSettlement(settlement.sha256, undefined)).toThrow('is missing');
  });

  test('has as many bytes as its header says', () => {
    const rest = restOf(settlement);
    for (const wrong of [rest.subarray(0, -1), rest.subarray(0, 1), Buffer.concat([rest, Buffer.of(0)])])
      expect(() => read(fileOf(settlement.header, wrong))).toThrow(
        new RegExp(`has ${wrong.length} bytes where ${rest.length} are said$`),
      );
    for (const asset of ['sol', 'token'])
      expect(() => read(fileOf({ ...settlement.header, [asset]: undefined }, rest))).toThrow(
        LedgerFileInvalid,
      );
  });

  test.each([
    [
      'counts of transactions that are none',
      { sol: { batches: -1, refused: 18 }, token: { batches: 0, refused: 0 } },
    ],
    ['no amounts that it leaves', { owedAfter: undefined }],
    ['amounts that are none', { dustAfter: { sol: '0', token: '-1' } }],
  ])('is none whose header names %s', (_what, change) => {
    const { sol, token } = settlement.header;
    const isOfNobody = 'sol' in change;
    const header = { ...settlement.header, sol, token, ...change };
    const file = fileOf(header, isOfNobody ? Buffer.alloc(0) : restOf(settlement));
    expect(() => read(file)).toThrow(LedgerFileInvalid);
  });

  test('without its last till is read, and names none', () => {
    const { tillAfter: _till, ...header } = settlement.header;
    expect(read(fileOf(header, restOf(settlement))).till).not.toBe(settlement.header.tillAfter.address);
  });

  test('names no transaction of a pot that it does not have', () => {
    const rest = restOf(settlement);
    expect(() => read(fileOf(settlement.header, withByte(rest, BATCH + POT_AT, 2)))).toThrow(
      /^a transaction of the settlement .* is of no pot$/,
    );
    const pots = settlement.header.pots.map((pot) => ({ ...pot, asset: 'gold' }));
    expect(() => read(fileOf({ ...settlement.header, pots }, rest))).toThrow('is of no pot');
    for (const none of ['none', [null, null]])
      expect(() => read(fileOf({ ...settlement.header, pots: none }, rest))).toThrow('is of no pot');
  });
});
