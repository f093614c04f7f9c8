/** What a notary has in hand. It changes with each effect; what must outlive the process is in files and claims. */
import type { FullTile, TiledTree, TreeHead } from 'levy-transparency-log';
import { createLogTree, type LogTree, type TreeEnd } from './log-tree.ts';
import type { NotaryState, RoundProgress } from './notary-action.ts';
import type { NotaryStatus } from './notary-status.ts';
import type { RecordedOrder } from './recorded-order.ts';

/** A tree on its way to a published checkpoint. */
export interface Round {
  readonly end: TreeEnd;
  readonly next: TreeHead;
  /** When it began; ISO 8601. */
  readonly since: string;
  progress: RoundProgress;
  /** The tree as it is stored; given since its tiles were checked. */
  stored?: TiledTree;
  /** The checkpoint with its cosignatures; given since it was signed. */
  note?: string;
}

export interface NotaryWork {
  log: NotaryState['log'];
  order: RecordedOrder | undefined;
  tree: LogTree;
  /** Entries of the head stand elsewhere in the store than it says. */
  isMoved: boolean;
  /** Trees that this one must extend, and has not reached yet. */
  awaited: readonly TreeHead[];
  /** Full files that are not written yet. */
  waiting: readonly FullTile[];
  /** The largest tree that may have been signed. */
  signed: TreeHead | undefined;
  published: NotaryStatus['published'];
  unpublishedSince: string | undefined;
  round: Round | undefined;
  isRested: boolean;
  /** When the files were last seen to be its own; of `performance.now()`. */
  lookedAt: number;
  /** What it read or stored last, and what it was about to store: after a failure that may be there or not. */
  head: { readonly own: Uint8Array | undefined; readonly next: Uint8Array | undefined };
  note: { readonly own: string | undefined; readonly next: string | undefined };
}

/** Milliseconds between two looks whether another process has replaced the files while nothing happens. */
const LOOK_AGAIN = 5_000;

export function newWork(): NotaryWork {
  return {
    log: 'unread',
    order: undefined,
    tree: createLogTree(),
    isMoved: false,
    awaited: [],
    waiting: [],
    signed: undefined,
    published: undefined,
    unpublishedSince: undefined,
    round: undefined,
    isRested: false,
    lookedAt: performance.now(),
    head: { own: undefined, next: undefined },
    note: { own: undefined, next: undefined },
  };
}

export function stateOf(work: NotaryWork, isHeld: () => boolean): NotaryState {
  const { log, isRested, isMoved, tree, published, signed, round } = work;
  return {
    log,
    // A process between two rounds signs nothing: its term is of no matter until the next.
    isTermHeld: round === undefined || isHeld(),
    isRested,
    isLookDue: performance.now() - work.lookedAt > LOOK_AGAIN,
    size: tree.size(),
    isMoved,
    published: published?.size,
    signed: signed?.size,
    round: round && { size: round.next.size, progress: round.progress },
  };
}
