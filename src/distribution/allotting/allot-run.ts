/**
 * Allots what a run divides: decides every row of its ledger, writes the file, and says what is to be paid. Everything
 * that it counts with is finalized or recorded, so that the file can be recomputed.
 */
import { addressOf } from 'levy-solana-wire';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Chain } from '../../ports/chain.ts';
import type { OpenedRun } from '../../streams/distribution.ts';
import type { SplitTax } from '../../streams/distribution-run.ts';
import type { ScanSums } from '../../streams/scan-sums.ts';
import type { AmountColumn } from '../amounts/amount-column.ts';
import type { ScannedOwners } from '../collecting/scanned-owners.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { type AllotmentHeader, createAllotmentWriter } from '../ledger/allotment-file.ts';
import { encodeColumns, REASONS, type Reason, type RecordColumns } from '../ledger/record.ts';
import { createRecordSums, type RecordSums } from '../ledger/record-sums.ts';
import type { RunLedger } from '../ledger/run-ledger.ts';
import { type AllotmentTerms, type Allotted, allot, createAllotmentColumns, STANDINGS } from './allot.ts';
import { type ExtraRow, type LedgerRows, ledgerRows } from './ledger-rows.ts';
import { createPayeeLooks, type PayeeLooks } from './look-at-payees.ts';
import { markPayees, takeVerdicts } from './payees.ts';
import { standingsOf } from './standings.ts';

export interface AllotmentPolicy {
  readonly holding: 'now' | 'least-of-two';
  /** Lamports. */
  readonly leastShare: bigint;
  /** Lamports. */
  readonly minimumPayout: bigint;
}

