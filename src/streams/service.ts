/**
 * The service's own stream: the seed and the chain with which this log was begun. Its first event is the log's first.
 */
import { Type } from '@sinclair/typebox';
import { FORMAT, OtherFormat } from '../kernel/ports/errors.ts';
import type { RecordedEvent } from '../kernel/ports/event-store.ts';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

const serviceEvents = {
  ServiceInitialized: Type.Object({
    /** Format of the whole log. */
    format: Type.Integer({ minimum: 1 }),
    /** Distinguishes seeds without revealing anything about them. */
    seedFingerprint: Type.String({ minLength: 16 }),
    genesisHash: Type.String({ minLength: 32 }),
  }),
};

export const { ServiceInitialized } = constructorsOf(serviceEvents);

export type ServiceState =
  | { readonly format: number; readonly seedFingerprint: string; readonly genesisHash: string }
  | undefined;

export const SERVICE_STREAM = 'service-levy';

/**
 * Rejects with `OtherFormat` where the service began the log in a format that this build cannot read. Decodes nothing.
 *
 * @param events of the log, or of the service's own stream, from their beginning
 */
export async function requireFormat(events: AsyncIterable<RecordedEvent>): Promise<void> {
  for await (const { stream, data } of events) {
    if (stream === SERVICE_STREAM && data.format !== FORMAT)
      throw new OtherFormat('The event log', data.format);
    return;
  }
}

export const service = defineStream({
  category: 'service',
  events: serviceEvents,
  internal: {
    ServiceInitialized: "The log's first event: there is nobody yet to be told.",
  },
  initial: undefined as ServiceState,
  evolve: (_state, event) => event.data,
});
