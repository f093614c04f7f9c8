// The rule of refreshing: the same instructions on a later blockhash, and never while something signed may still land.
import { decodeLegacyMessage } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { blockhashOf } from '../../../src/chain/issued-message.ts';
import { refreshTransaction } from '../../../src/commands/refresh-transaction.ts';
import { submit } from '../../../src/commands/submit.ts';
import { draft } from '../../../src/streams/draft.ts';
import { DraftCancelled, DraftExpired, DraftSuperseded } from '../../../src/streams/draft-events.ts';
import { commandSpec } from '../../support/command-spec.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
} from '../../support/domain-examples.ts';
import { launchDraftIssued } from '../../support/launch-examples.ts';
import {
  blockhashes,
  draftRefreshed,
  messages,
  refreshableIssued,
  submissionLapsed,
} from '../../support/refreshable-examples.ts';

const { transactionId } = ids;

function at(now: string, actor: string = addresses.creator, lastValidBlockHeight = 1_200n) {
  const fresh = {
    blockhash: blockhashes.second,
    lastValidBlockHeight,
    bytesExpireAt: '2026-05-04T10:01:27.000Z',
  };
  return { input: { params: { transactionId } }, facts: { now, ...fresh }, actor };
}

const inTime = at('2026-05-04T10:00:50.000Z');

describe('RefreshTransaction', () => {
  const spec = commandSpec(refreshTransaction);

  test('puts the same message on the later blockhash, as the next version', () => {
    spec.given(refreshableIssued).when(inTime).records(draftRefreshed);
    const [first, second] = [messages.first, messages.second].map((text) => Buffer.from(text, 'base64'));
    expect(blockhashOf(second ?? Buffer.alloc(0))).toBe(blockhashes.second);
    const one = decodeLegacyMessage(first ?? Buffer.alloc(0));
    const other = decodeLegacyMessage(second ?? Buffer.alloc(0));
    if (!one.ok || !other.ok) throw new Error('both are messages');
    expect(other.message.instructions).toEqual(one.message.instructions);
    expect(other.message.accountKeys).toEqual(one.message.accountKeys);
  });

  test('records nothing for a blockhash that is no later: a node that is behind shows earlier ones', () => {
    spec
      .given(refreshableIssued)
      .when(at('2026-05-04T10:00:50.000Z', addresses.creator, 1_000n))
      .recordsNothing();
    spec.given(refreshableIssued, draftRefreshed).when(inTime).recordsNothing();
  });

  test('is refused for a durable nonce, and for a launch', () => {
    spec.given(draftIssued).when(inTime).rejects('TRANSACTION_NOT_REFRESHABLE');
    const { data } = launchDraftIssued;
    spec
      .given({ ...launchDraftIssued, data: { ...data, creator: addresses.creator } })
      .when(inTime)
      .rejects('TRANSACTION_NOT_REFRESHABLE');
  });

  test('is refused from the submission on, whatever became of it, until it is shown that it cannot land', () => {
    for (const [rest, code] of [
      [[], 'TRANSACTION_SUBMITTED'],
      [[submissionConfirmed], 'TRANSACTION_LANDED'],
      [[submissionConfirmed, submissionFinalized], 'TRANSACTION_LANDED'],
      [[submissionFinalized], 'TRANSACTION_LANDED'],
      [[submissionFailed], 'TRANSACTION_FAILED'],
    ] as const) {
      for (const issued of [refreshableIssued, draftIssued])
        spec
          .given(issued, submissionAccepted, ...rest)
          .when(inTime)
          .rejects(code);
    }
    spec.given(refreshableIssued, submissionAccepted, submissionLapsed).when(inTime).records(draftRefreshed);
  });

  test('tells of a draft on a durable nonce that it is over, not that its bytes stay valid', () => {
    for (const [end, code] of [
      [DraftCancelled({ transactionId }), 'TRANSACTION_CANCELLED'],
      [DraftSuperseded({ transactionId, by: ids.otherTransactionId }), 'TRANSACTION_SUPERSEDED'],
      [DraftExpired({ transactionId }), 'TRANSACTION_EXPIRED'],
    ] as const)
      spec.given(draftIssued, end).when(inTime).rejects(code);
    spec.given(draftIssued).when(at(issuedDraft.expiresAt)).rejects('TRANSACTION_EXPIRED');
  });

  test('is refused for what is over, for others, and for what does not exist', () => {
    spec.given(refreshableIssued).when(at(issuedDraft.expiresAt)).rejects('TRANSACTION_EXPIRED');
    spec
      .given(refreshableIssued, DraftExpired({ transactionId }))
      .when(inTime)
      .rejects('TRANSACTION_EXPIRED');
    spec
      .given(refreshableIssued, DraftCancelled({ transactionId }))
      .when(inTime)
      .rejects('TRANSACTION_CANCELLED');
    spec
      .given(refreshableIssued, DraftSuperseded({ transactionId, by: ids.otherTransactionId }))
      .when(inTime)
      .rejects('TRANSACTION_SUPERSEDED');
    spec
      .given(refreshableIssued)
      .when(at('2026-05-04T10:00:50.000Z', addresses.otherCreator))
      .rejects('NOT_TRANSACTION_OWNER');
    spec.given().when(inTime).rejects('TRANSACTION_NOT_FOUND');
  });
});

describe('SubmitToken, on a recent blockhash', () => {
  const spec = commandSpec(submit);
  const signed = (version: number) => ({
    input: { body: { transactionId, signedTransaction: acceptedSubmission.signedTransaction } },
    facts: { now: '2026-05-04T10:01:00.000Z', version, accepted: acceptedSubmission },
    actor: addresses.creator,
  });

  test('takes the latest version only, also when it is refreshed while the submission is checked', () => {
    spec.given(refreshableIssued).when(signed(1)).records(submissionAccepted);
    spec.given(refreshableIssued, draftRefreshed).when(signed(1)).rejects('BYTES_EXPIRED');
    spec.given(refreshableIssued, draftRefreshed).when(signed(2)).records(submissionAccepted);
  });

  test('does not take again what has lapsed, and takes the version that follows', () => {
    const lapsed = [refreshableIssued, submissionAccepted, submissionLapsed] as const;
    spec
      .given(...lapsed)
      .when(signed(1))
      .rejects('BYTES_EXPIRED');
    spec
      .given(...lapsed, draftRefreshed)
      .when(signed(2))
      .records(submissionAccepted);
  });

  test('a lapsed draft is open again and forgets its submission, but for what it was', () => {
    const state = [refreshableIssued, submissionAccepted, submissionLapsed].reduce(
      draft.evolve,
      draft.initial,
    );
    expect(state).toMatchObject({ status: 'open', version: 1, hasLapsed: true });
    expect(state).not.toHaveProperty('accepted');
    expect(draft.evolve(state, draftRefreshed)).toMatchObject({
      status: 'open',
      version: 2,
      formerBlockhashes: [blockhashes.first],
      hasLapsed: false,
      issued: { expiresAt: issuedDraft.expiresAt },
    });
  });
});
