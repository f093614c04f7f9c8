// What operators are told of drafts, submissions and nonce accounts: by state and age, page by page.
import { describe, expect, test } from 'vitest';
import { deriveId } from '../../../src/kernel/runtime/ids.ts';
import { listDrafts } from '../../../src/queries/list-drafts.ts';
import { listNonceAccounts } from '../../../src/queries/list-nonce-accounts.ts';
import { listQuarantinedEvents } from '../../../src/queries/list-quarantined-events.ts';
import { listSubmissions } from '../../../src/queries/list-submissions.ts';
import {
  DraftIssued,
  SubmissionAccepted,
  SubmissionConfirmed,
  SubmissionFailed,
  SubmissionOverdue,
} from '../../../src/streams/draft-events.ts';
import { NonceAccountOpened, NonceLeased, NonceReturned } from '../../../src/streams/nonce-account.ts';
import {
  acceptedSubmission,
  addresses,
  ids,
  issuedDraft,
  landedSubmission,
  signatures,
  submissionFailed,
  submissionOverdue,
  token,
  tokenCreated,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { issuedLaunchDraft } from '../../support/launch-examples.ts';
import { type Asked, answering } from '../../support/query-spec.ts';
import { type Happening, happening } from '../../support/recorded-events.ts';

const NOW = '2026-05-04T12:00:00.000Z';
/** So many minutes past ten. */
const at = (minutes: number, seconds = 0) =>
  new Date(Date.UTC(2026, 4, 4, 10, minutes, seconds)).toISOString();
const idOf = (number: number) => deriveId('example draft', String(number));

/** Issued as many minutes past ten as its number is. */
function issued(number: number): Happening {
  const transactionId = idOf(number);
  return happening(transactionId, DraftIssued({ ...issuedDraft, transactionId }), at(number));
}

/** Accepted half a minute after its issue, unless said otherwise. */
function accepted(number: number, when = at(number, 30)): Happening {
  const transactionId = idOf(number);
  return happening(transactionId, SubmissionAccepted({ ...acceptedSubmission, transactionId }), when);
}

const numbered = (...numbers: readonly number[]) => numbers.map(idOf);

type Told = readonly { readonly transactionId: string; readonly [field: string]: unknown }[];
interface Page {
  readonly drafts: Told;
  readonly submissions: Told;
  readonly next: string | null;
}

/** Asks a list of operators for its pages, over what has happened. */
async function askingFor<Answer>(
  list: typeof listDrafts | typeof listSubmissions | typeof listNonceAccounts,
  happenings: readonly Happening[],
) {
  const ask = await answering(happenings);
  return async (query: { readonly [name: string]: unknown } = {}) =>
    (await ask(list, { query, now: NOW })) as Answer;
}

describe('drafts', () => {
  const five = [1, 2, 3, 4, 5].map(issued);
  const asking = async (happenings: readonly Happening[]) => {
    const ask = await askingFor<Page>(listDrafts, happenings);
    return async (query: { readonly [name: string]: unknown } = {}) => {
      const { drafts, next } = await ask(query);
      return { found: drafts.map(({ transactionId }) => transactionId), next, drafts };
    };
  };

  test('are the open ones, the oldest first, with what it takes to find them', async () => {
    const list = await asking([issued(1), issued(2), accepted(1)]);
    const { drafts, next } = await list();
    expect(next).toBeNull();
    expect(drafts).toEqual([
      {
        state: 'open',
        transactionId: idOf(2),
        purpose: 'token-creation',
        creator: addresses.creator,
        tokenId: ids.tokenId,
        mintAddress: addresses.mint,
        nonceAccount: addresses.nonceAccount,
        lastValidBlockHeight: null,
        createdAt: at(2),
        expiresAt: issuedDraft.expiresAt,
        historyFloodedSince: null,
        outcomeUnknown: null,
        conclusion: null,
        ageSeconds: 118 * 60,
      },
    ]);
  });

  test('are found by their state', async () => {
    const expired = happening(idOf(2), turnsOf(idOf(2)).expired, at(9));
    const list = await asking([...five, expired, accepted(4)]);
    expect((await list({ state: 'open' })).found).toEqual(numbered(1, 3, 5));
    expect((await list({ state: 'expired' })).found).toEqual(numbered(2));
    expect((await list({ state: 'superseded' })).found).toEqual([]);
  });

  test('come in pages that nothing shifts', async () => {
    const list = await asking(five);
    const first = await list({ limit: 2 });
    expect(first.found).toEqual(numbered(1, 2));
    const second = await list({ limit: 2, after: first.next });
    expect(second.found).toEqual(numbered(3, 4));
    expect(await list({ limit: 2, after: second.next })).toMatchObject({ found: numbered(5), next: null });
    expect(await list({ limit: 5 })).toMatchObject({ next: null });
    const back = await list({ order: 'newest', after: first.next });
    expect(back.found).toEqual(numbered(1));

    // The one that the first page ended with has left the list meanwhile.
    const later = await asking([...five, accepted(1), accepted(2)]);
    expect((await later({ limit: 2, after: first.next })).found).toEqual(numbered(3, 4));
  });

  test.each([
    ['119m', [1]],
    ['118m', [1, 2]],
    ['1h', [1, 2, 3, 4, 5]],
    ['1d', []],
    ['2026-05-04T10:03:00Z', [1, 2, 3]],
  ] as const)('are older than %s', async (olderThan, expected) => {
    const list = await asking(five);
    expect((await list({ olderThan })).found).toEqual(numbered(...expected));
    expect((await list({ olderThan, order: 'newest' })).found).toEqual(numbered(...[...expected].reverse()));
  });

  test('end where they are too young: nobody pages through the rest', async () => {
    const list = await asking(five);
    expect(await list({ olderThan: '118m', limit: 1 })).toMatchObject({ next: idOf(1) });
    expect(await list({ olderThan: '118m', limit: 3 })).toMatchObject({ found: numbered(1, 2), next: null });
  });

  test.each(['10', '1w', '2026-13-04T10:00:00Z'])('cannot be older than %j', async (olderThan) => {
    const list = await asking([]);
    await expect(list({ olderThan })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: ['olderThan'] }],
    });
  });

  test('do not go on behind one that never was', async () => {
    const list = await asking(five);
    await expect(list({ after: ids.transactionId })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: ['after'] }],
    });
  });
});

