/** The work of a term: begun with it, and stopped with it. Its failures are shown in the status. */
import type { Logger } from '../ports/logger.ts';
import type { HeldWork, KeeperOptions } from './lease-keeper.ts';
import type { createLeaseStatus } from './lease-status.ts';
import type { LeaseTerm } from './lease-term.ts';

export interface LeaseWork<Work extends HeldWork> {
  /** Undefined unless it runs. */
  current(): Work | undefined;
  /** Resolves when it has stopped: `true` if it could not begin, or has ended before its term, so that others should try. */
  during(term: LeaseTerm): Promise<boolean>;
}

export function createLeaseWork<Work extends HeldWork>({
  name,
  start,
  status,
  logger,
}: Pick<KeeperOptions<Work>, 'name' | 'start'> & {
  readonly status: Pick<ReturnType<typeof createLeaseStatus>, 'become' | 'trouble'>;
  readonly logger: Logger;
}): LeaseWork<Work> {
  let work: Work | undefined;

  async function begin(term: LeaseTerm): Promise<Work | undefined> {
    try {
      const begun = await start(term);
      status.trouble('work', undefined);
      return begun;
    } catch (error) {
      status.trouble('work', error);
      return undefined;
    }
  }

  async function end(running: Work): Promise<void> {
    try {
      await running.stop();
    } catch (error) {
      // The fences hold, whatever the work still does.
      status.trouble('work', error);
    }
  }

  return {
    current: () => work,
    async during(term) {
      const begun = term.signal.aborted ? undefined : await begin(term);
      if (begun === undefined) return true;
      work = begun;
      status.become('held');
      const ended = begun.ended?.then(() => true) ?? new Promise<never>(() => undefined);
      const leavesToOthers = await Promise.race([aborted(term.signal).then(() => false), ended]);
      if (leavesToOthers) logger.warn({ name, term: term.number }, 'work ended, role given up');
      else if (!term.isHeld()) logger.warn({ name, term: term.number }, 'lease lost');
      status.become('stopping');
      work = undefined;
      await end(begun);
      return leavesToOthers;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
