/**
 * Allots the proceeds of a run: decides every row of the ledger, writes the file, and returns the payments. All inputs are
 * finalized or recorded, so that anybody can recompute the file.
 */

import {
  addressBytes,
  addressOf,
  isOnCurve,
  keyOf,
  RESERVED_PROGRAMS,
  RESERVED_SYSVARS,
} from 'levy-solana-wire';
import { POOL_AUTHORITY } from '../../chain/venue/addresses.ts';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { OpenedRun, RewardAsset } from '../../streams/distribution.ts';
import type { ListedOwners } from '../../streams/distribution-owners.ts';
import type { SplitTax } from '../../streams/distribution-run.ts';
import type { ScanSums } from '../../streams/scan-sums.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import { developerParts } from '../amounts/developer-parts.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { type AllotmentHeader, createAllotmentWriter } from '../ledger/allotment-file.ts';
import {
  assetOf,
  createRecordSums,
  encodeColumns,
  KINDS,
  REASONS,
  type RecordColumns,
} from '../ledger/ledger-record.ts';
import type { RunLedger } from '../ledger/run-ledger.ts';
import {
  type AllotmentTerms,
  type Allotted,
  allot,
  createAllotmentColumns,
  ELIGIBILITIES,
  type Eligibility,
  reasonOfAmount,
} from './divide-shares.ts';
import { eligibilityAfterRead } from './judge-owner.ts';
import { type ExtraRow, type LedgerRows, ledgerRows } from './ledger-rows.ts';
import { createPayeeVerdicts, type PayeeVerdicts } from './payee-verdicts.ts';

interface AllotmentParts {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  /** Awaited between slices of the work, so that other tasks can run. */
  readonly yieldToOthers: () => Promise<void>;
}

export interface RunToAllot {
  readonly token: DistributedToken;
  readonly open: OpenedRun;
  readonly split: Pick<SplitTax, 'costs' | 'developer' | 'holders'>;
  readonly scanned: ScannedOwners;
  readonly slots: readonly [string, string];
  readonly sums: ScanSums;
  /** Ledger of the previous run; undefined in the first run. */
  readonly previous: RunLedger | undefined;
  /** Lamports that an account without data must hold. */
  readonly rentFloor: bigint;
  /** Cached payee lookups of this run. An allotment that could not be completed leaves its lookups here. */
  readonly verdicts: PayeeVerdicts;
}

const HOLDER = KINDS.indexOf('holder');
const EXCLUDED = ELIGIBILITIES.indexOf('excluded');
const ROWS_PER_CHUNK = 2_048;
/**
 * Number of passes that read only owners with a payment. Later passes read all owners with a share, which bounds the
 * number of passes.
 */
const PASSES_OF_PAYEES = 3;

/** Decided rows, before anything is written. `seenSince`: earliest slot at which a payee's account was read. */
export type DecidedAllotment = Awaited<ReturnType<typeof decideAllotment>>;

interface RunToDecide
  extends Pick<RunToAllot, 'token' | 'split' | 'scanned' | 'slots' | 'previous' | 'rentFloor'>,
    Partial<Pick<RunToAllot, 'verdicts'>> {
  readonly open: Pick<
    OpenedRun,
    'asset' | 'settings' | 'owners' | 'carried' | 'policy' | 'distributor' | 'serviceAddresses'
  >;
}