describe('submissions', () => {
  const asking = (happenings: readonly Happening[]) => askingFor<Page>(listSubmissions, happenings);
  const confirmed = (number: number) =>
    happening(
      idOf(number),
      SubmissionConfirmed({ ...landedSubmission, transactionId: idOf(number) }),
      at(number, 40),
    );

  test('tell which outcomes are unknown, since when and why, also of a launch that its creator sent, and who ended one', async () => {
    const unknownOf = (number: number) => happening(idOf(number), turnsOf(idOf(number)).unknown, at(9));
    const { concluded } = turnsOf(idOf(2));
    const launch = happening(idOf(3), DraftIssued({ ...issuedLaunchDraft, transactionId: idOf(3) }), at(3));
    const list = await asking([
      issued(1),
      accepted(1),
      issued(2),
      accepted(2),
      launch,
      unknownOf(1),
      unknownOf(2),
      unknownOf(3),
      happening(idOf(2), concluded, at(10)),
      happening(idOf(2), SubmissionFailed({ ...submissionFailed.data, transactionId: idOf(2) }), at(10)),
    ]);
    const { submissions } = await list({ state: 'unknown' });
    expect(submissions).toMatchObject([
      {
        transactionId: idOf(1),
        state: 'submitted',
        outcomeUnknown: {
          since: at(9),
          code: 'TRANSACTION_NOT_FOUND',
          message: expect.stringMatching(/in the history of this account/),
          address: addresses.mint,
          signatures: [signatures.second],
        },
      },
      {
        transactionId: idOf(3),
        state: 'open',
        purpose: 'launch',
        nonceAccount: null,
        lastValidBlockHeight: 1150,
      },
    ]);
    expect(submissions).toHaveLength(2);
    const { code, message, logs } = submissionFailed.data;
    expect((await list({ state: 'failed' })).submissions).toMatchObject([
      {
        transactionId: idOf(2),
        settledAt: at(10),
        failure: { code, message, logs },
        outcomeUnknown: null,
        conclusion: { at: at(10), outcome: 'landed', checked: 'transaction', by: 'alice' },
      },
    ]);
  });

  test('are those under way, with all that tells where they are and nothing that was signed', async () => {
    const overdue = happening(
      idOf(1),
      SubmissionOverdue({ ...submissionOverdue.data, transactionId: idOf(1) }),
      at(3, 31),
    );
    const { flooded } = turnsOf(idOf(1));
    const list = await asking([
      issued(1),
      accepted(1),
      overdue,
      happening(idOf(1), flooded, at(9)),
      issued(2),
    ]);
    const page = await list();
    expect(page).toEqual({
      submissions: [
        {
          state: 'submitted',
          transactionId: idOf(1),
          purpose: 'token-creation',
          creator: addresses.creator,
          tokenId: ids.tokenId,
          mintAddress: addresses.mint,
          nonceAccount: addresses.nonceAccount,
          lastValidBlockHeight: null,
          createdAt: at(1),
          expiresAt: issuedDraft.expiresAt,
          historyFloodedSince: at(9),
          outcomeUnknown: null,
          conclusion: null,
          ageSeconds: 118 * 60 + 30,
          signature: signatures.first,
          acceptedAt: at(1, 30),
          deadline: acceptedSubmission.deadline,
          overdueSince: at(3, 31),
          settledAt: null,
          recorded: false,
          failure: null,
        },
      ],
      next: null,
    });
    const { signedTransaction } = acceptedSubmission;
    for (const bytes of [signedTransaction, issuedDraft.message]) {
      expect(JSON.stringify(page)).not.toContain(`"${bytes}"`);
    }
  });

  test('that landed are found while what they were for is not recorded', async () => {
    const recorded = happening(token.tokenId, {
      ...tokenCreated,
      data: { ...tokenCreated.data, transactionId: idOf(1) },
    });
    const history = [issued(1), accepted(1), confirmed(1), issued(2), accepted(2), confirmed(2)];
    const list = await asking([...history, recorded]);
    expect((await list({ state: 'unrecorded' })).submissions).toMatchObject([
      { transactionId: idOf(2), state: 'confirmed', recorded: false },
    ]);
    expect((await list({ state: 'confirmed' })).submissions).toMatchObject([
      { transactionId: idOf(1), recorded: true },
      { transactionId: idOf(2), recorded: false },
    ]);
    expect((await list()).submissions).toEqual([]);
  });

  test('are as old as their acceptance, not as their draft', async () => {
    const list = await asking([
      issued(1),
      issued(2),
      issued(3),
      accepted(1, at(4)),
      accepted(2),
      accepted(3),
    ]);
    const olderThan = at(3, 30);
    const first = await list({ olderThan, limit: 1 });
    // The first of its state was accepted too late; those behind it may still be old enough.
    expect([first.submissions, first.next]).toEqual([[], idOf(1)]);
    const { submissions } = await list({ olderThan, after: first.next });
    expect(submissions.map(({ transactionId }) => transactionId)).toEqual(numbered(2, 3));
  });
});

