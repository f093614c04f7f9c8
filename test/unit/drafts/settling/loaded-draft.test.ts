import { describe, expect, test } from 'vitest';
import { loadDraft } from '../../../../src/drafts/settling/loaded-draft.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { causeOf, createExecutor } from '../../../../src/kernel/runtime/execute.ts';
import { draft } from '../../../../src/streams/draft.ts';
import { streams } from '../../../../src/streams/index.ts';
import { clock } from '../../../support/counter.ts';
import { draftIssued, ids, submissionAccepted } from '../../../support/domain-examples.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

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
    const begun = await loadDraft(executor, 'settler', transactionId);
    expect(begun.cause).toMatchObject({ correlationId: 'one', actor: 'service:settler' });
    expect(begun.cause).not.toHaveProperty('traceparent');
    await executor.execute(draft, transactionId, submitting, () => [submissionAccepted]);
    const { events } = await executor.load(draft, transactionId);
    expect(await loadDraft(executor, 'settler', transactionId)).toMatchObject({
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
    expect(await loadDraft(executor, 'settler', transactionId)).toMatchObject({
      cause: { correlationId: transactionId, causationId: transactionId },
    });
  });
});
