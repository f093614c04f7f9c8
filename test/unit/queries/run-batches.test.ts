// The transactions of a run's payments, where few of the run's many events are about them.
import { expect, test } from 'vitest';
import { TaggedAnswer } from '../../../src/kernel/runtime/define-query.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../../src/kernel/runtime/event-reader.ts';
import type { QueryServices } from '../../../src/queries/index.ts';
import { listBatches } from '../../../src/queries/list-batches.ts';
import { streams } from '../../../src/streams/index.ts';
import { TokenCreated } from '../../../src/streams/token.ts';
import {
  batchesSettled,
  roundRecorded,
  runAllotted,
  runId,
  runOpened,
} from '../../support/distribution-examples.ts';
import { ids, tokenCreated } from '../../support/domain-examples.ts';
import { answering } from '../../support/query-spec.ts';
import { happening, storedEvents } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const RUN = [
  happening(tokenId, TokenCreated(tokenCreated.data)),
  happening(tokenId, runOpened),
  happening(runId, runAllotted),
];

function servicesOf(stored: ReturnType<typeof storedEvents>, onRead = () => undefined as unknown) {
  return {
    eventStore: {
      async *read(_stream: string, from = 0) {
        for (const event of stored.slice(from)) {
          onRead();
          yield event;
        }
      },
    },
    events: { reader: strictReader(createEventCodec(streams)) },
  } as unknown as Partial<QueryServices>;
}

test('a page that ends within an event goes on behind what it had', async () => {
  const [batch] = batchesSettled.data.batches;
  const batches = [1, 2, 3].map((slot) => ({ ...batch, slot: `${slot}` }) as NonNullable<typeof batch>);
  const stored = storedEvents([
    happening(runId, { ...batchesSettled, data: { ...batchesSettled.data, batches } }),
  ]);
  const ask = await answering(RUN);
  const page = async (query: object) => {
    const answer = await ask(listBatches, {
      params: { tokenId, runId },
      query: { ...query, limit: 2 },
      services: servicesOf(stored),
    });
    const { batches: shown, next } = (
      answer as TaggedAnswer<{ batches: { slot: string }[]; next: string | null }>
    ).output;
    return [shown.map(({ slot }) => slot), next];
  };
  expect(await page({})).toEqual([['1', '2'], '0.2']);
  expect(await page({ after: '0.2' })).toEqual([['3'], null]);
});

test('one call reads at most two thousand events, and its page says where to go on', async () => {
  const ask = await answering(RUN);
  const rounds = Array.from({ length: 2_500 }, () => happening(runId, roundRecorded));
  const stored = storedEvents([...rounds, happening(runId, batchesSettled)]);
  let read = 0;
  const services = servicesOf(stored, () => {
    read += 1;
  });
  const pages: unknown[] = [];
  for (let after: string | undefined; ; ) {
    read = 0;
    const query = after === undefined ? {} : { after };
    const answer = await ask(listBatches, { params: { tokenId, runId }, query, services });
    if (!(answer instanceof TaggedAnswer)) throw new Error('an answer has a tag');
    expect(read).toBeLessThanOrEqual(2_001);
    pages.push(answer.output);
    if (answer.output.next === null) break;
    after = answer.output.next;
  }
  expect(pages).toEqual([
    { batches: [], next: '2000.0' },
    { batches: [expect.objectContaining({ paymentCount: 2 })], next: null },
  ]);
});
