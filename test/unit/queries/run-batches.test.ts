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

test('one call reads at most two thousand events, and its page says where to go on', async () => {
  const ask = await answering([
    happening(tokenId, TokenCreated(tokenCreated.data)),
    happening(tokenId, runOpened),
    happening(runId, runAllotted),
  ]);
  const rounds = Array.from({ length: 2_500 }, () => happening(runId, roundRecorded));
  const stored = storedEvents([...rounds, happening(runId, batchesSettled)]);
  let read = 0;
  const services = {
    eventStore: {
      async *read(_stream: string, from = 0) {
        for (const event of stored.slice(from)) {
          read += 1;
          yield event;
        }
      },
    },
    events: { reader: strictReader(createEventCodec(streams)) },
  } as unknown as Partial<QueryServices>;
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
