/** The live feed of outcomes as server-sent events. */

import { Type } from '@sinclair/typebox';
import { queriesFor, StreamAnswer, type StreamSink } from '../kernel/runtime/define-query.ts';
import type { Call } from '../kernel/runtime/define-route.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { EVENT_STREAM } from '../server/delivery/feed/frames.ts';
import { type Follower, selectionOf } from '../server/delivery/feed/selection.ts';
import type { AuthServices, DeliveryServices } from '../server/services.ts';
import { Address, described } from '../streams/values.ts';
import { requireAddress } from '../views/addresses.ts';
import { TokenReference, tokenIdOf } from '../views/token-access.ts';

type EventServices = DeliveryServices & Pick<AuthServices, 'revocations'> & Pick<RuntimeServices, 'clock'>;

export const streamEvents = queriesFor<EventServices>()({
  name: 'StreamEvents',
  summary: 'Follow events (server-sent events)',
  description: `An endless \`text/event-stream\`. Of each event \`id\` is its position with a mark of the store, \`event\` its type and \`data\` a CloudEvent in JSON; the
forms are in \`GET /asyncapi.json\`. After a lost connection go on with \`Last-Event-ID\`, as browsers do by themselves: nothing is
lost and nothing comes twice. Without it, and without \`after\`, the stream begins with what comes next.

\`levy.checkpoint\` says how far the stream has come where nothing else does. A subscriber that is too slow is cut off, and
goes on where it was when it comes back.

The public is told public facts only, and nothing of a token that is hidden now but that it is (\`tokens.hidden\`). Who is signed in
is told what becomes of their own submissions too (\`submissions.*\`), until the session ends; browsers' \`EventSource\` cannot sign in,
\`fetch\` can. With an operator's key everything is told.`,
  route: { method: 'GET', url: '/events', auth: 'optional', operatorsSeeMore: true, resumes: true },
  input: {
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              'The id of the event to go on after, a position (`X-Position`), or `start`. `Last-Event-ID` and `lastEventId` count before it.',
            examples: ['start'],
          }),
        ),
        lastEventId: Type.Optional(
          Type.String({
            maxLength: 64,
            description: 'For clients that cannot set `Last-Event-ID`, which has precedence.',
            examples: ['00000000000000000001'],
          }),
        ),
        types: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description: 'Names (`tokens.created`) and families (`tokens.*`) of events, separated by commas.',
            examples: ['tokens.*,launches.completed'],
          }),
        ),
        token: Type.Optional(
          described(TokenReference, 'Only what is about this token: its id, or its mint address.'),
        ),
        creator: Type.Optional(
          Type.String({
            minLength: 32,
            maxLength: 44,
            description: 'Only what is about tokens that this wallet created.',
            examples: Address.examples,
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.String({ description: 'The stream, for as long as both sides like.' }),
  mediaType: EVENT_STREAM,
  rejections: ['INVALID_ADDRESS', 'STREAMS_EXHAUSTED', 'STORE_UNAVAILABLE'],
  async answer({ query: { after, lastEventId, types, token, creator } }, { services, call }) {
    const { eventFeed } = services;
    if (creator !== undefined) requireAddress('creator', creator);
    const tokenId = token === undefined ? undefined : tokenIdOf(token);
    const selection = selectionOf({ types, tokenId, creator }, followerOf(call));
    // Browsers reconnect to the same address: the last event they received takes precedence over the original request.
    const start = await eventFeed.startAt(call.lastEventId || lastEventId || after);
    return new StreamAnswer(EVENT_STREAM, (sink) => {
      eventFeed.subscribe(sink, selection, start, call.partner ?? call.network ?? call.actor);
      if (call.tokenId !== undefined) endWithSession(sink, call, services);
    });
  },
});

function followerOf({ actor, tokenId }: Call): Follower {
  if (actor.startsWith('operator:')) return { audience: 'operators' };
  return tokenId === undefined ? { audience: 'public' } : { audience: 'public', wallet: actor };
}

/** A stream must not outlast the access token that opened it: signing out, or its end, ends the stream. */
function endWithSession(
  sink: StreamSink,
  { tokenId = '', tokenExpiresAt = '' }: Call,
  { eventFeed, revocations, clock }: EventServices,
): void {
  const looking = setInterval(async () => {
    const isOver = clock.now().toISOString() >= tokenExpiresAt;
    // While the log does not answer, nothing comes either.
    if (isOver || (await revocations.has(tokenId).catch(() => false))) sink.end();
  }, eventFeed.heartbeat);
  looking.unref();
  sink.onEnd(() => clearInterval(looking));
}
