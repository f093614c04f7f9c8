/** Books of a run at its close: paid and owed amounts, and the equations between them. Pure. */
import {
  type LinkPurpose,
  type OpenedRun,
  REWARD_ASSETS,
  type RewardAsset,
  RunClosed,
} from '../../streams/distribution.ts';
import {
  type DistributionRunState,
  paymentKey,
  potsOf,
  type SettledBatch,
  type SplitTax,
} from '../../streams/distribution-run.ts';
import type { PaidTo } from '../../streams/run-amounts.ts';
import { bucketsOf, sumOf } from '../amounts/split-tax.ts';
import {
  createSettlementWriter,
  type LandedBatch,
  type RefusedPayment,
  type SettlementHeader,
} from '../ledger/settlement-file.ts';
import type { NamedPayment, PaymentBook } from '../paying/payment-book.ts';
import type { RunView } from '../view.ts';
import type { LastBooks } from './read-books.ts';

type PaidOfAsset = ReturnType<typeof paidOf>;
type ByAsset<Of> = { readonly [Asset in RewardAsset]: Of };

/** Amounts are in the run's asset unless stated otherwise. */
export interface ClosingBooks {
  readonly paid: ByAsset<PaidOfAsset>;
  readonly owedAfter: ByAsset<bigint>;
  readonly dustAfter: ByAsset<bigint>;
  readonly paidTo: PaidTo;
  readonly last: LastBooks;
  /** Amounts held beyond the kept, owed and undivided ones. Negative if an equation is broken. */
  readonly surplus: ByAsset<bigint>;
  /** First equation that does not hold; undefined if all hold. */
  readonly broken: string | undefined;
}

type Closing = Pick<RunView, 'state' | 'open' | 'run'>;

export function closingBooks(
  { open, run }: Pick<Closing, 'open' | 'run'>,
  book: Pick<PaymentBook, 'sumOfBatch' | 'notToHolders'>,
  last: LastBooks,
): ClosingBooks {
  const { allotted, split } = dividedRun(run);
  const { asset, carried } = open;
  const other: RewardAsset = asset === 'sol' ? 'token' : 'sol';
  const paid = { sol: paidOf(run, book, 'sol'), token: paidOf(run, book, 'token') };
  const earned = BigInt(split.costs) + BigInt(split.developer) + BigInt(allotted.shares);
  const owedAfter = byAsset(
    asset,
    BigInt(carried.owed[asset]) + earned - paid[asset].sum,
    BigInt(carried.owed[other]) - paid[other].sum,
  );
  const dustAfter = byAsset(asset, BigInt(allotted.dust), BigInt(carried.dust[other]));
  const paidTo = paidToWhom(paid[asset], settledOf(run, asset), book.notToHolders);
  const surplus = {
    sol: last.lamports - owedAfter.sol - dustAfter.sol,
    token: last.tokens - sumOf(bucketsOf(split.kept)) - owedAfter.token - dustAfter.token,
  };
  const books = { paid, owedAfter, dustAfter, paidTo, last, surplus };
  return { ...books, broken: brokenEquation({ open, run }, books) };
}

/** Lamports and base units that are kept, owed or undivided. */
export function liableBooks({ last, surplus }: Pick<ClosingBooks, 'last' | 'surplus'>) {
  return { lamports: last.lamports - surplus.sol, tokens: last.tokens - surplus.token };
}

/**
 * Settled batches that could explain a surplus: if such a batch had not landed, its sum would still be held.
 * Strangers can transfer any amount, so a surplus alone proves nothing. The chain's history must show each of these
 * batches before the next run divides the surplus.
 */
export function batchesToConfirm(
  { allotted }: Pick<DistributionRunState, 'allotted'>,
  { paid, surplus }: Pick<ClosingBooks, 'paid' | 'surplus'>,
) {
  return REWARD_ASSETS.flatMap((asset) =>
    paid[asset].batches.flatMap(({ pot, signature, sum }) =>
      sum <= surplus[asset]
        ? [{ asset, account: allotted?.pots[pot]?.address ?? '', signature, sum, surplus: surplus[asset] }]
        : [],
    ),
  );
}

