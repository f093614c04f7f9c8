/**
 * The one stream of what operators asked to be rebuilt of the read models that several processes share: the process that
 * writes them reads it, and needs no connection to the one that was asked.
 */
import { Type } from '@sinclair/typebox';
import { constructorsOf, defineStream } from '../kernel/runtime/define-stream.ts';

const readModelRebuildsEvents = {
  ReadModelRebuildRequested: Type.Object({
    /** The name of the read model. */
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
    ReadModelRebuildRequested:
      "How read models are kept is the operator's affair: no document comes out differently.",
  },
  /** Number of requests. */
  initial: 0,
  evolve: (requests, _event) => requests + 1,
});

/** The id of the only stream. */
export const READ_MODEL_REBUILDS_ID = 'all';
export const READ_MODEL_REBUILDS_STREAM = `${readModelRebuilds.category}-${READ_MODEL_REBUILDS_ID}`;
