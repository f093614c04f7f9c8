/** Log state of a token's distribution, with the revisions at which it was read. */
import type { ExpectedRevision } from '../kernel/ports/event-store.ts';
import { type DistributionState, distribution, type OpenedRun } from '../streams/distribution.ts';
import { type DistributionRunState, distributionRun } from '../streams/distribution-run.ts';
import { announced, type RunStep, recordedStep } from '../streams/distribution-step.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../streams/distribution-switch.ts';
import { type DistributedToken, distributedToken } from './distributed-token.ts';
import type { EngineParts } from './engine-parts.ts';
import type { TokenMemory } from './token-memory.ts';

/** States of a token's stream and of its open run's stream. */
export interface Recorded {
  readonly tokenId: string;
  readonly state: DistributionState;
  readonly revision: ExpectedRevision;
  readonly run:
    | { readonly runId: string; readonly state: DistributionRunState; readonly revision: ExpectedRevision }
    | undefined;
  /** True if all tokens are halted. */
  readonly isAllHalted: boolean;
  /** ISO 8601 time of the latest event that advanced the run; run requests do not count. */
  readonly movedAt: string;
}

const CACHED = { trust: 'cached' } as const;

/** Log state of a token with an open run. */
export interface RunView {
  readonly state: DistributionState;
  readonly open: OpenedRun;
  readonly run: DistributionRunState;
  readonly token: DistributedToken;
}

/** Reads the cached streams: most steps record nothing, and an append checks the revision of its stream. */
export async function readRecorded(
  { executor }: Pick<EngineParts, 'executor'>,
  tokenId: string,
): Promise<Recorded> {
  const all = await executor.load(distributionSwitch, DISTRIBUTION_SWITCH, CACHED);
  const { state, revision, events } = await executor.load(distribution, tokenId, CACHED);
  const runId = state.open?.runId;
  const run = runId === undefined ? undefined : await executor.load(distributionRun, runId, CACHED);
  return {
    tokenId,
    state,
    revision,
    run: runId === undefined || run === undefined ? undefined : { runId, ...run },
    isAllHalted: all.state !== undefined,
    movedAt: latestOf([...all.events, ...events, ...(run?.events ?? [])]),
  };
}

/** Throws if no run is open. Caches the token's addresses, because deriving them takes longer than most steps. */
export function runViewOf(
  { keyring }: Pick<EngineParts, 'keyring'>,
  recorded: Recorded,
  memory: Pick<TokenMemory, 'token'>,
): RunView {
  const { state, run } = recorded;
  const { open } = state;
  if (open === undefined || run === undefined) throw new Error('no run is open');
  memory.token ??= distributedToken(keyring, open);
  return { state, open, run: run.state, token: memory.token };
}

export function tillOf({ till }: Pick<DistributionState, 'till'>): NonNullable<DistributionState['till']> {
  if (till === undefined) throw new Error('the first link has not landed');
  return till;
}

/** Highest slot in the token's log: chain responses from earlier slots are outdated. 0 before the first link has landed. */
export function slotReached({ till }: Pick<DistributionState, 'till'>): bigint {
  return BigInt(till?.slot ?? '0');
}

/**
 * Slot of the run's last settled payment, or `opened` if later: a node at an earlier slot may show meters before these payments.
 */
export function slotSettled({ settled }: Pick<DistributionRunState, 'settled'>, opened: bigint): bigint {
  return settled.reduce((latest, { slot }) => (BigInt(slot) > latest ? BigInt(slot) : latest), opened);
}

/** Events that do not advance a run: run requests and repeated scans. */
const MOVING_NOTHING: readonly string[] = ['RunRequested', 'ScanDisagreed'];

/** ISO 8601 time of the latest of these events that advanced the run. */
function latestOf(
  events: readonly { readonly type: string; readonly metadata: { readonly occurredAt: string } }[],
): string {
  return events
    .filter(({ type }) => !MOVING_NOTHING.includes(type))
    .reduce((latest, { metadata: { occurredAt } }) => (occurredAt > latest ? occurredAt : latest), '');
}

/** Derives the step of an open run from its streams. */
export function stepOf(
  { pending, pendingPurpose, till, landed }: DistributionState,
  run: DistributionRunState,
  now: Date,
): RunStep {
  const isPending = pending.length > 0;
  const links = {
    pendingPurpose: isPending ? (pendingPurpose ?? 'begin') : undefined,
    isBegun: till !== undefined,
    landed: landed.map(({ purpose }) => purpose),
  };
  return announced({ step: recordedStep(links, run), since: '' }, run.allotted?.payAfter, isPending, now)
    .step;
}

export interface StepAt {
  readonly parts: EngineParts;
  readonly view: RunView;
  readonly memory: TokenMemory;
}