describe('nonce accounts', () => {
  const accounts = [
    addresses.nonceAccount,
    addresses.otherNonceAccount,
    addresses.mint,
    addresses.creator,
  ] as const;
  const opened = accounts.map((account, index) =>
    happening(account, NonceAccountOpened({ account, index, value: addresses.nonceValue }), at(0)),
  );
  const leased = (index: 0 | 1 | 2 | 3, number: number, when: string) =>
    happening(
      accounts[index],
      NonceLeased({
        account: accounts[index],
        transactionId: idOf(number),
        value: addresses.nonceValue,
      }),
      when,
    );
  const asking = (happenings: readonly Happening[]) =>
    askingFor<{
      readonly nonceAccounts: readonly { readonly index: number; readonly [field: string]: unknown }[];
      readonly next: string | null;
    }>(listNonceAccounts, happenings);
  const indexes = ({ nonceAccounts }: { readonly nonceAccounts: readonly { readonly index: number }[] }) =>
    nonceAccounts.map(({ index }) => index);

  const history = [...opened, issued(5), leased(0, 5, at(5)), leased(1, 6, at(4)), leased(2, 7, at(6))];

  test('are told with what holds them, the longest held first', async () => {
    const list = await asking(history);
    const page = await list({ state: 'leased' });
    expect(indexes(page)).toEqual([1, 0, 2]);
    expect(page.nonceAccounts.slice(0, 2)).toEqual([
      {
        account: accounts[1],
        index: 1,
        state: 'leased',
        value: addresses.nonceValue,
        since: at(4),
        ageSeconds: 116 * 60,
        lease: { transactionId: idOf(6), draft: null },
      },
      {
        account: accounts[0],
        index: 0,
        state: 'leased',
        value: addresses.nonceValue,
        since: at(5),
        ageSeconds: 115 * 60,
        lease: {
          transactionId: idOf(5),
          draft: {
            purpose: 'token-creation',
            state: 'open',
            creator: addresses.creator,
            expiresAt: issuedDraft.expiresAt,
          },
        },
      },
    ]);
  });

  test('are found by state and age', async () => {
    const returned = NonceReturned({ account: accounts[2], transactionId: idOf(7) });
    const list = await asking([...history, happening(accounts[2], returned, at(7))]);
    expect(indexes(await list())).toEqual([3, 1, 0, 2]);
    expect(indexes(await list({ state: 'free' }))).toEqual([3, 2]);
    expect(indexes(await list({ state: 'free', olderThan: '2h' }))).toEqual([3]);
    expect(indexes(await list({ state: 'leased', olderThan: at(4) }))).toEqual([1]);
    expect((await list({ state: 'free' })).nonceAccounts).toMatchObject([{ lease: null }, { lease: null }]);
  });

  test('come in pages', async () => {
    const list = await asking(history);
    const first = await list({ limit: 3 });
    expect(indexes(first)).toEqual([3, 1, 0]);
    const second = await list({ limit: 3, after: first.next });
    expect([indexes(second), second.next]).toEqual([[2], null]);
  });
});

