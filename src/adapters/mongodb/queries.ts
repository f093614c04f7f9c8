/** Answers queries from what is live. */
import type { Db } from 'mongodb';
import { requireDefined } from '../../kernel/ports/collection-shape.ts';
import type {
  Collection,
  Document,
  FindOptions,
  OrderOptions,
  ReadModel,
} from '../../kernel/ports/read-model.ts';
import * as reader from './collection-reader.ts';
import { createKeptPages } from './kept-pages.ts';
import type { KnownCollections } from './known-collections.ts';

export function createQueries(
  database: Db,
  { live }: Pick<KnownCollections, 'live'>,
): Pick<ReadModel, 'get' | 'find' | 'count' | 'ordered' | 'page' | 'search'> {
  const kept = createKeptPages(database);
  return {
    async get<Doc extends Document>(collection: Collection<Doc>, key: string): Promise<Doc | undefined> {
      const { fill } = await live(collection);
      return (await reader.get(fill, key)) as Doc | undefined;
    },

    async find<Doc extends Document>(
      collection: Collection<Doc>,
      index: string,
      value: string,
      options: FindOptions = {},
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'indexes', index);
      const { fill } = await live(collection, { indexes: [index] });
      return (await reader.find(fill, index, value, options)) as readonly Doc[];
    },

    async count(collection, index, value, most) {
      requireDefined(collection, 'indexes', index);
      const { fill } = await live(collection, { indexes: [index] });
      return reader.count(fill, index, value, most);
    },

    async ordered<Doc extends Document>(
      collection: Collection<Doc>,
      order: string,
      value: string,
      options: OrderOptions,
    ): Promise<readonly Doc[]> {
      requireDefined(collection, 'orders', order);
      const { fill } = await live(collection, { orders: [order] });
      return (await reader.ordered(fill, order, value, options)) as readonly Doc[];
    },

    async page(collection, list, partition, options) {
      const { view, offset, limit, after } = options;
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', view);
      const { fill } = await live(collection, { lists: [list], views: [view] });
      const key = JSON.stringify([fill.name, list, partition, view, offset, limit, after]);
      return kept.page(collection.name, key, () => reader.page(fill, list, partition, options));
    },

    async search(collection, list, partition, options) {
      requireDefined(collection, 'lists', list);
      requireDefined(collection, 'views', options.view);
      const { fill, shape } = await live(collection, { lists: [list], views: [options.view] });
      if (!shape.terms) return { items: [], total: 0 };
      return reader.search(fill, list, partition, options);
    },
  };
}
