/**
 * Singleton stream of operators' requests to rebuild read models that several processes share. The process that writes the read
 * models reads it, so no connection to the process that received the request is needed.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

const readModelRebuildsEvents = {
  ReadModelRebuildRequested: Type.Object({
    /** Name of the read model. */
    name: Type.String({ minLength: 1, maxLength: 64 }),
    /** Operator who requested the rebuild. */
    by: Type.String({ minLength: 1, maxLength: 256 }),
  }),
};

export const { ReadModelRebuildRequested } = constructorsOf(readModelRebuildsEvents);

export const readModelRebuilds = defineStream({
  category: 'rebuilds',
  events: readModelRebuildsEvents,
  internal: {
    ReadModelRebuildRequested: 'A rebuild changes no document.',
  },
  initial: 0,
  evolve: (requests, _event) => requests + 1,
});

/** Id of the singleton stream. */
export const READ_MODEL_REBUILDS_ID = 'all';
export const READ_MODEL_REBUILDS_STREAM = `${readModelRebuilds.category}-${READ_MODEL_REBUILDS_ID}`;
