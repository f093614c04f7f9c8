// What the service does about a submission on a durable nonce: it sends, overtakes it after the deadline, and looks for what spent the value.
import { compileLegacyMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { buildNonceAdvance } from '../../../../src/chain/durable-nonce.ts';
import type { SearchOutcome } from '../../../../src/chain/history-search.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { draftOutcomes, type ObservedDraft } from '../../../../src/drafts/settling/draft-outcomes.ts';
import type { FollowedDraft } from '../../../../src/drafts/settling/followed-draft.ts';
import type { Trace } from '../../../../src/drafts/settling/judge-outcome.ts';
import type { Step } from '../../../../src/drafts/settling/steps.ts';
import type { Chain, LandedTransaction, SignatureStatus } from '../../../../src/kernel/ports/chain.ts';
import { deriveId } from '../../../../src/kernel/runtime/ids.ts';
import {
  type DraftEvent,
  DraftIssued,
  SubmissionAccepted,
  SubmissionDropped,
  SubmissionOverdue,
} from '../../../../src/streams/draft-events.ts';
import { causeOf } from '../../../support/counter.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  signatures,
  submissionConfirmed,
  submissionFinalized,
} from '../../../support/domain-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';
import { nonceAccountOf } from '../../../support/nonce-account-shown.ts';

const { transactionId } = ids;
const [VALUE, NEXT] = [addresses.nonceValue, addresses.nextNonceValue];
const keyring = createKeyring(new Uint8Array(32).fill(7));

function messageOf(text: string) {
  return compileLegacyMessage({
    payer: addresses.creator,
    instructions: [{ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(text) }],
    recentBlockhash: VALUE,
  }).bytes;
}
const wireOf = (text: string) => Buffer.concat([Buffer.of(1), Buffer.alloc(64, 9), messageOf(text)]);
const accepted = SubmissionAccepted({
  ...acceptedSubmission,
  signedTransaction: wireOf('ours').toString('base64'),
});

function lifetimeAt(now: string, chain: Partial<Chain> = {}) {
  return draftOutcomes({
    chain: chain as Chain,
    keyring,
    clock: { now: () => new Date(now) },
    settleDeadline: SETTLE_DEADLINE,
  });
}
const followed = (events: readonly DraftEvent[], id: string = transactionId): FollowedDraft => ({
  transactionId: id,
  state: draftAfter(...events),
  cause: causeOf(),
});
function submissionAfter(...events: readonly DraftEvent[]) {
  const selected = lifetimeAt('2026-05-04T10:00:00.000Z').select(followed(events));
  if (selected === undefined) throw new Error('it is not followed');
  return selected;
}
/** The two values of the nonce; undefined where its account is not shown. */
function seen(
  {
    confirmedValue,
    finalizedValue,
    status: told,
  }: {
    readonly confirmedValue?: string | undefined;
    readonly finalizedValue?: string | undefined;
    readonly status?: SignatureStatus;
  } = { confirmedValue: VALUE, finalizedValue: VALUE },
): ObservedDraft {
  const traceOf = (value: string | undefined): Trace =>
    value === undefined ? 'unseen' : value === VALUE ? 'open' : 'decided';
  return {
    confirmed: { trace: traceOf(confirmedValue) },
    finalized: { trace: traceOf(finalizedValue) },
    status: told,
    tip: undefined,
  };
}
const status = (change: Partial<SignatureStatus> = {}): SignatureStatus => ({
  slot: 417,
  error: undefined,
  commitment: 'finalized',
  ...change,
});
const inTime = '2026-05-04T10:02:59.999Z';
const atDeadline = acceptedSubmission.deadline;
const SETTLE_DEADLINE = 120_000;
/** Since the acceptance. */
const inTimeSent = Date.parse(atDeadline) - SETTLE_DEADLINE;

test('accepted drafts on a nonce are followed until they are final, and no others', () => {
  const { select } = lifetimeAt(inTime);
  const isFollowed = (...events: readonly DraftEvent[]) => select(followed(events)) !== undefined;
  expect(isFollowed(draftIssued)).toBe(false);
  expect(isFollowed(draftIssued, accepted)).toBe(true);
  expect(isFollowed(draftIssued, accepted, submissionConfirmed)).toBe(true);
  expect(isFollowed(draftIssued, accepted, submissionFinalized)).toBe(false);
});

