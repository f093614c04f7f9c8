/** All documents of a build of a read model, page by page. */
import type { Generation, ReadModel, StoredEntry } from '../../kernel/ports/read-model.ts';
import type { Projection } from '../../kernel/runtime/define-projection.ts';

/** Documents per read. */
const PAGE = 512;

export async function* allEntries(
  readModel: Pick<ReadModel, 'entries'>,
  projection: Projection,
  generation: Generation,
): AsyncGenerator<StoredEntry, void> {
  let after: string | undefined;
  for (;;) {
    const some = await readModel.entries(projection, { generation, after, limit: PAGE });
    if (some.length === 0) return;
    yield* some;
    after = some.at(-1)?.key;
  }
}
