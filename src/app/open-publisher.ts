/** Opens the publisher to the bus, if one is configured. */

import type { Publisher } from '../kernel/ports/publisher.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { outcomes } from '../outcomes/index.ts';
import { adapterFor } from './adapters.ts';

/** Undefined if nothing is published. It connects only when publishing starts. */
export async function openPublisher(configuration: Configuration): Promise<Publisher | undefined> {
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
