/** Streams excluded from the transparency log: their older events may be deleted, which would make their entries unverifiable. */

import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { lease } from '../../kernel/runtime/lease.ts';
import { snapshot } from '../../kernel/runtime/snapshots.ts';
import { checkpoint } from '../../streams/checkpoint.ts';

const CATEGORIES: ReadonlySet<string> = new Set(
  [checkpoint, lease, snapshot].map(({ category }) => category),
);

export function isExcluded(stream: string): boolean {
  return CATEGORIES.has(categoryOf(stream));
}
