/** Meter of the nodes behind a chain, by host. The adapter calls it; the metrics implement it. */

import { ChainBehind, ChainUnavailable } from './chain.ts';

/**
 * `behind`: the node responds, but from before a slot that another node has returned or a call required. `foreign`: the node
 * belongs to another chain, and is not used.
 */
export type ChainNodeState = 'well' | 'failing' | 'behind' | 'foreign';

/** `behind`: the response was older than required, and is ignored. */
type ChainCallOutcome = 'answered' | 'behind' | 'unavailable' | 'invalid';

/** Classifies the error of a call; undefined means success. */
export function outcomeOf(error: unknown): ChainCallOutcome {
  if (error === undefined) return 'answered';
  if (error instanceof ChainBehind) return 'behind';
  return error instanceof ChainUnavailable ? 'unavailable' : 'invalid';
}

export interface ChainNodeStatus {
  readonly host: string;
  readonly state: ChainNodeState;
}

export interface ChainNodeMeter {
  /** Called after each call to a node; a retried read has several. */
  readonly called: (host: string, method: string, outcome: ChainCallOutcome) => void;
  /** Called once, when the chain is opened. */
  readonly watch: (nodes: () => readonly ChainNodeStatus[]) => void;
}
