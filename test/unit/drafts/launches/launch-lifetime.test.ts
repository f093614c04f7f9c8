// What the service does about a launch, which its creator may send without it: its pool and position tell what became of
// it, and a history is read for its signature only.
import { describe, expect, test } from 'vitest';
import { beginSearch } from '../../../../src/chain/history-search.ts';
import type { LaunchVerdict } from '../../../../src/chain/venue/judge-launch.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import {
  type LaunchDraft,
  nextLaunchStep,
  type ObservedLaunch,
} from '../../../../src/drafts/launches/launch-lifetime.ts';
import type { Step } from '../../../../src/drafts/settling/step.ts';
import type { DraftEvent } from '../../../../src/streams/draft-events.ts';
import { SubmissionAccepted } from '../../../../src/streams/draft-events.ts';
import { issuedLaunchOf } from '../../../../src/streams/recorded-launch.ts';
import { acceptedSubmission, signatures } from '../../../support/domain-examples.ts';
import { livingAfter } from '../../../support/draft-stages.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import {
  issuedLaunchDraft,
  launchDraftIssued,
  launchSubject,
  launchTransactionId as transactionId,
} from '../../../support/launch-examples.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../../support/scripted-history.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const account = recorded('pool-at-start');
const pool = decodePool(account.data);
if (pool === undefined) throw new Error('the recorded pool cannot be read');
const landed: LaunchVerdict = { kind: 'landed', pool };
const absent: LaunchVerdict = { kind: 'absent' };
const MADE_AT = Number(pool.activationPoint);
const OURS = Uint8Array.of(7);

function launchAfter(...events: readonly DraftEvent[]): LaunchDraft {
  const state = livingAfter(launchDraftIssued, ...events);
  return { transactionId, state, launch: issuedLaunchOf(launchSubject, issuedLaunchDraft.creator) };
}
const accepted = SubmissionAccepted({ ...acceptedSubmission, transactionId });

/** The bytes end at height 1,150. */
function seen(
  change: Partial<ObservedLaunch['observation']>,
  more: Partial<ObservedLaunch> = {},
): ObservedLaunch {
  const finalizedHeight = change.finalizedHeight ?? 1_100n;
  return {
    observation: { confirmed: absent, finalized: absent, status: undefined, finalizedHeight, ...change },
    finalizedPool: undefined,
    tip: { slot: 4_000n + finalizedHeight, blockHeight: finalizedHeight },
    ...more,
  };
}

/** The step's search in this history, with a match for the launch's transaction. */
async function searched(step: Step, history: readonly ScriptedTransaction[]) {
  if (step.kind !== 'search') throw new Error(`no search: ${step.kind}`);
  const { chain, calls } = scriptedHistory(history);
  const search = beginSearch(chain, { ...step.search, matches: ({ wire }) => wire === OURS });
  for (;;) {
    const turn = await search.turn(16);
    if (turn.kind === 'found' || turn.kind === 'absent') return { calls, conclusion: step.conclude(turn) };
  }
}
const ours: ScriptedTransaction = {
  entry: historyEntry(signatures.second, { slot: 5_100, blockTime: MADE_AT }),
  transaction: { slot: 5_100, wire: OURS, fee: 5_000n, error: undefined, logs: [] },
};

describe('a launch that its client sent', () => {
  const step = nextLaunchStep(launchAfter(), seen({ confirmed: landed }));

  test.each([
    ['after it', { slot: 5_140, blockTime: MADE_AT + 20 }],
    ['minutes after it', { slot: 5_900, blockTime: MADE_AT + 400 }],
    ['before it', { slot: 5_050, blockTime: MADE_AT - 15 }],
  ])('is found by the second that its pool names, whatever 17,000 transfers %s', async (_where, told) => {
    const flood = strangers(17_000, told);
    const history = told.slot > 5_100 ? [...flood, ours] : [ours, ...flood];
    const { calls, conclusion } = await searched(step, history);
    expect(conclusion).toMatchObject({
      event: { type: 'SubmissionConfirmed', data: { signature: signatures.second, slot: '5100' } },
    });
    expect(calls.reads).toBe(1);
    expect(calls.lists).toBeLessThanOrEqual(19);
  });

  test('is landed at once where the service knows its signature', () => {
    const status = { slot: 5_100, error: undefined, commitment: 'confirmed' } as const;
    expect(nextLaunchStep(launchAfter(accepted), seen({ confirmed: landed, status }))).toMatchObject({
      event: { type: 'SubmissionConfirmed', data: { signature: signatures.first } },
    });
  });

  test('is waited for where its accounts are there and the node does not list it yet', async () => {
    expect((await searched(step, strangers(3, { slot: 5_100 }))).conclusion).toEqual({ kind: 'wait' });
  });
});

describe('a launch whose bytes are over', () => {
  const over = { finalizedHeight: 1_151n };

  test('has not landed if there is no pool: no history is read, however long it is', () => {
    expect(nextLaunchStep(launchAfter(), seen(over))).toMatchObject({ event: { type: 'DraftExpired' } });
    expect(nextLaunchStep(launchAfter(accepted), seen(over))).toMatchObject({
      event: { type: 'SubmissionFailed', data: { code: 'TRANSACTION_EXPIRED' } },
    });
  });

  test('is searched where a pool is there, up to the last block that can hold it, and ends either way', async () => {
    const step = nextLaunchStep(launchAfter(accepted), seen(over, { finalizedPool: account }));
    if (step.kind !== 'search') throw new Error('no search');
    expect(step.search.known).toEqual([signatures.first]);
    expect(step.search.history?.window).toEqual({ from: undefined, to: 5_150n });
    const { calls, conclusion } = await searched(step, strangers(25_000, { slot: 5_151 }));
    expect(conclusion).toMatchObject({ event: { type: 'SubmissionFailed' } });
    expect(calls.reads).toBeLessThanOrEqual(3);
    expect((await searched(step, [ours])).conclusion).toMatchObject({ kind: 'record' });
  });
});

test('accepted bytes of a launch are sent while they may land', () => {
  expect(nextLaunchStep(launchAfter(accepted), seen({}))).toEqual({
    kind: 'send',
    transaction: acceptedSubmission.signedTransaction,
  });
});
