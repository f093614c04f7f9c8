/** Stops what cannot go on: a target that fails, one that waits at an event, and a projector that has been replaced. */
import { WriterReplaced } from '../ports/shared-read-model.ts';
import { detailsOf, type EventUndecodable } from './event-codec.ts';
import { messageOf } from './message-of.ts';
import type { Target } from './projection-target.ts';
import type { ProjectorOptions, ProjectorWork } from './projector-work.ts';

export interface ProjectionTrouble {
  /** The target is kept up to date no longer, until a restart or a rebuild. */
  fail(target: Target, error: unknown): void;
  /** It waits at the event: what is before it stays shown, and nothing behind it is. */
  block(target: Target, error: EventUndecodable): void;
  unblock(target: Target): void;
  notSaved(target: Target, error: unknown): void;
  /** Whether the error means that another process writes now, which ends all work here. */
  isOver(error: unknown): boolean;
}

export function createProjectionTrouble(
  work: ProjectorWork,
  { shared, logger }: Pick<ProjectorOptions, 'shared' | 'logger'>,
): ProjectionTrouble {
  const { stopping } = work;

  function isOver(error: unknown): boolean {
    if (shared === undefined) return false;
    if (stopping.signal.aborted) return true;
    if (!(error instanceof WriterReplaced)) return false;
    stopping.abort();
    shared.replaced(error);
    return true;
  }

  function notSaved({ projection }: Target, error: unknown): void {
    if (isOver(error)) return;
    logger.warn({ projection: projection.name, error: messageOf(error) }, 'projection checkpoint not saved');
  }

  return {
    isOver,
    notSaved,

    fail(target, error) {
      if (isOver(error)) return;
      target.state = 'failed';
      target.error = messageOf(error);
      const { projection } = target;
      if (!target.retired) {
        logger.warn(
          { projection: projection.name, version: target.generation.version, error: target.error },
          'projection stopped',
        );
      }
      work.changed();
    },

    block(target, { event, message }) {
      target.blockedBy = { event, before: target.blockedBy?.before ?? target.state };
      target.state = 'failed';
      target.error = message;
      const { name: projection } = target.projection;
      logger.warn({ projection, ...detailsOf(event) }, 'projection waits at an event that cannot be decoded');
      work.changed();
    },

    unblock(target) {
      if (target.blockedBy === undefined) return;
      target.state = target.blockedBy.before;
      target.blockedBy = undefined;
      logger.info({ projection: target.projection.name }, 'projection continues');
    },
  };
}
