/** Which streams are not in the log: those whose older events may be deleted, so that nobody could check their entries. */

import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { lease } from '../../kernel/runtime/lease.ts';
import { checkpoint } from '../../streams/checkpoint.ts';
import { snapshot } from '../../streams/snapshot.ts';

const CATEGORIES: ReadonlySet<string> = new Set(
  [checkpoint, lease, snapshot].map(({ category }) => category),
);

export function isLeftOut(stream: string): boolean {
  return CATEGORIES.has(categoryOf(stream));
}