export async function decideAllotment(parts: Omit<AllotmentParts, 'blobs'>, run: RunToDecide) {
  const { yieldToOthers } = parts;
  const { open, scanned, previous } = run;
  const rows = await ledgerRows(
    {
      asset: open.asset,
      scanned,
      previous:
        previous === undefined
          ? undefined
          : { asset: previous.allotment.asset, owners: previous.carriedOwners() },
      extra: extraRows(run),
    },
    yieldToOthers,
  );
  const eligibilities = await readEligibilities(
    rows,
    { ...open.owners, own: ownAddresses(run) },
    yieldToOthers,
  );
  const terms = termsOf(run);
  // A token's first run has no earlier scan to compare balances with.
  const holding = previous === undefined ? 'now' : open.policy.holding;
  const bases = await basesOf(rows, eligibilities, terms.minimumHolding, { holding, yieldToOthers });
  const verdicts = run.verdicts ?? createPayeeVerdicts();
  const table = { rows, eligibilities: eligibilities, bases, takesSol: new Uint8Array(rows.count).fill(1) };
  const allotted = await allotToPayees(parts, run, { ...table, terms, verdicts });
  const columns: RecordColumns = {
    ownerAt: rows.ownerAt,
    balanceAt: rows.balanceAt,
    kinds: rows.kinds,
    reasons: allotted.reasons,
    amounts: {
      basis: bases,
      share: allotted.shares,
      owedBefore: rows.owedBefore,
      planned: allotted.planned,
      paidBefore: rows.paidBefore,
    },
  };
  const sums = createRecordSums(open.asset);
  for (let from = 0; from < rows.count; from += ROWS_PER_CHUNK) {
    sums.add(encodeColumns(columns, from, Math.min(rows.count, from + ROWS_PER_CHUNK)));
    await yieldToOthers();
  }
  return { columns, count: rows.count, terms, allotted, sums, seenSince: verdicts.since };
}

/**
 * Number of owners with a balance, without the service's own accounts, pools and the incinerator. Owners of empty accounts do not
 * count, because anybody can create such accounts for others.
 */
export async function countHolders(
  scanned: Pick<ScannedOwners, 'count' | 'ownerAt' | 'balanceAt'>,
  own: readonly string[],
  yieldToOthers: () => Promise<void>,
): Promise<number> {
  const others = new Set(
    [...own, POOL_AUTHORITY, INCINERATOR].map((address) => keyOf(addressBytes(address))),
  );
  let holders = 0;
  for (let index = 0; index < scanned.count; index++) {
    if (scanned.balanceAt(index) > 0n && !others.has(keyOf(scanned.ownerAt(index)))) holders += 1;
    if (index % ROWS_PER_CHUNK === ROWS_PER_CHUNK - 1) await yieldToOthers();
  }
  return holders;
}

/** The service's own addresses and the mint. */
export function ownAddresses({
  token,
  open,
}: Pick<RunToDecide, 'token'> & {
  readonly open: Pick<OpenedRun, 'distributor' | 'serviceAddresses'>;
}): readonly string[] {
  return [token.wallet.address, open.distributor, token.mint, ...open.serviceAddresses];
}

function termsOf({
  open: { asset, settings, carried, policy },
  split,
  rentFloor,
}: RunToDecide): AllotmentTerms {
  return {
    amount: BigInt(split.holders) + BigInt(carried.dust[asset]),
    model: settings.distributionModel,
    minimumHolding: BigInt(settings.minimumHoldingRequirement),
    minShare: asset === 'sol' ? BigInt(policy.leastShare) : 0n,
    minimumPayout: asset === 'sol' ? BigInt(policy.minimumPayout) : 1n,
    asset: asset === 'sol' ? { kind: 'sol', rentFloor } : { kind: 'token' },
  };
}

/** Repeats the allotment until the accounts of all payees were read; owners that the chain would not pay are excluded. */
async function allotToPayees(
  { chain, yieldToOthers }: Omit<AllotmentParts, 'blobs'>,
  run: RunToDecide,
  table: PayeeColumns & Rows & { readonly terms: AllotmentTerms; readonly verdicts: PayeeVerdicts },
): Promise<Allotted> {
  const { rows, eligibilities, bases, takesSol, terms, verdicts } = table;
  const { asset, owners, policy } = run.open;
  const { rentFloor } = run;
  const minimumPayout = BigInt(policy.minimumPayout);
  // Only holders have a basis and earn shares; `fillUnpaidRows` fills the other rows.
  const hasAccount = asset === 'sol' ? takesSol : rows.hasAssociated;
  const earners = {
    count: rows.count,
    bases,
    owed: rows.owedBefore,
    eligibilities: eligibilities,
    hasAccount,
  };
  const decisions = createAllotmentColumns(rows.count);
  for (let pass = 1; ; pass++) {
    const allotted = await runInSlices(allot(earners, terms, decisions), yieldToOthers);
    fillUnpaidRows({ ...run, own: ownAddresses(run) }, table, allotted, { rentFloor, minimumPayout });
    // Excluding an owner may raise other owners' shares above the minimum payout, so read their accounts in the next pass.
    const payouts = { asset, minimumPayout, everybody: pass > PASSES_OF_PAYEES };
    await verdicts.read(chain, rows.ownerAt, markPayees(table, allotted, payouts), BigInt(run.slots[1]));
    await yieldToOthers();
    const bounds = { asset, rentFloor, allowedOwners: owners.allowedOwners };
    if (!takeVerdicts(table, allotted.planned, bounds, verdicts)) return allotted;
  }
}

