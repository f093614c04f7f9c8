/** Commits changes: rows and totals of all builds first, then all checkpoints in one request. */
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import { storable } from '../../kernel/ports/collection-shape.ts';
import type {
  Collection,
  CollectionCommit,
  Generation,
  StoredDocument,
} from '../../kernel/ports/read-model.ts';
import { buildOf, movedCheckpoints } from './build-changes.ts';
import { type Build, storedBuild } from './layout.ts';
import { load } from './queries.ts';
import type { Registry } from './registry.ts';
import { type RenderedChange, render } from './stored-row.ts';
import { type BuildState, noteIfAhead, writeRows } from './write-rows.ts';
import type { Changes } from './writer-term.ts';

interface Part extends CollectionCommit {
  readonly build: Build;
  readonly rendered: readonly RenderedChange[];
}

/** Collections written concurrently. Each uses up to two of the pool's 32 connections, and queries need some as well. */
const CONCURRENT_COLLECTIONS = 8;

export function createCommitWriter(database: Db, registry: Pick<Registry, 'cached'>) {
  const inTurn = pLimit(CONCURRENT_COLLECTIONS);
  const states = new Map<string, Pick<BuildState, 'uncertain' | 'loaded'>>();

  function stateOf(name: string, build: Build): BuildState {
    const stored = storedBuild(database, name, build);
    const state = states.get(stored.name) ?? { uncertain: new Map(), loaded: new Map() };
    states.set(stored.name, state);
    return { ...state, stored, checkpoint: build.checkpoint };
  }

  async function writeParts(name: string, parts: readonly Part[]): Promise<void> {
    for (const { build, rendered } of parts) await writeRows(stateOf(name, build), rendered);
  }

  return {
    /** Must be called within a term. `change` writes the checkpoints. */
    async commit(
      commits: readonly CollectionCommit[],
      change: (changes: Changes) => Promise<void>,
    ): Promise<void> {
      // Rejects invalid input before anything is written.
      const parts = commits.map((commit): Part => {
        const { collection, generation, changes } = commit;
        return {
          ...commit,
          build: buildOf(registry.cached()?.collections[collection.name], collection, generation),
          rendered: changes.map((each) => render(collection, each)),
        };
      });
      const byName = new Map<string, Part[]>();
      for (const part of parts) {
        const { name } = part.collection;
        byName.set(name, [...(byName.get(name) ?? []), part]);
      }
      const done = await Promise.allSettled(
        [...byName].map(([name, some]) => inTurn(() => writeParts(name, some))),
      );
      const failed = done.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      await change(new Map([...byName].map(([name, some]) => [name, movedCheckpoints(some)])));
    },

    async load(
      collection: Collection,
      keys: readonly string[],
      generation: Generation | undefined,
    ): Promise<ReadonlyMap<string, StoredDocument>> {
      const { name } = collection;
      const build = buildOf(registry.cached()?.collections[name], collection, generation);
      const state = stateOf(name, build);
      state.loaded.clear();
      for (const key of keys) state.loaded.set(storable(key), undefined);
      return load(state.stored, keys, (row) => {
        state.loaded.set(row._id, row);
        noteIfAhead(state, row);
      });
    },
  };
}
