// The judge of drafts on a recent blockhash: a launch that its creator may send, and a submission of the service.
import { describe, expect, test } from 'vitest';
import {
  judgeOutcome,
  type Observation,
  type Trace,
  type Verdict,
} from '../../../../src/drafts/settling/judge-outcome.ts';
import { landedStep } from '../../../../src/drafts/settling/steps.ts';
import type { SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import { draft } from '../../../../src/streams/draft.ts';
import {
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionDropped,
} from '../../../../src/streams/draft-events.ts';
import { blockhashIssued } from '../../../support/blockhash-examples.ts';
import {
  acceptedSubmission,
  ids,
  landedSubmission,
  signatures,
  submissionAccepted,
  submissionConfirmed,
} from '../../../support/domain-examples.ts';
import { livingAfter } from '../../../support/draft-stages.ts';
import { issuedLaunchDraft } from '../../../support/launch-examples.ts';

const MESSAGE = Buffer.from([1, 2, 3]);
const issued = DraftIssued({ ...issuedLaunchDraft, message: MESSAGE.toString('base64') });
const wireOf = (message: Uint8Array) =>
  Buffer.concat([Buffer.of(1), Buffer.alloc(64, 9), message]).toString('base64');
const accepted = SubmissionAccepted({ ...acceptedSubmission, signedTransaction: wireOf(MESSAGE) });
const guarded = SubmissionAccepted({
  ...acceptedSubmission,
  signedTransaction: wireOf(Buffer.of(1, 2, 3, 4)),
});

const open = livingAfter(issued);
const launched = livingAfter(issued, accepted);
const seenLaunched = livingAfter(issued, SubmissionConfirmed(landedSubmission));
const submitted = livingAfter(blockhashIssued, submissionAccepted);
const confirmed = livingAfter(blockhashIssued, submissionAccepted, submissionConfirmed);
const dropped = livingAfter(
  blockhashIssued,
  submissionAccepted,
  submissionConfirmed,
  SubmissionDropped({ transactionId: ids.transactionId }),
);

const slot = 417;
const REFUSED = '{"InstructionError":[3,{"Custom":1}]}';
/** The payer could not pay: the transaction had no effect, and the same bytes may run later. */
const NOT_RUN = ['"InsufficientFundsForFee"', '{"InsufficientFundsForRent":{"account_index":0}}'];
const at = (commitment: SignatureStatus['commitment'], error?: string): SignatureStatus => ({
  slot,
  error,
  commitment,
});
const seen = (
  [now, final]: readonly [Trace, Trace] = ['open', 'open'],
  status?: SignatureStatus,
): Observation => ({ status, confirmed: { trace: now }, finalized: { trace: final } });
/** Final blocks are past the blockhash. */
const OVER = ['open', 'decided'] as const;
const send: Verdict = 'send';
const gone: Verdict = {
  kind: 'absent',
  event: SubmissionDropped({ transactionId: ids.transactionId }),
};

const LOGS = { kind: 'search', search: { name: `logs of ${signatures.first}` } };

describe('a launch draft', () => {
  test('has landed when its position is there, whether or not it was submitted here', () => {
    for (const state of [open, launched]) {
      expect(judgeOutcome(ids.transactionId, state, seen(['decided', 'open']))).toEqual('confirmed');
      expect(judgeOutcome(ids.transactionId, state, seen(['decided', 'decided']))).toEqual('finalized');
    }
    expect(judgeOutcome(ids.transactionId, seenLaunched, seen(['decided', 'open']))).toEqual({
      kind: 'wait',
    });
  });

  test('is final whatever another node says of its signature', () => {
    const late = seen(['decided', 'decided'], at('finalized', REFUSED));
    expect(judgeOutcome(ids.transactionId, launched, late)).toEqual('finalized');
  });

  test('is gone when what was confirmed is not there any more', () => {
    expect(judgeOutcome(ids.transactionId, seenLaunched, seen())).toEqual(gone);
  });

  test('has not failed for a message with guards: it can land without them', () => {
    const refused = seen(undefined, at('finalized', REFUSED));
    expect(judgeOutcome(ids.transactionId, launched, refused)).toMatchObject(LOGS);
    expect(judgeOutcome(ids.transactionId, livingAfter(issued, guarded), refused)).toEqual(send);
    expect(judgeOutcome(ids.transactionId, open, refused)).toEqual(send);
  });

  test('is only waited for again after a fork took it back, if its creator had sent it without us', () => {
    const taken = SubmissionDropped({ transactionId: issuedLaunchDraft.transactionId });
    expect(draft.evolve(seenLaunched, taken)).toMatchObject({ status: 'open' });
    const both = livingAfter(
      issued,
      accepted,
      SubmissionConfirmed({ ...landedSubmission, signature: signatures.first }),
    );
    expect(draft.evolve(both, taken)).toMatchObject({ status: 'submitted' });
  });
});

describe('a submission', () => {
  const landed = (commitment: 'confirmed' | 'finalized') =>
    landedStep(ids.transactionId, commitment, { signature: signatures.first, slot });

  test.each<[string, Observation, Verdict]>([
    ['is sent while a block may hold it', seen(), send],
    ['is sent on while it is only processed', seen(undefined, at('processed')), send],
    ['is looked up once final blocks are past it', seen(OVER), 'finalized'],
    ['is confirmed', seen(undefined, at('confirmed')), landed('confirmed')],
    ['is confirmed, though final blocks are past it', seen(OVER, at('confirmed')), landed('confirmed')],
    ['is final', seen(OVER, at('finalized')), landed('finalized')],
    ['has failed, but not for good', seen(undefined, at('confirmed', REFUSED)), send],
    ...NOT_RUN.flatMap((error): [string, Observation, Verdict][] => [
      [
        'may still run where it is in a block without having run',
        seen(undefined, at('finalized', error)),
        send,
      ],
      ['is looked up where it has not run and is over', seen(OVER, at('finalized', error)), 'finalized'],
    ]),
  ])('%s', (_what, observation, verdict) => {
    expect(judgeOutcome(ids.transactionId, submitted, observation)).toEqual(verdict);
  });

  test('has failed for good: its logs are looked up', () => {
    const observation = seen(undefined, at('finalized', REFUSED));
    expect(judgeOutcome(ids.transactionId, submitted, observation)).toMatchObject(LOGS);
  });

  test('is gone once it was confirmed and no longer is, and is then judged as before', () => {
    expect(judgeOutcome(ids.transactionId, confirmed, seen())).toEqual(gone);
    expect(judgeOutcome(ids.transactionId, confirmed, seen(OVER))).toEqual('finalized');
    expect(judgeOutcome(ids.transactionId, dropped, seen())).toEqual(send);
  });
});
