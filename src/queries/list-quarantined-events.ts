/** The events that every reader skips: by whom they were quarantined, and why. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { rejection } from '../streams/rejections.ts';
import { QuarantinedEventView } from '../views/quarantined-event.ts';
import { PageQuery, Pagination, paginationOf, stretchOf } from './pages.ts';

interface QuarantinedServices {
  readonly events: { readonly reader: Pick<EventReader, 'quarantined' | 'refresh'> };
}

export const listQuarantinedEvents = queriesFor<QuarantinedServices>()({
  name: 'ListQuarantinedEvents',
  beyondDocuments: true,
  summary: 'List quarantined events',
  description: 'Newest first.',
  route: { method: 'GET', url: '/operator/events/quarantined', auth: 'operator', limit: 'operator' },
  input: { query: Type.Object(PageQuery, { additionalProperties: false }) },
  output: Type.Object({ events: Type.Array(QuarantinedEventView), pagination: Pagination }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { events } }) {
    await events.reader.refresh().catch((cause: unknown) => {
      throw rejection('STORE_UNAVAILABLE', 'The event store does not answer; try again.', {
        retryAfterSeconds: 2,
        cause,
      });
    });
    const all = events.reader.quarantined().toReversed();
    const { offset, limit } = stretchOf(query);
    return { events: all.slice(offset, offset + limit), pagination: paginationOf(query, all.length) };
  },
});