/** Undefined while the verdict on a payee is unconfirmed. */
export async function allotRun(parts: AllotmentParts, run: RunToAllot) {
  const { yieldToOthers } = parts;
  const { token, open, slots } = run;
  const { columns, count, terms, allotted, sums, seenSince } = await decideAllotment(parts, run);
  if (run.verdicts.open > 0) return undefined;
  const header: AllotmentHeader = {
    format: 'levy-allotment-1',
    runId: open.runId,
    tokenId: open.tokenId,
    mint: token.mint,
    asset: open.asset,
    slots: [...slots],
    payeesSeenSince: (seenSince ?? BigInt(slots[1])).toString(),
    scan: run.sums,
    records: count,
    previousRoot: open.carried.root,
    model: terms.model,
    minimumHolding: terms.minimumHolding.toString(),
    leastShare: terms.minShare.toString(),
    minimumPayout: terms.minimumPayout.toString(),
    divided: terms.amount.toString(),
    sumOfWeights: allotted.sumOfWeights.toString(),
    payments: sums.payments(),
    sums: sums.sums(),
  };
  const writer = createAllotmentWriter(header);
  async function* pieces() {
    yield writer.begin;
    for (let from = 0; from < count; from += ROWS_PER_CHUNK) {
      yield writer.add(encodeColumns(columns, from, Math.min(count, from + ROWS_PER_CHUNK)));
      await yieldToOthers();
    }
    yield writer.end();
  }
  const ledger = await parts.blobs.put(pieces());
  return { ledger, root: writer.root(), header, shares: allotted.sumOfShares, dust: allotted.dust };
}

/** Runs a generator to its end, and yields to other tasks after each slice. */
export async function runInSlices<Result>(
  work: Generator<void, Result>,
  yieldToOthers: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await yieldToOthers();
  }
}

function extraRows({ open, split }: RunToDecide): readonly ExtraRow[] {
  return [
    ...(split.costs === '0' ? [] : [{ owner: open.distributor, kind: 'costs' } as const]),
    ...[...developerParts(open.settings, BigInt(split.developer)).keys()].map(
      (owner) => ({ owner, kind: 'developer' }) as const,
    ),
  ];
}

/**
 * Basis of each owner's share; 0 for owners that take no part, so that every share can be computed from the file alone.
 * Overwrites the earlier balances, which have no other reader.
 */
async function basesOf(
  { count, kinds, balanceAt, formerBalances: bases }: LedgerRows,
  eligibilities: Uint8Array,
  minimumHolding: bigint,
  {
    holding,
    yieldToOthers,
  }: Pick<AllotmentParts, 'yieldToOthers'> & { readonly holding: OpenedRun['policy']['holding'] },
): Promise<AmountColumn> {
  const earning = [TAKES_PART, PROGRAM_OWNED];
  for (let index = 0; index < count; index++) {
    const earns = kinds[index] === HOLDER && earning.includes(eligibilities[index] ?? EXCLUDED);
    const [now, former] = earns ? [balanceAt(index), bases.get(index)] : [0n, 0n];
    const basis = holding === 'least-of-two' && former < now ? former : now;
    bases.set(index, basis >= minimumHolding ? basis : 0n);
    if (index % ROWS_PER_CHUNK === ROWS_PER_CHUNK - 1) await yieldToOthers();
  }
  return bases;
}

