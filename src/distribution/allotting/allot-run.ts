/**
 * Allots what a run divides: decides every row of its ledger, writes the file, and says what is to be paid. Everything
 * that it counts with is finalized or recorded, so that the file can be recomputed.
 */
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { OpenedRun } from '../../streams/distribution.ts';
import type { SplitTax } from '../../streams/distribution-run.ts';
import type { ScanSums } from '../../streams/scan-sums.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { type AllotmentHeader, createAllotmentWriter } from '../ledger/allotment-file.ts';
import { encodeColumns, KINDS, type RecordColumns } from '../ledger/record.ts';
import { createRecordSums, type RecordSums } from '../ledger/record-sums.ts';
import type { RunLedger } from '../ledger/run-ledger.ts';
import { type AllotmentTerms, type Allotted, allot, createAllotmentColumns, STANDINGS } from './allot.ts';
import { type ExtraRow, type LedgerRows, ledgerRows } from './ledger-rows.ts';
import { createPayeeLooks, type PayeeLooks } from './look-at-payees.ts';
import { fillOthers } from './other-rows.ts';
import { markPayees, takeVerdicts } from './payees.ts';
import { standingsOf } from './standings.ts';

export interface AllotmentParts {
  readonly chain: Pick<Chain, 'accountsAt'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  /** Awaited between slices of the work, so that others can run. */
  readonly rest: () => Promise<void>;
}

export interface RunToAllot {
  readonly token: DistributedToken;
  readonly open: OpenedRun;
  readonly split: SplitTax;
  readonly scanned: ScannedOwners;
  readonly slots: readonly [string, string];
  readonly sums: ScanSums;
  /** The run before, read whole. */
  readonly previous: RunLedger | undefined;
  /** Lamports that an account without data needs. */
  readonly rentFloor: bigint;
  /** What was seen of this run's owners when it was allotted before, and could not be. */
  readonly looks: PayeeLooks;
}

export interface WrittenAllotment {
  readonly ledger: string;
  readonly root: string;
  readonly header: AllotmentHeader;
  /** The holders' shares, and what of `divided` nobody got. */
  readonly shares: bigint;
  readonly dust: bigint;
}

const HOLDER = KINDS.indexOf('holder');
const EXCLUDED = STANDINGS.indexOf('excluded');
const ROWS_PER_PIECE = 2_048;
/** Then everybody with a share is looked at, so that nobody makes a run be decided again and again. */
const PASSES_OF_PAYEES = 3;

/** Every row decided, and nothing written. */
export interface DecidedAllotment {
  readonly columns: RecordColumns;
  readonly count: number;
  readonly terms: AllotmentTerms;
  readonly allotted: Allotted;
  readonly sums: RecordSums;
  /** The first slot that showed the account of one who would be paid; undefined where nobody would be. */
  readonly seenSince: bigint | undefined;
}

/** What rows are decided by. */
export interface RunToDecide
  extends Pick<RunToAllot, 'token' | 'scanned' | 'slots' | 'previous' | 'rentFloor'>,
    Partial<Pick<RunToAllot, 'looks'>> {
  readonly open: Pick<
    OpenedRun,
    'asset' | 'settings' | 'owners' | 'carried' | 'policy' | 'distributor' | 'serviceAddresses'
  >;
  readonly split: Pick<SplitTax, 'costs' | 'developer' | 'holders'>;
}

export async function decideAllotment(
  parts: Omit<AllotmentParts, 'blobs'>,
  run: RunToDecide,
): Promise<DecidedAllotment> {
  const { rest } = parts;
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
    rest,
  );
  const standings = await standingsOf(rows, { ...open.owners, own: ownAddresses(run) }, rest);
  const terms = termsOf(run);
  // Before a token's first run there was no scan whose balances could be the lesser.
  const holding = previous === undefined ? 'now' : open.policy.holding;
  const bases = await basesOf(rows, standings, terms.minimumHolding, { holding, rest });
  const looks = run.looks ?? createPayeeLooks();
  const table = { rows, standings, bases, takesSol: new Uint8Array(rows.count).fill(1) };
  const allotted = await allotToPayees(parts, run, { ...table, terms, looks });
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
  for (let from = 0; from < rows.count; from += ROWS_PER_PIECE) {
    sums.add(encodeColumns(columns, from, Math.min(rows.count, from + ROWS_PER_PIECE)));
    await rest();
  }
  return { columns, count: rows.count, terms, allotted, sums, seenSince: looks.since };
}

function ownAddresses({ token, open }: Pick<RunToDecide, 'token' | 'open'>): readonly string[] {
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
    leastShare: asset === 'sol' ? BigInt(policy.leastShare) : 0n,
    minimumPayout: asset === 'sol' ? BigInt(policy.minimumPayout) : 1n,
    asset: asset === 'sol' ? { kind: 'sol', rentFloor } : { kind: 'token' },
  };
}

