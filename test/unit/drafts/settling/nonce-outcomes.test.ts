// What the service does about a submission on a durable nonce: it sends, overtakes it after the deadline, and looks for what spent the value.
import { compileLegacyMessage, MEMO_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { buildNonceAdvance } from '../../../../src/chain/durable-nonce.ts';
import type { SearchOutcome } from '../../../../src/chain/history-search.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { draftOutcomes } from '../../../../src/drafts/settling/draft-outcomes.ts';
import type { AccountEvidence } from '../../../../src/drafts/settling/judge-outcome.ts';
import type { LoadedDraft } from '../../../../src/drafts/settling/loaded-draft.ts';
import { failedStep, landedStep, type Step } from '../../../../src/drafts/settling/steps.ts';
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
import { wireOf } from '../../../support/landed-bytes.ts';
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
const wireSaying = (text: string) => wireOf(messageOf(text));
const accepted = SubmissionAccepted({
  ...acceptedSubmission,
  signedTransaction: wireSaying('ours').toString('base64'),
});

function lifetimeAt(now: string, chain: Partial<Chain> = {}) {
  return draftOutcomes({
    chain: chain as Chain,
    keyring,
    clock: { now: () => new Date(now) },
    settleDeadline: SETTLE_DEADLINE,
  });
}
const followed = (events: readonly DraftEvent[], id: string = transactionId): LoadedDraft => ({
  transactionId: id,
  state: draftAfter(...events),
  cause: causeOf(),
});
function submissionAfter(...events: readonly DraftEvent[]) {
  const selected = lifetimeAt('2026-05-04T10:00:00.000Z').select(followed(events));
  if (selected === undefined) throw new Error('it is not followed');
  return selected;
}
/** The nonce value: unspent, spent, or in an account that is not seen. */
const [unspent, spent, unseen] = ['open', 'decided', 'unseen'] as const;
/** The nonce account as confirmed and as finalized, and the status. */
type Seen = readonly [AccountEvidence, AccountEvidence, SignatureStatus | undefined];
const seen = (
  [confirmed, finalized, status]: Seen = [unspent, unspent, undefined],
): Parameters<ReturnType<typeof draftOutcomes>['nextStep']>[1] => ({
  confirmed: { trace: confirmed },
  finalized: { trace: finalized },
  status,
  tip: undefined,
});
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
});

const send = { kind: 'send', transaction: accepted.data.signedTransaction } as const;
const wait: Step = { kind: 'wait' };
const gone: Step = { kind: 'absent', event: SubmissionDropped({ transactionId }) };
const at = (commitment: SignatureStatus['commitment'], error?: string) => status({ commitment, error });
const REFUSED = '{"InstructionError":[3,{"Custom":1}]}';
const overdue = SubmissionOverdue({
  transactionId,
  advanceSignature: signatures.second,
  advanceTransaction: wireSaying('the advance').toString('base64'),
});

/** The search for the transaction that spent the value has a commitment, which is given; other steps are unchanged. */
function verdictOn(events: readonly DraftEvent[], shown: Seen) {
  const step = lifetimeAt(inTime).nextStep(submissionAfter(draftIssued, accepted, ...events), seen(shown));
  return step.kind === 'search' ? step.search.commitment : step;
}

