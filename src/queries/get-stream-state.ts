/** Returns the state of a stream after one of its events, folded as in the service, and the changes. */
import { Type } from '@sinclair/typebox';
import { OperatorError } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { rejection } from '../streams/rejections.ts';
import { stateOf } from '../streams/stream-state.ts';
import { RecordedEventLine, StreamName } from './read-log.ts';

interface LogServices {
  readonly eventStore: Pick<EventStore, 'read'>;
}

/** Maximum number of events folded per call. */
const MAX_EVENTS = 20_000;

const Revision = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [3] });
const Json = (description: string) => Type.Unknown({ description, examples: [{ tokenId: '3f2b9a54' }] });

export const getStreamState = queriesFor<LogServices>()({
  name: 'GetStreamState',
  summary: 'Get the state of a stream at one of its events',
  description:
    'The state after the event (the last one unless `revision` is given), folded as in the service. `changes` ' +
    `lists the changes made by the event, or with \`sinceRevision\` since an earlier one. Folds at most ${MAX_EVENTS} ` +
    'events; `levy show` folds any number.',
  route: { method: 'GET', url: '/operator/streams/:stream/state', auth: 'operator', limit: 'operator' },
  input: {
    params: Type.Object({ stream: StreamName }),
    query: Type.Object(
      {
        revision: Type.Optional(Type.Integer({ ...Revision, description: 'Revision of the event.' })),
        sinceRevision: Type.Optional(
          Type.Integer({ ...Revision, description: 'Revision of an earlier event to compare with.' }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    stream: StreamName,
    revision: Revision,
    event: RecordedEventLine,
    isQuarantined: Type.Boolean({
      description: 'True if the event is quarantined and not part of the state.',
    }),
    firstRevision: Type.Integer({
      minimum: 0,
      description: 'Revision of the first retained event; the state does not include earlier ones.',
      examples: [0],
    }),
    state: Json('Null if the stream has no state. Bigints are strings.'),
    changes: Type.Array(
      Type.Object({
        member: Type.String({
          description: 'Path of the member, joined by dots; empty for the whole state.',
          examples: ['hidden.reason'],
        }),
        before: Type.Optional(Json('Absent if the member did not exist.')),
        after: Type.Optional(Json('Absent if the member no longer exists.')),
      }),
    ),
  }),
  rejections: ['EVENT_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer(
    { params: { stream }, query: { revision: at, sinceRevision: since } },
    { services: { eventStore } },
  ) {
    try {
      const log = { stream: (name: string, from?: number) => eventStore.read(name, from) };
      const shown = await stateOf(log, stream, { at, since, most: MAX_EVENTS });
      return { ...shown, changes: shown.changes.map(({ path, ...change }) => ({ member: path, ...change })) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw rejection('EVENT_NOT_FOUND', `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`);
    }
  },
});