/** Allots until the accounts of all who would be paid were looked at: whom the chain would not pay is counted out. */
async function allotToPayees(
  { chain, rest }: Omit<AllotmentParts, 'blobs'>,
  run: RunToDecide,
  table: {
    readonly rows: LedgerRows;
    readonly standings: Uint8Array;
    readonly bases: AmountColumn;
    readonly takesSol: Uint8Array;
    readonly terms: AllotmentTerms;
    readonly looks: PayeeLooks;
  },
): Promise<Allotted> {
  const { rows, standings, bases, takesSol, terms, looks } = table;
  const { asset, owners, policy } = run.open;
  const { rentFloor } = run;
  const minimumPayout = BigInt(policy.minimumPayout);
  // Only holders have a basis and earn shares; the other rows are filled in afterwards.
  const hasAccount = asset === 'sol' ? takesSol : rows.hasAssociated;
  const earners = { count: rows.count, bases, owed: rows.owedBefore, standings, hasAccount };
  const decisions = createAllotmentColumns(rows.count);
  for (let pass = 1; ; pass++) {
    const allotted = await driven(allot(earners, terms, decisions), rest);
    fillOthers({ ...run, own: ownAddresses(run) }, table, allotted, { rentFloor, minimumPayout });
    // What an excluded owner does not get may make others' shares large enough to be paid: they are looked at next.
    const payouts = { asset, minimumPayout, everybody: pass > PASSES_OF_PAYEES };
    await looks.look(chain, rows.ownerAt, markPayees(table, allotted, payouts), BigInt(run.slots[1]));
    await rest();
    const bounds = { asset, rentFloor, listedIn: owners.listedIn };
    if (!takeVerdicts(table, allotted.planned, bounds, looks)) return allotted;
  }
}

/** Undefined while the verdict about somebody who would be paid is open: it is to be confirmed first. */
export async function allotRun(
  parts: AllotmentParts,
  run: RunToAllot,
): Promise<WrittenAllotment | undefined> {
  const { rest } = parts;
  const { token, open, slots } = run;
  const { columns, count, terms, allotted, sums, seenSince } = await decideAllotment(parts, run);
  if (run.looks.open > 0) return undefined;
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
    leastShare: terms.leastShare.toString(),
    minimumPayout: terms.minimumPayout.toString(),
    divided: terms.amount.toString(),
    sumOfWeights: allotted.sumOfWeights.toString(),
    payments: sums.payments(),
    sums: sums.sums(),
  };
  const writer = createAllotmentWriter(header);
  async function* pieces() {
    yield writer.begin;
    for (let from = 0; from < count; from += ROWS_PER_PIECE) {
      yield writer.add(encodeColumns(columns, from, Math.min(count, from + ROWS_PER_PIECE)));
      await rest();
    }
    yield writer.end();
  }
  const ledger = await parts.blobs.put(pieces());
  return { ledger, root: writer.root(), header, shares: allotted.sumOfShares, dust: allotted.dust };
}

/** Lets others run after each slice. */
export async function driven<Result>(
  work: Generator<void, Result>,
  rest: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await rest();
  }
}

function extraRows({ open, split }: RunToDecide): readonly ExtraRow[] {
  return [
    ...(split.costs === '0' ? [] : [{ owner: open.distributor, kind: 'costs' } as const]),
    ...(split.developer === '0'
      ? []
      : [{ owner: open.settings.developerWallet, kind: 'developer' } as const]),
  ];
}

/**
 * 0 for who takes no part, so that every share can be computed from the file alone. Written over the former balances,
 * which nothing else reads.
 */
async function basesOf(
  { count, kinds, balanceAt, formerBalances: bases }: LedgerRows,
  standings: Uint8Array,
  minimumHolding: bigint,
  { holding, rest }: Pick<AllotmentParts, 'rest'> & { readonly holding: OpenedRun['policy']['holding'] },
): Promise<AmountColumn> {
  const earning = [STANDINGS.indexOf('takes-part'), STANDINGS.indexOf('program-owned')];
  for (let index = 0; index < count; index++) {
    const earns = kinds[index] === HOLDER && earning.includes(standings[index] ?? EXCLUDED);
    const [now, former] = earns ? [balanceAt(index), bases.get(index)] : [0n, 0n];
    const basis = holding === 'least-of-two' && former < now ? former : now;
    bases.set(index, basis >= minimumHolding ? basis : 0n);
    if (index % ROWS_PER_PIECE === ROWS_PER_PIECE - 1) await rest();
  }
  return bases;
}
