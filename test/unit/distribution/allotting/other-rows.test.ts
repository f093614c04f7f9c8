// Rows that earn no share: the run's costs, the developer's part, and debts in the other asset.
import { addressBytes } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { type Allotted, STANDINGS, type Standing } from '../../../../src/distribution/allotting/allot.ts';
import { fillOthers } from '../../../../src/distribution/allotting/allot-run.ts';
import type { LedgerRows } from '../../../../src/distribution/allotting/ledger-rows.ts';
import { createAmountColumn } from '../../../../src/distribution/amounts/amount-column.ts';
import { KINDS, type Kind, REASONS } from '../../../../src/distribution/ledger/record.ts';
import type { OpenedRun, RewardAsset } from '../../../../src/streams/distribution.ts';
import { runOpened } from '../../../support/distribution-examples.ts';
import { keyOf } from '../../../support/faulty-chain/token-world.ts';

const { settings } = runOpened.data;
const SOMEBODY = keyOf(6_400).address;
/** The mint, the distribution wallet or an address of the service. */
const OWN = keyOf(6_401).address;
const RENT_FLOOR = 890_880n;
const MINIMUM = 10_000n;
const SPLIT = { costs: '1000000', developer: '2000000' };

interface Row {
  readonly kind: Kind;
  readonly owner?: string;
  readonly owed?: bigint;
  readonly standing?: Standing;
  /** An account is there that takes lamports whatever the amount. */
  readonly takesSol?: boolean;
  readonly hasAssociated?: boolean;
}

/** What becomes of one row. */
function filled(
  row: Row,
  asset: RewardAsset = 'sol',
  split = SPLIT,
  settings: OpenedRun['settings'] = runOpened.data.settings,
) {
  const { kind, owner = SOMEBODY, owed = 0n, standing = 'takes-part', takesSol = true } = row;
  const { hasAssociated = true } = row;
  const [owedBefore, shares, planned] = [createAmountColumn(1), createAmountColumn(1), createAmountColumn(1)];
  owedBefore.set(0, owed);
  const rows: LedgerRows = {
    count: 1,
    ownerAt: () => addressBytes(owner),
    balanceAt: () => 0n,
    kinds: Uint8Array.of(KINDS.indexOf(kind)),
    formerBalances: createAmountColumn(1),
    owedBefore,
    paidBefore: createAmountColumn(1),
    hasAssociated: Uint8Array.of(hasAssociated ? 1 : 0),
  };
  const allotted: Allotted = {
    shares,
    planned,
    reasons: Uint8Array.of(255),
    sumOfWeights: 0n,
    sumOfShares: 0n,
    dust: 0n,
  };
  fillOthers(
    { open: { asset, settings }, split, own: [OWN] },
    {
      rows,
      standings: Uint8Array.of(STANDINGS.indexOf(standing)),
      takesSol: Uint8Array.of(takesSol ? 1 : 0),
    },
    allotted,
    { rentFloor: RENT_FLOOR, minimumPayout: MINIMUM },
  );
  return {
    share: shares.get(0),
    planned: planned.get(0),
    reason: REASONS[allotted.reasons[0] ?? -1],
  };
}
const paid = (share: bigint, owed = 0n) => ({ share, planned: share + owed, reason: 'planned' });
const developer = { kind: 'developer', owner: settings.developerWallet } as const;

describe('the row of', () => {
  test('costs takes what the run has cost, and what it was owed', () => {
    expect(filled({ kind: 'costs' })).toEqual(paid(1_000_000n));
    expect(filled({ kind: 'costs', owed: 5n })).toEqual(paid(1_000_000n, 5n));
  });

  test("the developer takes the developer's part", () => {
    expect(filled(developer)).toEqual(paid(2_000_000n));
  });

  test('a former developer takes what is owed, and no part any more', () => {
    expect(filled({ ...developer, owner: SOMEBODY, owed: MINIMUM })).toEqual(paid(0n, MINIMUM));
  });

  test('a debt takes what is owed', () => {
    expect(filled({ kind: 'debt', owed: 7n })).toEqual(paid(0n, 7n));
  });

  test('a holder is left alone: it is decided by its share', () => {
    expect(filled({ kind: 'holder', owed: MINIMUM })).toEqual({ share: 0n, planned: 0n, reason: undefined });
  });
});

