import { describe, expect, test } from 'vitest';
import {
  followDraft,
  type Result,
  requireSomeSuccess,
} from '../../../../src/drafts/settling/followed-draft.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { draft } from '../../../../src/streams/draft.ts';
import { streams } from '../../../../src/streams/index.ts';
import { clock } from '../../../support/counter.ts';
import { draftIssued, ids, submissionAccepted } from '../../../support/domain-examples.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const FIRST = { transactionId: 'first' };
const SECOND = {
  transactionId: 'second',
  cause: causeOf('settler', { correlationId: 'request', causationId: 'event' }),
};
const good = (followed: Result['followed']): Result => ({ followed });
const bad = (followed: Result['followed']): Result => ({ followed, reason: new Error('it fails') });

describe('what several drafts came to', () => {
  const told: object[] = [];
  const logger = loggerTo((message, details) => void told.push({ message, ...details }));

  test('is not worth a word when all went well, or there were none', () => {
    requireSomeSuccess([], logger);
    requireSomeSuccess([good(FIRST), good(SECOND)], logger);
    expect(told).toEqual([]);
  });

  test('is told when some failed, with the draft and the request that it is about', () => {
    requireSomeSuccess([good(FIRST), bad(SECOND)], logger);
    expect(told).toEqual([
      {
        message: 'some submissions could not be looked after',
        count: 1,
        error: 'Error: it fails',
        transactionId: 'second',
        correlationId: 'request',
      },
    ]);
  });

  test('is thrown when all failed: then it is not the drafts that are at fault', () => {
    expect(() => requireSomeSuccess([bad(FIRST), bad(SECOND)], logger)).toThrow('it fails');
  });
});

describe('what is recorded of a draft', () => {
  const { transactionId } = ids;

  test('continues from its last event, in the trace of the request that led to that', async () => {
    const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
    const [issuing, submitting] = ['one', 'other'].map((request, index) => ({
      ...causeOf('test', { correlationId: request, causationId: request }),
      ...(index === 1 && { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }),
    }));
    if (issuing === undefined || submitting === undefined) throw new Error('two causes');
    await executor.execute(draft, transactionId, issuing, () => [draftIssued]);
    const begun = await followDraft(executor, 'settler', transactionId);
    expect(begun.cause).toMatchObject({ correlationId: 'one', actor: 'service:settler' });
    expect(begun.cause).not.toHaveProperty('traceparent');
    await executor.execute(draft, transactionId, submitting, () => [submissionAccepted]);
    const { events } = await executor.load(draft, transactionId);
    expect(await followDraft(executor, 'settler', transactionId)).toMatchObject({
      transactionId,
      state: { status: 'submitted' },
      cause: {
        correlationId: 'other',
        causationId: events[1]?.eventId,
        traceparent: submitting.traceparent,
      },
    });
  });

  test('begins with the draft itself where nothing of it is recorded', async () => {
    const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
    expect(await followDraft(executor, 'settler', transactionId)).toMatchObject({
      cause: { correlationId: transactionId, causationId: transactionId },
    });
  });
});
