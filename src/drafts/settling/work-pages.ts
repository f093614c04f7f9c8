/**
 * Iterates over all drafts with some work, page by page, so that long-running drafts of the first page do not block later pages.
 */
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { findPages } from '../../kernel/runtime/find-pages.ts';
import { transactions, type Work } from '../../projections/transactions.ts';
import type { WorkItem } from './check-schedule.ts';

const PAGE = 1_000;

/** `unseen`: drafts that the read model does not include yet; they come first, even if the read model cannot be read. */
export async function* workPages(
  readModel: ReadModel,
  work: Work,
  unseen: readonly string[],
): AsyncGenerator<readonly WorkItem[], void> {
  if (unseen.length > 0) yield unseen.map((transactionId) => ({ transactionId }));
  const shown = new Set(unseen);
  const pages = { limit: PAGE, keyOf: ({ transactionId }: WorkItem) => transactionId };
  for await (const page of findPages(readModel, transactions, 'work', work, pages)) {
    const items = page.filter(({ transactionId }) => !shown.has(transactionId));
    if (items.length > 0) yield items;
  }
}
