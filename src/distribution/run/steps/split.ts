/** Burns a part of what was collected and sells a part: first as a link of the till, then as amounts that the run divides. */
import type { RecordedLink } from '../../../streams/distribution.ts';
import { SaleAwaited, type SplitTax, TaxSplit } from '../../../streams/distribution-run.ts';
import { taxOfSale } from '../../amounts/own-tax.ts';
import { divideProceeds, type Split, split as splitTax, sumOf } from '../../amounts/split.ts';
import { recordedBuckets, recordedOwnTax, tokensBefore } from '../../carried-over.ts';
import { estimateFees, mostCosts } from '../../costs.ts';
import { type Decision, halts, recordsLinks, recordsOfRun } from '../../decision.ts';
import { LONGEST_PAUSE } from '../../engine-parts.ts';
import { recordLink } from '../../links/link-content.ts';
import { movedWithin } from '../../selling/impact-budget.ts';
import { decideRunSale, momentsOf, type RunSale, saleWaitingFor } from '../../selling/run-sale.ts';
import { readTaxedMint } from '../../sending/tax-now.ts';
import type { StepAt } from '../step-at.ts';
import { type RunView, tillOf } from '../view.ts';

/** Milliseconds: a moment that is due is not looked at in a hurry. */
const SHORTEST_SALE_PAUSE = 1_000;
/** Where the token itself is paid, nothing is sold and nothing repays the costs. */
const NO_PROCEEDS = { fees: 0n, epoch: 0n, proceeds: 0n, costs: 0n, tax: 0n };

export type SplitFacts =
  | {
      /** The link has landed. */
      readonly outcome: 'landed';
      /** Fees of the whole run, as far as they are known. Lamports. */
      readonly fees: bigint;
      /** By which the rate of the sale's tax is told. */
      readonly epoch: bigint;
    }
  /** No link is recorded, or the recorded one cannot land any more. */
  | { readonly outcome: 'unsold'; readonly selling: RunSale; readonly now: Date };

export async function lookAtSplit(at: StepAt): Promise<SplitFacts> {
  const { parts, view, memory } = at;
  const { state, run } = view;
  if (landedSplit(view) === undefined) return lookAtSale(at);
  const fees = estimateFees({
    asset: 'sol',
    withWithheld: 0,
    owners: run.scanned?.owners ?? memory.owners?.scanned.count ?? 0,
    mostPots: parts.policy.mostPots,
    isFirst: state.till?.number === 1,
  });
  return {
    outcome: 'landed',
    fees: fees + BigInt(run.collected?.fees ?? '0'),
    epoch: soldIn(view) === 0n ? 0n : await parts.chain.epoch(),
  };
}

/** Takes a new quote. */
export async function lookAtSale({ parts, view, memory }: StepAt): Promise<SplitFacts> {
  const { chain, clock, markets, prices, keyring } = parts;
  const { state, open, run, token } = view;
  const wanted = saleable(view);
  if (wanted === 0n)
    return {
      outcome: 'unsold',
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
    looked: memory.saleLook,
    momentAfter: momentsOf({ open, run, now, secret: keyring.scanMoment }),
  });
  if (selling.kind === 'wait') memory.saleLook = selling.looked;
  return { outcome: 'unsold', selling, now: clock.now() };
}

export function decideSplit(view: RunView, facts: SplitFacts): Decision {
  if (facts.outcome === 'landed') return decideAmounts(view, facts);
  const { open } = view;
  const whole = wholeSplit(view);
  const burn = whole.burned === 0n ? [] : [{ kind: 'burn', amount: whole.burned.toString() } as const];
  if (open.asset === 'token')
    return burn.length === 0
      ? recordsOfRun(taxSplit(view, whole, { ...NO_PROCEEDS, ...whole.sold, unsold: null }))
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
    pause: Math.min(Math.max(SHORTEST_SALE_PAUSE, until - now.getTime()), LONGEST_PAUSE),
  };
  // Other processes show what is waited for as well.
  return reason === undefined || run.saleAwaited.includes(reason)
    ? { kind: 'wait', waiting }
    : { kind: 'record-of-run', events: [SaleAwaited({ tokenId, runId, reason })], waiting };
}