describe('a submitted transaction', () => {
  const landed = (commitment: 'confirmed' | 'finalized') =>
    landedStep(transactionId, commitment, { signature: signatures.first, slot: 417 });

  test.each<[string, Seen, Step | string]>([
    ['unspent and unknown: it is sent', [unspent, unspent, undefined], send],
    ['unspent, but executed on one node: it is sent on', [unspent, unspent, at('processed')], send],
    ['confirmed', [spent, unspent, at('confirmed')], landed('confirmed')],
    [
      'confirmed, on a node whose account is behind',
      [unspent, unspent, at('confirmed')],
      landed('confirmed'),
    ],
    ['finalized', [spent, spent, at('finalized')], landed('finalized')],
    ['finalized, while the account is not seen', [unseen, unseen, at('finalized')], landed('finalized')],
    [
      'failed, but not for good: nothing is believed',
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
    ['failed for good on a node whose account is behind', [unspent, unspent, at('finalized', REFUSED)], send],
  ])('%s', (_what, shown, verdict) => {
    expect(verdictOn([], shown)).toEqual(verdict);
  });
});

describe('a confirmed transaction', () => {
  const finalized = landedStep(transactionId, 'finalized', { signature: signatures.second, slot: 417 });

  test.each<[string, Seen, Step | string]>([
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
  ])('%s', (_what, shown, verdict) => {
    expect(verdictOn([submissionConfirmed], shown)).toEqual(verdict);
  });
});

describe('once its value is spent', () => {
  const searchAfter = (events: readonly DraftEvent[], commitment: 'confirmed' | 'finalized') => {
    const step = lifetimeAt(inTime).nextStep(
      submissionAfter(draftIssued, ...events),
      // A tip where other drafts are on blockhashes: bytes on a nonce end with no block.
      {
        ...seen([spent, commitment === 'finalized' ? spent : unspent, undefined]),
        tip: { slot: 5_300n, blockHeight: 1_060n },
      },
    );
    if (step.kind !== 'search') throw new Error(`no search: ${step.kind}`);
    expect(step.search.commitment).toBe(commitment);
    return step;
  };
  const landedAs = (text: string, change: Partial<LandedTransaction> = {}): LandedTransaction => ({
    slot: 500,
    wire: wireSaying(text),
    fee: 5_000n,
    error: undefined,
    logs: ['a line'],
    ...change,
  });

  test('it is searched by both known signatures, and in the history of the account since it was signed', () => {
    const windowAfter = (afterSlot?: string) =>
      searchAfter(
        [SubmissionAccepted({ ...accepted.data, ...(afterSlot && { afterSlot }) }), overdue],
        'finalized',
      ).search;
    expect(windowAfter('5000')).toMatchObject({
      known: [signatures.first, signatures.second],
      history: { address: addresses.nonceAccount, window: { from: 4_968n, to: undefined } },
    });
    expect(windowAfter('7').history?.window.from).toBe(0n);
    expect(windowAfter().history?.window.from).toBeUndefined();
  });

  test('it was spent by the submission or by the advance, if those have run, and by no stranger', () => {
    const { search } = searchAfter([accepted, overdue], 'finalized');
    for (const spending of [landedAs('ours'), landedAs('ours', { error: REFUSED }), landedAs('the advance')])
      expect(search.matches(spending)).toBe(true);
    expect(search.matches(landedAs('ours', { fee: 0n, error: '"InsufficientFundsForFee"' }))).toBe(false);
    expect(search.matches(landedAs('of a stranger'))).toBe(false);
  });

  test('not to find what has spent it proves nothing', () => {
    for (const commitment of ['confirmed', 'finalized'] as const)
      expect(searchAfter([accepted], commitment).conclude({ kind: 'absent', others: new Map() })).toEqual(
        wait,
      );
  });

  const [submitted, late, confirmed] = [[accepted], [accepted, overdue], [accepted, submissionConfirmed]];
  const landed = (commitment: 'confirmed' | 'finalized') =>
    landedStep(transactionId, commitment, { signature: signatures.second, slot: 500 });
  const rejected = failedStep(transactionId, REFUSED, ['a line']);
  const expired = failedStep(transactionId, undefined);

  test.each<[string, readonly DraftEvent[], string, string | undefined, 'confirmed' | 'finalized', Step]>([
    ['ours, confirmed: it landed', submitted, 'ours', undefined, 'confirmed', landed('confirmed')],
    ['ours, finalized', submitted, 'ours', undefined, 'finalized', landed('finalized')],
    ['ours, finalized, as was confirmed', confirmed, 'ours', undefined, 'finalized', landed('finalized')],
    ['ours, failed at confirmed: waits for finalized', submitted, 'ours', REFUSED, 'confirmed', wait],
    ['ours, failed for good', submitted, 'ours', REFUSED, 'finalized', rejected],
    ['ours, failed for good on another fork', confirmed, 'ours', REFUSED, 'finalized', rejected],
    ['the advance, confirmed: waits for finalized', late, 'the advance', undefined, 'confirmed', wait],
    ['the advance, for good: ours lands no more', late, 'the advance', undefined, 'finalized', expired],
    ['a failed advance advanced the value as well', late, 'the advance', REFUSED, 'finalized', expired],
  ])('by what is found under another signature: %s', (_what, events, text, error, commitment, outcome) => {
    const found: SearchOutcome = {
      kind: 'found',
      signature: signatures.second,
      transaction: landedAs(text, { error }),
    };
    expect(searchAfter(events, commitment).conclude(found)).toEqual(outcome);
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
});
