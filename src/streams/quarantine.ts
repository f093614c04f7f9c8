/** One stream that lists the events that operators have quarantined. The kernel reads it for every reader of the log. */
import type { EventOf } from '../runtime/define-stream.ts';
import type { quarantineEvents } from '../runtime/quarantine.ts';

export { EventQuarantined, quarantine } from '../runtime/quarantine.ts';
export type QuarantineEvent = EventOf<typeof quarantineEvents>;
