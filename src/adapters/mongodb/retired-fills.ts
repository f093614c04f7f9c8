/** Removes fillings that nothing refers to, once no reader can still be reading them. */
import type { Db } from 'mongodb';
import type { Logger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { fillNameOf, fillOf, WRITE_CONCERN } from './layout.ts';
import type { Known } from './registry.ts';

/** Milliseconds. A reader looks at the registry twice a second, and the server ends a read after seconds. */
const GRACE = 60_000;

export interface RetiredFills {
  removeLater(names: readonly string[]): void;
  /** Also what was forgotten by an ended process, or created by a write that came too late. */
  removeUnknownLater(): Promise<void>;
  close(): Promise<void>;
}

export function createRetiredFills({
  database,
  registered,
  logger,
}: {
  readonly database: Db;
  readonly registered: () => Promise<readonly Known[]>;
  readonly logger: Logger;
}): RetiredFills {
  const timers = new Set<NodeJS.Timeout>();
  const removing = new Set<Promise<void>>();

  const namesIn = (known: readonly Known[]) =>
    new Set(
      known.flatMap(({ _id, generations }) => generations.map((each) => fillOf(database, _id, each).name)),
    );

  async function remove(name: string): Promise<void> {
    try {
      // A server that was set back to an older state may refer to it again.
      if (namesIn(await registered()).has(name)) return;
      for (const part of [name, `${name}.lists`]) {
        await database.dropCollection(part, { writeConcern: WRITE_CONCERN });
      }
    } catch (error) {
      logger.warn(
        { documents: name, error: messageOf(error) },
        'former documents of a read model not removed',
      );
    }
  }

  function removeLater(names: readonly string[]): void {
    if (names.length === 0) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      const work = (async () => {
        for (const name of names) await remove(name);
      })();
      removing.add(work);
      void work.finally(() => removing.delete(work));
    }, GRACE);
    timer.unref();
    timers.add(timer);
  }

  return {
    removeLater,

    async removeUnknownLater() {
      // In this order: what is registered after the listing is not in it.
      const listed = await database.listCollections({}, { nameOnly: true }).toArray();
      const known = await registered();
      const names = new Set(known.map(({ _id }) => _id));
      const used = namesIn(known);
      const found = listed.flatMap(({ name }) => fillNameOf(name) ?? []);
      const isOurs = (fill: string) => names.has(fill.slice(0, fill.lastIndexOf('_v')));
      removeLater([...new Set(found)].filter((fill) => isOurs(fill) && !used.has(fill)));
    },

    async close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      await Promise.all(removing);
    },
  };
}