describe('quarantined events', () => {
  const quarantinedEvent = (eventId: string) => ({
    eventId,
    stream: 'token-3f2b9a54',
    revision: 3,
    position: '00000000000000000007',
    eventType: 'TokenHidden',
    problem: 'its reason is missing',
    reason: 'Written by a script.',
    by: 'alice',
    quarantinedAt: NOW,
  });
  const asking = async (count: number) => {
    const quarantined = Array.from({ length: count }, (_, number) => quarantinedEvent(idOf(number)));
    const reader = { quarantined: () => quarantined, refresh: async () => {} };
    const ask = await answering([]);
    return async (query: Asked['query']) =>
      (await ask(listQuarantinedEvents, { query, services: { events: { reader } } as object })) as {
        readonly events: readonly object[];
        readonly next: string | null;
      };
  };

  test('come newest first, by numbered pages and behind an event, whatever is quarantined meanwhile', async () => {
    const first = await (await asking(4))({ limit: 2 });
    expect(first).toMatchObject({ events: [{ eventId: idOf(3) }, { eventId: idOf(2) }], next: idOf(2) });
    const list = await asking(6);
    expect(await list({ limit: 1, after: first.next })).toEqual({
      events: [quarantinedEvent(idOf(1))],
      pagination: { total: 6, page: 1, limit: 1, totalPages: 6 },
      next: idOf(1),
    });
    expect((await list({ after: idOf(5) })).events).toHaveLength(5);
    expect(await list({ after: idOf(1) })).toMatchObject({ events: [{ eventId: idOf(0) }], next: null });
    expect(await list({ page: 2, limit: 4 })).toMatchObject({
      events: [{ eventId: idOf(1) }, { eventId: idOf(0) }],
      next: null,
    });
  });

  test('are refused behind an event that is none of them, and a number beside a place counts for nothing', async () => {
    const list = await asking(2);
    await expect(list({ after: idOf(9) })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    for (const page of [1, 2])
      expect(await list({ after: idOf(1), page })).toEqual(await list({ after: idOf(1) }));
  });
});
