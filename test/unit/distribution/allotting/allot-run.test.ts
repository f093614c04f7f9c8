// Allots what a run divides: by what it is decided, and what its file says of it.
import { addressBytes, addressOf, SYSTEM_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  allotRun,
  decideAllotment,
  type RunToDecide,
} from '../../../../src/distribution/allotting/allot-run.ts';
import { createPayeeLooks } from '../../../../src/distribution/allotting/look-at-payees.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { openAllotment } from '../../../../src/distribution/ledger/allotment-file.ts';
import { KINDS, REASONS } from '../../../../src/distribution/ledger/record.ts';
import type { RunLedger } from '../../../../src/distribution/ledger/run-ledger.ts';
import { NOTHING_CARRIED, type RewardAsset, type RunPolicy } from '../../../../src/streams/distribution.ts';
import { runOpened, taxSplit } from '../../../support/distribution-examples.ts';
import { SUMS, TOKEN } from '../../../support/run-examples.ts';
import { numberedOwner, type ScannedHolder, scannedOf } from '../../../support/scanned.ts';

const [ANN, BOB, CAT] = [numberedOwner(1), numberedOwner(2), numberedOwner(3)] as const;
const { settings } = runOpened.data;
const policy: RunPolicy = {
  holding: 'now',
  leastShare: '5',
  minimumPayout: '20',
  costsMaxBasisPoints: 1_000,
};
const chain = {
  accountsAt: async (owners: readonly string[]) => ({
    slot: 77n,
    accounts: owners.map(() => ({ owner: SYSTEM_PROGRAM, lamports: 1n, data: new Uint8Array() })),
  }),
};

interface Given extends Partial<Omit<RunToDecide, 'open' | 'split' | 'scanned' | 'previous'>> {
  readonly holders: readonly ScannedHolder[];
  /** Balances at the scan of the run before; a first run has none. */
  readonly before?: readonly ScannedHolder[];
  readonly asset?: RewardAsset;
  readonly dust?: bigint;
  readonly minimumHolding?: bigint;
  readonly split?: Partial<RunToDecide['split']>;
  readonly serviceAddresses?: string[];
}

function runOf({ holders, before, asset = 'sol', ...given }: Given, by = policy): RunToDecide {
  return {
    token: TOKEN,
    open: {
      asset,
      settings: {
        ...settings,
        distributionModel: 'proportional',
        minimumHoldingRequirement: `${given.minimumHolding ?? 0n}`,
      },
      owners: { keptOut: [], listedIn: holders.map(({ owner }) => owner) },
      carried: { ...NOTHING_CARRIED, dust: { sol: '0', token: '0', [asset]: `${given.dust ?? 0n}` } },
      policy: by,
      distributor: TOKEN.distributor.address,
      serviceAddresses: given.serviceAddresses ?? [],
    },
    split: { costs: '0', developer: '0', holders: '1000', ...given.split },
    scanned: scannedOf(holders),
    slots: ['41', '42'],
    previous: before && carried(before, asset),
    rentFloor: 890_880n,
    ...(given.looks && { looks: given.looks }),
  };
}

/** A run before that owes nobody anything. */
function carried(before: readonly ScannedHolder[], asset: RewardAsset): RunLedger {
  const balances = createAmountColumn(before.length);
  before.forEach(({ balance }, index) => {
    balances.set(index, balance);
  });
  const nothing = createAmountColumn(before.length);
  return {
    allotment: { asset },
    async *carriedOwners() {
      yield {
        count: before.length,
        owners: Buffer.concat(before.map(({ owner }) => addressBytes(owner))),
        kinds: new Uint8Array(before.length).fill(KINDS.indexOf('holder')),
        balances,
        owedAfter: nothing,
        paidAfter: nothing,
      };
    },
  } as unknown as RunLedger;
}

async function decided(given: Given, by: RunPolicy = policy) {
  let rests = 0;
  const parts = {
    chain,
    rest: async () => {
      rests += 1;
    },
  };
  const found = await decideAllotment(parts, runOf(given, by));
  const { columns, count } = found;
  const rows = Array.from({ length: count }, (_, row) => ({
    owner: addressOf(columns.ownerAt(row)),
    kind: KINDS[columns.kinds[row] ?? -1],
    basis: columns.amounts.basis.get(row),
    share: columns.amounts.share.get(row),
    planned: columns.amounts.planned.get(row),
    reason: REASONS[columns.reasons[row] ?? -1],
  }));
  const basisOf = (address: string) => rows.find(({ owner }) => owner === address)?.basis;
  return { ...found, rows, basisOf, rests };
}

const holder = (owner: string, balance: bigint, hasAssociated = true) => ({ owner, balance, hasAssociated });

