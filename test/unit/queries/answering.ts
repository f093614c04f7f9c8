// Queries over real read models that were filled from given events.

import type { AnyQuery } from '../../../src/kernel/runtime/define-query.ts';
import type { Call } from '../../../src/kernel/runtime/define-route.ts';
import { projections } from '../../../src/projections/index.ts';
import type { QueryServices } from '../../../src/queries/index.ts';
import { openProjecting, untilAllLive } from '../../support/projecting.ts';
import { appendRecorded, type Happening, storedEvents } from '../../support/recorded-events.ts';

export interface Asked {
  readonly params?: { readonly [name: string]: unknown };
  readonly query?: { readonly [name: string]: unknown };
  readonly actor?: string;
  /** ISO 8601. */
  readonly now?: string;
  /** What the query needs besides the read model and the clock. */
  readonly services?: Partial<QueryServices>;
}

/** Asks a query after these things have happened. Only what queries read is there of the services. */
export async function answering(happenings: readonly Happening[]) {
  const projecting = openProjecting({ isAwaited: true, projections });
  await projecting.projector.start();
  await untilAllLive(projecting);
  await appendRecorded(projecting.store, storedEvents(happenings));
  return async (query: AnyQuery<QueryServices>, asked: Asked = {}): Promise<unknown> => {
    const { params = {}, query: search = {}, actor = 'anonymous', now = '2026-05-04T10:00:00.000Z' } = asked;
    const services = {
      readModel: projecting.readModel,
      clock: { now: () => new Date(now) },
      ...asked.services,
    };
    const call: Call = { actor, requestId: 'request' };
    return query.run(
      { params, query: search, body: undefined },
      { services: services as unknown as QueryServices, call },
    );
  };
}
