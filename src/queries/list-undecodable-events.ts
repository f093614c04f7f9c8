/** The events that this process could not decode and nobody has quarantined. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { Timestamp } from '../streams/values.ts';
import { undecodableFields } from '../views/quarantined-event.ts';

interface UndecodableServices {
  readonly events: { readonly reader: Pick<EventReader, 'undecodable'> };
}

export const listUndecodableEvents = queriesFor<UndecodableServices>()({
  name: 'ListUndecodableEvents',
  summary: 'List events that cannot be decoded',
  description:
    'Events that this process has read since its start, the latest 100; other processes may have read others.',
  route: { method: 'GET', url: '/operator/events/undecodable', auth: 'operator', limit: 'operator' },
  input: {},
  output: Type.Object({
    events: Type.Array(
      Type.Object({
        ...undecodableFields,
        isNewer: Type.Boolean({
          description: 'A newer release recorded it and can decode it, so it cannot be quarantined.',
          examples: [false],
        }),
        since: Timestamp,
      }),
    ),
  }),
  rejections: [],
  answer: async (_input, { services: { events } }) => ({ events: [...events.reader.undecodable()] }),
});
