/** Begins the rebuilds that operators asked for, wherever they asked: the requests are in the log. */
import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Logger } from '../kernel/ports/logger.ts';
import type { Projection } from '../kernel/runtime/define-projection.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import type { Projector } from '../kernel/runtime/projector.ts';
import {
  READ_MODEL_REBUILDS_ID,
  READ_MODEL_REBUILDS_STREAM,
  ReadModelRebuildRequested,
  readModelRebuilds,
} from '../streams/read-model-rebuilds.ts';

export interface RebuildRequests {
  /** To be called once, before the first is handled. */
  begin(): Promise<void>;
  /** Begins what can begin now; whether it did. A projection that is being built, or catches up, is waited for. */
  handle(): Promise<boolean>;
  /** True while a request cannot begin yet. */
  isWaiting(): boolean;
  /** How many requests are done. */
  handled(): number;
}

export function createRebuildRequests(options: {
  readonly projections: readonly Projection[];
  readonly projector: Pick<Projector, 'status' | 'rebuild'>;
  readonly store: Pick<EventStore, 'read'>;
  readonly reader: Pick<EventReader, 'read'>;
  /** As the last writer noted; undefined where there was none. */
  readonly handled: number | undefined;
  readonly logger: Logger;
}): RebuildRequests {
  const { projections, projector, store, reader, logger } = options;
  let handled = options.handled ?? 0;
  let isWaiting = false;

  async function isDone(name: unknown): Promise<boolean> {
    const projection = projections.find((each) => each.name === name);
    // A request of a release that had other read models.
    if (projection === undefined) return true;
    const status = projector.status().find((each) => each.name === name);
    if (status?.state === 'building') return false;
    await projector.rebuild(projection);
    logger.info({ projection: projection.name }, 'projection rebuild started');
    return true;
  }

  return {
    async begin() {
      if (options.handled !== undefined) return;
      // Nothing was written yet: all read models are built from the start, which fulfils the request.
      for await (const { revision } of store.read(READ_MODEL_REBUILDS_STREAM)) handled = revision + 1;
    },
    async handle() {
      const before = handled;
      isWaiting = false;
      for await (const stored of store.read(READ_MODEL_REBUILDS_STREAM, handled)) {
        const request = await reader.read(stored);
        isWaiting = request !== undefined && !(await isDone(request.data.name));
        if (isWaiting) break;
        handled = stored.revision + 1;
      }
      return handled !== before;
    },
    isWaiting: () => isWaiting,
    handled: () => handled,
  };
}

/** Resolves with how many requests there are then. */
export async function requestRebuild(executor: Executor, name: string, actor: string): Promise<number> {
  const cause = { ...causeOf('operator'), actor };
  const by = actor.replace(/^operator:/, '');
  const request = ReadModelRebuildRequested({ name, by });
  const done = await executor.execute(readModelRebuilds, READ_MODEL_REBUILDS_ID, cause, () => [request]);
  return done.state;
}
