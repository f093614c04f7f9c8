/**
 * Rebuilds read models where no service answers: opens the log and the read models as a process with the role `projector`
 * does, and nothing else. Where processes share them, the one that holds the role does the work, this one or another.
 */
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { openFoundation } from '../app/foundation.ts';
import { startProjections } from '../app/start-projections.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { START } from '../kernel/ports/event-store.ts';
import type { Generation } from '../kernel/ports/read-model.ts';
import { pathIn } from '../kernel/ports/technology.ts';
import type { Projection } from '../kernel/runtime/define-projection.ts';
import type { ProjectionStatus } from '../kernel/runtime/projection-status.ts';
import { type Configuration, readConfiguration } from '../operations/config/configuration.ts';
import type { Role } from '../operations/config/roles.ts';
import { requireFormat, SERVICE_STREAM } from '../streams/service.ts';

export interface Rebuilding {
  status(): readonly ProjectionStatus[];
  /** Resolves with the function that says whether queries read new documents. */
  begin(projection: Projection): Promise<() => Promise<boolean>>;
  close(): Promise<void>;
}

const ACTOR = 'operator:levy-command';

/** Rejects with `OperatorError` when the environment names no log that can be opened, or an empty one. */
export async function openRebuilding(env: NodeJS.ProcessEnv): Promise<Rebuilding> {
  const configuration = { ...readConfiguration(env), roles: new Set<Role>(['projector']) };
  requireLogIsThere(configuration);
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    const foundation = await openFoundation({
      configuration,
      log: pino({ level: 'error' }, pino.destination(2)),
      whenClosing: (one) => void opened.push(one),
    });
    if ((await foundation.store.head()) === START)
      throw new OperatorError('the log is empty: there is nothing to rebuild');
    await requireFormat(foundation.store.read(SERVICE_STREAM, 0));
    await foundation.followed?.start();
    await startProjections(foundation);
    foundation.whenClosing(foundation.singletons.stop);
    const { projector, readModel } = foundation;
    return {
      status: projector.status,
      async begin(projection) {
        const before = await readModel.served(projection);
        let hasStarted = await projector.rebuild(projection, ACTOR);
        return async () => {
          const now = await readModel.served(projection);
          if (now !== undefined && !isSame(now, before)) return true;
          // What was being built may only have been catching up.
          const status = projector.status().find(({ name }) => name === projection.name);
          if (!hasStarted && status?.state === 'live')
            hasStarted = await projector.rebuild(projection, ACTOR);
          return false;
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function isSame(one: Generation, other: Generation | undefined): boolean {
  return one.version === other?.version && one.generation === other.generation;
}

/**
 * A log that is not there must not be created. It is not opened for reading first: SQLite would hold the file of a killed
 * service until the process ends.
 */
function requireLogIsThere({ eventStore }: Configuration): void {
  if (!eventStore.isEmbedded) return;
  const path = pathIn(eventStore.url);
  if (!existsSync(path)) throw new OperatorError(`"${path}" cannot be read: there is no such file`);
}
