// What is done about drafts once it is decided: bytes are sent and sent again, events are recorded on the draft that was judged.
import { describe, expect, test } from 'vitest';
import { type LoadedDraft, loadDraft } from '../../../../src/drafts/settling/loaded-draft.ts';
import type { Searches } from '../../../../src/drafts/settling/searches.ts';
import { createStepEffects } from '../../../../src/drafts/settling/step-effects.ts';
import { type Conclusion, landedStep, type Step } from '../../../../src/drafts/settling/steps.ts';
import type { Chain } from '../../../../src/kernel/ports/chain.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import {
  DraftHistoryFlooded,
  DraftIssued,
  SubmissionAccepted,
  SubmissionFinalized,
} from '../../../../src/streams/draft-events.ts';
import {
  acceptedSubmission,
  addresses,
  issuedDraft,
  landedSubmission,
  signatures,
  submissionConfirmed,
  submissionFinalized,
  submissionOverdue,
} from '../../../support/domain-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';
import { draftsOnRecord } from '../../../support/drafts-on-record.ts';

type RequestedSearch = Parameters<Searches['want']>[0];
const idOf = (name: string) => deriveId('draft', name);
const [A, B] = [idOf('a'), idOf('b')];
const base64 = (text: string) => Buffer.from(text).toString('base64');
const sending = (text: string): Extract<Step, { kind: 'send' }> => ({
  kind: 'send',
  transaction: base64(text),
});

async function effectsOn(send: Chain['send'] | undefined = undefined) {
  const world = await draftsOnRecord();
  for (const transactionId of [A, B])
    await world.record(
      transactionId,
      DraftIssued({ ...issuedDraft, transactionId }),
      SubmissionAccepted({ ...acceptedSubmission, transactionId }),
    );
  const sent: string[] = [];
  const wanted: RequestedSearch[] = [];
  const reports: { readonly [name: string]: unknown }[] = [];
  let conclusions = 0;
  const effects = createStepEffects({
    ...world,
    chain: {
      send: send ?? (async (wire: Uint8Array) => void sent.push(Buffer.from(wire).toString())),
    } as unknown as Chain,
    logger: loggerTo((message, details) => void reports.push({ message, ...details })),
    inTrace: (_parent, work) => work(),
    searches: { want: (one: RequestedSearch) => void wanted.push(one) } as unknown as Searches,
    concluded: () => {
      conclusions += 1;
    },
  });
  const followed = (transactionId: string): Promise<LoadedDraft> =>
    loadDraft(world.executor, 'settler', transactionId);
  return {
    ...world,
    effects,
    followed,
    sent,
    wanted,
    reports,
    conclusions: () => conclusions,
    /** Begins the send, and waits until it has ended. */
    async perform(transactionId: string, step: Exclude<Step, { kind: 'absent' }>) {
      await effects.perform(await followed(transactionId), step);
      await effects.stop();
    },
  };
}

describe('bytes', () => {
  test('are sent again after two seconds, and not before', async () => {
    const at = await effectsOn();
    await at.perform(A, sending('bytes'));
    at.later(1_999);
    await at.perform(A, sending('bytes'));
    expect(at.sent).toEqual(['bytes']);
    at.later(1);
    await at.perform(A, sending('bytes'));
    expect(at.sent).toEqual(['bytes', 'bytes']);
  });

  test('other than the last of the same draft are sent at once: the advance follows the transaction', async () => {
    const at = await effectsOn();
    await at.perform(A, sending('bytes'));
    await at.perform(A, sending('advance'));
    await at.perform(B, sending('bytes'));
    expect(at.sent).toEqual(['bytes', 'advance', 'bytes']);
  });

  test('of drafts that are followed no more are forgotten, and of no others', async () => {
    const at = await effectsOn();
    for (const transactionId of [A, B]) await at.perform(transactionId, sending(transactionId));
    at.effects.dropOthers(new Set([A]));
    for (const transactionId of [A, B]) await at.perform(transactionId, sending(transactionId));
    expect(at.sent).toEqual([A, B, B]);
  });

  test('that are on their way are waited for when the service stops', async () => {
    let goOn = () => {};
    let isSent = false;
    const at = await effectsOn(async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await new Promise((resolve) => setImmediate(resolve));
      isSent = true;
    });
    await at.effects.perform(await at.followed(A), sending('bytes'));
    const stopped = at.effects.stop();
    goOn();
    await stopped;
    expect(isSent).toBe(true);
  });
});