describe('lamports', () => {
  test('are paid from the minimum on', () => {
    const due = (costs: bigint) => filled({ kind: 'costs' }, 'sol', { ...SPLIT, costs: costs.toString() });
    expect(due(MINIMUM)).toEqual(paid(MINIMUM));
    expect(due(MINIMUM - 1n)).toEqual({ share: MINIMUM - 1n, planned: 0n, reason: 'below-minimum-payout' });
  });

  test('make an account that is absent only where they are its rent', () => {
    const absent = { ...developer, takesSol: false, hasAssociated: true };
    const due = (amount: bigint) => filled(absent, 'sol', { ...SPLIT, developer: amount.toString() });
    expect(due(RENT_FLOOR)).toEqual(paid(RENT_FLOOR));
    expect(due(RENT_FLOOR - 1n)).toEqual({
      share: RENT_FLOOR - 1n,
      planned: 0n,
      reason: 'under-rent-floor',
    });
  });

  test('pay a debt of a run that pays the token now', () => {
    expect(filled({ kind: 'debt', owed: MINIMUM, hasAssociated: false }, 'token')).toEqual(paid(0n, MINIMUM));
    expect(filled({ kind: 'debt', owed: MINIMUM - 1n }, 'token')).toMatchObject({
      reason: 'below-minimum-payout',
    });
  });
});

describe('tokens', () => {
  test('are paid from the first base unit on, into an account that is there', () => {
    const due = (row: Partial<Row>, amount = '1') =>
      filled({ ...developer, takesSol: false, ...row }, 'token', { ...SPLIT, developer: amount });
    expect(due({})).toEqual(paid(1n));
    expect(due({}, '0')).toMatchObject({ reason: 'below-minimum-payout' });
    expect(due({ hasAssociated: false }, '900000000')).toEqual({
      share: 900_000_000n,
      planned: 0n,
      reason: 'no-account',
    });
  });

  test('pay a debt of a run that pays SOL now', () => {
    const debt = { kind: 'debt', owed: 1n, takesSol: false } as const;
    expect(filled(debt)).toEqual(paid(0n, 1n));
    expect(filled({ ...debt, hasAssociated: false })).toMatchObject({ reason: 'no-account' });
  });
});

describe('who can spend nothing', () => {
  test.each(['program', 'sysvar'] as const)('is paid nothing in any capacity: a %s', (standing) => {
    expect(filled({ ...developer, standing })).toEqual({ share: 2_000_000n, planned: 0n, reason: standing });
    expect(filled({ kind: 'debt', owed: 7n, standing })).toMatchObject({ planned: 0n, reason: standing });
  });

  test.each([
    'excluded',
    'pool',
    'program-owned',
  ] as const)('may be a vault that the creator chose as developer, but is no debtor: %s', (standing) => {
    expect(filled({ ...developer, standing })).toEqual(paid(2_000_000n));
    expect(filled({ kind: 'debt', owed: 7n, standing })).toEqual({
      share: 0n,
      planned: 0n,
      reason: standing,
    });
  });

  test('is no developer at an address of the token or of the service: the part stays owed', () => {
    const settings = { ...runOpened.data.settings, developerWallet: OWN };
    const row = { kind: 'developer', owner: OWN, standing: 'excluded' } as const;
    expect(filled(row, 'sol', SPLIT, settings)).toEqual({
      share: 2_000_000n,
      planned: 0n,
      reason: 'excluded',
    });
    // Costs are the distributor's own.
    expect(filled({ kind: 'costs', owner: OWN, standing: 'excluded' })).toEqual(paid(1_000_000n));
  });

  test('is not whom the creator keeps out: what was earned before is paid', () => {
    expect(filled({ kind: 'debt', owed: 7n, standing: 'excluded-by-creator' })).toEqual(paid(0n, 7n));
  });
});
