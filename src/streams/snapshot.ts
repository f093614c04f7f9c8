/** One stream per stream that grows for ever: its latest state. Only the kernel writes it. */
import type { EventOf } from '../kernel/runtime/define-stream.ts';
import type { snapshotEvents } from '../kernel/runtime/snapshots.ts';

export { snapshot } from '../kernel/runtime/snapshots.ts';
export type SnapshotEvent = EventOf<typeof snapshotEvents>;
