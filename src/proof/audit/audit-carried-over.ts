/** What one run leaves is what the next one begins with: kept, owed to each wallet in each asset, and not divided. */

import { fromBase58, U64_MAX } from 'levy-solana-wire';
import type { Findings } from './finding.ts';
import { paidPlaces } from './paid-places.ts';
import type { Asset, BookedAmounts, BookedRecord, ReadRun, RunOutline } from './run-books.ts';

const ASSETS = ['sol', 'token'] as const;

/** What runs take over from those before them. */
export interface CarriedSums {
  /** Base units. */
  readonly kept: bigint;
  readonly owed: { readonly [asset in Asset]: bigint };
  readonly dust: { readonly [asset in Asset]: bigint };
}

export const NOTHING_CARRIED: CarriedSums = {
  kept: 0n,
  owed: { sol: 0n, token: 0n },
  dust: { sol: 0n, token: 0n },
};

/** Checks what a closed run says that it took over, and gives what it leaves. An open run changes nothing. */
export function auditCarriedSums(before: CarriedSums, run: RunOutline, findings: Findings): CarriedSums {
  const { amounts, asset, runId } = run;
  if (amounts === undefined) return before;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  findings.equal(what('it keeps what was kept before'), before.kept, amounts.kept);
  findings.equal(what('it divides what was not divided before'), before.dust[asset], amounts.dust);
  findings.equal(what('it owes what was owed before'), before.owed[asset], amounts.owed);
  return {
    kept: amounts.keptAfter,
    owed: owedAfter(before.owed, asset, amounts),
    dust: { ...before.dust, [asset]: amounts.dustAfter },
  };
}

function owedAfter(
  owed: CarriedSums['owed'],
  asset: Asset,
  { owedAfter: own, paidDebts }: BookedAmounts,
): CarriedSums['owed'] {
  return asset === 'sol'
    ? { sol: own, token: owed.token - paidDebts }
    : { sol: owed.sol - paidDebts, token: own };
}

/** The ledgers of two runs after each other, wallet by wallet; the reward token may have changed between them. */
export function auditCarriedOver(earlier: ReadRun, later: ReadRun, findings: Findings): void {
  for (const [left, begun] of ownersOfBoth(accountsAfter(earlier), accountsBefore(later)))
    for (const asset of ASSETS) compareAccounts(asset, left, begun, { earlier, later, findings });
}

function compareAccounts(
  asset: Asset,
  left: OwnerAccounts | undefined,
  begun: OwnerAccounts | undefined,
  {
    earlier,
    later,
    findings,
  }: { readonly earlier: ReadRun; readonly later: ReadRun; readonly findings: Findings },
): void {
  const [before, now] = [left?.[asset], begun?.[asset]];
  const account = left?.owner ?? begun?.owner ?? '';
  if (before === undefined) {
    if (now !== undefined)
      findings.equal(`run ${later.runId}: nobody is owed what no earlier run left`, 0n, now.owed, {
        account,
      });
    return;
  }
  findings.equal(
    `run ${later.runId}: it begins with what run ${earlier.runId} left owed`,
    before.owed,
    now?.owed ?? 0n,
    { account },
  );
  // Books of payments alone do not count what was paid before.
  if (earlier.amounts !== undefined)
    findings.equal(
      `run ${later.runId}: it has counted what was paid up to run ${earlier.runId}`,
      atMostU64(before.paid),
      atMostU64(now?.paid ?? 0n),
      { account },
    );
}

/** The first run owes nobody anything yet. */
export function auditFirstRun({ runId, records }: ReadRun, findings: Findings): void {
  for (const { owner, owedBefore } of records)
    if (owedBefore !== 0n)
      findings.equal(`run ${runId}: nobody is owed what no earlier run left`, 0n, owedBefore, {
        account: owner,
      });
}

interface Account {
  readonly owed: bigint;
  readonly paid: bigint;
}

/** What one owner has in all capacities; an asset in which no record stands is absent. */
interface OwnerAccounts {
  readonly key: string;
  readonly owner: string;
  readonly sol?: Account;
  readonly token?: Account;
}

function accountsAfter(run: ReadRun): Iterable<OwnerAccounts> {
  const places = paidPlaces(run.batches);
  return accountsOf(run, (record, place) => {
    const amount = places.has(place) ? record.planned : 0n;
    return { owed: record.owedBefore + record.share - amount, paid: record.paidBefore + amount };
  });
}

function accountsBefore(run: ReadRun): Iterable<OwnerAccounts> {
  return accountsOf(run, ({ owedBefore, paidBefore }) => ({ owed: owedBefore, paid: paidBefore }));
}

/** In the order of the owners' keys. */
function* accountsOf(
  run: ReadRun,
  accountOf: (record: BookedRecord, place: number) => Account,
): Generator<OwnerAccounts> {
  let now: OwnerAccounts | undefined;
  for (const { key, place, record } of inOwnerOrder(run.records)) {
    const asset = assetOf(record, run);
    const { owed, paid } = accountOf(record, place);
    if (now?.key !== key) {
      if (now !== undefined) yield now;
      now = { key, owner: record.owner };
    }
    const before = now[asset] ?? { owed: 0n, paid: 0n };
    now = { ...now, [asset]: { owed: before.owed + owed, paid: before.paid + paid } };
  }
  if (now !== undefined) yield now;
}

interface Ordered {
  readonly key: string;
  readonly place: number;
  readonly record: BookedRecord;
}

/** A file's records stand in this order; others are sorted. */
function* inOwnerOrder(records: ReadRun['records']): Generator<Ordered> {
  if (Array.isArray(records)) {
    const sorted = records.map(
      (record: BookedRecord, place): Ordered => ({ key: keyOf(record), place, record }),
    );
    yield* sorted.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    return;
  }
  let place = 0;
  for (const record of records) yield { key: keyOf(record), place: place++, record };
}

function keyOf(record: BookedRecord & { readonly ownerKey?: string }): string {
  const { ownerKey, owner } = record;
  if (ownerKey !== undefined) return ownerKey;
  const bytes = fromBase58(owner);
  return bytes === undefined ? owner : Buffer.from(bytes).toString('latin1');
}

/** Both come in the order of their keys: each owner of either, once. */
function* ownersOfBoth(
  earlier: Iterable<OwnerAccounts>,
  later: Iterable<OwnerAccounts>,
): Generator<readonly [OwnerAccounts | undefined, OwnerAccounts | undefined]> {
  const [first, second] = [earlier[Symbol.iterator](), later[Symbol.iterator]()];
  const next = (one: Iterator<OwnerAccounts>): OwnerAccounts | undefined => {
    const { value, done } = one.next();
    return done === true ? undefined : value;
  };
  let [left, begun] = [next(first), next(second)];
  while (left !== undefined || begun !== undefined) {
    if (begun === undefined || (left !== undefined && left.key < begun.key)) {
      yield [left, undefined];
      left = next(first);
    } else if (left === undefined || begun.key < left.key) {
      yield [undefined, begun];
      begun = next(second);
    } else {
      yield [left, begun];
      left = next(first);
      begun = next(second);
    }
  }
}

function assetOf({ kind }: BookedRecord, { asset }: RunOutline): Asset {
  if (kind !== 'debt') return asset;
  return asset === 'sol' ? 'token' : 'sol';
}

/** A record holds 64 bits: a wallet may be paid the same tokens again and again. */
function atMostU64(amount: bigint): bigint {
  return amount > U64_MAX ? U64_MAX : amount;
}
