/** Returns the log as recorded, page by page, for programs of the operator: replay, audit and copies. */

import { Type } from '@sinclair/typebox';
import { type EventStore, type Position, type RecordedEvent, START } from '../kernel/ports/event-store.ts';
import { ChunkedAnswer, queriesFor } from '../kernel/runtime/define-query.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import { readLog } from '../kernel/runtime/read-log.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import { described } from '../streams/value-types.ts';

interface LogServices {
  readonly eventStore: Pick<EventStore, 'head' | 'subscribe' | 'read'>;
}

const NDJSON = 'application/x-ndjson';
const POSITION = /^[\w.:-]{1,64}$/;
/** Characters per chunk of the response; smaller chunks would have more overhead than content. */
const CHUNK = 16_384;

export const StreamName = Type.String({
  maxLength: 300,
  pattern: '^[^$\\s-]+-[^$\\s]+$',
  examples: ['token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01'],
});

export const RecordedEventLine = Type.Object(
  {
    id: Type.String({ examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] }),
    type: Type.String({ examples: ['TokenHidden'] }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Recorded event, in the schema version of its metadata.',
      examples: [{ tokenId: '3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01', reason: 'Impersonates another token.' }],
    }),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ occurredAt: '2026-05-04T10:00:00.000Z', actor: 'operator:alice', schemaVersion: 1 }],
    }),
    stream: Type.String({ examples: ['token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01'] }),
    revision: Type.Integer({
      minimum: 0,
      description: 'Index in its stream, from 0.',
      examples: [3],
    }),
    position: Type.String({
      description: 'Position in the log; send it as `after` of the next page.',
      examples: ['00000000000000004711'],
    }),
    unreadable: Type.Optional(
      Type.String({
        description: 'Reason why data or metadata are not JSON objects; both are then empty.',
        examples: ['its data are not JSON'],
      }),
    ),
  },
  { description: 'One line per event: a JSON object of this form and a line feed.' },
);

export const readLogPage = queriesFor<LogServices>()({
  name: 'ReadLog',
  summary: 'Read the log',
  description:
    'All recorded events in the order of their positions, as lines of JSON, including private ' +
    'data. A page with fewer than `limit` lines has reached the end. A truncated response is an ' +
    'error; continue after its last complete line.',
  route: { method: 'GET', url: '/operator/log', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'Exclusive `position`; from the beginning if absent.',
            examples: ['00000000000000000001'],
          }),
        ),
        stream: Type.Optional(
          described(StreamName, 'Only the events of this stream, by revision; excludes `after`.'),
        ),
        fromRevision: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'First revision; only with `stream`.',
          }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 })),
      },
      { additionalProperties: false },
    ),
  },
  output: RecordedEventLine,
  mediaType: NDJSON,
  rejections: ['STORE_UNAVAILABLE'],
  async answer(
    { query: { after = START, stream, fromRevision, limit = 1_000 } },
    { services: { eventStore } },
  ) {
    if (stream === undefined) {
      if (fromRevision !== undefined) throw onlyTogetherRejection('fromRevision', 'requires `stream`');
      await requirePosition(eventStore, after);
    } else if (after !== START) {
      throw onlyTogetherRejection('after', 'cannot be combined with `stream`; send `fromRevision`');
    }
    const events =
      stream === undefined ? readLog(eventStore, { after }) : eventStore.read(stream, fromRevision ?? 0);
    return new ChunkedAnswer(NDJSON, linesOf(events, limit));
  },
});

/** Rejects with `VALIDATION_FAILED` for a position that is not in this log, and with `STORE_UNAVAILABLE` if the store fails. */
async function requirePosition(store: LogServices['eventStore'], after: Position): Promise<void> {
  const asking = new AbortController();
  try {
    const head = await store.head();
    if (after === START) return;
    if (!POSITION.test(after) || after > head) throw unknownPositionRejection();
    for await (const _message of store.subscribe({ after, signal: asking.signal })) return;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    if (error instanceof TypeError) throw unknownPositionRejection();
    throw storeUnavailableRejection(error);
  } finally {
    asking.abort();
  }
}

async function* linesOf(events: AsyncIterable<RecordedEvent>, limit: number): AsyncGenerator<string, void> {
  let lines = 0;
  let piece = '';
  for await (const event of events) {
    piece += `${JSON.stringify(event)}\n`;
    lines += 1;
    if (piece.length >= CHUNK) {
      yield piece;
      piece = '';
    }
    if (lines === limit) break;
  }
  if (piece !== '') yield piece;
}

function unknownPositionRejection(): Rejection {
  return invalidFieldRejection(
    'after',
    'must be the position of an event of this log',
    'This position is not in this log. Send the position of an event of this log, or omit it to read from the beginning.',
  );
}

function onlyTogetherRejection(parameter: string, reason: string): Rejection {
  return invalidFieldRejection(parameter, reason, `${parameter} ${reason}.`);
}
