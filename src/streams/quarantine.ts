/** One stream that lists the events that operators have quarantined. The kernel reads it for every reader of the log. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { quarantineEvents } from '../kernel/runtime/quarantine.ts';

export { EventQuarantined, quarantine } from '../kernel/runtime/quarantine.ts';
export type QuarantineEvent = EventOf<typeof quarantineEvents>;
