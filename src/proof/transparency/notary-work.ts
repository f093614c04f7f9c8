/** State of a notary's work. What must outlive the process is in files and claims. */
import type { FullTile, TreeHead } from 'levy-transparency-log';
import { createLogTree, type LogTree } from './log-tree.ts';
import type { NotaryStatus } from './notary-status.ts';
import type { RecordedOrder } from './recorded-order.ts';

export interface NotaryWork {
  /** Progress of the comparison with the signed tree. `ended`: read completely, not decided yet. */
  log: 'unread' | 'comparing' | 'ended' | 'compared';
  order: RecordedOrder | undefined;
  tree: LogTree;
  /** Entries of the head have another position in the store than it says. */
  isMoved: boolean;
  /** Trees that this one must extend, and has not reached yet. */
  awaited: readonly TreeHead[];
  /** Full files that are not written yet. */
  waiting: readonly FullTile[];
  /** The largest tree that may have been signed. */
  signed: TreeHead | undefined;
  published: NotaryStatus['published'];
  unpublishedSince: string | undefined;
  /** The bytes last read or stored, and those about to be stored: after a failure either may be stored. */
  head: { readonly own: Uint8Array | undefined; readonly next: Uint8Array | undefined };
  note: { readonly own: string | undefined; readonly next: string | undefined };
}

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
    head: { own: undefined, next: undefined },
    note: { own: undefined, next: undefined },
  };
}
