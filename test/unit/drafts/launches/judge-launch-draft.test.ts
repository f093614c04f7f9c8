import { describe, expect, test } from 'vitest';
import type { LaunchVerdict } from '../../../../src/chain/venue/judge-launch.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import {
  judgeLaunchDraft,
  type LaunchObservation,
} from '../../../../src/drafts/launches/judge-launch-draft.ts';
import { draft } from '../../../../src/streams/draft.ts';
import {
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
} from '../../../../src/streams/draft-events.ts';
import {
  acceptedSubmission,
  issuedDraft,
  landedSubmission,
  signatures,
} from '../../../support/domain-examples.ts';
import { livingAfter } from '../../../support/draft-stages.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const LAST_HEIGHT = 1_150n;
const pool = decodePool(recorded('pool-at-start').data);
if (pool === undefined) throw new Error('the recorded pool cannot be read');

const absent: LaunchVerdict = { kind: 'absent' };
const landed: LaunchVerdict = { kind: 'landed', pool };
const foreign: LaunchVerdict = { kind: 'foreign', reason: 'the pool has another creator' };

const MESSAGE = Buffer.from([1, 2, 3]);
const issued = DraftIssued({
  ...issuedDraft,
  message: MESSAGE.toString('base64'),
  lifetime: {
    kind: 'recent-blockhash',
    blockhash: issuedDraft.creator,
    lastValidBlockHeight: LAST_HEIGHT.toString(),
  },
});
const wireOf = (message: Uint8Array) =>
  Buffer.concat([Buffer.of(1), Buffer.alloc(64, 9), message]).toString('base64');
const accepted = SubmissionAccepted({ ...acceptedSubmission, signedTransaction: wireOf(MESSAGE) });
const guarded = SubmissionAccepted({
  ...acceptedSubmission,
  signedTransaction: wireOf(Buffer.of(1, 2, 3, 4)),
});

const open = livingAfter(issued);
const submitted = livingAfter(issued, accepted);
const confirmed = livingAfter(issued, SubmissionConfirmed(landedSubmission));

function seen(change: Partial<LaunchObservation>): LaunchObservation {
  return { confirmed: absent, finalized: absent, finalizedHeight: LAST_HEIGHT, status: undefined, ...change };
}

const failedStatus = (commitment: 'processed' | 'confirmed' | 'finalized') => ({
  slot: 7,
  error: '{"InstructionError":[5,{"Custom":1}]}',
  commitment,
});

describe('a launch draft', () => {
  test('has landed when its position is there, whether or not it was submitted here', () => {
    for (const state of [open, submitted]) {
      expect(judgeLaunchDraft(state, seen({ confirmed: landed }))).toEqual({
        kind: 'landed',
        commitment: 'confirmed',
      });
      expect(judgeLaunchDraft(state, seen({ confirmed: landed, finalized: landed }))).toEqual({
        kind: 'landed',
        commitment: 'finalized',
      });
    }
    expect(judgeLaunchDraft(confirmed, seen({ confirmed: landed }))).toEqual({ kind: 'wait' });
  });

  test('is final however high the chain is by then, and whatever another node says of its signature', () => {
    const late = seen({
      confirmed: landed,
      finalized: landed,
      finalizedHeight: LAST_HEIGHT * 2n,
      status: failedStatus('finalized'),
    });
    expect(judgeLaunchDraft(submitted, late)).toEqual({ kind: 'landed', commitment: 'finalized' });
  });

  test('waits as long as one block that could hold it may come: at the last height it can still land', () => {
    for (const state of [open, submitted]) {
      expect(judgeLaunchDraft(state, seen({}))).toEqual({ kind: 'wait' });
      expect(judgeLaunchDraft(state, seen({ finalizedHeight: LAST_HEIGHT + 1n }))).toEqual({ kind: 'over' });
    }
  });

  test('is not dead because somebody else has made the pool: only the height tells', () => {
    const squatted = seen({ confirmed: foreign, finalized: foreign });
    expect(judgeLaunchDraft(open, squatted)).toEqual({ kind: 'wait' });
    expect(judgeLaunchDraft(open, { ...squatted, finalizedHeight: LAST_HEIGHT + 1n })).toEqual({
      kind: 'over',
    });
  });

  test('is gone when what was confirmed is not there any more', () => {
    expect(judgeLaunchDraft(confirmed, seen({}))).toEqual({ kind: 'gone' });
    expect(judgeLaunchDraft(confirmed, seen({ confirmed: foreign }))).toEqual({ kind: 'gone' });
  });

  test('has failed when the chain has refused for good the very message that was issued', () => {
    const verdict = judgeLaunchDraft(submitted, seen({ status: failedStatus('finalized') }));
    expect(verdict).toEqual({
      kind: 'failed',
      signature: signatures.first,
      error: failedStatus('finalized').error,
    });
  });

  test('has not failed where it stands in a block without having run: the same bytes may run later', () => {
    for (const error of ['"InsufficientFundsForFee"', '{"InsufficientFundsForRent":{"account_index":0}}']) {
      const status = { ...failedStatus('finalized'), error };
      expect(judgeLaunchDraft(submitted, seen({ status }))).toEqual({ kind: 'wait' });
      const late = seen({ status, finalizedHeight: LAST_HEIGHT + 1n });
      expect(judgeLaunchDraft(submitted, late)).toEqual({ kind: 'over' });
    }
  });

  test('has not failed while the refusal can be taken back, nor for a message with guards: it can land without them', () => {
    for (const commitment of ['processed', 'confirmed'] as const) {
      expect(judgeLaunchDraft(submitted, seen({ status: failedStatus(commitment) }))).toEqual({
        kind: 'wait',
      });
    }
    const withGuards = livingAfter(issued, guarded);
    expect(judgeLaunchDraft(withGuards, seen({ status: failedStatus('finalized') }))).toEqual({
      kind: 'wait',
    });
  });

  test('on a durable nonce is none of this', () => {
    const durable = livingAfter(DraftIssued(issuedDraft));
    expect(judgeLaunchDraft(durable, seen({ confirmed: landed, finalized: landed }))).toEqual({
      kind: 'wait',
    });
  });

  test('is only waited for again after a fork took it back, if its creator had sent it without us', () => {
    const dropped = {
      type: 'SubmissionDropped',
      data: { transactionId: issuedDraft.transactionId },
    } as const;
    expect(draft.evolve(confirmed, dropped)).toMatchObject({ status: 'open' });
    const both = livingAfter(
      issued,
      accepted,
      SubmissionConfirmed({ ...landedSubmission, signature: signatures.first }),
    );
    expect(draft.evolve(both, dropped)).toMatchObject({ status: 'submitted' });
  });
});
