/** Drops the collections of unregistered builds, once no reader can still use them. */
import type { Db } from 'mongodb';
import type { Logger } from '../../kernel/ports/logger.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { buildNamedIn, type StoredState, storedBuild, totalsName } from './layout.ts';
import type { Registry } from './registry.ts';

/** Milliseconds before a build is dropped. Readers refresh the state every few seconds, and the server aborts longer reads. */
const GRACE = 60_000;

export type RetiredBuilds = ReturnType<typeof createRetiredBuilds>;

export function createRetiredBuilds(database: Db, registry: Pick<Registry, 'fresh'>, logger: Logger) {
  const timers = new Set<NodeJS.Timeout>();
  const removing = new Set<Promise<void>>();

  const namesIn = (found: StoredState | undefined) =>
    new Set(
      Object.entries(found?.collections ?? {}).flatMap(([name, { builds }]) =>
        builds.map((build) => storedBuild(database, name, build).name),
      ),
    );

  async function remove(names: ReadonlySet<string>): Promise<void> {
    for (const name of names) {
      try {
        // A server restored to an older state may register the build again.
        if (namesIn(await registry.fresh()).has(name)) continue;
        for (const part of [name, totalsName(name)]) await database.dropCollection(part);
      } catch (error) {
        logger.warn({ build: name, error: errorMessage(error) }, 'retired build of a read model not removed');
      }
    }
  }

  return {
    /** Schedules the removal of builds that are unregistered now: replaced, left by an ended process, or created by a late write. */
    async removeLater(): Promise<void> {
      // In this order, so that builds registered after the listing are not dropped.
      const stored = await database.listCollections({}, { nameOnly: true }).toArray();
      const registered = await registry.fresh();
      const used = namesIn(registered);
      const unknown = stored
        .flatMap(({ name }) => buildNamedIn(name) ?? [])
        .filter(
          ({ build, collection }) => registered?.collections[collection] !== undefined && !used.has(build),
        );
      if (unknown.length === 0) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        const work = remove(new Set(unknown.map(({ build }) => build)));
        removing.add(work);
        void work.finally(() => removing.delete(work));
      }, GRACE).unref();
      timers.add(timer);
    },

    async close(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.all(removing);
    },
  };
}
