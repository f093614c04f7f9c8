// Who stands in a run's ledger: what the scan found, what the run before carries over, and whom the run itself pays.
import { addressBytes, addressOf } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { type ExtraRow, ledgerRows } from '../../../../src/distribution/allotting/ledger-rows.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { KINDS, type Kind } from '../../../../src/distribution/ledger/ledger-record.ts';
import type { CarriedOwners } from '../../../../src/distribution/ledger/run-ledger.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import { numberedOwner, type ScannedHolder, scannedOf } from '../../../support/scanned.ts';

interface Carried {
  readonly owner: number;
  readonly kind: Kind;
  readonly balance?: bigint;
  readonly owed?: bigint;
  readonly paid?: bigint;
}

function chunkOf(rows: readonly Carried[]): CarriedOwners {
  const columns = {
    balances: createAmountColumn(rows.length),
    owedAfter: createAmountColumn(rows.length),
    paidAfter: createAmountColumn(rows.length),
  };
  rows.forEach(({ balance = 0n, owed = 0n, paid = 0n }, index) => {
    columns.balances.set(index, balance);
    columns.owedAfter.set(index, owed);
    columns.paidAfter.set(index, paid);
  });
  return {
    count: rows.length,
    owners: Buffer.concat(rows.map(({ owner }) => addressBytes(numberedOwner(owner)))),
    kinds: Uint8Array.from(rows, ({ kind }) => KINDS.indexOf(kind)),
    ...columns,
  };
}

interface Given {
  readonly asset?: RewardAsset;
  readonly scanned?: readonly (Omit<ScannedHolder, 'owner'> & { readonly owner: number })[];
  /** Chunks of the run before. */
  readonly carried?: readonly (readonly Carried[])[];
  readonly before?: RewardAsset;
  readonly extra?: readonly (Omit<ExtraRow, 'owner'> & { readonly owner: number })[];
}

const addressed = <Row extends { readonly owner: number }>(rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, owner: numberedOwner(row.owner) }));

async function rowsOf(given: Given) {
  const { asset = 'sol', scanned = [], carried, before = asset, extra = [] } = given;
  let rests = 0;
  const rows = await ledgerRows(
    {
      asset,
      scanned: scannedOf(addressed(scanned)),
      previous:
        carried === undefined
          ? undefined
          : {
              asset: before,
              owners: (async function* () {
                for (const chunk of carried) yield chunkOf(chunk);
              })(),
            },
      extra: addressed(extra),
    },
    async () => {
      rests += 1;
    },
  );
  return { rows, rests };
}

/** Owner, kind and whatever is not zero. */
async function listed(given: Given) {
  const { rows } = await rowsOf(given);
  return Array.from({ length: rows.count }, (_, index) => {
    const owner = Buffer.from(addressBytes(addressOf(rows.ownerAt(index)))).readUInt32BE();
    const figures = {
      balance: rows.balanceAt(index),
      former: rows.formerBalances.get(index),
      owed: rows.owedBefore.get(index),
      paid: rows.paidBefore.get(index),
    };
    return {
      owner,
      kind: KINDS[rows.kinds[index] ?? -1],
      ...Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== 0n)),
      ...(rows.hasAssociated[index] === 1 && { account: true }),
    };
  });
}

describe('the rows of a ledger', () => {
  test('are one for an owner who was there and is: the former balance is that of the holder', async () => {
    const carried = [
      [
        { owner: 5, kind: 'developer', balance: 777n, paid: 1n },
        { owner: 5, kind: 'holder', balance: 40n, owed: 2n, paid: 3n },
        { owner: 5, kind: 'debt', balance: 888n, owed: 4n },
      ],
    ] as const;
    expect(await listed({ scanned: [{ owner: 5, balance: 50n }], carried })).toEqual([
      { owner: 5, kind: 'developer', paid: 1n, account: true },
      { owner: 5, kind: 'holder', balance: 50n, former: 40n, owed: 2n, paid: 3n, account: true },
      { owner: 5, kind: 'debt', owed: 4n, account: true },
    ]);
  });

  test('leave out a capacity in which nobody is owed or was ever paid anything', async () => {
    const kinds = (carried: Carried) => listed({ carried: [[carried]] });
    expect(await kinds({ owner: 1, kind: 'developer' })).toEqual([{ owner: 1, kind: 'holder' }]);
    expect(await kinds({ owner: 1, kind: 'developer', owed: 1n })).toHaveLength(2);
    expect(await kinds({ owner: 1, kind: 'developer', paid: 1n })).toHaveLength(2);
  });

  test('are there for the costs and the developer, whoever these are', async () => {
    const extra = [
      { owner: 8, kind: 'developer' },
      { owner: 3, kind: 'costs' },
      { owner: 3, kind: 'developer' },
    ] as const;
    expect(await listed({ scanned: [{ owner: 8, balance: 80n }], extra })).toEqual([
      { owner: 3, kind: 'costs' },
      { owner: 3, kind: 'developer' },
      { owner: 3, kind: 'holder' },
      { owner: 8, kind: 'developer', account: true },
      { owner: 8, kind: 'holder', balance: 80n, account: true },
    ]);
  });

  test('outgrow the place that the scan needs', async () => {
    const carried = Array.from({ length: 4 }, (_, chunk) =>
      Array.from({ length: 100 }, (_, index) => ({
        owner: 100 * chunk + index,
        kind: 'holder' as const,
        balance: BigInt(1 + index),
        owed: BigInt(2 + chunk),
        paid: 2n ** 40n,
      })),
    );
    const expected = carried.flat().map(({ balance, ...row }) => ({ ...row, former: balance }));
    expect(await listed({ carried })).toEqual(expected);
    const scanned = [{ owner: 0, balance: 5n }];
    expect(await listed({ scanned, carried })).toEqual([
      { ...expected[0], balance: 5n, account: true },
      ...expected.slice(1),
    ]);
  });

  test('end with the last', async () => {
    const { rows } = await rowsOf({ scanned: [{ owner: 1, balance: 1n }], extra: [] });
    expect(() => rows.ownerAt(rows.count)).toThrow('row index 1 is out of range (1 rows)');
    const { rows: longer } = await rowsOf({ extra: [{ owner: 1, kind: 'costs' }] });
    expect(longer.kinds.length).toBe(longer.count);
    const { rows: spare } = await rowsOf({
      scanned: [{ owner: 1, balance: 1n }],
      extra: [{ owner: 1, kind: 'costs' }],
    });
    expect(spare.kinds.length).toBeGreaterThan(spare.count);
    expect(() => spare.balanceAt(spare.count)).toThrow('row index 2 is out of range (2 rows)');
  });
});

describe('when a run pays another asset than the one before', () => {
  const carried = [
    [
      { owner: 1, kind: 'costs', owed: 1n, paid: 10n },
      { owner: 1, kind: 'developer', owed: 2n, paid: 20n },
      { owner: 1, kind: 'holder', balance: 5n, owed: 4n, paid: 40n },
      { owner: 1, kind: 'debt', owed: 8n, paid: 80n },
    ],
  ] as const;

  test.each([
    ['sol', 'token'],
    ['token', 'sol'],
  ] as const)('what was owed in %s is a debt, and the debt is a holder’s in %s', async (before, asset) => {
    expect(await listed({ carried, before, asset })).toEqual([
      { owner: 1, kind: 'holder', former: 5n, owed: 8n, paid: 80n },
      { owner: 1, kind: 'debt', owed: 7n, paid: 70n },
    ]);
  });
});
