/** Burns a part of the collected tax and sells a part: first as a link of the till, then as amounts that the run divides. */
import type { OpenedRun, RecordedLink } from '../../../streams/distribution.ts';
import { SaleAwaited, type SplitTax, TaxSplit } from '../../../streams/distribution-run.ts';
import {
  createOwnTaxRecord,
  divideProceeds,
  recordedBuckets,
  split as splitTax,
  sumOf,
  taxOfSale,
  tokensBefore,
} from '../../amounts/split-tax.ts';
import { type Decision, halts, recordsAndWaits, recordsLinks, recordsOfRun } from '../../decision.ts';
import { MAX_PAUSE } from '../../engine-parts.ts';
import { recordLink } from '../../links/link-content.ts';
import { movedWithin } from '../../selling/impact-budget.ts';
import { decideRunSale, type RunSale, saleSchedule, saleWaitingFor } from '../../selling/run-sale.ts';
import { readTaxedMint } from '../../sending/current-tax.ts';
import { type RunView, type StepAt, tillOf } from '../../view.ts';
import { estimateFees, maxCosts } from '../estimate-run.ts';

/** Minimum milliseconds before a sale is decided again. */
const MIN_SALE_PAUSE = 1_000;

type SplitFacts =
  /** Facts after the link has landed. */
  | {
      /** Estimated fees of the whole run, in lamports. */
      readonly fees: bigint;
      /** Epoch that determines the rate of the sale's tax. */
      readonly epoch: bigint;
    }
  /** Facts if no link is recorded, or the recorded one can no longer land. */
  | { readonly selling: RunSale; readonly now: Date };

export async function readSplitFacts(at: StepAt): Promise<SplitFacts> {
  const { parts, view, memory } = at;
  const { state, run } = view;
  if (landedSplit(view) === undefined) return quoteSale(at);
  const fees = estimateFees({
    asset: 'sol',
    withWithheld: 0,
    owners: run.scanned?.owners ?? memory.owners?.scanned.count ?? 0,
    maxPots: parts.policy.maxPots,
    isFirst: state.till?.number === 1,
  });
  return {
    fees: fees + BigInt(run.collected?.fees ?? '0'),
    epoch: soldIn(view) === 0n ? 0n : await parts.chain.epoch(),
  };
}

/** Requests a new quote, and decides by it. */
export async function quoteSale({ parts, view, memory }: StepAt): Promise<SplitFacts> {
  const { chain, clock, markets, prices, keyring } = parts;
  const { state, open, run, token } = view;
  const wanted = saleable(view);
  if (wanted === 0n)
    return {
      selling: { kind: 'keep', reason: 'nothing-to-sell' },
      now: clock.now(),
    };
  const { supply, now: tax } = await readTaxedMint(chain, token.mint);
  const now = clock.now().getTime();
  const quote = await markets.quote({ mint: open.mint, decimals: open.decimals, supply, tax }, wanted, {
    moved: movedWithin(state.impacts, now, tillOf(state).number + 1),
    reference: prices.of(open.mint) ?? 'unknown',
  });
  const selling = decideRunSale({
    quote,
    now,
    tries: state.selling?.tries ?? 0,
    lastCheck: memory.lastSaleCheck,
    nextCheck: saleSchedule({ open, run, now, secret: keyring.scanMoment }),
  });
  if (selling.kind === 'wait') memory.lastSaleCheck = selling.lastCheck;
  return { selling, now: clock.now() };
}

export function decideSplit(view: RunView, facts: SplitFacts): Decision {
  if (!('selling' in facts)) return decideAmounts(view, facts);
  const { open } = view;
  const whole = fullSplit(view);
  const burn = whole.burned === 0n ? [] : [{ kind: 'burn', amount: whole.burned.toString() } as const];
  if (open.asset === 'token')
    return burn.length === 0
      ? recordsOfRun(taxSplit(view, undefined))
      : recordsLinks(view, 'split', [splitLink(view, burn)]);
  const { selling, now } = facts;
  switch (selling.kind) {
    case 'wait':
      return decideSaleWait(view, selling, now);
    case 'keep':
      return recordsLinks(view, 'split', [splitLink(view, burn)], { unsold: selling.reason });
    case 'sell': {
      const actions = [...burn, saleAction(view, whole.burned, selling.sale)];
      const judged = selling.basis === null ? {} : { sale: selling.basis };
      return recordsLinks(view, 'split', [splitLink(view, actions)], judged);
    }
  }
}

function decideSaleWait(
  { open: { tokenId, runId }, run }: RunView,
  { until, reason }: Extract<RunSale, { readonly kind: 'wait' }>,
  now: Date,
): Decision {
  const waiting = {
    for: saleWaitingFor(reason),
    pause: Math.min(Math.max(MIN_SALE_PAUSE, until - now.getTime()), MAX_PAUSE),
  };
  const isRecorded = reason === undefined || run.saleAwaited.includes(reason);
  return recordsAndWaits(isRecorded ? undefined : SaleAwaited({ tokenId, runId, reason }), waiting);
}

