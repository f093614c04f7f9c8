/** Lists the events that this process could not decode and that are not quarantined. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { Timestamp } from '../streams/value-types.ts';
import { undecodableFields } from '../views/quarantined-event.ts';

interface UndecodableServices {
  readonly events: { readonly reader: Pick<EventReader, 'undecodable'> };
}

export const listUndecodableEvents = queriesFor<UndecodableServices>()({
  name: 'ListUndecodableEvents',
  summary: 'List events that cannot be decoded',
  description:
    'The latest 100 that this process has read since its start; other processes may have read other events.',
  route: { method: 'GET', url: '/operator/events/undecodable', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    events: Type.Array(
      Type.Object({
        ...undecodableFields,
        isNewer: Type.Boolean({
          description:
            'True if a newer release recorded the event; it cannot be quarantined, since that release can decode it.',
          examples: [false],
        }),
        since: Timestamp,
      }),
    ),
  }),
  rejections: [],
  answer: async (_input, { services: { events } }) => ({ events: [...events.reader.undecodable()] }),
});
