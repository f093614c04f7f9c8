/** Returns recorded events of the log for operators, selected by stream, category, type, correlation and time. */

import { type Static, Type } from '@sinclair/typebox';
import type { EventStore, RecordedEvent } from '../kernel/ports/event-store.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { invalidFieldRejection } from '../streams/rejections.ts';
import { described, orNull } from '../streams/value-types.ts';
import { chunksOfLog, chunksOfStream, type LogFilter, MAX_SCANNED, searchLog, timeOf } from './log-search.ts';
import { CursorQuery, OrderQuery } from './pages.ts';
import { RecordedEventLine, StreamName } from './read-log.ts';
import { parseTimeOrAge, TimeOrAge } from './time-filters.ts';

type EventServices = Pick<RuntimeServices, 'clock'> & {
  readonly eventStore: Pick<EventStore, 'read' | 'readBackwards' | 'readWindow'>;
};

const Event = Type.Object(RecordedEventLine.properties);
/** Cursor within a stream; a cursor of the whole log is longer. */
const REVISION = /^\d{1,15}$/;

const Cursor = orNull(Type.String(), { examples: ['00000000000000004711'] });

export const listEvents = queriesFor<EventServices>()({
  name: 'ListEvents',
  summary: 'Find events of the log',
  description:
    'The matching events as recorded, including private data. One call reads at most ' +
    `${MAX_SCANNED} events, matching or not. If \`next\` is not null, more events remain, even if none were found; send it as \`after\`. ` +
    '`reached` is the last event that the call read. An event without a readable time counts with the time of the event read before it.',
  route: { method: 'GET', url: '/operator/events', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        stream: Type.Optional(described(StreamName, 'Only the events of this stream.')),
        category: Type.Optional(
          Type.String({
            maxLength: 100,
            pattern: '^[^$\\s-]+$',
            description: 'Only streams of this category: the part of the name before the first hyphen.',
            examples: ['token'],
          }),
        ),
        type: Type.Optional(
          Type.String({ maxLength: 200, pattern: '^[^$\\s]+$', examples: ['TokenHidden'] }),
        ),
        hide: Type.Optional(
          Type.String({
            maxLength: 1_000,
            pattern: '^[^$\\s,]+(?:,[^$\\s,]+)*$',
            description: 'Types to exclude, separated by commas.',
            examples: ['SnapshotTaken,CheckpointClaimed'],
          }),
        ),
        correlationId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Id of a request; returns the events that it caused, in all streams.',
            examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'],
          }),
        ),
        since: Type.Optional(TimeOrAge('Earliest time, inclusive.')),
        until: Type.Optional(TimeOrAge('Latest time, inclusive.')),
        order: OrderQuery('newest'),
        limit: CursorQuery.limit,
        after: Type.Optional(
          Type.String({ maxLength: 64, description: '`next` of the previous call, with the same filters.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    events: Type.Array(Event),
    next: Cursor,
    scannedCount: Type.Integer({
      minimum: 0,
      description: 'Number of events that this call read.',
      examples: [MAX_SCANNED],
    }),
    reached: orNull(
      Type.Object({
        position: Event.properties.position,
        time: orNull(Type.String(), {
          description: 'Null if the metadata have no readable time.',
          examples: ['2026-05-04T10:00:00.000Z'],
        }),
      }),
      { description: 'Last event that this call read; null if it read none.' },
    ),
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { eventStore, clock } }) {
    const { stream, order = 'newest', limit = 20, after } = query;
    const filter = filterOf(query, clock.now());
    const pieces =
      stream === undefined
        ? chunksOfLog(eventStore, order, after)
        : chunksOfStream(eventStore, stream, order, after === undefined ? undefined : revisionIn(after));
    const cursorOf = ({ position, revision }: RecordedEvent) =>
      stream === undefined ? position : String(revision);
    try {
      const { events, next, scanned, last } = await searchLog(pieces, filter, { order, limit, cursorOf });
      return {
        events: events.map(shown),
        next,
        scannedCount: scanned,
        reached: last === undefined ? null : { position: last.position, time: timeOf(last) ?? null },
      };
    } catch (error) {
      if (!(error instanceof TypeError)) throw storeUnavailableRejection(error);
      throw after === undefined ? error : unknownCursor();
    }
  },
});

function filterOf(asked: LogFilter, now: Date): LogFilter {
  const { category, type, hide, correlationId } = asked;
  const timeIn = (bound: 'since' | 'until') => {
    const text = asked[bound];
    return text === undefined ? undefined : parseTimeOrAge(bound, text, now);
  };
  const since = timeIn('since');
  const until = timeIn('until');
  if (since !== undefined && until !== undefined && since > until)
    throw invalidFieldRejection('since', 'must not be later than `until`', 'since is later than until.');
  return { category, type, hide, correlationId, since, until };
}

function revisionIn(after: string): number {
  if (!REVISION.test(after)) throw unknownCursor();
  return Number(after);
}

/** Removes the raw bytes of unreadable events. */
function shown({ raw: _raw, ...event }: RecordedEvent): Static<typeof Event> {
  return event;
}

function unknownCursor(): Rejection {
  const rule = 'must be `next` of the previous call';
  return invalidFieldRejection('after', rule, 'Unknown cursor. Start the search again.');
}
