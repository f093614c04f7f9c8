/**
 * Rehearses a run in memory: the deciders of the engine's steps decide in their order, every link lands as it is recorded, and
 * nothing is recorded or sent. It ends before the ledger is written.
 */
import { distribution, type RewardAsset } from '../../streams/distribution.ts';
import { distributionRun } from '../../streams/distribution-run.ts';
import { reservedTokens } from '../carried-over.ts';
import type { Decision } from '../decision.ts';
import type { DistributedToken } from '../distributed-token.ts';
import { RECIPIENTS } from '../paying/plan-batches.ts';
import { decideRunSale, type RunSale } from '../selling/run-sale.ts';
import type { TokenMemory } from '../token-memory.ts';
import type { RunEstimate } from './estimate-run.ts';
import { type NextStep, nextStep } from './next-step.ts';
import { decideBegin } from './steps/begin.ts';
import { decideCollect } from './steps/collect.ts';
import { decideConsider, type RunToOpen } from './steps/consider.ts';
import { decideLinks } from './steps/drive-links.ts';
import { decideScan, type FoundHolders } from './steps/scan.ts';
import { decideSplit } from './steps/split.ts';
import type { Recorded, RunView } from './view.ts';

/** What the looks of a run's steps would find now. */
export interface Rehearsed {
  readonly token: DistributedToken;
  readonly run: RunToOpen;
  readonly found: FoundHolders;
  readonly owners: NonNullable<TokenMemory['owners']>;
  readonly estimate: RunEstimate;
  readonly now: Date;
}

/** The view in which the run's next step is to write its ledger. A run that is open is left out. Pure. */
export function rehearseRun(
  { tokenId, state }: Pick<Recorded, 'tokenId' | 'state'>,
  facts: Rehearsed,
): RunView {
  const { open: _open, pendingPurpose: _purpose, selling: _selling, ...rest } = state;
  const before = { ...rest, pending: [], landed: [] };
  const worth = { outcome: 'worth', dueAt: facts.now.getTime(), run: facts.run } as const;
  const { decision } = decideConsider({ tokenId, state: before }, worth);
  let { state: opened, run } = after({ state: before, run: distributionRun.initial }, decision);
  const { open } = opened;
  if (open === undefined) throw new Error('a run that is worth its costs is opened');
  for (;;) {
    const view: RunView = { state: opened, open, run, token: facts.token };
    const step = nextStep(
      view,
      run.scanned === undefined ? NOTHING_SEEN : { owners: facts.owners, scan: DONE },
      RECIPIENTS,
    );
    const next = decideNext(step, view, facts);
    if (next === undefined) return view;
    ({ state: opened, run } = after(view, next));
  }
}

const NOTHING_SEEN = { owners: undefined, scan: undefined };
/** What a preview no longer has of its scan is only where the tax lies. */
const DONE = { stage: 'done' } as const;

/** Undefined for the step that writes the ledger, and those behind it. */
function decideNext(step: NextStep, view: RunView, facts: Rehearsed): Decision | undefined {
  const { estimate, now } = facts;
  switch (step) {
    case 'drive-links':
      return decideLinks(view, { outcome: 'landed', landed: landedAsRecorded(view, estimate) });
    case 'begin':
      return decideBegin(view);
    case 'scan':
      return decideScan(view, facts.found);
    case 'collect':
      return decideCollect(view, collectedTax(view, facts));
    case 'split':
      return decideSplit(
        view,
        view.state.landed.some(({ purpose }) => purpose === 'split')
          ? { outcome: 'landed', fees: estimate.fees, epoch: facts.run.tax.epoch }
          : { outcome: 'unsold', selling: sellingNow(facts), now },
      );
    case 'correct':
    case 'allot':
    case 'open':
    case 'pay':
    case 'close':
      return undefined;
  }
}

/** The fees are estimated for the whole run at its split. */
function collectedTax({ open }: RunView, { estimate, found, now }: Rehearsed) {
  const balance = reservedTokens(open.carried) + estimate.collectable;
  return { balance, slot: found.slots[1], withdraw: [], harvested: 0, fees: 0n, now };
}

/** As if the run's moment to sell were now, and the only one. */
function sellingNow({ estimate: { quote }, now }: Rehearsed): RunSale {
  if (quote === undefined) return { kind: 'keep', reason: 'nothing-to-sell' };
  return decideRunSale({
    quote,
    now: now.getTime(),
    tries: 0,
    looked: undefined,
    momentAfter: (looked) => (looked === undefined ? { kind: 'look', look: 0 } : { kind: 'over' }),
  });
}

/** What was carried, and what the sale is expected to bring. */
function landedAsRecorded({ state, open, run }: RunView, { proceeds }: RunEstimate) {
  const { owed, dust } = open.carried;
  const brought = state.pendingPurpose === 'split' ? proceeds : 0n;
  return {
    links: state.pending.map((link) => ({ ...link, signature: '', fee: '0' })),
    slot: run.scanned?.slots[1] ?? '0',
    lamports: (BigInt(owed.sol) + BigInt(dust.sol) + brought).toString(),
    tokens: run.collected?.balance ?? '0',
  };
}

function after(
  { state, run }: Pick<RunView, 'state' | 'run'>,
  decision: Decision,
): Pick<RunView, 'state' | 'run'> {
  switch (decision.kind) {
    case 'record-of-token':
      return { state: decision.events.reduce(distribution.evolve, state), run };
    case 'record-of-run':
      return { state, run: decision.events.reduce(distributionRun.evolve, run) };
    default:
      throw new Error(`a rehearsal ends at the decision to ${decision.kind}`);
  }
}

/** The amounts of a rehearsed run, as its closing would record them. */
export function rehearsedAmounts({ open, run }: Pick<RunView, 'open' | 'run'>, asset: RewardAsset) {
  const { collected, split } = run;
  if (collected === undefined || split === undefined) throw new Error('a rehearsal ends with the split');
  const { burned, sold, kept, ownTax, proceeds, costs, developer, holders } = split;
  return {
    kept: open.carried.kept,
    collected: collected.collected,
    burned,
    sold,
    keptAfter: kept,
    ownTax,
    proceeds,
    costs,
    developer,
    holders,
    dust: open.carried.dust[asset],
  };
}
