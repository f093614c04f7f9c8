/** View of a quarantined event for operators. */
import { Type } from '@sinclair/typebox';
import { Timestamp } from '../streams/value-types.ts';

/** Location of an event and the reason why it cannot be decoded. */
export const undecodableFields = {
  eventId: Type.String({ examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] }),
  stream: Type.String({ examples: ['token-3f2b9a54-54a7-5b0c-9d62-0d6c7f6f2a01'] }),
  revision: Type.Integer({ minimum: 0, examples: [3] }),
  position: Type.String({ examples: ['00000000000000004711'] }),
  eventType: Type.String({ examples: ['TokenPainted'] }),
  problem: Type.String({
    description: 'Reason why the event cannot be decoded.',
    examples: ['the stream "token" has no event "TokenPainted"'],
  }),
};

export const QuarantinedEventView = Type.Object({
  ...undecodableFields,
  reason: Type.String({ examples: ['Written by a script; the token is not affected.'] }),
  by: Type.String({ description: 'Name of the operator.', examples: ['alice'] }),
  quarantinedAt: Timestamp,
});