describe('while its value is unspent', () => {
  test('the accepted bytes are sent until the deadline', () => {
    const step = lifetimeAt(inTime).nextStep(submissionAfter(draftIssued, accepted), seen());
    expect(step).toEqual({ kind: 'send', transaction: accepted.data.signedTransaction });
  });

  test('an advance of its nonce is recorded from the deadline on, before it is sent: it kills the bytes', () => {
    const step = lifetimeAt(atDeadline).nextStep(submissionAfter(draftIssued, accepted), seen(), inTimeSent);
    const advance = buildNonceAdvance({
      feePayer: keyring.feePayer,
      nonceAuthority: keyring.nonceAuthority,
      nonceAccount: addresses.nonceAccount,
      value: VALUE,
    });
    expect(step).toEqual({
      kind: 'record',
      event: SubmissionOverdue({
        transactionId,
        advanceSignature: advance.signature,
        advanceTransaction: Buffer.from(advance.wire).toString('base64'),
      }),
    });
  });

  test.each([
    ['were never sent', undefined, '2026-05-04T12:00:00.000Z'],
    ['were first sent at the deadline', Date.parse(atDeadline), '2026-05-04T10:04:59.999Z'],
    ['were first sent a little late', inTimeSent + 7_000, '2026-05-04T10:03:06.999Z'],
  ])('the accepted bytes are sent on, whatever the deadline, where they %s', (_how, sentSince, now) => {
    const step = lifetimeAt(now).nextStep(submissionAfter(draftIssued, accepted), seen(), sentSince);
    expect(step).toEqual({ kind: 'send', transaction: accepted.data.signedTransaction });
  });

  test('what was sent late is overtaken when it was sent for as long as any other', () => {
    const sentSince = Date.parse(atDeadline) + 30_000;
    const step = lifetimeAt('2026-05-04T10:05:30.000Z').nextStep(
      submissionAfter(draftIssued, accepted),
      seen(),
      sentSince,
    );
    expect(step).toMatchObject({ kind: 'record', event: { type: 'SubmissionOverdue' } });
  });

  test('the recorded advance is sent, and nothing else, by whatever clock', () => {
    const overdue = SubmissionOverdue({
      transactionId,
      advanceSignature: signatures.second,
      advanceTransaction: 'AgAD',
    });
    for (const now of [inTime, atDeadline])
      expect(lifetimeAt(now).nextStep(submissionAfter(draftIssued, accepted, overdue), seen())).toEqual({
        kind: 'send',
        transaction: 'AgAD',
      });
  });

  test('a confirmation is gone', () => {
    const confirmed = submissionAfter(draftIssued, accepted, submissionConfirmed);
    expect(lifetimeAt(inTime).nextStep(confirmed, seen())).toEqual({
      kind: 'absent',
      event: SubmissionDropped({ transactionId }),
    });
  });
});

test.each([
  ['confirmed', 'SubmissionConfirmed'],
  ['finalized', 'SubmissionFinalized'],
] as const)('a %s success of its signature is recorded as it is', (commitment, type) => {
  const step = lifetimeAt(inTime).nextStep(
    submissionAfter(draftIssued, accepted),
    seen({ confirmedValue: VALUE, finalizedValue: VALUE, status: status({ commitment }) }),
  );
  expect(step).toMatchObject({ kind: 'record', event: { type, data: { transactionId, slot: '417' } } });
});

test('a value that no node shows is waited for', () => {
  const unseen = seen({ confirmedValue: undefined, finalizedValue: undefined });
  expect(lifetimeAt(atDeadline).nextStep(submissionAfter(draftIssued, accepted), unseen)).toEqual({
    kind: 'wait',
  });
});

describe('once its value is spent', () => {
  const searchAt = (commitment: 'confirmed' | 'finalized') => {
    const step = lifetimeAt(atDeadline).nextStep(
      submissionAfter(draftIssued, accepted),
      seen({ confirmedValue: NEXT, finalizedValue: commitment === 'finalized' ? NEXT : VALUE }),
    );
    if (step.kind !== 'search') throw new Error(`no search: ${step.kind}`);
    expect(step.search.commitment).toBe(commitment);
    return step;
  };
  const found = (text: string, change: Partial<LandedTransaction> = {}): SearchOutcome => ({
    kind: 'found',
    signature: signatures.second,
    transaction: {
      slot: 500,
      wire: wireOf(text),
      fee: 5_000n,
      error: undefined,
      logs: ['a line'],
      ...change,
    },
  });
  const recordedOf = (step: Step) => (step.kind === 'record' ? step.event : undefined);

  test('what has spent it is searched at the commitment at which it is, and its absence proves nothing', () => {
    for (const commitment of ['confirmed', 'finalized'] as const)
      expect(searchAt(commitment).conclude({ kind: 'absent', others: new Map() })).toEqual({ kind: 'wait' });
  });

  test('it has landed if its own message has, under whatever signature', () => {
    const data = { transactionId, signature: signatures.second, slot: '500' };
    expect(recordedOf(searchAt('confirmed').conclude(found('ours')))).toEqual({
      type: 'SubmissionConfirmed',
      data,
    });
    expect(recordedOf(searchAt('finalized').conclude(found('ours')))).toEqual({
      type: 'SubmissionFinalized',
      data,
    });
  });

  test('it has failed if its own message was refused finally, and is waited for until that', () => {
    const refused = found('ours', { error: '"Refused"' });
    expect(searchAt('confirmed').conclude(refused)).toEqual({ kind: 'wait' });
    expect(recordedOf(searchAt('finalized').conclude(refused))).toMatchObject({
      type: 'SubmissionFailed',
      data: { code: 'CHAIN_REJECTED', logs: ['a line'] },
    });
  });

  test('it never lands if the advance has spent it finally', () => {
    const overdue = SubmissionOverdue({
      transactionId,
      advanceSignature: signatures.second,
      advanceTransaction: wireOf('the advance').toString('base64'),
    });
    const step = lifetimeAt(atDeadline).nextStep(
      submissionAfter(draftIssued, accepted, overdue),
      seen({ confirmedValue: NEXT, finalizedValue: NEXT }),
    );
    if (step.kind !== 'search') throw new Error(`no search: ${step.kind}`);
    expect(recordedOf(step.conclude(found('the advance')))).toMatchObject({
      type: 'SubmissionFailed',
      data: { code: 'TRANSACTION_EXPIRED' },
    });
  });
});