describe('what an owner’s share is computed from', () => {
  const scans = {
    // Ann bought, Bob sold, Cat came.
    holders: [holder(ANN, 50n), holder(BOB, 30n), holder(CAT, 20n)],
    before: [holder(ANN, 40n), holder(BOB, 90n)],
  };
  const least = { ...policy, holding: 'least-of-two' } as const;

  test('is the balance now, or the lesser of two scans where that is the policy', async () => {
    const now = await decided(scans);
    expect([ANN, BOB, CAT].map(now.basisOf)).toEqual([50n, 30n, 20n]);
    const lesser = await decided(scans, least);
    expect([ANN, BOB, CAT].map(lesser.basisOf)).toEqual([40n, 30n, 0n]);
  });

  test('is the balance now before there was a scan that could have less', async () => {
    const first = await decided({ holders: scans.holders }, least);
    expect([ANN, BOB, CAT].map(first.basisOf)).toEqual([50n, 30n, 20n]);
  });

  test('is nothing below the minimum holding', async () => {
    const { basisOf } = await decided({ ...scans, minimumHolding: 30n });
    expect([ANN, BOB, CAT].map(basisOf)).toEqual([50n, 30n, 0n]);
  });

  test('is nothing of who takes no part, and of a developer’s own row', async () => {
    const developer = settings.developerWallet;
    const { rows, basisOf } = await decided({
      holders: [holder(ANN, 50n), holder(BOB, 30n), holder(developer, 7n)],
      serviceAddresses: [BOB],
      split: { developer: '100' },
    });
    expect([ANN, BOB].map(basisOf)).toEqual([50n, 0n]);
    expect(rows.filter(({ owner }) => owner === developer)).toMatchObject([
      { kind: 'developer', basis: 0n, share: 100n },
      { kind: 'holder', basis: 7n },
    ]);
  });
});

describe('a run divides', () => {
  const holders = [holder(ANN, 50n), holder(BOB, 50n)];

  test('the holders’ part and the dust of the run before', async () => {
    expect((await decided({ holders, dust: 7n })).terms.amount).toBe(1_007n);
  });

  test.each([
    ['sol', { leastShare: 5n, minimumPayout: 20n, asset: { kind: 'sol', rentFloor: 890_880n } }],
    ['token', { leastShare: 0n, minimumPayout: 1n, asset: { kind: 'token' } }],
  ] as const)('%s by the limits of that asset', async (asset, terms) => {
    expect((await decided({ holders, asset })).terms).toMatchObject(terms);
  });

  test('SOL to whoever holds, and tokens only into an account that is there', async () => {
    const some = [holder(ANN, 50n), holder(BOB, 50n, false)];
    const reasons = async (asset: RewardAsset) =>
      (await decided({ holders: some, asset })).rows.map((row) => row.reason);
    expect(await reasons('sol')).toEqual(['planned', 'planned']);
    expect(await reasons('token')).toEqual(['planned', 'no-account']);
  });

  test('and lets others run while it takes the bases: after each 2,048 owners', async () => {
    const restsFor = async (count: number) => {
      const many = Array.from({ length: count }, (_, index) => holder(numberedOwner(index), 1n));
      return (await decided({ holders: many })).rests;
    };
    const [fewer, more, most] = [await restsFor(2_047), await restsFor(2_048), await restsFor(2_049)];
    // With the 2,048th, where the standings rest as well (each 128); the sums of the rows then take a second piece.
    expect([more - fewer, most - more]).toEqual([2, 1]);
  });
});

describe('the file of an allotment', () => {
  async function written(given: Given) {
    let file = Buffer.alloc(0);
    const blobs = {
      async put(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
        const all: Uint8Array[] = [];
        for await (const piece of pieces) all.push(piece);
        file = Buffer.concat(all);
        return 'the-hash';
      },
    };
    const { open, split, previous, ...run } = runOf(given);
    const result = await allotRun(
      { chain, blobs, rest: async () => {} },
      {
        ...run,
        slots: ['41', '42'],
        previous,
        open: { ...runOpened.data, ...open },
        split: { ...taxSplit.data, ...split },
        sums: SUMS,
        looks: given.looks ?? createPayeeLooks(),
      },
    );
    if (result === undefined) throw new Error('every verdict is confirmed');
    const opened = await openAllotment(async (offset, length) => file.subarray(offset, offset + length));
    return { result, opened };
  }

  test('has a record for each row, however many, and the header says what they add up to', async () => {
    const holders = Array.from({ length: 2_050 }, (_, index) => holder(numberedOwner(index), 1n));
    const { result, opened } = await written({ holders, split: { holders: '82001' } });
    expect(opened.header).toEqual(result.header);
    expect(result).toMatchObject({ ledger: 'the-hash', shares: 82_000n, dust: 1n });
    expect(result.header).toMatchObject({
      records: 2_050,
      divided: '82001',
      sumOfWeights: '2050',
      leastShare: '5',
      minimumPayout: '20',
      minimumHolding: '0',
      slots: ['41', '42'],
      previousRoot: null,
      payments: { sol: { count: 2_050, sum: '82000' }, token: { count: 0, sum: '0' } },
    });
  });

  test('says since when those were seen who are paid: from the end of the scan where nobody is', async () => {
    const holders = [holder(ANN, 50n)];
    expect((await written({ holders })).result.header.payeesSeenSince).toBe('77');
    const nothing = { holders, split: { holders: '1' } };
    expect((await written(nothing)).result.header.payeesSeenSince).toBe('42');
  });
});
