// What the chain shows of a submission on a recent blockhash, and when another version may be signed: never too early.
import { describe, expect, test } from 'vitest';
import {
  judgeEnd,
  judgeVersion,
  type Landing,
  type VersionVerdict,
} from '../../../../src/drafts/settling/judge-version.ts';
import type { SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import { SubmissionDropped } from '../../../../src/streams/draft-events.ts';
import {
  ids,
  issuedDraft,
  signatures,
  submissionAccepted,
  submissionConfirmed,
} from '../../../support/domain-examples.ts';
import { pendingAfter } from '../../../support/draft-stages.ts';
import { refreshableIssued } from '../../../support/refreshable-examples.ts';

const submitted = pendingAfter(refreshableIssued, submissionAccepted);
const confirmed = pendingAfter(refreshableIssued, submissionAccepted, submissionConfirmed);
const dropped = pendingAfter(
  refreshableIssued,
  submissionAccepted,
  submissionConfirmed,
  SubmissionDropped({ transactionId: ids.transactionId }),
);
const [slot, LAST, PAST] = [417, 1_000n, 1_001n];
const REFUSED = '{"InstructionError":[3,{"Custom":1}]}';
/** The payer could not pay: the transaction had no effect, and the same bytes may run later. */
const NOT_RUN = '"InsufficientFundsForFee"';
const at = (commitment: SignatureStatus['commitment'], error?: string): SignatureStatus => ({
  slot,
  error,
  commitment,
});

describe('a submitted version', () => {
  const landed = (kind: 'confirmed' | 'finalized') => ({ kind, signature: signatures.first, slot });

  test.each<[string, SignatureStatus | undefined, bigint, VersionVerdict]>([
    ['is sent while a block may hold it', undefined, LAST, { kind: 'send' }],
    ['is sent on while it is only processed', at('processed'), LAST, { kind: 'send' }],
    ['is looked up once final blocks are past it', undefined, PAST, { kind: 'search' }],
    ['is confirmed', at('confirmed'), LAST, landed('confirmed')],
    ['is confirmed, though final blocks are past it', at('confirmed'), PAST, landed('confirmed')],
    ['is final', at('finalized'), PAST, landed('finalized')],
    ['has failed, but not for good', at('confirmed', REFUSED), LAST, { kind: 'wait' }],
    [
      'may still run where it stands in a block without having run',
      at('finalized', NOT_RUN),
      LAST,
      { kind: 'send' },
    ],
    [
      'is looked up where it has not run and final blocks are past it',
      at('finalized', NOT_RUN),
      PAST,
      { kind: 'search' },
    ],
    [
      'has failed for good',
      at('finalized', REFUSED),
      LAST,
      { kind: 'failed', signature: signatures.first, error: REFUSED },
    ],
  ])('%s', (_what, status, finalizedHeight, verdict) => {
    expect(judgeVersion(submitted, { status, finalizedHeight })).toEqual(verdict);
  });

  test('is gone once it was confirmed and no longer is, and is then judged as before', () => {
    expect(judgeVersion(confirmed, { status: undefined, finalizedHeight: PAST })).toEqual({ kind: 'gone' });
    expect(judgeVersion(confirmed, { status: at('processed'), finalizedHeight: LAST })).toEqual({
      kind: 'wait',
    });
    expect(judgeVersion(dropped, { status: undefined, finalizedHeight: PAST })).toEqual({ kind: 'search' });
  });
});

describe('a version that no block to come can hold', () => {
  const now = '2026-05-04T10:02:00.000Z';
  const absent: Landing = { kind: 'absent' };

  test('lapses when its whole history does not show it, so that the draft can be signed again', () => {
    expect(judgeEnd(submitted, absent, now)).toEqual({ kind: 'lapsed', signature: signatures.first });
  });

  test('stays as it is while its history is not known to the end', () => {
    expect(judgeEnd(submitted, { kind: 'unknown' }, now)).toEqual({ kind: 'wait' });
  });

  test('has landed, under whatever signature', () => {
    const landing = {
      kind: 'landed',
      signature: signatures.second,
      slot,
      error: undefined,
      logs: [],
    } as const;
    expect(judgeEnd(submitted, landing, now)).toEqual({
      kind: 'finalized',
      signature: signatures.second,
      slot,
    });
    expect(judgeEnd(submitted, { ...landing, error: REFUSED, logs: ['a line'] }, now)).toEqual({
      kind: 'refused',
      error: REFUSED,
      logs: ['a line'],
    });
  });

  test('ends its draft when the time is over, or when a fork took it back: then there is something to revert', () => {
    expect(judgeEnd(submitted, absent, issuedDraft.expiresAt)).toEqual({ kind: 'expired' });
    expect(judgeEnd(dropped, absent, now)).toEqual({ kind: 'expired' });
  });
});
