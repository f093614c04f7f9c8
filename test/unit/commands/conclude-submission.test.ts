// An operator's word about an outcome that nothing tells: only where the bytes are over and nothing contradicts it.
import { describe, expect, test } from 'vitest';
import { concludeSubmission } from '../../../src/commands/conclude-submission.ts';
import {
  decideConclusion,
  type LookedUp,
  type OutcomeClaim,
} from '../../../src/drafts/concluding/decide-conclusion.ts';
import { draft } from '../../../src/streams/draft.ts';
import { DraftConcluded, SubmissionFailed, SubmissionFinalized } from '../../../src/streams/draft-events.ts';
import { commandSpec, rejectionOf } from '../../support/command-spec.ts';
import {
  acceptedSubmission,
  draftIssued,
  ids,
  signatures,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { launchDraftIssued, launchTransactionId } from '../../support/launch-examples.ts';

const { transactionId } = ids;
const reason = 'Two other nodes say so.';
const by = 'alice';
const signature = signatures.second;

const unlanded = { outcome: 'not-landed', signature: null } as const;
const nothing: OutcomeClaim = { outcome: 'not-landed' };
const landed: OutcomeClaim = { outcome: 'landed', signature, slot: undefined };

const over: LookedUp = {
  accepted: acceptedSubmission.signature,
  isOver: true,
  made: 'untold',
  recordedHasSucceeded: false,
  claimed: { kind: 'shown', slot: '417' },
};

function said(claim: OutcomeClaim, lookedUp: Partial<LookedUp> | undefined = {}, id: string = transactionId) {
  const { outcome } = claim;
  return {
    input: {
      params: { transactionId: id },
      body: { outcome, reason, ...(outcome === 'landed' && { signature: claim.signature }) },
    },
    facts: { claim, reason, lookedUp: { ...over, ...lookedUp } },
    actor: `operator:${by}`,
  };
}

const finalized = (id: string = transactionId, slot = '417') =>
  SubmissionFinalized({ transactionId: id, signature, slot });
const conclusion = (
  checked: 'transaction' | 'signature' | 'account' | 'operator',
  id: string = transactionId,
) => ({
  landed: DraftConcluded({ transactionId: id, outcome: 'landed', signature, checked, reason, by }),
  notLanded: DraftConcluded({ ...turnsOf(id).concluded.data, ...unlanded, checked, reason }),
});
const failed = SubmissionFailed({
  transactionId,
  code: 'TRANSACTION_EXPIRED',
  message: 'The transaction did not land and can no longer land. An operator has recorded this outcome.',
  logs: [],
});

const spec = commandSpec(concludeSubmission);
const turns = turnsOf();
const submitted = spec.given(draftIssued, submissionAccepted);

describe('ConcludeSubmission', () => {
  test('ends what has not landed, once its bytes are over', () => {
    submitted.when(said(nothing)).records(conclusion('operator').notLanded, failed);
    submitted.when(said(nothing, { made: 'no' })).records(conclusion('account').notLanded, failed);
    spec
      .given(draftIssued, submissionAccepted, submissionConfirmed)
      .when(said(nothing))
      .records(conclusion('operator').notLanded, failed);
  });

  test('ends what has landed, by the transaction that the node shows', () => {
    submitted.when(said(landed)).records(conclusion('transaction').landed, finalized());
  });

  test('ends what has landed and is not shown, by what it made or by the signature of its payer', () => {
    const claim = { ...landed, slot: '99' };
    const unsigned = { kind: 'not-shown', slot: undefined, isSigned: false } as const;
    submitted
      .when(said(claim, { made: 'yes', claimed: unsigned }))
      .records(conclusion('account').landed, finalized(transactionId, '99'));
    submitted
      .when(said(claim, { claimed: { ...unsigned, isSigned: true } }))
      .records(conclusion('signature').landed, finalized(transactionId, '99'));
    submitted
      .when(said(claim, { claimed: { ...unsigned, slot: '100', isSigned: true } }))
      .records(conclusion('signature').landed, finalized(transactionId, '100'));
    submitted.when(said(claim, { claimed: unsigned })).rejects('OUTCOME_CONTRADICTED');
    const { facts } = said(landed, { made: 'yes', claimed: unsigned });
    const state = [draftIssued, submissionAccepted].reduce(draft.evolve, draft.initial);
    const decide = () => decideConclusion(state, { transactionId }, { ...facts, by });
    expect(rejectionOf(decide)).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: ['slot'] }] });
  });

  test('refuses what the chain contradicts', () => {
    submitted.when(said(nothing, { made: 'yes' })).rejects('OUTCOME_CONTRADICTED');
    submitted.when(said(nothing, { recordedHasSucceeded: true })).rejects('OUTCOME_CONTRADICTED');
    submitted.when(said(landed, { made: 'no' })).rejects('OUTCOME_CONTRADICTED');
    submitted.when(said(landed, { claimed: { kind: 'another' } })).rejects('OUTCOME_CONTRADICTED');
    submitted
      .when(said(landed, { claimed: { kind: 'failed', error: '"x"' } }))
      .rejects('OUTCOME_CONTRADICTED');
  });

  test('refuses while the bytes can still land', () => {
    submitted.when(said(nothing, { isOver: false })).rejects('OUTCOME_OPEN');
    submitted.when(said(landed, { isOver: false })).rejects('OUTCOME_OPEN');
  });

  test('refuses an outcome that is known, also what another operator has said', () => {
    for (const end of [submissionFinalized, submissionFailed])
      spec.given(draftIssued, submissionAccepted, end).when(said(nothing)).rejects('OUTCOME_KNOWN');
    spec.given(draftIssued, turns.expired).when(said(nothing)).rejects('OUTCOME_KNOWN');
    spec.given(draftIssued, turns.superseded).when(said(nothing)).rejects('OUTCOME_KNOWN');
    const concluded = spec.given(draftIssued, submissionAccepted, conclusion('operator').notLanded, failed);
    concluded.when(said(nothing)).recordsNothing();
    concluded.when(said(landed)).rejects('OUTCOME_KNOWN');
    const other = { ...landed, signature: signatures.first };
    spec
      .given(draftIssued, submissionAccepted, conclusion('transaction').landed, finalized())
      .when(said(other))
      .rejects('OUTCOME_KNOWN');
  });

  test('refuses what was not submitted, and what does not exist', () => {
    spec.given(draftIssued).when(said(nothing)).rejects('TRANSACTION_NOT_SUBMITTED');
    spec.given(draftIssued, turns.cancelled).when(said(nothing)).rejects('TRANSACTION_NOT_SUBMITTED');
    spec.given().when(said(nothing)).rejects('TRANSACTION_NOT_FOUND');
  });

  test('refuses a submission that is not the one that was looked up', () => {
    submitted.when(said(nothing, { accepted: signatures.second })).rejects('CONCURRENT_CHANGE');
  });

  test('ends a launch that its creator may have sent, accepted or not, cancelled or not', () => {
    const id = launchTransactionId;
    const sent = { accepted: undefined };
    const { expired, cancelled } = turnsOf(id);
    for (const before of [[], [cancelled]]) {
      const launch = spec.given(launchDraftIssued, ...before);
      launch
        .when(said(nothing, { ...sent, made: 'no' }, id))
        .records(conclusion('account', id).notLanded, expired);
      launch.when(said(landed, sent, id)).records(conclusion('transaction', id).landed, finalized(id));
    }
  });
});

test.each([
  ['landed without a signature', { outcome: 'landed', reason }, 'signature'],
  ['not landed with one', { outcome: 'not-landed', signature, reason }, 'signature'],
  ['not landed with a slot', { outcome: 'not-landed', slot: '7', reason }, 'slot'],
] as const)('nobody can say: %s', async (_what, body, path) => {
  const saying = concludeSubmission.prepare(
    { params: { transactionId }, query: {}, body } as never,
    {
      services: {},
    } as never,
  );
  await expect(saying).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: [path] }] });
});
