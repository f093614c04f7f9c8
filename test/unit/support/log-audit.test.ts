import { describe, expect, test } from 'vitest';
import { LeaseReleased, LeaseRenewed, LeaseTaken } from '../../../src/kernel/runtime/lease.ts';
import { DraftExpired, DraftIssued, SubmissionAccepted } from '../../../src/streams/draft-events.ts';
import type { LevyEvent } from '../../../src/streams/index.ts';
import {
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../../src/streams/nonce-account.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFinalized,
  submissionOverdue,
  tokenCreated,
} from '../../support/domain-examples.ts';
import { auditLog } from '../../support/log-audit.ts';
import { happening, storedEvents } from '../../support/recorded-events.ts';

const { transactionId, otherTransactionId } = ids;
const account = addresses.nonceAccount;
const value = addresses.nonceValue;
const opened = NonceAccountOpened({ account, index: 0, value });
const leased = NonceLeased({ account, transactionId, value });
const renewed = NonceRenewed({ account, transactionId, value: addresses.nextNonceValue });
const tenure = { name: 'settler', label: 'here 1', ttl: 2_000 };
const first = { ...tenure, holder: transactionId, term: 1 };
const second = { ...tenure, holder: otherTransactionId, term: 2 };

function streamOf({ type, data }: LevyEvent): string {
  if ('account' in data) return data.account;
  if ('holder' in data) return data.name;
  if (type === 'TokenCreated') return data.token.tokenId;
  return 'transactionId' in data ? String(data.transactionId) : '';
}

function audit(...events: readonly LevyEvent[]) {
  return auditLog(storedEvents(events.map((event) => happening(streamOf(event), event))));
}

const whole = [
  LeaseTaken(first),
  opened,
  leased,
  draftIssued,
  LeaseRenewed(first),
  submissionAccepted,
  submissionOverdue,
  submissionConfirmed,
  tokenCreated,
  submissionFinalized,
  renewed,
  LeaseReleased(first),
  LeaseTaken(second),
];

describe('an audit of a log', () => {
  test('finds nothing wrong with a token that was made, and nothing under way', () => {
    expect(audit(...whole)).toEqual({ faults: [], underWay: [] });
  });

  test.each([
    ['accepted', whole.slice(0, 6)],
    ['confirmed', whole.slice(0, 8)],
    ['finalized without its token', whole.filter((event) => event !== tokenCreated)],
  ])('knows that a submission is under way that is %s', (_how, events) => {
    expect(audit(...events)).toEqual({ faults: [], underWay: [transactionId] });
  });

  test.each<readonly [string, RegExp, readonly LevyEvent[]]>([
    ['a draft that is accepted twice', /went/, [draftIssued, submissionAccepted, submissionAccepted]],
    ['an end after the end', /went/, [...whole, submissionFinalized]],
    [
      'an acceptance after the draft expired',
      /went/,
      [draftIssued, DraftExpired({ transactionId }), submissionAccepted],
    ],
    ['a landing of what was never accepted', /went/, [draftIssued, submissionConfirmed]],
    [
      'one nonce value for two submissions',
      /both accepted/,
      [
        ...whole,
        DraftIssued({ ...issuedDraft, transactionId: otherTransactionId }),
        SubmissionAccepted({ ...acceptedSubmission, transactionId: otherTransactionId }),
      ],
    ],
    [
      'an account leased to two drafts',
      /while/,
      [opened, leased, NonceLeased({ account, transactionId: otherTransactionId, value })],
    ],
    [
      'an account taken back twice',
      /did not hold/,
      [opened, leased, NonceReturned({ account, transactionId }), renewed],
    ],
    [
      'an old value again',
      /had had before/,
      [opened, leased, NonceRenewed({ account, transactionId, value })],
    ],
    ['an account that is opened twice', /opened twice/, [opened, opened]],
    ['a token whose draft has not landed', /has not landed/, [draftIssued, submissionAccepted, tokenCreated]],
    ['a token that is created twice', /2 times/, [...whole, tokenCreated]],
    ['a renewal in the term of another', /LeaseRenewed of term 1/, [...whole, LeaseRenewed(first)]],
    [
      'a renewal after the release',
      /LeaseRenewed/,
      [LeaseTaken(first), LeaseReleased(first), LeaseRenewed(first)],
    ],
    ['a term that is taken twice', /LeaseTaken of term 1/, [LeaseTaken(first), LeaseTaken(first)]],
  ])('finds %s', (_what, sentence, events) => {
    expect(audit(...events).faults.join('\n')).toMatch(sentence);
  });

  test('finds an event that is there twice, out of order, or missing', () => {
    const [taken, nonce, lease, ...others] = storedEvents(
      whole.map((event) => happening(streamOf(event), event)),
    );
    const faultsOf = (events: readonly (typeof taken)[]) =>
      auditLog(events.filter((event) => event !== undefined)).faults.join('\n');
    expect(faultsOf([taken, nonce, nonce])).toMatch(/id of another/);
    expect(faultsOf([nonce, taken])).toMatch(/later position/);
    expect(faultsOf([nonce, ...others])).toMatch(/follows on 0/);
    expect(faultsOf([lease])).toMatch(/follows on nothing/);
  });
});
