/** The service's own stream: the seed and the chain with which the log was started. Contains the log's first event. */
import { Type } from '@sinclair/typebox';
import { FORMAT, OtherFormat } from '../kernel/ports/errors.ts';
import type { RecordedEvent } from '../kernel/ports/event-store.ts';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

const serviceEvents = {
  ServiceInitialized: Type.Object({
    /** Format of the whole log. */
    format: Type.Integer({ minimum: 1 }),
    /** Identifies the seed without revealing it. */
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
 * Rejects with `OtherFormat` if the log was started in a format that this build cannot read. Decodes nothing.
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
    ServiceInitialized: "The log's first event; it has no subscribers yet.",
  },
  initial: undefined as ServiceState,
  evolve: (_state, event) => event.data,
});
