/** Publishes the log's outcomes on the bus, if there is one, in the process that holds the role. */
import type { Publisher } from '../kernel/ports/publisher.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { placeOf, type Watched, watched } from '../operations/readiness.ts';
import { outcomes } from '../outcomes/index.ts';
import { type Publishing, startPublishing } from '../server/delivery/publishing/start-publishing.ts';
import { adapterFor } from './adapters.ts';
import type { Foundation } from './foundation.ts';
import type { Singleton } from './singletons.ts';

export interface PublishingRole {
  /** `running` is the publishing in this process now, if it holds the role. */
  readonly measured: Pick<Publisher, 'status'> & { readonly running: Singleton<Publishing>['work'] };
  readonly watched: Watched;
}

/** Undefined if nothing is published. */
export async function startPublishingRole(foundation: Foundation): Promise<PublishingRole | undefined> {
  const publisher = await openPublisher(foundation.configuration);
  if (publisher === undefined) return undefined;
  // Each sequence of the bus takes one message, so a publisher whose term has ended does no harm.
  const role = await foundation.singletons.run('publisher', async () =>
    startPublishing({ ...foundation, publisher, logger: foundation.logger.child({ part: 'publisher' }) }),
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
  const { state, position, error, blockedBy } = running.status();
  return {
    ok: error === undefined && state !== 'failed',
    details: {
      state,
      isConnected: publisher.status().isConnected,
      position: position ?? null,
      error: error ?? null,
      ...placeOf(blockedBy),
    },
  };
}

/** Undefined if nothing is published. It connects only when publishing starts. */
async function openPublisher(configuration: Configuration): Promise<Publisher | undefined> {
  const { publisher } = configuration;
  if (publisher === undefined) return undefined;
  return adapterFor('publisher', publisher.url).open({
    url: publisher.url,
    stream: configuration.publisherStream,
    subjectPrefix: configuration.publisherSubjectPrefix,
    groups: [...new Set(outcomes.map(({ name }) => name.replace(/\..*$/, '')))],
    replicas: replicasFor(publisher.url),
    credentialsFile: configuration.publisherCredentialsFile,
    caFile: configuration.caFile,
  });
}

/** Three replicas survive the loss of one; two are no safer than one. `urls` are separated by commas. */
export function replicasFor(urls: string): number {
  return urls.split(',').length < 3 ? 1 : 3;
}
