/** The live feed of outcomes as server-sent events. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { StreamAnswer } from '../kernel/runtime/stream-answer.ts';
import { selectionOf } from '../server/delivery/feed/selection.ts';
import { EVENT_STREAM } from '../server/delivery/feed/server-sent-events.ts';
import type { DeliveryServices } from '../server/delivery/services.ts';

export const streamEvents = queriesFor<DeliveryServices>()({
  name: 'StreamEvents',
  beyondDocuments: true,
  summary: 'Follow what happens (server-sent events)',
  description: `An endless \`text/event-stream\`. Of each event \`id\` is its position with a mark of the store, \`event\` its type and \`data\` a CloudEvent in JSON; the
forms are in \`GET /asyncapi.json\`. After a lost connection go on with \`Last-Event-ID\`, as browsers do by themselves: nothing is
lost and nothing comes twice. Without it, and without \`after\`, the stream begins with what comes next.

\`levy.checkpoint\` says how far the stream has come where nothing else does. A subscriber that is too slow is cut off, and
goes on where it was when it comes back.

The public is told public facts only, and nothing of a token that is hidden now but that it is (\`tokens.hidden\`). With an
operator's key everything is told.`,
  route: { method: 'GET', url: '/events', auth: 'none', operatorsSeeMore: true, resumes: true },
  input: {
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'The id of the event to go on after, or `start`. `Last-Event-ID` counts before it.',
            examples: ['start'],
          }),
        ),
        types: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description:
              'Which events, separated by commas: names (`tokens.created`), families (`tokens.*`).',
            examples: ['tokens.*,launches.completed'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.String({ description: 'The stream, for as long as both sides like.' }),
  mediaType: EVENT_STREAM,
  headers: ['Cache-Control'],
  rejections: ['STREAMS_EXHAUSTED', 'STORE_UNAVAILABLE'],
  async answer({ query: { after, types } }, { services: { eventFeed }, call: { actor, lastEventId } }) {
    const selection = selectionOf(types, actor.startsWith('operator:') ? 'operators' : 'public');
    // Browsers reconnect to the same address: the last event they received takes precedence over the original request.
    const start = await eventFeed.startAt(lastEventId || after);
    return new StreamAnswer(EVENT_STREAM, (sink) => eventFeed.subscribe(sink, selection, start));
  },
});
