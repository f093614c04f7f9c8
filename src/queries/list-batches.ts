/** Returns the transactions that made the payments of a run, page by page, from the run's events. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventStore, RecordedEvent } from '../kernel/ports/event-store.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import type { EventReader } from '../kernel/runtime/event-reader.ts';
import { readFrom } from '../kernel/runtime/execute.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import type { DistributionRunDocument } from '../projections/distribution-runs.ts';
import { RewardAsset } from '../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../streams/distribution-run.ts';
import { Address, Amount, described, orNull, Signature, Timestamp } from '../streams/value-types.ts';
import { cachingOf, visibleRun } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';
import { cursor } from './pages.ts';

interface LogServices {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly events: { readonly reader: Pick<EventReader, 'read'> };
}

/** Maximum number of events read per call. */
const MAX_EVENTS = 2_000;

const BatchView = Type.Object(
  {
    signature: Signature,
    at: described(Timestamp, 'Time at which the service recorded the transaction as final.'),
    slot: Amount,
    asset: RewardAsset,
    pot: described(Address, 'Account that paid.'),
    paymentCount: Type.Integer({
      minimum: 0,
      description: 'Number of payments in the transaction.',
      examples: [61],
    }),
    amount: described(Amount, 'Total paid, in base units of `asset`.'),
    fee: described(Amount, 'Lamports.'),
  },
  { title: 'DistributionBatch' },
);

export const listBatches = queriesFor<RuntimeServices & LogServices>()({
  name: 'ListBatches',
  summary: "List the transactions of a run's payments",
  description:
    'In the order in which they became final. The transactions of the other steps are in `steps` of the run. A ' +
    'page may have fewer than `limit` entries and still have a next page. The list of a closed run may be cached ' +
    'permanently.',
  route: { method: 'GET', url: '/distribution/:tokenId/runs/:runId/batches', auth: 'optional' },
  input: {
    params: Type.Object({ tokenId: TokenReference, runId: Uuid }),
    query: Type.Object(
      {
        after: Type.Optional(cursor(Type.String({ pattern: '^\\d{1,9}\\.\\d{1,6}$' }))),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    batches: Type.Array(BatchView),
    next: orNull(Type.String(), {
      description: 'Cursor of the next page, to send as `after`; null at the end.',
      examples: ['7.2'],
    }),
  }),
  rejections: ['TOKEN_NOT_FOUND', 'RUN_NOT_FOUND', 'STORE_UNAVAILABLE'],
  async answer({ params, query: { after = '0.0', limit = 100 } }, { services, call: { actor } }) {
    const { distribution, run } = await visibleRun(services.readModel, params, actor);
    const [revision = 0, shown = 0] = after.split('.').map(Number);
    const answer = await batchesFrom(run, services, { revision, shown }, limit);
    return new TaggedAnswer(answer, cachingOf(distribution, run));
  },
});

/** `shown`: number of batches of the event at `revision` that earlier pages included. */
type Place = { readonly revision: number; readonly shown: number };

async function batchesFrom(
  run: DistributionRunDocument,
  { eventStore, events: { reader } }: LogServices,
  { revision, shown }: Place,
  limit: number,
) {
  const stream = `${distributionRun.category}-${run.runId}`;
  const stored = await readFrom(eventStore, stream, revision, MAX_EVENTS + 1);
  const batches: Static<typeof BatchView>[] = [];
  for (const [index, event] of stored.entries()) {
    const first = index === 0 ? shown : 0;
    if (index === MAX_EVENTS) return { batches, next: `${event.revision}.0` };
    const found = batchesIn(run, await decoded(reader, event)).slice(first);
    const room = limit - batches.length;
    batches.push(...found.slice(0, room));
    if (found.length > room) return { batches, next: `${event.revision}.${first + room}` };
  }
  return { batches, next: null };
}

async function decoded(reader: LogServices['events']['reader'], stored: RecordedEvent) {
  const event = await reader.read(stored);
  return event && { ...(event as unknown as DistributionRunEvent), at: String(stored.metadata.occurredAt) };
}

function batchesIn(
  { records: { allotted } }: DistributionRunDocument,
  event: Awaited<ReturnType<typeof decoded>>,
): Static<typeof BatchView>[] {
  if (event?.type !== 'BatchesSettled') return [];
  return event.data.batches.flatMap(({ signature, slot, pot, value, left, from, to, without, fee }) => {
    const of = allotted?.pots[pot];
    if (of === undefined) return [];
    return {
      signature,
      at: event.at,
      slot,
      asset: of.asset,
      pot: of.address,
      paymentCount: to - from - without.length,
      amount: (BigInt(value) - BigInt(left)).toString(),
      fee,
    };
  });
}
