/** In-memory state of a notary; durable state is in files and claims. */
import type { FullTile, TreeHead } from 'levy-transparency-log';
import { createLogTree, type LogTree } from './log-tree.ts';
import type { NotaryStatus } from './notary-status.ts';
import type { RecordedOrder } from './recorded-order.ts';

export interface NotaryWork {
  /** Progress of the comparison with the signed tree. `ended`: read completely, not evaluated yet. */
  log: 'unread' | 'comparing' | 'ended' | 'compared';
  order: RecordedOrder | undefined;
  tree: LogTree;
  /** True if events have other positions in the store than the stored head records. */
  isMoved: boolean;
  /** Known trees larger than the current one, which must extend to them. */
  awaited: readonly TreeHead[];
  /** Full files that are not written yet. */
  waiting: readonly FullTile[];
  /** Largest tree that may have been signed. */
  signed: TreeHead | undefined;
  published: NotaryStatus['published'];
  unpublishedSince: string | undefined;
  /** `own`: bytes last read or stored; `next`: bytes being stored. After a failed write, either may be stored. */
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
