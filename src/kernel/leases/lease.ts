/**
 * One stream per role that one process at a time may hold: who holds it. Each event is complete, since older ones may
 * be deleted.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../runtime/define-stream.ts';
import { Uuid } from '../runtime/ids.ts';

const Tenure = Type.Object({
  /** The name of the role. */
  name: Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9-]*$' }),
  /** Identifies one start of a process; a restarted process is another holder. */
  holder: Uuid,
  /** The holder's readable name: its host and process. */
  label: Type.String({ maxLength: 256 }),
  /** Grows by one whenever the lease is taken. */
  term: Type.Integer({ minimum: 1 }),
  /** How long the holder relies on its recorded lease, in milliseconds. */
  ttl: Type.Integer({ minimum: 1 }),
});

export const leaseEvents = {
  LeaseTaken: Tenure,
  LeaseRenewed: Tenure,
  /** The holder has stopped working: the next one need not wait. */
  LeaseReleased: Tenure,
};

export type LeaseEvent = EventOf<typeof leaseEvents>;

export const { LeaseTaken, LeaseRenewed, LeaseReleased } = constructorsOf(leaseEvents);

export type Tenure = LeaseEvent['data'];

export type LeaseState = (Tenure & { readonly isReleased: boolean }) | undefined;

export const lease = defineStream({
  category: 'lease',
  events: leaseEvents,
  internal: {
    LeaseTaken: "Which process does the work is the operator's affair, and is told by readiness.",
    LeaseRenewed: 'Nothing happened: who did the work goes on doing it.',
    LeaseReleased: "Which process does the work is the operator's affair, and is told by readiness.",
  },
  initial: undefined as LeaseState,
  evolve: (_state, event): LeaseState => ({ ...event.data, isReleased: event.type === 'LeaseReleased' }),
});