export interface AllotmentParts {
  readonly chain: Pick<Chain, 'accountsAt' | 'rentExemption'>;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly policy: AllotmentPolicy;
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
  /** Addresses of the service that get no share, beside those that the token has itself. */
  readonly excluded: readonly string[];
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

const [COSTS, DEVELOPER, HOLDER, DEBT] = [0, 1, 2, 3];
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
  extends Pick<RunToAllot, 'token' | 'scanned' | 'slots' | 'previous' | 'excluded'>,
    Partial<Pick<RunToAllot, 'looks'>> {
  readonly open: Pick<OpenedRun, 'asset' | 'settings' | 'owners' | 'carried'>;
  readonly split: Pick<SplitTax, 'costs' | 'developer' | 'holders'>;
}

export async function decideAllotment(
  parts: Omit<AllotmentParts, 'blobs'>,
  run: RunToDecide,
): Promise<DecidedAllotment> {
  const { policy, rest } = parts;
  const { token, open, split, scanned, previous } = run;
  const { asset, settings } = open;
  const rows = await ledgerRows(
    {
      asset,
      scanned,
      previous:
        previous === undefined
          ? undefined
          : { asset: previous.allotment.asset, owners: previous.carriedOwners() },
      extra: extraRows(run),
    },
    rest,
  );
  const standings = await standingsOf(
    rows,
    { ...open.owners, own: [token.wallet.address, token.distributor.address, token.mint, ...run.excluded] },
    rest,
  );
  const divided = BigInt(split.holders) + BigInt(open.carried.dust[asset]);
  const rentFloor = await parts.chain.rentExemption(0);
  const terms: AllotmentTerms = {
    amount: divided,
    model: settings.distributionModel,
    minimumHolding: BigInt(settings.minimumHoldingRequirement),
    leastShare: asset === 'sol' ? policy.leastShare : 0n,
    minimumPayout: asset === 'sol' ? policy.minimumPayout : 1n,
    asset: asset === 'sol' ? { kind: 'sol', rentFloor } : { kind: 'token' },
  };
  // Before a token's first run there was no scan whose balances could be the lesser.
  const holding = previous === undefined ? 'now' : policy.holding;
  const bases = await basesOf(rows, standings, terms.minimumHolding, { holding, rest });
  const takesSol = new Uint8Array(rows.count).fill(1);
  // Only holders have a basis and earn shares; the other rows are filled in afterwards.
  const owners = {
    count: rows.count,
    bases,
    owed: rows.owedBefore,
    standings,
    hasAccount: asset === 'sol' ? takesSol : rows.hasAssociated,
  };
  const decisions = createAllotmentColumns(rows.count);
  const decide = async (): Promise<Allotted> => {
    const decided = await driven(allot(owners, terms, decisions), rest);
    fillOthers(run, rows, standings, decided, { takesSol, rentFloor, minimumPayout: policy.minimumPayout });
    return decided;
  };
  const looks = run.looks ?? createPayeeLooks();
  const payees = { rows, standings, bases, takesSol };
  const payouts = { asset, minimumPayout: policy.minimumPayout };
  let allotted: Allotted;
  for (let pass = 1; ; pass++) {
    allotted = await decide();
    // What an excluded owner does not get may make others' shares large enough to be paid: they are looked at next.
    const marked = markPayees(payees, allotted, { ...payouts, everybody: pass > PASSES_OF_PAYEES });
    await looks.look(parts.chain, rows.ownerAt, marked, BigInt(run.slots[1]));
    await rest();
    const { listedIn } = open.owners;
    if (!takeVerdicts(payees, allotted.planned, { asset, rentFloor, listedIn }, looks)) break;
  }

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
  const sums = createRecordSums(asset);
  for (let from = 0; from < rows.count; from += ROWS_PER_PIECE) {
    sums.add(encodeColumns(columns, from, Math.min(rows.count, from + ROWS_PER_PIECE)));
    await rest();
  }
  return { columns, count: rows.count, terms, allotted, sums, seenSince: looks.since };
}

export async function allotRun(parts: AllotmentParts, run: RunToAllot): Promise<WrittenAllotment> {
  const { rest } = parts;
  const { token, open, slots } = run;
  const { columns, count, terms, allotted, sums, seenSince } = await decideAllotment(parts, run);
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

function extraRows({ token, open, split }: RunToDecide): readonly ExtraRow[] {
  return [
    ...(split.costs === '0' ? [] : [{ owner: token.distributor.address, kind: 'costs' } as const]),
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
  { holding, rest }: Pick<AllotmentParts, 'rest'> & { readonly holding: AllotmentPolicy['holding'] },
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

/** The rows of costs, of the developer and of debts: they take what is theirs, and no share. */
function fillOthers(
  { open, split }: RunToDecide,
  rows: LedgerRows,
  standings: Uint8Array,
  allotted: Allotted,
  {
    takesSol,
    rentFloor,
    minimumPayout,
  }: {
    readonly takesSol: Uint8Array;
    readonly rentFloor: bigint;
    readonly minimumPayout: bigint;
  },
): void {
  const developerWallet = open.settings.developerWallet;
  for (let index = 0; index < rows.count; index++) {
    const kind = rows.kinds[index];
    if (kind === HOLDER) continue;
    const isTheirs = kind === COSTS || (kind === DEVELOPER && addressAt(rows, index) === developerWallet);
    const share = !isTheirs ? 0n : BigInt(kind === COSTS ? split.costs : split.developer);
    const due = rows.owedBefore.get(index) + share;
    const isSol = (open.asset === 'sol') === (kind !== DEBT);
    const reason = otherReason({
      due,
      standing: standings[index] ?? EXCLUDED,
      // The developer's wallet may be a vault: its creator chose it.
      mayBeVault: kind !== DEBT,
      minimum: isSol ? minimumPayout : 1n,
      hasAccount: (isSol ? takesSol[index] : rows.hasAssociated[index]) === 1,
      isSol,
      rentFloor,
    });
    allotted.shares.set(index, share);
    allotted.planned.set(index, reason === 'planned' ? due : 0n);
    allotted.reasons[index] = REASONS.indexOf(reason);
  }
}

function otherReason(row: {
  readonly due: bigint;
  readonly standing: number;
  readonly mayBeVault: boolean;
  readonly minimum: bigint;
  readonly hasAccount: boolean;
  readonly isSol: boolean;
  readonly rentFloor: bigint;
}): Reason {
  const standing = STANDINGS[row.standing];
  if (standing === 'program' || standing === 'sysvar') return standing;
  if (!row.mayBeVault && (standing === 'excluded' || standing === 'pool' || standing === 'program-owned'))
    return standing;
  if (row.due < row.minimum) return 'below-minimum-payout';
  if (row.hasAccount) return 'planned';
  return row.isSol && row.due >= row.rentFloor ? 'planned' : row.isSol ? 'under-rent-floor' : 'no-account';
}

function addressAt(rows: LedgerRows, index: number): string {
  return addressOf(rows.ownerAt(index));
}
