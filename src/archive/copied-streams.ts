/** Which streams are copied to another store: not those that are cut as they grow, and that nobody misses. */
import { categoryOf } from '../ports/append-rules.ts';
import { lease } from '../streams/lease.ts';
import { snapshot } from '../streams/snapshot.ts';

/** Leases are those of processes that use the other store; snapshots are made anew. */
const LEFT_OUT: ReadonlySet<string> = new Set([lease.category, snapshot.category]);

export function isCopied({ stream }: { readonly stream: string }): boolean {
  return !LEFT_OUT.has(categoryOf(stream));
}
