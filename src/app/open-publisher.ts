/** Makes the way to the bus, where one is configured. */
import type { Configuration } from '../config/configuration.ts';
import { outcomes } from '../outcomes/index.ts';
import type { Publisher } from '../ports/publisher.ts';

/** Undefined where nothing is published. It connects when publishing starts, not before. */
export async function openPublisher(
  configuration: Pick<
    Configuration,
    | 'publisher'
    | 'publisherStream'
    | 'publisherSubjectPrefix'
    | 'publisherReplicas'
    | 'publisherCredentialsFile'
    | 'publisherCaFile'
  >,
): Promise<Publisher | undefined> {
  const { publisher: address } = configuration;
  if (address === undefined) return undefined;
  // Few need the library.
  const { createNatsPublisher } = await import('../adapters/nats/publisher.ts');
  return createNatsPublisher({
    address,
    stream: configuration.publisherStream,
    subjectPrefix: configuration.publisherSubjectPrefix,
    groups: [...new Set(outcomes.map(({ name }) => name.replace(/\..*$/, '')))],
    replicas: configuration.publisherReplicas,
    credentialsFile: configuration.publisherCredentialsFile,
    caFile: configuration.publisherCaFile,
  });
}