/** The first equation that does not hold. */
function brokenEquation(
  { open, run }: Pick<Closing, 'open' | 'run'>,
  { owedAfter, last, surplus }: Omit<ClosingBooks, 'broken'>,
): string | undefined {
  const { allotted, split, collected } = dividedRun(run);
  const { asset, carried } = open;
  const kept = sumOf(bucketsOf(split.kept));
  const shared = BigInt(split.holders) + BigInt(carried.dust[asset]);
  return [
    unequal(
      'collected + kept = burned + sold + kept afterwards',
      BigInt(collected.collected) + sumOf(bucketsOf(carried.kept)),
      BigInt(split.burned) + sumOf(bucketsOf(split.sold)) + kept,
    ),
    asset === 'token'
      ? undefined
      : unequal(
          'proceeds = costs + developer + holders',
          BigInt(split.proceeds),
          BigInt(split.costs) + BigInt(split.developer) + BigInt(split.holders),
        ),
    unequal(
      'holders + dust = shares + dust afterwards',
      shared,
      BigInt(allotted.shares) + BigInt(allotted.dust),
    ),
    owedAfter.sol < 0n || owedAfter.token < 0n ? 'more was paid than was owed' : undefined,
    surplus.sol < 0n
      ? `the till holds ${last.lamports} lamports, but ${last.lamports - surplus.sol} are owed or undivided`
      : undefined,
    surplus.token < 0n
      ? `the wallet's account holds ${last.tokens} base units, but ${last.tokens - surplus.token} are kept, owed or undivided`
      : undefined,
  ].find((each) => each !== undefined);
}

function unequal(equation: string, left: bigint, right: bigint): string | undefined {
  return left === right ? undefined : `${equation}, but ${left} is not ${right}`;
}

/** Bytes of the settlement file. */
export function* settlementChunks(closing: Closing, books: ClosingBooks): Generator<Uint8Array> {
  const writer = createSettlementWriter(settlementHeader(closing, books));
  const paid = REWARD_ASSETS.map((asset) => books.paid[asset]);
  yield writer.begin;
  for (const { batches } of paid) yield writer.landed(batches);
  for (const { refused } of paid) yield writer.refused(refused);
  writer.end();
}

export function settlementHeader(closing: Closing, books: ClosingBooks): SettlementHeader {
  const { state, open, run } = closing;
  const { allotted, collected } = dividedRun(run);
  const signaturesFor = (wanted: LinkPurpose) =>
    state.landed
      .filter(({ purpose }) => purpose === wanted)
      .flatMap(({ links }) => links.map(({ signature }) => signature));
  const settledOf = (asset: RewardAsset) => {
    const { batches, count, sum, refused } = books.paid[asset];
    return {
      payments: allotted.payments[asset].count,
      batches: batches.length,
      paid: count,
      sum: sum.toString(),
      refused: refused.length,
    };
  };
  return {
    format: 'levy-settlement-1',
    runId: open.runId,
    tokenId: open.tokenId,
    mint: open.mint,
    allotment: allotted.ledger,
    root: allotted.root,
    sol: settledOf('sol'),
    token: settledOf('token'),
    owedAfter: digits(books.owedAfter),
    dustAfter: digits(books.dustAfter),
    tillAfter: { address: books.last.till, lamports: books.last.lamports.toString() },
    pots: potsOf(run),
    transactions: {
      withdraw: [...collected.withdraw],
      split: signaturesFor('split'),
      open: signaturesFor('open'),
      close: signaturesFor('close'),
    },
  };
}

/** Amounts of a run that are final once it is split. */
export function splitAmounts(
  open: Pick<OpenedRun, 'carried' | 'asset'>,
  collected: string,
  split: Omit<SplitTax, 'tries' | 'offers'>,
) {
  const { burned, sold, kept, ownTax, proceeds, costs, developer, holders } = split;
  return {
    kept: open.carried.kept,
    collected,
    burned,
    sold,
    keptAfter: kept,
    ownTax,
    proceeds,
    costs,
    developer,
    holders,
    dust: open.carried.dust[open.asset],
  };
}

