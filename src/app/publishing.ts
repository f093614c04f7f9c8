/** Brings the log's outcomes to the bus, where there is one, in whichever process holds the role. */

import { type Publishing, startPublishing } from '../delivery/publishing/start-publishing.ts';
import { type Watched, watched } from '../operations/readiness.ts';
import type { Publisher } from '../ports/publisher.ts';
import type { Foundation } from './foundation.ts';
import { openPublisher } from './open-publisher.ts';
import type { Singleton } from './singletons.ts';

export interface PublishingRole {
  /** `running` is what runs in this process at present, if it is the one that publishes. */
  readonly measured: Pick<Publisher, 'status'> & { readonly running: Singleton<Publishing>['work'] };
  readonly watched: Watched;
}

/** Undefined where nothing is published. */
export async function startPublishingRole(foundation: Foundation): Promise<PublishingRole | undefined> {
  const publisher = await openPublisher(foundation.configuration);
  if (publisher === undefined) return undefined;
  // Each place on the bus takes one message: a publisher whose term is over does no harm.
  const role = await foundation.singletons.run('publisher', async () =>
    startPublishing({ ...foundation, publisher, report: foundation.reportOf('publisher') }),
  );
  foundation.whenClosing(() => role.stop());
  return {
    measured: { status: publisher.status, running: role.work },
    watched: {
      name: 'publisher',
      async look() {
        const running = role.work();
        return running === undefined ? [] : watched('publisher', () => checkOf(running, publisher)).look();
      },
    },
  };
}

function checkOf(running: Publishing, publisher: { status(): { readonly isConnected: boolean } }) {
  const { state, position, error } = running.status();
  return {
    ok: error === undefined && state !== 'failed',
    details: {
      state,
      isConnected: publisher.status().isConnected,
      position: position ?? null,
      error: error ?? null,
    },
  };
}
