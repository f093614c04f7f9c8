/** Receives the state of each node behind a chain, by its host. The adapter calls it; the metrics implement it. */

import { ChainBehind, ChainUnavailable } from './chain.ts';

/** `behind`: it answers, and from before what another node has shown or was asked for. `foreign`: it is a node of another chain, and is not asked. */
export type ChainNodeState = 'well' | 'failing' | 'behind' | 'foreign';

/** `behind`: the answer was older than what was asked for, and is not used. */
type ChainCallOutcome = 'answered' | 'behind' | 'unavailable' | 'invalid';

/** Classifies the error of a call; undefined stands for an answer. */
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
  /** A call to one node is over; a read that was tried again is several. */
  readonly called: (host: string, method: string, outcome: ChainCallOutcome) => void;
  /** Called once, when the chain is opened. */
  readonly watch: (nodes: () => readonly ChainNodeStatus[]) => void;
}
