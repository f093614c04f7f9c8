/** Reads all documents of an index, a page at a time. */
import type { Collection, Document, ReadModel } from '../ports/read-model.ts';

/** `keyOf`: the key of a document, behind which the next page begins. `after`: the key behind which the first one does. */
export async function* findPages<Doc extends Document>(
  readModel: Pick<ReadModel, 'find'>,
  collection: Collection<Doc>,
  index: string,
  value: string,
  pages: { readonly limit: number; readonly after?: string | undefined; keyOf(document: Doc): string },
): AsyncGenerator<readonly Doc[], void> {
  const { limit, keyOf } = pages;
  for (let { after } = pages; ; ) {
    // A store compares `after`: it must not be there where there is none.
    const options = { limit, ...(after === undefined ? {} : { after }) };
    const page: readonly Doc[] = await readModel.find(collection, index, value, options);
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < limit) return;
    after = keyOf(last);
  }
}
