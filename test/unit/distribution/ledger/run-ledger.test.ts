import fc from 'fast-check';
import { addressBytes, addressOf } from 'levy-solana-wire';
import { leafHash, rootFromPath } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import type { LeafProof } from '../../../../src/distribution/ledger/allotment-file.ts';
import { compareRecords, KINDS } from '../../../../src/distribution/ledger/ledger-record.ts';
import { openRunLedger } from '../../../../src/distribution/ledger/run-ledger.ts';
import { encodeRecord } from '../../../support/encode-record.ts';
import {
  allotPlainly,
  blobsOf,
  type MadeAllotment,
  type MadeSettlement,
  makeAllotment,
  makeSettlement,
  ownerOf,
} from '../../../support/ledger-files.ts';

const course = {
  stretch: (index: number) => 1 + ((index * 7) % 61),
  lands: (index: number) => index % 6 !== 5,
  refuses: (_asset: string, number: number) => (number % 11 === 4 ? ('frozen' as const) : undefined),
};

const allotments = (['sol', 'token'] as const).map((asset) =>
  allotPlainly(
    Array.from({ length: 2_600 }, (_, index) => BigInt((index * 37) % 5_000)),
    { asset, model: asset === 'sol' ? 'proportional' : 'square-root', divided: 40_000_000n },
  ),
);
const runs = allotments.map((allotment) => ({ allotment, settlement: makeSettlement(allotment, course) }));

const openedRun = ({ allotment, settlement }: { allotment: MadeAllotment; settlement?: MadeSettlement }) =>
  openRunLedger(blobsOf(allotment, ...(settlement === undefined ? [] : [settlement])), {
    ledger: allotment.sha256,
    settlement: settlement?.sha256,
  });

/** What a record's row must say, by going through all records. */
function expectedRow({ allotment, settlement }: (typeof runs)[number], index: number) {
  const record = allotment.records[index];
  if (record === undefined) throw new Error(`there is no record ${index}`);
  const { kind, owner: wallet, balance, share, owedBefore, planned, paidBefore, reason } = record;
  const { signature, refusal } = settlement.outcomes[index] ?? {};
  const paid = signature === undefined ? 0n : planned;
  return {
    index,
    kind,
    wallet,
    balance,
    share,
    owedBefore,
    planned,
    paid,
    owedAfter: owedBefore + share - paid,
    paidAfter: paidBefore + paid,
    reason: refusal ?? reason,
    signature,
  };
}

const rowOf = ({ asset: _asset, outcome, ...row }: Awaited<ReturnType<Opened['payments']>>[number]) => ({
  ...row,
  signature: outcome.status === 'paid' ? outcome.signature : undefined,
});
type Opened = Awaited<ReturnType<typeof openRunLedger>>;

function provedRoot({ bytes, leafIndex, treeSize, path }: LeafProof) {
  return Buffer.from(rootFromPath(leafHash(bytes), leafIndex, treeSize, path) ?? []).toString('hex');
}

