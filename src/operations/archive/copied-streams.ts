/** Which streams are copied event by event to another store: not those that are cut as they grow. */

import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { lease } from '../../kernel/runtime/lease.ts';
import { checkpoint } from '../../streams/checkpoint.ts';
import { snapshot } from '../../streams/snapshot.ts';

/** Leases are those of processes that use the other store; snapshots are made anew. Nobody misses either. */
const NOT_RESTORED: ReadonlySet<string> = new Set([lease.category, snapshot.category]);

export function isRestored({ stream }: { readonly stream: string }): boolean {
  return !NOT_RESTORED.has(categoryOf(stream));
}

/** Claims are copied apart: the notary needs the last one alone. */
export function isClaim({ stream }: { readonly stream: string }): boolean {
  return categoryOf(stream) === checkpoint.category;
}

export function isCopied(event: { readonly stream: string }): boolean {
  return isRestored(event) && !isClaim(event);
}
