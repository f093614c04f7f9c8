/** Where the nodes behind a chain are told of, each by its host. The adapter calls it; whoever measures provides it. */

/** `behind`: it answers, and another node is far ahead. `foreign`: it is a node of another chain, and is not asked. */
export type ChainNodeState = 'well' | 'failing' | 'behind' | 'foreign';

export interface ChainNodeStatus {
  readonly host: string;
  readonly state: ChainNodeState;
}

export interface ChainNodeMeter {
  /** A call to one node is over; a read that was tried again is several. */
  readonly called: (host: string, method: string, outcome: 'answered' | 'unavailable' | 'invalid') => void;
  /** Called once, when the chain is opened. */
  readonly watch: (nodes: () => readonly ChainNodeStatus[]) => void;
}
