/**
 * Takes the next step of one token's distribution: reads the records and the chain, decides, and appends at exactly
 * the revisions that were read. After a conflict, the step is taken again. No other part of the engine appends. So a
 * step may be repeated, interrupted at any point, or taken by two processes concurrently.
 */

import { ContentDamaged } from '../../kernel/ports/errors.ts';
import { causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import {
  type DistributionEvent,
  DistributionHalted,
  distribution,
  type RewardAsset,
} from '../../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../streams/distribution-run.ts';
import { waitFor } from '../../streams/distribution-wait.ts';
import { isUnsoldReason } from '../../streams/unsold-reasons.ts';
import { bucketsOf, sumOf } from '../amounts/split-tax.ts';
import { ACCOUNTS_PER_HARVEST } from '../collecting/harvest-tax.ts';
import { type Decision, halts, isDecision, type Waiting } from '../decision.ts';
import { type EngineParts, MAX_PAUSE, type StepResult } from '../engine-parts.ts';
import type { DistributionCounts, TransactionKind } from '../services.ts';
import { dropFinishedWork, resetForRun, type TokenMemory } from '../token-memory.ts';
import { type Recorded, type RunView, readRecorded, runViewOf, type StepAt, stepOf } from '../view.ts';
import { type NextStep, nextStep } from './next-step.ts';
import { decideAllot, writeLedger } from './steps/allot.ts';
import { checkBooks, decideClose } from './steps/close.ts';
import { collectTax, decideCollect } from './steps/collect.ts';
import { considerRun } from './steps/consider-run.ts';
import { decideCorrect } from './steps/correct.ts';
import { driveLinks } from './steps/drive-links.ts';
import { decideFirstTill } from './steps/open-first-till.ts';
import { decideOpen } from './steps/open-pots.ts';
import { pay } from './steps/pay.ts';
import { decideScan, readHolders } from './steps/scan.ts';
import { decideSplit, readSplitFacts } from './steps/split.ts';

const STEPS: { readonly [Step in NextStep]: (at: StepAt) => Promise<Decision> } = {
  'drive-links': driveLinks,
  begin: readThenDecide(async () => undefined, decideFirstTill),
  correct: readThenDecide(async () => undefined, decideCorrect),
  scan: readThenDecide(readHolders, decideScan),
  collect: readThenDecide(collectTax, decideCollect),
  split: readThenDecide(readSplitFacts, decideSplit),
  allot: readThenDecide(writeLedger, decideAllot),
  open: readThenDecide(async ({ parts: { clock } }) => ({ now: clock.now() }), decideOpen),
  pay,
  close: readThenDecide(checkBooks, decideClose),
};

function readThenDecide<Facts>(
  look: (at: StepAt) => Promise<Facts | Decision>,
  decide: (view: RunView, facts: Facts) => Decision,
): (at: StepAt) => Promise<Decision> {
  return async (at) => {
    const found = await look(at);
    return isDecision(found) ? found : decide(at.view, found);
  };
}

/** Rejects only if the recorded state cannot be read. */
export async function takeStep(
  parts: EngineParts,
  tokenId: string,
  memory: TokenMemory,
): Promise<StepResult> {
  const recorded = await readRecorded(parts, tokenId);
  if (recorded.isAllHalted || recorded.state.halted !== undefined) {
    // Resuming scans the holders again.
    resetForRun(memory, undefined);
    const waitingFor = recorded.isAllHalted
      ? waitFor('paused', 'Operators have halted the distribution of all tokens.')
      : waitFor('halted', recorded.state.halted?.reason);
    return { pause: MAX_PAUSE, step: 'halted', waitingFor };
  }
  const { open } = recorded.state;
  resetForRun(memory, open?.runId);
  if (open === undefined || recorded.run === undefined) return withoutRun(parts, recorded, memory);
  const { movedAt } = recorded;
  const step = stepOf(recorded.state, recorded.run.state, parts.clock.now());
  try {
    return { step, movedAt, ...(await commit(parts, recorded, await decisionOf(parts, recorded, memory))) };
  } catch (failure) {
    const found = haltOfError(failure);
    if (found === undefined) return { step, movedAt, pause: 0, failure };
    return { step, movedAt, ...(await commit(parts, recorded, found)) };
  }
}

async function decisionOf(parts: EngineParts, recorded: Recorded, memory: TokenMemory): Promise<Decision> {
  const view = runViewOf(parts, recorded, memory);
  dropFinishedWork(memory, view.run);
  if (view.open.asset === 'sol' && view.run.split === undefined) parts.prices.want(view.open.mint);
  return STEPS[nextStep(view, memory, parts.policy.recipients)]({ parts, view, memory });
}

async function withoutRun(parts: EngineParts, recorded: Recorded, memory: TokenMemory): Promise<StepResult> {
  const { step, decision } = await considerRun({ parts, recorded, memory });
  return { step, ...(await commit(parts, recorded, decision)) };
}

/** `step` is set only if it differs from the recorded step. */
type StepOutcome = Omit<StepResult, 'step'> & Partial<Pick<StepResult, 'step'>>;

async function commit(parts: EngineParts, recorded: Recorded, decision: Decision): Promise<StepOutcome> {
  switch (decision.kind) {
    case 'wait':
      return pausing(decision.waiting);
    case 'halt': {
      const { code, reason } = decision;
      const runId = recorded.run?.runId ?? null;
      const event = DistributionHalted({ tokenId: recorded.tokenId, runId, code, reason });
      const isHalted = await record(parts, recorded, { kind: 'record-of-token', events: [event] });
      return isHalted
        ? { pause: MAX_PAUSE, step: 'halted', waitingFor: waitFor('halted', reason) }
        : { pause: 0 };
    }
    case 'record-of-token':
    case 'record-of-run': {
      const isRecorded = await record(parts, recorded, decision);
      return isRecorded && decision.waiting !== undefined ? pausing(decision.waiting) : { pause: 0 };
    }
  }
}

function pausing({ pause, for: waitingFor }: Waiting): StepOutcome {
  return waitingFor === undefined ? { pause } : { pause, waitingFor };
}

type Recording = Extract<Decision, { readonly kind: 'record-of-token' | 'record-of-run' }>;

/** False if an event was recorded since the view was read, because the decision may be outdated. */
async function record(parts: EngineParts, recorded: Recorded, decision: Recording): Promise<boolean> {
  const isRecorded = await append(parts.executor, recorded, decision);
  if (isRecorded) countRecorded(parts.counts, recorded.state.open?.asset, decision.events);
  return isRecorded;
}

/** An append checks the revision of one stream only, so the other stream is read again first. */
async function append(
  executor: Executor,
  { tokenId, revision, run }: Recorded,
  decision: Recording,
): Promise<boolean> {
  const cause = causeOf('distributor');
  if (decision.kind === 'record-of-token') {
    if (run !== undefined && (await executor.load(distributionRun, run.runId)).revision !== run.revision)
      return false;
    const { recorded } = await executor.execute(distribution, tokenId, cause, (_state, now) =>
      now.revision === revision ? decision.events : [],
    );
    return recorded.length > 0;
  }
  if (run === undefined) throw new Error('no run is open');
  if ((await executor.load(distribution, tokenId)).revision !== revision) return false;
  const { recorded } = await executor.execute(distributionRun, run.runId, cause, (_state, now) =>
    now.revision === run.revision ? decision.events : [],
  );
  return recorded.length > 0;
}

/** Undefined if the step is retried. */
function haltOfError(error: unknown): Decision | undefined {
  if (!(error instanceof ContentDamaged)) return undefined;
  return halts(
    'LEDGER_CORRUPT',
    `The content of the ledger file ${error.file} does not match its name, so it was not used. Restore the file from a backup, then resume.`,
  );
}

/** `asset`: reward asset of the open run. */
export function countRecorded(
  counts: DistributionCounts,
  asset: RewardAsset | undefined,
  events: readonly (DistributionEvent | DistributionRunEvent)[],
): void {
  const landed = (kind: TransactionKind, times: number) => {
    for (let index = 0; index < times; index++) counts.transaction(kind, 'landed');
  };
  for (const event of events) {
    switch (event.type) {
      case 'LinksLanded':
        landed('link', event.data.links.length);
        break;
      case 'TaxCollected':
        landed('harvest', Math.ceil(event.data.harvested / ACCOUNTS_PER_HARVEST));
        landed('withdraw', 1);
        break;
      case 'BatchesSettled':
        landed('payment', event.data.batches.length);
        break;
      case 'BatchReplanned':
        counts.transaction('payment', 'refused');
        break;
      case 'TaxSplit': {
        const { sold, unsold } = event.data;
        const isSold = sumOf(bucketsOf(sold)) > 0n;
        if (isSold && asset === 'sol') counts.sale('sold');
        else if (isUnsoldReason(unsold)) counts.sale(unsold);
        break;
      }
    }
  }
}
