/** Finds the ledger files that an event names. Without these files, a token's debts to holders are lost. */
import { categoryOf } from '../../kernel/ports/append-rules.ts';
import { isSha256 } from '../../kernel/ports/blob-store.ts';
import type { JsonValue, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { distribution } from '../../streams/distribution.ts';
import { distributionRun } from '../../streams/distribution-run.ts';

const CATEGORIES: ReadonlySet<string> = new Set([distribution.category, distributionRun.category]);
const FIELDS: ReadonlySet<string> = new Set(['ledger', 'settlement']);

/** Searches at any depth: an allotted run names its own file, a closed run the file that the next run continues. */
export function ledgersIn({ stream, data }: Pick<RecordedEvent, 'stream' | 'data'>): readonly string[] {
  return CATEGORIES.has(categoryOf(stream)) ? namedIn(data) : [];
}

function namedIn(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === undefined) return [];
    if (typeof inner === 'string') return FIELDS.has(name) && isSha256(inner) ? [inner] : [];
    return namedIn(inner);
  });
}
