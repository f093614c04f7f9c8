/**
 * One stream per transparency log: the size and root of each tree before it is signed. The expected revision lets only one of two
 * notaries append, so that all signed trees extend each other. Each event is complete, because older ones may be deleted.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream, type EventOf } from '../kernel/runtime/define-stream.ts';
import { Sha256 } from './distribution.ts';

const checkpointEvents = {
  CheckpointClaimed: Type.Object({
    /** Name of the log. */
    origin: Type.String({ minLength: 1, maxLength: 200, examples: ['levy.example/log'] }),
    /** Number of entries in the tree. */
    size: Type.Integer({ minimum: 1, examples: [417] }),
    root: Sha256,
  }),
};

export type CheckpointEvent = EventOf<typeof checkpointEvents>;

export const { CheckpointClaimed } = constructorsOf(checkpointEvents);

type CheckpointState = CheckpointEvent['data'] | undefined;

export const checkpoint = defineStream({
  category: 'checkpoint',
  events: checkpointEvents,
  internal: { CheckpointClaimed: 'The signed checkpoint is public at `/log/checkpoint`.' },
  initial: undefined as CheckpointState,
  evolve: (_state, event): CheckpointState => event.data,
});
