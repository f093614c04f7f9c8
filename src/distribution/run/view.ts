/** What the log says of a token's distribution, read once, with the revisions at which it was read. */
import type { ExpectedRevision } from '../../kernel/ports/event-store.ts';
import { type DistributionState, distribution, type OpenedRun } from '../../streams/distribution.ts';
import { type DistributionRunState, distributionRun } from '../../streams/distribution-run.ts';
import { DISTRIBUTION_SWITCH, distributionSwitch } from '../../streams/distribution-switch.ts';
import { type DistributedToken, distributedToken } from '../distributed-token.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TokenMemory } from '../token-memory.ts';
import { latestOf } from '../waiting/step-of.ts';

/** The streams of a token and of its open run. */
export interface Recorded {
  readonly tokenId: string;
  readonly state: DistributionState;
  readonly revision: ExpectedRevision;
  readonly run:
    | { readonly runId: string; readonly state: DistributionRunState; readonly revision: ExpectedRevision }
    | undefined;
  /** All tokens are halted. */
  readonly isAllHalted: boolean;
  /** When something was last recorded that moved the run; asking for one does not. ISO 8601. */
  readonly movedAt: string;
}

const CACHED = { trust: 'cached' } as const;

/** What the log says of a token whose run is open. */
export interface RunView {
  readonly state: DistributionState;
  readonly open: OpenedRun;
  readonly run: DistributionRunState;
  readonly token: DistributedToken;
}

/**
 * Reads the cached streams: most steps read the chain and record nothing, and an append states the revision of its stream.
 */
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

/** Throws while no run is open. To derive a token's addresses takes longer than most steps, so they are remembered. */
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