/** `settlement`: SHA-256 of the settlement file. */
export function runClosed(
  { state, open, run }: Closing,
  { paid, owedAfter, dustAfter, paidTo }: ClosingBooks,
  { settlement, now }: { readonly settlement: string; readonly now: Date },
): ReturnType<typeof RunClosed> {
  const { allotted, split, collected } = dividedRun(run);
  const { tokenId, runId, number, asset, carried, partner } = open;
  const fees = [
    ...state.landed.flatMap(({ links }) => links.map(({ fee }) => BigInt(fee))),
    ...run.settled.map(({ fee }) => BigInt(fee)),
  ].reduce((sum, fee) => sum + fee, BigInt(collected.fees));
  return RunClosed({
    tokenId,
    runId,
    number,
    asset,
    amounts: {
      ...splitAmounts(open, collected.collected, split),
      dustAfter: allotted.dust,
      shares: allotted.shares,
      owed: carried.owed[asset],
      owedAfter: owedAfter[asset].toString(),
      planned: allotted.payments[asset].sum,
      paid: paid[asset].sum.toString(),
    },
    paidDebts: paid[asset === 'sol' ? 'token' : 'sol'].sum.toString(),
    walletsPaid: paid.sol.count + paid.token.count,
    paidTo,
    fees: fees.toString(),
    closedAt: now.toISOString(),
    carried: {
      kept: split.kept,
      ownTax: split.ownTax.after,
      owed: digits(owedAfter),
      dust: digits(dustAfter),
      root: allotted.root,
      ledger: allotted.ledger,
      settlement,
    },
    ...(partner !== undefined && { partner }),
  });
}

function dividedRun({ allotted, split, collected }: DistributionRunState) {
  if (allotted === undefined || split === undefined || collected === undefined)
    throw new Error('the run cannot be closed before it is collected, split and allotted');
  return { allotted, split, collected };
}

function byAsset(asset: RewardAsset, own: bigint, other: bigint): ByAsset<bigint> {
  return asset === 'sol' ? { sol: own, token: other } : { sol: other, token: own };
}

function digits({ sol, token }: ByAsset<bigint>) {
  return { sol: sol.toString(), token: token.toString() };
}

/** Landed payments of an asset, in order of payment. */
function paidOf(run: DistributionRunState, book: Pick<PaymentBook, 'sumOfBatch'>, asset: RewardAsset) {
  const own = settledOf(run, asset);
  const batches = own.map(
    (batch): LandedBatch => ({
      pot: batch.pot,
      from: batch.from,
      to: batch.to,
      signature: batch.signature,
      slot: BigInt(batch.slot),
      sum: book.sumOfBatch(asset, batch),
    }),
  );
  const count = own.reduce((sum, { from, to, without }) => sum + (to - from - without.length), 0);
  const refused = Object.entries(run.refused)
    .flatMap(([key, refusal]): RefusedPayment[] => {
      const number = Number(key.slice(asset.length + 1));
      return key === paymentKey(asset, number) ? [{ asset, number, refusal }] : [];
    })
    // Exclude refusals of payments that were made after all.
    .filter(({ number }) => !isPaid(own, number))
    .sort((one, other) => one.number - other.number);
  return { batches, refused, count, sum: batches.reduce((total, { sum }) => total + sum, 0n) };
}

/** Landed batches, in order of their first payment. */
function settledOf({ allotted, settled }: DistributionRunState, asset: RewardAsset): readonly SettledBatch[] {
  const pots = allotted?.pots ?? [];
  return settled.filter(({ pot }) => pots[pot]?.asset === asset).sort((one, other) => one.from - other.from);
}

/** Payments in the run's asset that are neither costs nor the developer's count as holders' payments. */
function paidToWhom(
  { sum, count }: PaidOfAsset,
  landed: readonly SettledBatch[],
  notToHolders: PaymentBook['notToHolders'],
): PaidTo {
  const paid = notToHolders.filter(({ number }) => isPaid(landed, number));
  const sumOfKind = (kind: NamedPayment['kind']) =>
    paid.reduce((total, each) => (each.kind === kind ? total + each.amount : total), 0n);
  const [costs, developer] = [sumOfKind('costs'), sumOfKind('developer')];
  return {
    costs: costs.toString(),
    developer: developer.toString(),
    holders: (sum - costs - developer).toString(),
    holdersPaid: count - paid.length,
  };
}

/** `batches`: sorted by their first payment, without overlap. */
function isPaid(batches: readonly SettledBatch[], number: number): boolean {
  let [low, high] = [0, batches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((batches[middle]?.to ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  const batch = batches[low];
  return batch !== undefined && batch.from <= number && !batch.without.includes(number);
}
