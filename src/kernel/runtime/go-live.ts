/** Has queries read the documents of a target that has caught up, and removes those that they read until then. */
import { StoreUnavailable } from '../ports/errors.ts';
import type { Kept } from './kept-projection.ts';
import { messageOf } from './message-of.ts';
import { checkpointOf, type Target } from './projection-target.ts';
import type { ProjectionTrouble } from './projection-trouble.ts';
import type { ProjectorOptions, ProjectorWork } from './projector-work.ts';
import { retry } from './retry.ts';

/** Between two tries to make a generation live, while the read model does not answer. Milliseconds. */
const GO_LIVE_PAUSES = [20, 100, 500, 2_000];

/** A former generation is not waited for longer than this. Milliseconds. */
const FORMER_PATIENCE = 5_000;

/** Begins it; a target that is going live already only goes on. */
export function createGoLive(
  work: ProjectorWork,
  { readModel, shared }: Pick<ProjectorOptions, 'readModel' | 'shared'>,
  trouble: Pick<ProjectionTrouble, 'fail'>,
): (target: Target) => void {
  const { signal } = work.stopping;

  async function replaceFormer(kept: Kept, target: Target): Promise<void> {
    // Its documents are removed as the new ones go live; nothing may be written to them any more.
    const { former } = kept;
    if (shared !== undefined && former !== undefined) {
      former.retired = true;
      // Other processes notice later, and must not see what they have seen vanish.
      const isReady = () => signal.aborted || target.position >= former.position;
      await work.condition.until(isReady, FORMER_PATIENCE);
    }
    await whileUnavailable(target, async () => {
      await readModel.commit([checkpointOf(target, target.position)]);
      if (kept.former !== undefined) kept.former.retired = true;
      await readModel.goLive(target.projection);
    });
    target.isServed = true;
    kept.former = undefined;
    // An append may have stopped it meanwhile; then it stays stopped.
    if (target.state === 'building') target.state = 'live';
    work.changed();
  }

  /** Tries again until the read model answers or this projector is stopped. */
  function whileUnavailable(target: Target, attempt: () => Promise<void>): Promise<void> {
    return retry(attempt, {
      pauses: GO_LIVE_PAUSES,
      signal,
      failed(error) {
        if (shared === undefined || !(error instanceof StoreUnavailable)) throw error;
        target.error = messageOf(error);
      },
    });
  }

  return (target) => {
    const kept = work.all.find(({ own }) => own === target);
    if (kept === undefined) {
      // A former one is read already.
      if (target.state === 'building') target.state = 'live';
      work.changed();
      return;
    }
    // The subscription reports on while this is under way.
    if (target.isGoingLive) return;
    target.isGoingLive = true;
    work.begin(
      replaceFormer(kept, target).catch((error: unknown) => {
        if (kept.former?.retired) kept.former = undefined;
        trouble.fail(target, error);
      }),
    );
  };
}
