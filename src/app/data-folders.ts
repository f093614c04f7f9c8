/** Where the service keeps files of its own. */
import { dirname } from 'node:path';
import { pathIn, schemeOf } from '../kernel/ports/technology.ts';
import type { Values } from '../operations/config/variables.ts';

export type StorePlaces = Partial<
  Pick<Values, 'dataDirectory' | 'eventStore' | 'readModel' | 'imageStore' | 'ledgerStore'>
>;

/** The folders of stores of files, by the name under which the metrics show each; stores elsewhere have none. */
export function fileFolders({
  imageStore,
  ledgerStore,
}: Pick<StorePlaces, 'imageStore' | 'ledgerStore'>): ReadonlyMap<string, string> {
  const stores = [
    ['images', imageStore],
    ['ledgers', ledgerStore],
  ] as const;
  return new Map(
    stores.flatMap(([name, store]) =>
      store !== undefined && schemeOf(store.url) === 'file' ? [[name, pathIn(store.url)] as const] : [],
    ),
  );
}

/** With those of databases in files. */
export function foldersOf(places: StorePlaces): ReadonlyMap<string, string> {
  const { dataDirectory, eventStore, readModel } = places;
  const databases = [
    ['event-store', eventStore],
    ['read-model', readModel],
  ] as const;
  return new Map([
    ...(dataDirectory === undefined ? [] : [['data', dataDirectory] as const]),
    ...databases.flatMap(([name, store]) =>
      store !== undefined && schemeOf(store.url) === 'sqlite'
        ? [[name, dirname(pathIn(store.url))] as const]
        : [],
    ),
    ...fileFolders(places),
  ]);
}