/** Divides what the landed link has sold. */
function decideAmounts(
  view: RunView,
  { fees, epoch }: Extract<SplitFacts, { readonly outcome: 'landed' }>,
): Decision {
  const { state, open } = view;
  const landed = landedSplit(view);
  if (open.asset === 'token') {
    const whole = wholeSplit(view);
    return recordsOfRun(taxSplit(view, whole, { ...NO_PROCEEDS, ...whole.sold, unsold: null }));
  }
  const sold = soldIn(view);
  const parted = splitOf(view, sold);
  const brought = broughtBy(view);
  if (brought < 0n)
    return halts(
      'BOOKS_DISAGREE',
      `The till ${landed?.links.at(-1)?.till} holds ${landed?.lamports} lamports, less than what is owed or undivided.`,
    );
  const most = mostCosts(brought, open.policy);
  const isUnsold = sold === 0n && sumOf(parted.kept) > 0n;
  return recordsOfRun(
    taxSplit(view, parted, {
      fees,
      epoch,
      tax: sold === 0n ? 0n : taxOfSale(open.tax, epoch, sold),
      proceeds: brought,
      ...divideProceeds(brought, fees < most ? fees : most, parted.sold),
      unsold: isUnsold ? (state.selling?.unsold ?? null) : null,
    }),
  );
}

function landedSplit({ state }: Pick<RunView, 'state'>) {
  return state.landed.find(({ purpose }) => purpose === 'split');
}

/** Base units that the landed link has sold. */
function soldIn(view: RunView): bigint {
  const actions = landedSplit(view)?.links.flatMap((link) => link.actions) ?? [];
  const sale = actions.find(({ kind }) => kind === 'sell');
  return sale?.kind === 'sell' ? BigInt(sale.amount) : 0n;
}

/** Lamports that the split has brought into the till; what lay there before is owed or undivided. */
function broughtBy(view: RunView): bigint {
  const { owed, dust } = view.open.carried;
  return BigInt(landedSplit(view)?.lamports ?? '0') - BigInt(owed.sol) - BigInt(dust.sol);
}

/** The most that the run may sell, in base units. */
export function saleable(view: RunView): bigint {
  return view.open.asset === 'token' ? 0n : sumOf(wholeSplit(view).sold);
}

function wholeSplit(view: RunView): Split {
  return splitOf(view, undefined);
}

function splitOf({ open, run }: RunView, mostSaleable: bigint | undefined): Split {
  const collected = BigInt(run.collected?.collected ?? '0');
  return splitTax(collected, tokensBefore(open.carried), open.settings, mostSaleable);
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

function taxSplit(
  { open, state }: RunView,
  parted: Split,
  amounts: {
    readonly fees: bigint;
    readonly epoch: bigint;
    /** Tax on the sale. */
    readonly tax: bigint;
    readonly proceeds: bigint;
    readonly costs: bigint;
    readonly developer: bigint;
    readonly holders: bigint;
    readonly unsold: SplitTax['unsold'];
  },
): ReturnType<typeof TaxSplit> {
  const { fees, epoch, tax, proceeds, costs, developer, holders, unsold } = amounts;
  const { tries = 0, offers = [] } = state.selling ?? {};
  const tills = new Set(state.landed.flatMap(({ links }) => links.map(({ till }) => till)));
  return TaxSplit({
    tokenId: open.tokenId,
    runId: open.runId,
    burned: parted.burned.toString(),
    sold: recordedBuckets(parted.sold),
    kept: recordedBuckets(parted.kept),
    ownTax: recordedOwnTax(open.carried, parted, tax),
    unsold,
    tries,
    offers: offers.map(({ till, ...offer }) => ({ ...offer, landed: tills.has(till) })),
    fees: fees.toString(),
    epoch: epoch.toString(),
    proceeds: proceeds.toString(),
    costs: costs.toString(),
    developer: developer.toString(),
    holders: holders.toString(),
  });
}
