/** Lists the events that all readers skip, with the operator who quarantined each and the reason. */

import { Type } from '@sinclair/typebox';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import { QuarantinedEventView } from '../views/quarantined-event.ts';
import {
  cutPage,
  numberedPages,
  Pagination,
  paginationOf,
  rangeOf,
  unknownCursorRejection,
} from './pages.ts';

const { examples } = QuarantinedEventView.properties.eventId;

const pages = numberedPages(Type.String({ minLength: 1, maxLength: 100, examples }));

interface QuarantinedServices {
  readonly events: { readonly reader: Pick<EventReader, 'quarantined' | 'refresh'> };
}

export const listQuarantinedEvents = queriesFor<QuarantinedServices>()({
  name: 'ListQuarantinedEvents',
  summary: 'List quarantined events',
  description: 'Newest first.',
  route: { method: 'GET', url: '/operator/events/quarantined', auth: 'operator', limit: 'operator' },
  input: { query: Type.Object(pages.query, { additionalProperties: false }) },
  output: Type.Object({
    events: Type.Array(QuarantinedEventView),
    pagination: Pagination,
    next: pages.next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { events } }) {
    await events.reader.refresh().catch((cause: unknown) => {
      throw storeUnavailableRejection(cause);
    });
    const all = events.reader.quarantined().toReversed();
    const { offset, limit } = rangeOf(query);
    const last = all.findIndex(({ eventId }) => eventId === query.after);
    if (query.after !== undefined && last < 0) throw unknownCursorRejection('event');
    const { shown, next } = cutPage(all.slice(last + 1 + offset), limit, ({ eventId }) => eventId);
    return { events: [...shown], pagination: paginationOf(query, all.length), next };
  },
});
