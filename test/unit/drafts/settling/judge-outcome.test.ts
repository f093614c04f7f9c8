// What the chain shows of an accepted submission, and what it means: each ending, and each moment on the way there.
import { describe, expect, test } from 'vitest';
import {
  type Decider,
  judgeDecider,
  judgeOutcome,
  type Observation,
  type Trace,
  type Verdict,
} from '../../../../src/drafts/settling/judge-outcome.ts';
import { failedStep, landedStep } from '../../../../src/drafts/settling/steps.ts';
import type { SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import { SubmissionDropped } from '../../../../src/streams/draft-events.ts';
import {
  draftIssued,
  ids,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionOverdue,
} from '../../../support/domain-examples.ts';
import { pendingAfter } from '../../../support/draft-stages.ts';

const submitted = pendingAfter(draftIssued, submissionAccepted);
const overdue = pendingAfter(draftIssued, submissionAccepted, submissionOverdue);
const confirmed = pendingAfter(draftIssued, submissionAccepted, submissionConfirmed);
const dropped = pendingAfter(
  draftIssued,
  submissionAccepted,
  submissionConfirmed,
  SubmissionDropped({ transactionId: ids.transactionId }),
);

/** The nonce value: `unspent`, `spent`, or in an account that is not seen. */
const [unspent, spent, unseen] = ['open', 'decided', 'unseen'] as const;
const slot = 417;

const at = (commitment: SignatureStatus['commitment'], error?: string): SignatureStatus => ({
  slot,
  error,
  commitment,
});

const send: Verdict = 'send';
const gone: Verdict = {
  kind: 'absent',
  event: SubmissionDropped({ transactionId: ids.transactionId }),
};
const wait: Verdict = { kind: 'wait' };

/** The nonce account as confirmed and as finalized, and the status. */
type Seen = readonly [Trace, Trace, SignatureStatus | undefined];
const observation = ([confirmed, finalized, status]: Seen): Observation => ({
  confirmed: { trace: confirmed },
  finalized: { trace: finalized },
  status,
});

const REFUSED = '{"InstructionError":[3,{"Custom":1}]}';

describe('a submitted transaction', () => {
  const landed = (commitment: 'confirmed' | 'finalized') =>
    landedStep(ids.transactionId, commitment, { signature: signatures.first, slot });

  test.each<[string, Seen, Verdict]>([
    ['unspent and unknown: it is sent', [unspent, unspent, undefined], send],
    ['unspent, but executed on one node: it is sent on', [unspent, unspent, at('processed')], send],
    ['confirmed', [spent, unspent, at('confirmed')], landed('confirmed')],
    [
      'confirmed, while the account’s node lags behind',
      [unspent, unspent, at('confirmed')],
      landed('confirmed'),
    ],
    ['finalized', [spent, spent, at('finalized')], landed('finalized')],
    ['finalized, while the account is not seen', [unseen, unseen, at('finalized')], landed('finalized')],
    [
      'failed, but not for good: nothing is believed yet',
      [spent, unspent, at('confirmed', REFUSED)],
      'confirmed',
    ],
    ['failed for good: the consumption tells why', [spent, spent, at('finalized', REFUSED)], 'finalized'],
    ['"not found" of what spent the value: it is looked up', [spent, unspent, undefined], 'confirmed'],
    ['"not found" of what spent the value for good', [spent, spent, undefined], 'finalized'],
    ['spent for good on a node that still shows the old value', [unspent, spent, undefined], 'finalized'],
    ['the account is not seen at all: absence proves nothing', [unseen, unseen, undefined], wait],
    ['the account is not seen confirmed', [unseen, unspent, undefined], wait],
    ['failed on a fork that the account does not show', [unspent, unspent, at('confirmed', REFUSED)], send],
  ])('%s', (_what, seen, verdict) => {
    expect(judgeOutcome(ids.transactionId, submitted, observation(seen))).toEqual(verdict);
  });

  test('is judged alike after its deadline, and after a fork dropped it', () => {
    for (const state of [overdue, dropped]) {
      expect(judgeOutcome(ids.transactionId, state, observation([unspent, unspent, undefined]))).toEqual(
        send,
      );
      expect(judgeOutcome(ids.transactionId, state, observation([spent, unspent, undefined]))).toEqual(
        'confirmed',
      );
      expect(judgeOutcome(ids.transactionId, state, observation([spent, unspent, at('confirmed')]))).toEqual(
        landed('confirmed'),
      );
    }
  });
});

describe('a confirmed transaction', () => {
  const finalized = landedStep(ids.transactionId, 'finalized', { signature: signatures.second, slot });

  test.each<[string, Seen, Verdict]>([
    ['still confirmed: nothing new', [spent, unspent, at('confirmed')], wait],
    ['finalized, under the signature that it landed with', [spent, spent, at('finalized')], finalized],
    ['a fork: the value is unspent again', [unspent, unspent, undefined], gone],
    ['a fork on which it is being executed again', [unspent, unspent, at('processed')], gone],
    ['"not found", while the value is spent: no fork', [spent, unspent, undefined], wait],
    ['a lagging account, while the status is known', [unspent, unspent, at('confirmed')], wait],
    ['spent for good, by what is looked up', [spent, spent, undefined], 'finalized'],
    ['landed anew as a failure, but not for good', [spent, unspent, at('confirmed', REFUSED)], wait],
    ['landed anew as a failure, for good', [spent, spent, at('finalized', REFUSED)], 'finalized'],
    ['the account is not seen: absence proves nothing', [unseen, unseen, undefined], wait],
  ])('%s', (_what, seen, verdict) => {
    expect(judgeOutcome(ids.transactionId, confirmed, observation(seen))).toEqual(verdict);
  });
});

describe('what consumed the value', () => {
  const decider = (isOurs: boolean, error?: string): Decider => ({
    isOurs,
    signature: signatures.second,
    slot,
    error,
    logs: ['Program log: no'],
  });
  const landed = (commitment: 'confirmed' | 'finalized') =>
    landedStep(ids.transactionId, commitment, { signature: signatures.second, slot });
  const rejected = failedStep(ids.transactionId, REFUSED, ['Program log: no']);
  const expired = failedStep(ids.transactionId, undefined);

  test.each([
    [
      'ours, confirmed: it landed, whatever its signature',
      submitted,
      undefined,
      true,
      'confirmed',
      landed('confirmed'),
    ],
    ['ours, finalized', submitted, undefined, true, 'finalized', landed('finalized')],
    ['ours, confirmed, as is known', confirmed, undefined, true, 'confirmed', wait],
    ['ours, finalized, after it was confirmed', confirmed, undefined, true, 'finalized', landed('finalized')],
    ['ours, failed at confirmed: waits for finalized', submitted, REFUSED, true, 'confirmed', wait],
    ['ours, failed for good', submitted, REFUSED, true, 'finalized', rejected],
    [
      'ours, failed for good on another fork than was confirmed',
      confirmed,
      REFUSED,
      true,
      'finalized',
      rejected,
    ],
    ['the advance, confirmed: waits for finalized', overdue, undefined, false, 'confirmed', wait],
    ['the advance, for good: ours can no longer land', overdue, undefined, false, 'finalized', expired],
    [
      'a failed advance, for good: it advanced the value all the same',
      overdue,
      REFUSED,
      false,
      'finalized',
      expired,
    ],
  ] as const)('%s', (_what, state, error, ours, commitment, outcome) => {
    expect(judgeDecider(ids.transactionId, state, decider(ours, error), commitment)).toEqual(outcome);
  });
});