/** Divides the proceeds of the landed link. */
function decideAmounts(
  view: RunView,
  { fees, epoch }: Extract<SplitFacts, { readonly fees: bigint }>,
): Decision {
  if (view.open.asset === 'token') return recordsOfRun(taxSplit(view, undefined));
  const brought = broughtBy(view);
  if (brought < 0n) {
    const landed = landedSplit(view);
    return halts(
      'BOOKS_DISAGREE',
      `The till ${landed?.links.at(-1)?.till} holds ${landed?.lamports} lamports, less than the owed and undivided amounts.`,
    );
  }
  const unsold = view.state.selling?.unsold ?? null;
  return recordsOfRun(taxSplit(view, { sold: soldIn(view), brought, fees, epoch, unsold }));
}

function landedSplit({ state }: Pick<RunView, 'state'>) {
  return state.landed.find(({ purpose }) => purpose === 'split');
}

/** Base units that the landed link sold. */
function soldIn(view: RunView): bigint {
  const actions = landedSplit(view)?.links.flatMap((link) => link.actions) ?? [];
  const sale = actions.find(({ kind }) => kind === 'sell');
  return sale?.kind === 'sell' ? BigInt(sale.amount) : 0n;
}

/** Lamports that the split added to the till; the earlier balance is owed or undivided. */
function broughtBy(view: RunView): bigint {
  const { owed, dust } = view.open.carried;
  return BigInt(landedSplit(view)?.lamports ?? '0') - BigInt(owed.sol) - BigInt(dust.sol);
}

/** Maximum base units that the run may sell. */
export function saleable(view: RunView): bigint {
  return view.open.asset === 'token' ? 0n : sumOf(fullSplit(view).sold);
}

function fullSplit({ open, run }: RunView) {
  const collected = BigInt(run.collected?.collected ?? '0');
  return splitTax(collected, tokensBefore(open.carried), open.settings, undefined);
}

function splitLink({ state, token }: RunView, actions: RecordedLink['actions']): RecordedLink {
  const { number, address } = tillOf(state);
  return recordLink({ number: number + 1, previous: address, actions }, token);
}

function saleAction(
  { run, state }: RunView,
  burned: bigint,
  { amount, minimum, venue, market }: Extract<RunSale, { readonly kind: 'sell' }>['sale'],
): RecordedLink['actions'][number] {
  const tokensAfter = BigInt(run.collected?.balance ?? '0') - burned - amount;
  const tillAfter = BigInt(state.till?.lamports ?? '0') + minimum;
  return {
    kind: 'sell',
    venue,
    market,
    amount: amount.toString(),
    minimum: minimum.toString(),
    tokensAfter: tokensAfter.toString(),
    tillAfter: tillAfter.toString(),
  };
}

function taxSplit({ open, state, run }: RunView, sale: RunProceeds | undefined): ReturnType<typeof TaxSplit> {
  const { tries = 0, offers = [] } = state.selling ?? {};
  const tills = new Set(state.landed.flatMap(({ links }) => links.map(({ till }) => till)));
  return TaxSplit({
    ...dividedTax(open, BigInt(run.collected?.collected ?? '0'), sale),
    tries,
    offers: offers.map(({ till, ...offer }) => ({ ...offer, landed: tills.has(till) })),
  });
}

/** Actual or expected result of a run's sale. Base units and lamports. */
interface RunProceeds {
  readonly sold: bigint;
  /** Includes donations to the till. */
  readonly brought: bigint;
  /** Fees of the whole run. */
  readonly fees: bigint;
  /** Epoch that determines the rate of the sale's tax. */
  readonly epoch: bigint;
  /** Reason why nothing was sold; ignored if something was sold. */
  readonly unsold: string | null;
}

/**
 * Divides the collected tax. `sale` is undefined if the token itself is paid. Then nothing is sold, and costs are not recovered.
 */
export function dividedTax(
  open: OpenedRun,
  collected: bigint,
  sale: RunProceeds | undefined,
): Omit<SplitTax, 'tries' | 'offers'> {
  const parted = splitTax(collected, tokensBefore(open.carried), open.settings, sale?.sold);
  const { fees, epoch, brought, sold } = sale ?? { fees: 0n, epoch: 0n, brought: 0n, sold: 0n };
  const most = maxCosts(brought, open.policy);
  const parts = sale
    ? divideProceeds(brought, fees < most ? fees : most, parted.sold)
    : { costs: 0n, ...parted.sold };
  const isUnsold = sale !== undefined && sold === 0n && sumOf(parted.kept) > 0n;
  return {
    tokenId: open.tokenId,
    runId: open.runId,
    burned: parted.burned.toString(),
    sold: recordedBuckets(parted.sold),
    kept: recordedBuckets(parted.kept),
    ownTax: createOwnTaxRecord(open.carried, parted, sold === 0n ? 0n : taxOfSale(open.tax, epoch, sold)),
    unsold: isUnsold ? sale.unsold : null,
    fees: fees.toString(),
    epoch: epoch.toString(),
    proceeds: brought.toString(),
    costs: parts.costs.toString(),
    developer: parts.developer.toString(),
    holders: parts.holders.toString(),
  };
}