describe('what is asked of the chain about many submissions', () => {
  /** What nodes show of each submission's signature and nonce account. */
  interface Shown {
    readonly rest?: readonly DraftEvent[];
    readonly status?: SignatureStatus;
    readonly confirmed?: string;
    readonly finalized?: string;
  }

  async function observing(shown: readonly Shown[]) {
    const accountAt = (index: number) =>
      [addresses.nonceAccount, addresses.otherNonceAccount, addresses.mint][index] ?? '';
    const asked: string[] = [];
    const lifetime = lifetimeAt(inTime, {
      statuses: async (known) =>
        known.map((signature, index) =>
          signature === acceptedSubmission.signature || signature === submissionConfirmed.data.signature
            ? shown[index]?.status
            : undefined,
        ),
      async accounts(asking, commitment) {
        const places = asking.map((address) => shown.findIndex((_, index) => accountAt(index) === address));
        asked.push(`${commitment} ${places.join()}`);
        return places.map((place) => {
          const value = shown[place]?.[commitment];
          return value === undefined ? undefined : nonceAccountOf(value);
        });
      },
    });
    const submissions = shown.flatMap(({ rest = [] }, index) => {
      const id = deriveId('draft', `${index}`);
      const issued = DraftIssued({
        ...issuedDraft,
        lifetime: { kind: 'durable-nonce', nonceAccount: accountAt(index), nonceValue: VALUE },
      });
      return lifetime.select(followed([issued, accepted, ...rest], id)) ?? [];
    });
    return { asked, observations: await lifetime.observe(submissions) };
  }

  test('is nothing more than the status where that is a success in a voted block', async () => {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const { asked, observations } = await observing([{ status: status({ commitment }) }]);
      expect(asked).toEqual([]);
      expect(observations).toMatchObject([
        { confirmed: { trace: 'unseen' }, finalized: { trace: 'unseen' }, status: status({ commitment }) },
      ]);
    }
  });

  test.each([
    ['is unknown', undefined],
    ['failed', status({ error: '"Refused"' })],
    ['is in a block that nobody has voted for', status({ commitment: 'processed' })],
  ])('is the value, where its status %s', async (_how, told) => {
    const { asked, observations } = await observing([
      { ...(told === undefined ? {} : { status: told }), confirmed: VALUE, finalized: NEXT },
    ]);
    // Unspent in the newer block means unspent in the older one.
    expect(asked).toEqual(['confirmed 0']);
    expect(observations).toMatchObject([
      { confirmed: { trace: 'open' }, finalized: { trace: 'unseen' }, status: told },
    ]);
  });

  test('is the final value too where it is spent, or was confirmed before, each in its own place', async () => {
    const { asked, observations } = await observing([
      { confirmed: VALUE, finalized: VALUE },
      { confirmed: NEXT, finalized: VALUE },
      { rest: [submissionConfirmed], confirmed: VALUE, finalized: VALUE },
    ]);
    expect(asked).toEqual(['confirmed 0,1,2', 'finalized 1,2']);
    expect(observations.map(({ confirmed, finalized }) => [confirmed.trace, finalized.trace])).toEqual([
      ['open', 'unseen'],
      ['decided', 'open'],
      ['open', 'open'],
    ]);
  });

  test('tells no value of an account that is none of a nonce, or is not shown', async () => {
    const { observations } = await observing([{}]);
    expect(observations).toMatchObject([{ confirmed: { trace: 'unseen' }, finalized: { trace: 'unseen' } }]);
  });
});
