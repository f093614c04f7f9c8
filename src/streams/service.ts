/**
 * The service's own stream: the seed and the chain with which this log was begun. Its first event is the log's first.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';

export const serviceEvents = {
  ServiceInitialized: Type.Object({
    /** Distinguishes seeds without revealing anything about them. */
    seedFingerprint: Type.String({ minLength: 16 }),
    genesisHash: Type.String({ minLength: 32 }),
  }),
};

export type ServiceEvent = EventOf<typeof serviceEvents>;

export const { ServiceInitialized } = constructorsOf(serviceEvents);

export type ServiceState = { readonly seedFingerprint: string; readonly genesisHash: string } | undefined;

export const service = defineStream({
  category: 'service',
  events: serviceEvents,
  internal: {
    ServiceInitialized: "The log's first event: there is nobody yet to be told.",
  },
  initial: undefined as ServiceState,
  evolve: (_state, event) => event.data,
});