describe.each(runs)('the ledger of a run that pays $allotment.header.asset', (run) => {
  const { allotment } = run;
  const { length } = allotment.records;

  test('says of every stretch of records what was paid', async () => {
    const ledger = await openedRun(run);
    expect(ledger.root).toBe(allotment.root);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: length }), fc.nat({ max: 150 }), async (index, count) => {
        const expected = Array.from({ length: Math.max(0, Math.min(count, length - index)) }, (_, place) =>
          expectedRow(run, index + place),
        );
        expect((await ledger.payments(index, count)).map(rowOf)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test('says the same of a wallet that is looked up, in each capacity', async () => {
    const ledger = await openedRun(run);
    for (const number of [0, 1, 2, 77, 1_000, 2_599, 1_000_000]) {
      const wallet = ownerOf(number);
      const expected = allotment.records.flatMap(({ owner }, index) =>
        owner === wallet ? [expectedRow(run, index)] : [],
      );
      expect(expected).not.toEqual([]);
      expect((await ledger.paymentsOf(wallet)).map(rowOf)).toEqual(expected);
      expect(await ledger.proveAbsence(wallet)).toBeUndefined();
    }
  });

  test('proves each record against the root', async () => {
    const ledger = await openedRun(run);
    for (const index of [0, 1_022, 1_023, 1_024, length - 1]) {
      const proof = await ledger.prove(index);
      expect(proof.leafIndex).toBe(index + 1);
      expect(provedRoot(proof)).toBe(allotment.root);
      const record = allotment.records[index];
      expect(record && Buffer.from(encodeRecord(record)).equals(Buffer.from(proof.bytes))).toBe(true);
    }
  });

  test('proves by two neighbours that a wallet is not there', async () => {
    const ledger = await openedRun(run);
    const strangers = [
      ...Array.from({ length: 20 }, (_, index) => ownerOf(5_000_000 + index)),
      addressOf(Buffer.alloc(32, 0)),
      addressOf(Buffer.alloc(32, 255)),
    ];
    for (const stranger of strangers) {
      expect(await ledger.paymentsOf(stranger)).toEqual([]);
      const absence = await ledger.proveAbsence(stranger);
      if (absence === undefined) throw new Error('it is absent');
      const { before, after } = absence;
      expect(provedRoot(before)).toBe(allotment.root);
      const place = Buffer.alloc(82, 255);
      place.set(addressBytes(stranger));
      if (before.leafIndex > 0) expect(compareRecords(before.bytes, place)).toBeLessThan(0);
      if (after === undefined) {
        expect(before.leafIndex).toBe(before.treeSize - 1);
        continue;
      }
      expect(provedRoot(after)).toBe(allotment.root);
      expect(after.leafIndex).toBe(before.leafIndex + 1);
      expect(compareRecords(after.bytes, place)).toBeGreaterThan(0);
    }
  });

  test('carries over what is owed and was paid, of every record once', async () => {
    const ledger = await openedRun(run);
    let index = 0;
    for await (const carried of ledger.carriedOwners()) {
      for (let place = 0; place < carried.count; place++, index++) {
        const { kind, wallet, owedAfter, paidAfter, balance } = expectedRow(run, index);
        expect(addressOf(carried.owners.subarray(32 * place, 32 * place + 32))).toBe(wallet);
        expect(KINDS[carried.kinds[place] ?? -1]).toBe(kind);
        expect(carried.owedAfter.get(place)).toBe(owedAfter);
        expect(carried.paidAfter.get(place)).toBe(paidAfter);
        expect(carried.balances.get(place)).toBe(balance);
      }
    }
    expect(index).toBe(length);
  });

  test('weighs both its files while both are kept', async () => {
    const [open, closed] = [await openedRun({ allotment }), await openedRun(run)];
    expect(open.weight).toBeGreaterThan(0);
    expect(closed.weight).toBeGreaterThan(open.weight);
  });

  test('has paid nobody while the run is open', async () => {
    const ledger = await openedRun({ allotment });
    expect(ledger.settlement).toBeUndefined();
    for (const { paid, owedAfter, share, owedBefore, outcome, reason, index } of await ledger.payments(
      0,
      200,
    )) {
      expect([paid, owedAfter, outcome.status]).toEqual([0n, owedBefore + share, 'unpaid']);
      expect(reason).toBe(allotment.records[index]?.reason);
    }
  });
});

test('a ledger of nobody proves that nobody is in it', async () => {
  const allotment = makeAllotment([]);
  const ledger = await openedRun({ allotment });
  expect(await ledger.payments(0, 10)).toEqual([]);
  const absence = await ledger.proveAbsence(ownerOf(1));
  expect(absence?.after).toBeUndefined();
  expect(absence && provedRoot(absence.before)).toBe(allotment.root);
});

test('a file that is missing, or settles another run, is said to be', async () => {
  const [one, other] = runs;
  if (one === undefined || other === undefined) throw new Error('there are two runs');
  await expect(
    openRunLedger(blobsOf(), { ledger: one.allotment.sha256, settlement: undefined }),
  ).rejects.toThrow(`the ledger file ${one.allotment.sha256} is missing`);
  const { allotment } = one;
  const [ofOtherRoot, ofOtherFile] = [{ root: other.allotment.root }, { sha256: other.allotment.sha256 }].map(
    (not) => makeSettlement({ ...allotment, ...not }, course),
  );
  for (const settlement of [other.settlement, ofOtherRoot, ofOtherFile])
    await expect(openedRun({ allotment, ...(settlement && { settlement }) })).rejects.toThrow(
      'belongs to another allotment',
    );
});