test('an event is recorded on the draft that was judged, and not on one that has changed since', async () => {
  const at = await effectsOn();
  const [a, b] = [await at.followed(A), await at.followed(B)];
  await at.record(B, SubmissionFinalized({ ...landedSubmission, transactionId: B }));
  await at.effects.perform(a, landedStep(A, 'confirmed', { signature: signatures.second, slot: 7 }));
  await at.effects.perform(b, landedStep(B, 'confirmed', { signature: signatures.second, slot: 7 }));
  expect(await at.eventsOf(A)).toEqual(['DraftIssued', 'SubmissionAccepted', 'SubmissionConfirmed']);
  expect(await at.eventsOf(B)).toEqual(['DraftIssued', 'SubmissionAccepted', 'SubmissionFinalized']);
});

test.each([
  submissionConfirmed,
  submissionFinalized,
  submissionOverdue,
  DraftHistoryFlooded({ transactionId: A, address: addresses.mint, listed: 1_001 }),
])('$type is recorded once, however often it was judged', async (event) => {
  const at = await effectsOn();
  const judged = await at.followed(A);
  const step = { kind: 'record', event: { ...event, data: { ...event.data, transactionId: A } } } as Step;
  for (let times = 0; times < 2; times += 1) await at.effects.perform(judged, step as never);
  expect(await at.eventsOf(A)).toEqual(['DraftIssued', 'SubmissionAccepted', event.type]);
});

test('an event that was judged of another submission is not recorded', async () => {
  const at = await effectsOn();
  const { state, ...followed } = await at.followed(A);
  const other = { ...acceptedSubmission, transactionId: A, signature: signatures.second };
  const judged = draftAfter(DraftIssued({ ...issuedDraft, transactionId: A }), SubmissionAccepted(other));
  expect(judged.status).toBe(state.status);
  const step = landedStep(A, 'confirmed', { signature: signatures.second, slot: 7 });
  await at.effects.perform({ ...followed, state: judged }, step);
  expect(await at.eventsOf(A)).toEqual(['DraftIssued', 'SubmissionAccepted']);
});

describe('a search', () => {
  const searching = (conclusion: Conclusion): Extract<Step, { kind: 'search' }> => ({
    kind: 'search',
    search: { name: 'ours', commitment: 'finalized', known: [], matches: () => false },
    conclude: () => conclusion,
  });
  const absent = { kind: 'absent', others: new Map() } as const;
  const finalized = landedStep(A, 'finalized', { signature: signatures.second, slot: 7 });

  test('that concludes has it recorded, and tells once that something follows', async () => {
    const at = await effectsOn();
    await at.perform(A, searching(finalized));
    const [search] = at.wanted;
    for (let times = 0; times < 2; times += 1) {
      await search?.conclude(absent);
      expect(await at.eventsOf(A)).toEqual(['DraftIssued', 'SubmissionAccepted', 'SubmissionFinalized']);
      expect(at.conclusions()).toBe(1);
    }
  });

  test('that concludes nothing records nothing, and nothing follows', async () => {
    const at = await effectsOn();
    await at.perform(A, searching({ kind: 'wait' }));
    await at.wanted[0]?.conclude(absent);
    expect(await at.eventsOf(A)).toEqual(['DraftIssued', 'SubmissionAccepted']);
    expect(at.conclusions()).toBe(0);
  });

  test('of a flooded history, or that tells nothing, is recorded and told to operators once', async () => {
    const at = await effectsOn();
    await at.perform(A, searching({ kind: 'wait' }));
    const [search] = at.wanted;
    for (let times = 0; times < 2; times += 1) {
      await search?.flooded({ address: addresses.mint, listed: 1_001 });
      await search?.unknown({ code: 'TRANSACTION_NOT_FOUND', address: addresses.mint, signatures: [] });
      expect(at.reports).toHaveLength(2);
    }
    expect(await at.eventsOf(A)).toEqual([
      'DraftIssued',
      'SubmissionAccepted',
      'DraftHistoryFlooded',
      'DraftOutcomeUnknown',
    ]);
    expect(at.reports).toMatchObject([
      { transactionId: A, address: addresses.mint, listed: 1_001 },
      { transactionId: A, code: 'TRANSACTION_NOT_FOUND' },
    ]);
    expect(at.conclusions()).toBe(0);
  });
});
