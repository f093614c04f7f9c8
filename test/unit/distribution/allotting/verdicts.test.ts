// Whose account is looked at before a run is allotted, and what the look changes.
import { addressBytes } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { STANDINGS, type Standing } from '../../../../src/distribution/allotting/allot.ts';
import {
  markPayees,
  type PayeeColumns,
  takeVerdicts,
} from '../../../../src/distribution/allotting/allot-run.ts';
import type { OwnerVerdict } from '../../../../src/distribution/allotting/judge-owner.ts';
import { type AmountColumn, createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { KINDS, type Kind, REASONS, type Reason } from '../../../../src/distribution/ledger/record.ts';
import type { RewardAsset } from '../../../../src/streams/distribution.ts';
import { numberedOwner } from '../../../support/scanned.ts';

const MINIMUM = 10_000n;
const RENT_FLOOR = 890_880n;
const OWNER = numberedOwner(1);

interface Row {
  readonly kind?: Kind;
  readonly standing?: Standing;
  readonly basis?: bigint;
  readonly owed?: bigint;
  readonly takesSol?: boolean;
}

function amount(value: bigint): AmountColumn {
  const column = createAmountColumn(1);
  column.set(0, value);
  return column;
}

function columnsOf({ kind = 'holder', standing = 'takes-part', basis = 0n, ...row }: Row): PayeeColumns {
  return {
    rows: {
      count: 1,
      kinds: Uint8Array.of(KINDS.indexOf(kind)),
      owedBefore: amount(row.owed ?? 0n),
      ownerAt: () => addressBytes(OWNER),
    },
    standings: Uint8Array.of(STANDINGS.indexOf(standing)),
    bases: amount(basis),
    takesSol: Uint8Array.of(row.takesSol === false ? 0 : 1),
  };
}

describe('the account is looked at of', () => {
  const isMarked = (
    reason: Reason,
    row: Row & { readonly share?: bigint } = {},
    { everybody = false, asset = 'sol' as RewardAsset } = {},
  ) => {
    const allotted = { reasons: Uint8Array.of(REASONS.indexOf(reason)), shares: amount(row.share ?? 0n) };
    const payouts = { asset, minimumPayout: MINIMUM, everybody };
    return markPayees(columnsOf(row), allotted, payouts)[0] === 1;
  };

  test('whoever would be paid, but for the distributor itself', () => {
    expect(isMarked('planned')).toBe(true);
    expect(isMarked('planned', { kind: 'developer' })).toBe(true);
    expect(isMarked('planned', { kind: 'costs' })).toBe(false);
    expect(isMarked('below-minimum-payout', { basis: 1n })).toBe(false);
  });

  const half = MINIMUM / 2n;
  test.each([
    ['sol', 'holder', { share: half, owed: half }, true],
    ['sol', 'holder', { share: half, owed: half - 1n }, false],
    ['sol', 'debt', { owed: 1n }, true],
    ['sol', 'debt', { owed: 0n }, false],
    ['token', 'holder', { share: 1n }, true],
    ['token', 'holder', {}, false],
    ['token', 'debt', { owed: MINIMUM }, true],
    ['token', 'debt', { owed: MINIMUM - 1n }, false],
  ] as const)('a program’s address that would be paid if it were listed in: %s to a %s, %o', (asset, kind, due, expected) => {
    expect(isMarked('program-owned', { kind, ...due }, { asset })).toBe(expected);
  });

  test('at last of everybody who holds enough, so that nothing new comes up', () => {
    const all = (row: Row) => isMarked('below-minimum-payout', row, { everybody: true });
    expect(all({ basis: 1n })).toBe(true);
    expect(all({ basis: 0n })).toBe(false);
    expect(all({ basis: 1n, standing: 'pool' })).toBe(false);
  });
});

describe('a look', () => {
  function taken(
    verdict: OwnerVerdict | undefined,
    row: Row & { readonly planned?: bigint } = {},
    { asset = 'sol' as RewardAsset, listedIn = [] as readonly string[] } = {},
  ) {
    const columns = columnsOf({ basis: 500n, ...row });
    const isAgain = takeVerdicts(
      columns,
      amount(row.planned ?? RENT_FLOOR - 1n),
      { asset, rentFloor: RENT_FLOOR, listedIn },
      { verdictOf: () => verdict },
    );
    const standing = STANDINGS[columns.standings[0] ?? -1];
    return { isAgain, standing, basis: columns.bases.get(0), takesSol: columns.takesSol[0] === 1 };
  }
  const unchanged = { isAgain: false, standing: 'takes-part', basis: 500n, takesSol: true };
  const tooLittle = { ...unchanged, isAgain: true, takesSol: false };

  test('at a wallet changes nothing, and neither does none', () => {
    expect(taken('wallet')).toEqual(unchanged);
    expect(taken(undefined)).toEqual(unchanged);
  });

  test.each([
    ['sol', 'holder', RENT_FLOOR - 1n, tooLittle],
    ['sol', 'holder', RENT_FLOOR, unchanged],
    ['token', 'holder', RENT_FLOOR - 1n, unchanged],
    ['token', 'debt', RENT_FLOOR - 1n, tooLittle],
    ['sol', 'debt', RENT_FLOOR - 1n, unchanged],
    // Nothing was to be paid, so that nothing has to be decided again.
    ['sol', 'holder', 0n, { ...tooLittle, isAgain: false }],
  ] as const)('at an account that is absent: a payment of %s to a %s has to be its rent (%i)', (asset, kind, planned, expected) => {
    expect(taken('absent', { kind, planned }, { asset })).toEqual(expected);
  });

  test('at what is absent for the second time decides nothing again', () => {
    expect(taken('absent', { takesSol: false })).toEqual({ ...tooLittle, isAgain: false });
  });

  test.each(['program', 'sysvar'] as const)('at a %s takes its share, listed in or not', (verdict) => {
    const nothing = { isAgain: true, standing: verdict, basis: 0n, takesSol: true };
    expect(taken(verdict)).toEqual(nothing);
    expect(taken(verdict, {}, { listedIn: [OWNER] })).toEqual(nothing);
    // What a developer gets is no share of a holder.
    expect(taken(verdict, { kind: 'developer' })).toEqual({ ...nothing, basis: 500n });
  });

  test('at a program’s account keeps the share, which is paid once the creator lists it in', () => {
    expect(taken('program-owned')).toEqual({ ...unchanged, isAgain: true, standing: 'program-owned' });
    expect(taken('program-owned', {}, { listedIn: [OWNER] })).toEqual(unchanged);
    expect(taken('program-owned', { standing: 'program-owned' })).toEqual({
      ...unchanged,
      standing: 'program-owned',
    });
  });

  test('needs a standing that is known', () => {
    const columns = { ...columnsOf({}), standings: Uint8Array.of(STANDINGS.length) };
    const bounds = { asset: 'sol', rentFloor: RENT_FLOOR, listedIn: [] } as const;
    expect(() => takeVerdicts(columns, amount(0n), bounds, { verdictOf: () => 'program' })).toThrow(
      'the standing of row 0 is unknown',
    );
  });
});
