/** The names of files that nobody has kept since a moment, in the order of when they were kept. */
import type { Collection, Filter } from 'mongodb';
import { IN_TIME } from './client.ts';
import type { GridFile } from './grid-bucket.ts';

const LISTED_TOGETHER = 500;

/** What is kept from now on is not listed. `read` carries out each look at the server. */
export async function* leftAloneNames(
  files: Collection<GridFile>,
  since: Date,
  read: (look: () => Promise<GridFile[]>) => Promise<GridFile[]>,
): AsyncGenerator<string> {
  const begun = new Date();
  let after: GridFile | undefined;
  for (;;) {
    const page: GridFile[] = await read(() =>
      files
        .find(leftAloneFilter({ since, begun, after }), {
          sort: { 'metadata.keptAt': 1, _id: 1 },
          limit: LISTED_TOGETHER,
          ...IN_TIME,
        })
        .toArray(),
    );
    for (const { filename } of page) yield filename;
    after = page.at(-1);
    if (after === undefined || page.length < LISTED_TOGETHER) return;
  }
}

/** Those that were kept before `since`, and not after `begun`; `after` is the last one of the page before. */
export function leftAloneFilter({
  since,
  begun,
  after,
}: {
  readonly since: Date;
  readonly begun: Date;
  readonly after: Pick<GridFile, '_id' | 'metadata'> | undefined;
}): Filter<GridFile> {
  const before = since > begun ? { $lte: begun } : { $lt: since };
  if (after === undefined) return { 'metadata.keptAt': before };
  const { _id, metadata } = after;
  return {
    $or: [
      { 'metadata.keptAt': { ...before, $gt: metadata.keptAt } },
      { 'metadata.keptAt': metadata.keptAt, _id: { $gt: _id } },
    ],
  };
}
