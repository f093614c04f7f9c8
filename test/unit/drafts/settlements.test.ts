import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PurposeBehaviour, PurposeParts } from '../../../src/drafts/purposes/purpose-behaviour.ts';
import { createSettlements } from '../../../src/drafts/settlements.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { draft } from '../../../src/streams/draft.ts';
import {
  type DraftEvent,
  DraftHistoryFlooded,
  DraftIssued,
  type IssuedDraft,
} from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import type { DraftSubject } from '../../../src/streams/purposes/index.ts';
import { causeOf, clock } from '../../support/counter.ts';
import {
  addresses,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionFailed,
  token,
} from '../../support/domain-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

/** A draft that is submitted, and those who wait for it. */
async function waiting(subject: DraftSubject = token, issued: IssuedDraft = issuedDraft) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  const record = (...events: readonly DraftEvent[]) =>
    executor.execute(draft, ids.transactionId, causeOf(), () => [...events]);
  await record(DraftIssued({ ...issued, subject }), submissionAccepted);
  let isRecorded = false;
  const purpose = {
    kind: subject.kind,
    recorded: async () => (isRecorded ? ({ type: 'TokenCreated' } as never) : undefined),
  } as unknown as PurposeBehaviour;
  let looks = 0;
  const settlements = createSettlements({
    executor: {
      ...executor,
      load: (...call) => {
        looks += 1;
        return executor.load(...call);
      },
    },
  } as PurposeParts);
  onTestFinished(() => settlements.release());
  return {
    record,
    settlements,
    looks: () => looks,
    isRecordedNow: () => {
      isRecorded = true;
    },
    wait: (milliseconds: number) => settlements.wait(ids.transactionId, purpose, milliseconds),
  };
}

describe('whoever waits for a submission', () => {
  test.each<[string, readonly DraftEvent[], object]>([
    [
      'is told at once that it has failed',
      [submissionFailed],
      { kind: 'failed', draft: { status: 'failed' } },
    ],
    ['is told when the time is over that it is open', [], { kind: 'pending', isSearched: false }],
    [
      'is told that a flooded history is searched for it',
      [DraftHistoryFlooded({ transactionId: ids.transactionId, address: addresses.mint, listed: 1_001 })],
      { kind: 'pending', isSearched: true },
    ],
  ])('%s', async (_what, events, settlement) => {
    const at = await waiting();
    if (events.length > 0) await at.record(...events);
    expect(await at.wait(0)).toMatchObject(settlement);
  });

  test('looks again as soon as something is recorded, and not for another draft', async () => {
    const at = await waiting();
    const told = [at.wait(60_000), at.wait(60_000)];
    await turns();
    expect(at.looks()).toBe(2);
    at.settlements.changed(ids.otherTransactionId);
    await turns();
    expect(at.looks()).toBe(2);
    at.settlements.changed(ids.transactionId);
    await turns();
    expect(at.looks()).toBe(4);
    await at.record(submissionFailed);
    at.settlements.changed(ids.transactionId);
    expect((await Promise.all(told)).map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    // Nobody waits any more.
    at.settlements.changed(ids.transactionId);
  });

  test('waits no longer once the process is about to stop, and neither do those who come then', async () => {
    const at = await waiting();
    const told = at.wait(60_000);
    await turns();
    at.settlements.release();
    expect([await told, await at.wait(60_000)]).toMatchObject([{ kind: 'pending' }, { kind: 'pending' }]);
  });
});

test('without a signal whoever waits looks again after a second', async () => {
  const at = await waiting();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const told = at.wait(60_000);
  for (const looks of [1, 2, 3]) {
    await turns();
    expect(at.looks()).toBe(looks);
    vi.advanceTimersByTime(1_000);
  }
  at.settlements.release();
  expect(await told).toMatchObject({ kind: 'pending' });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
