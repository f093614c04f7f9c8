// What those who wait for a submission are told, and when its purpose is looked up.
import { describe, expect, test } from 'vitest';
import type { PurposeBehaviour, PurposeParts } from '../../../src/drafts/purposes/purpose-behaviour.ts';
import { createSettlements } from '../../../src/drafts/settlements.ts';
import { createEventCodec } from '../../../src/kernel/runtime/event-codec.ts';
import { createExecutor } from '../../../src/kernel/runtime/execute.ts';
import { draft } from '../../../src/streams/draft.ts';
import { type DraftEvent, DraftIssued } from '../../../src/streams/draft-events.ts';
import { streams } from '../../../src/streams/index.ts';
import type { DraftSubject } from '../../../src/streams/purposes/index.ts';
import { causeOf, clock } from '../../support/counter.ts';
import {
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFinalized,
  token,
} from '../../support/domain-examples.ts';
import { purchase } from '../../support/promotion-examples.ts';
import { temporaryEventStore } from '../../support/temporary-event-store.ts';

/** Waits no time for a draft of which this is recorded; tells whether it was asked what has come of it. */
async function wait(subject: DraftSubject, ...events: readonly DraftEvent[]) {
  const executor = createExecutor(await temporaryEventStore(), createEventCodec(streams), clock);
  await executor.execute(draft, ids.transactionId, causeOf(), () => [
    DraftIssued({ ...issuedDraft, subject }),
    submissionAccepted,
    ...events,
  ]);
  let lookUps = 0;
  const purpose: PurposeBehaviour = {
    kind: subject.kind,
    makesAccountOfKey: false,
    signers: () => [],
    record: async () => {},
    async recorded() {
      lookUps += 1;
      return undefined;
    },
  };
  const settlements = createSettlements({ executor } as PurposeParts);
  const { kind } = await settlements.wait(ids.transactionId, purpose, 0);
  return { kind, isLookedUp: lookUps > 0 };
}

describe('what a submission was for is looked up', () => {
  test('once it is confirmed, where that is when it is recorded', async () => {
    expect(await wait(token)).toEqual({ kind: 'pending', isLookedUp: false });
    expect(await wait(token, submissionConfirmed)).toEqual({ kind: 'pending', isLookedUp: true });
    expect(await wait(token, submissionFinalized)).toEqual({ kind: 'pending', isLookedUp: true });
  });

  test('only once it is final, where it is recorded no earlier: many wait, and the streams are long', async () => {
    expect(await wait(purchase, submissionConfirmed)).toEqual({ kind: 'pending', isLookedUp: false });
    expect(await wait(purchase, submissionFinalized)).toEqual({ kind: 'pending', isLookedUp: true });
  });
});
