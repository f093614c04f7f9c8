/** Reports whether this process can read the shared read models, and whether a process writes them. */
import type { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { RemoteProjector } from '../kernel/runtime/remote-projector.ts';
import { SILENT_AFTER } from '../kernel/runtime/remote-projector.ts';
import { type Watched, watched } from './readiness.ts';

/**
 * `patience`: how long, in milliseconds, nobody may write before this process counts as one that does not work: until
 * then another takes the role over. Queries answer meanwhile with what was written before.
 */
export function watchedReadModels(
  followed: Pick<RemoteProjector, 'writer'>,
  options: {
    readonly patience: number;
    readonly isWriter: () => boolean;
    /** Why this process cannot write them, if it does. */
    readonly failingWrite: () => StoreUnavailable | undefined;
  },
): Watched {
  const { patience, isWriter, failingWrite } = options;
  return watched('shared read models', () => {
    const { term, release, silentFor, ...reading } = followed.writer();
    const isSilent = silentFor >= SILENT_AFTER;
    // What kept this process from writing is over where another one writes.
    const writing = isSilent || isWriter() ? failingWrite() : undefined;
    const { error, whatToDo } =
      reading.error === undefined ? { error: writing?.message, whatToDo: writing?.whatToDo } : reading;
    return {
      ok: silentFor < (error === undefined ? patience : SILENT_AFTER),
      details: {
        writer: term === undefined || isSilent ? null : isWriter() ? 'this process' : 'another process',
        term: term ?? null,
        release: release ?? null,
        secondsSilent: isSilent ? Math.floor(silentFor / 1_000) : 0,
        error: error ?? (isSilent ? NOBODY_WRITES : null),
        ...(whatToDo === undefined ? {} : { whatToDo }),
      },
    };
  });
}

const NOBODY_WRITES =
  'no process writes the read models, which show what was recorded before: start one with the role `projector`, or look into `/ready` of the one that has it';