/** Address to which holders send tokens to destroy them. */
const INCINERATOR = '1nc1nerator11111111111111111111111111111111';

const TAKES_PART = ELIGIBILITIES.indexOf('takes-part');
const PROGRAM_OWNED = ELIGIBILITIES.indexOf('program-owned');
const PROGRAM = ELIGIBILITIES.indexOf('program');
const SYSVAR = ELIGIBILITIES.indexOf('sysvar');
/** Owners per slice; few, because testing if an address is on the curve takes most of the time. */
const PER_SLICE = 128;

/** Eligibility of each owner, derived from the address and the lists only. */
async function readEligibilities(
  rows: { readonly count: number; ownerAt(index: number): Uint8Array },
  lists: Pick<ListedOwners, 'excludedOwners' | 'allowedOwners'> & {
    /** The service's own addresses and the mint. */
    readonly own: readonly string[];
  },
  yieldToOthers: () => Promise<void>,
): Promise<Uint8Array> {
  const named = new Map<string, Eligibility>();
  const name = (addresses: readonly string[], eligibility: Eligibility) => {
    for (const address of addresses) named.set(keyOf(addressBytes(address)), eligibility);
  };
  name(lists.allowedOwners, 'takes-part');
  name([POOL_AUTHORITY], 'pool');
  name(lists.excludedOwners, 'excluded-by-creator');
  // Set last, to override the creator's lists: reserved programs, sysvars and the service's own accounts are never paid.
  name(RESERVED_PROGRAMS, 'program');
  name(RESERVED_SYSVARS, 'sysvar');
  name([...lists.own, INCINERATOR], 'excluded');
  const eligibilities = new Uint8Array(rows.count);
  for (let index = 0; index < rows.count; index++) {
    const owner = rows.ownerAt(index);
    const eligibility = named.get(keyOf(owner));
    if (eligibility !== undefined) eligibilities[index] = ELIGIBILITIES.indexOf(eligibility);
    else eligibilities[index] = isOnCurve(owner) ? TAKES_PART : PROGRAM_OWNED;
    if (index % PER_SLICE === PER_SLICE - 1) await yieldToOthers();
  }
  return eligibilities;
}

/** Columns of an allotment: one entry per ledger row. */
interface PayeeColumns {
  readonly rows: Pick<LedgerRows, 'count' | 'kinds' | 'owedBefore' | 'ownerAt'>;
  /** Indexes into `ELIGIBILITIES`. */
  readonly eligibilities: Uint8Array;
  readonly bases: AmountColumn;
  /** 0 if the account is absent and the payment is too small to create it. */
  readonly takesSol: Uint8Array;
}

const COSTS = KINDS.indexOf('costs');
const PLANNED = REASONS.indexOf('planned');
const OF_PROGRAM = REASONS.indexOf('program-owned');

/**
 * Marks rows that would be paid, and program addresses that would be paid if the creator listed them, because balances of
 * these may be unspendable. With `everybody`, also marks owners whose share is too small so far.
 */
function markPayees(
  { rows, eligibilities, bases }: PayeeColumns,
  { reasons, shares }: Pick<Allotted, 'reasons' | 'shares'>,
  { asset, minimumPayout, everybody }: Payouts,
): Uint8Array {
  const marked = new Uint8Array(rows.count);
  for (let row = 0; row < rows.count; row++) {
    const kind = rows.kinds[row] ?? HOLDER;
    // The distributor's own account needs no check.
    if (kind === COSTS) continue;
    const reason = reasons[row];
    if (reason === PLANNED) marked[row] = 1;
    else if (reason === OF_PROGRAM) {
      const least = assetOf(kind, asset) === 'sol' ? minimumPayout : 1n;
      if (rows.owedBefore.get(row) + shares.get(row) >= least) marked[row] = 1;
    } else if (everybody && eligibilities[row] === TAKES_PART && bases.get(row) > 0n) marked[row] = 1;
  }
  return marked;
}

interface Payouts {
  readonly asset: RewardAsset;
  /** Lamports. */
  readonly minimumPayout: bigint;
  readonly everybody: boolean;
}

