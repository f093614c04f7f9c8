/** Reads all documents of an index page by page. */
import type { Collection, Document, ReadModel } from '../ports/read-model.ts';

/** `keyOf`: key of a document, after which the next page begins. `after`: key after which the first page begins. */
export async function* findPages<Doc extends Document>(
  readModel: Pick<ReadModel, 'find'>,
  collection: Collection<Doc>,
  index: string,
  value: string,
  pages: { readonly limit: number; readonly after?: string | undefined; keyOf(document: Doc): string },
): AsyncGenerator<readonly Doc[], void> {
  const { limit, keyOf } = pages;
  for (let { after } = pages; ; ) {
    // Stores test for the presence of `after`, so it must be absent rather than undefined.
    const options = { limit, ...(after === undefined ? {} : { after }) };
    const page: readonly Doc[] = await readModel.find(collection, index, value, options);
    const last = page.at(-1);
    if (last !== undefined) yield page;
    if (last === undefined || page.length < limit) return;
    after = keyOf(last);
  }
}
