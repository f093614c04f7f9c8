/** Live feed of outcomes as server-sent events. */

import { Type } from '@sinclair/typebox';
import { queriesFor, StreamAnswer, type StreamSink } from '../kernel/runtime/define-query.ts';
import type { Call } from '../kernel/runtime/define-route.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { EVENT_STREAM } from '../server/delivery/feed/frames.ts';
import { type Follower, selectionOf } from '../server/delivery/feed/selection.ts';
import type { AuthServices, DeliveryServices } from '../server/services.ts';
import { PartnerName } from '../streams/partners.ts';
import { Address, described } from '../streams/value-types.ts';
import { requireAddress } from '../views/address-params.ts';
import { TokenReference, tokenIdOf } from '../views/token-access.ts';

type EventServices = DeliveryServices & Pick<AuthServices, 'revocations'> & Pick<RuntimeServices, 'clock'>;

export const streamEvents = queriesFor<EventServices>()({
  name: 'StreamEvents',
  summary: 'Follow events (server-sent events)',
  description: `An endless \`text/event-stream\`. For each event, \`id\` is its position with an identifier of the event store; treat it as opaque. \`event\` is the
type, and \`data\` a CloudEvent in JSON; \`GET /asyncapi.json\` describes the schemas. To resume a lost connection, send \`Last-Event-ID\`, as browsers do automatically: no event
is lost or repeated. Without it, and without \`after\`, the stream starts with the next event.

\`levy.checkpoint\` reports the progress of the stream while it has no other events. A subscriber that is too slow is disconnected, and
can resume.

Anonymous subscribers receive public events only; of a hidden token, they receive only \`tokens.hidden\`. Signed-in subscribers also
receive the outcomes of their own submissions (\`submissions.*\`) until their session ends; \`fetch\` can send the access token, browsers'
\`EventSource\` cannot. With an operator's key, the stream has all events.`,
  route: { method: 'GET', url: '/events', auth: 'optional', operatorsSeeMore: true, resumes: true },
  input: {
    query: Type.Object(
      {
        after: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              'Id of the last received event, a position (`X-Position`), or `start`. `Last-Event-ID` and `lastEventId` take precedence.',
            examples: ['start'],
          }),
        ),
        lastEventId: Type.Optional(
          Type.String({
            maxLength: 64,
            description:
              'Id of the last received event, if the client cannot set `Last-Event-ID`, which takes precedence.',
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
          described(TokenReference, 'Only events of this token: its id, or its mint address.'),
        ),
        creator: Type.Optional(
          Type.String({
            minLength: 32,
            maxLength: 44,
            description: 'Only events of tokens that this wallet created.',
            examples: Address.examples,
          }),
        ),
        partner: Type.Optional(
          described(
            PartnerName,
            "Only public events of tokens whose drafts were requested with this partner's key.",
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.String({ description: 'Endless stream, until either side closes it.' }),
  mediaType: EVENT_STREAM,
  rejections: ['INVALID_ADDRESS', 'STREAMS_EXHAUSTED', 'STORE_UNAVAILABLE'],
  async answer({ query: { after, lastEventId, types, token, creator, partner } }, { services, call }) {
    const { eventFeed } = services;
    if (creator !== undefined) requireAddress('creator', creator);
    const tokenId = token === undefined ? undefined : tokenIdOf(token);
    const selection = selectionOf({ types, tokenId, creator, partner }, followerOf(call));
    // Browsers reconnect to the same URL, so the last event that they received takes precedence over its query.
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

/** Ends the stream when its access token is revoked or expires. */
function endWithSession(
  sink: StreamSink,
  { tokenId = '', tokenExpiresAt = '' }: Call,
  { eventFeed, revocations, clock }: EventServices,
): void {
  const checking = setInterval(async () => {
    const isOver = clock.now().toISOString() >= tokenExpiresAt;
    // A failed check can be ignored: without the log, the stream receives no events either.
    if (isOver || (await revocations.has(tokenId).catch(() => false))) sink.end();
  }, eventFeed.heartbeat);
  checking.unref();
  sink.onEnd(() => clearInterval(checking));
}