/** Applies the verdicts to the columns; returns true if the run must be decided again. */
function takeVerdicts(
  { rows, eligibilities, bases, takesSol }: PayeeColumns,
  planned: Pick<AmountColumn, 'get'>,
  { asset, rentFloor, allowedOwners }: ReadPayees,
  verdicts: Pick<PayeeVerdicts, 'verdictOf'>,
): boolean {
  const listed = new Set(allowedOwners.map((address) => keyOf(addressBytes(address))));
  let hasChanged = false;
  for (let row = 0; row < rows.count; row++) {
    const verdict = verdicts.verdictOf(row);
    if (verdict === undefined || verdict === 'wallet') continue;
    const kind = rows.kinds[row] ?? HOLDER;
    if (verdict === 'absent') {
      const isTooLittle = assetOf(kind, asset) === 'sol' && planned.get(row) < rentFloor;
      if (isTooLittle && planned.get(row) > 0n && takesSol[row] === 1) hasChanged = true;
      if (isTooLittle) takesSol[row] = 0;
      continue;
    }
    const before = ELIGIBILITIES[eligibilities[row] ?? ELIGIBILITIES.length];
    if (before === undefined) throw new RangeError(`row ${row} has an unknown eligibility`);
    const after = eligibilityAfterRead(before, verdict, listed.has(keyOf(rows.ownerAt(row))));
    if (after === before) continue;
    eligibilities[row] = ELIGIBILITIES.indexOf(after);
    hasChanged = true;
    // An account whose balance cannot be spent earns no share.
    if (after !== 'program-owned' && kind === HOLDER) bases.set(row, 0n);
  }
  return hasChanged;
}

interface ReadPayees {
  readonly asset: RewardAsset;
  readonly rentFloor: bigint;
  readonly allowedOwners: readonly string[];
}
const DEVELOPER = KINDS.indexOf('developer');
const DEBT = KINDS.indexOf('debt');

interface Run {
  /** Addresses of the token and of the service. */
  readonly own: readonly string[];
  readonly open: Pick<OpenedRun, 'asset' | 'settings'>;
  readonly split: Pick<SplitTax, 'costs' | 'developer'>;
}

interface Rows {
  readonly rows: LedgerRows;
  readonly eligibilities: Uint8Array;
  /** 1 if the owner can receive lamports of any amount. */
  readonly takesSol: Uint8Array;
}

/** Fills the rows of costs, of the developer's part and of debts, whose amounts do not depend on a holding. */
function fillUnpaidRows(
  { open, split, own }: Run,
  { rows, eligibilities, takesSol }: Rows,
  allotted: Allotted,
  { rentFloor, minimumPayout }: { readonly rentFloor: bigint; readonly minimumPayout: bigint },
): void {
  const parts = developerParts(open.settings, BigInt(split.developer));
  for (let index = 0; index < rows.count; index++) {
    const kind = rows.kinds[index] ?? HOLDER;
    if (kind === HOLDER) continue;
    const developer = kind === DEVELOPER ? addressOf(rows.ownerAt(index)) : undefined;
    const part = developer === undefined ? undefined : parts.get(developer);
    const share = kind === COSTS ? BigInt(split.costs) : (part ?? 0n);
    const due = rows.owedBefore.get(index) + share;
    const isSol = assetOf(kind, open.asset) === 'sol';
    const eligibility = eligibilities[index] ?? EXCLUDED;
    // A wallet of the developer's part may be a vault, because the creator chose or accepted it. A payment to `own` would be lost.
    const decides = kind === DEBT || eligibility === PROGRAM || eligibility === SYSVAR;
    const isOwn = developer !== undefined && own.includes(developer);
    const reason = reasonOfAmount(
      decides ? eligibility : isOwn ? EXCLUDED : TAKES_PART,
      due,
      isSol ? minimumPayout : 1n,
      (isSol ? takesSol : rows.hasAssociated)[index] === 1,
      isSol ? { kind: 'sol', rentFloor } : { kind: 'token' },
    );
    allotted.shares.set(index, share);
    allotted.planned.set(index, reason === PLANNED ? due : 0n);
    allotted.reasons[index] = reason;
  }
}
