// Each rule about the order of a stream's events speaks of an event that breaks it, and of nothing else.
import { describe, expect, test } from 'vitest';
import { evolved } from '../../../../src/kernel/runtime/define-stream.ts';
import type { Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { ruleBrokenBy } from '../../../../src/proof/audit/log/stream-rules.ts';
import { LinksLanded, RunOpened } from '../../../../src/streams/distribution.ts';
import { DistributionWalletGenerated } from '../../../../src/streams/distribution-wallet.ts';
import { draft } from '../../../../src/streams/draft.ts';
import { DraftConcluded, type DraftEvent, DraftIssued } from '../../../../src/streams/draft-events.ts';
import { categoryOfType, type LevyEvent, streams } from '../../../../src/streams/index.ts';
import {
  NonceAccountOpened,
  NonceLeased,
  NonceRenewed,
  NonceReturned,
} from '../../../../src/streams/nonce-account.ts';
import { TokenHidden } from '../../../../src/streams/token.ts';
import { blockhashDraft, blockhashIssued } from '../../../support/blockhash-examples.ts';
import {
  linksLanded,
  linksRecorded,
  ownersListed,
  runAllotted,
  runClosed,
  runId,
  runOpened,
  tills,
} from '../../../support/distribution-examples.ts';
import {
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionConfirmed,
  submissionFailed,
  submissionFinalized,
  tokenCreated,
} from '../../../support/domain-examples.ts';
import { turnsOf } from '../../../support/draft-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';
import { launchCompleted, launchStarted, launchSubject } from '../../../support/launch-examples.ts';
import { happening, recordedEvents } from '../../../support/recorded-events.ts';

const { tokenId, transactionId, otherTransactionId } = ids;
const { expired, cancelled, flooded, unknown, concluded: landed } = turnsOf();
const otherRunId = '9a0b6d1e-0d1c-5f6e-8f3a-6c1d2e3f4a5b';
const account = addresses.nonceAccount;
const value = addresses.nonceValue;

/** The sentence of the rule that the last event breaks; those before it must break none. */
function brokenBy(streamId: string, ...told: readonly LevyEvent[]) {
  const stream = streams.find(({ category }) => category === categoryOfType.get(told[0]?.type ?? ''));
  if (stream === undefined) throw new Error('no such stream');
  const events = recordedEvents(told.map((event) => happening(streamId, event)));
  const last = events.at(-1) as Recorded;
  const state = events.slice(0, -1).reduce<unknown>((before, event) => {
    expect(ruleBrokenBy(before, event)).toBeUndefined();
    return evolved(stream, before, event);
  }, stream.initial);
  return ruleBrokenBy(state, last);
}

test.each<[string, LevyEvent]>([
  [otherTransactionId, draftIssued],
  [otherTransactionId, tokenCreated],
  [otherTransactionId, TokenHidden({ tokenId, reason: 'Spam.' })],
  [otherTransactionId, launchStarted],
  [addresses.otherNonceAccount, NonceAccountOpened({ account, index: 0, value })],
  [otherRunId, runAllotted],
  [otherTransactionId, runOpened],
  [otherTransactionId, ownersListed],
  [
    otherTransactionId,
    DistributionWalletGenerated({ walletId: ids.walletId, address: addresses.distributionWallet }),
  ],
])('in stream %s, $type is one of another stream', (streamId, event) => {
  expect(brokenBy(streamId, event)).toMatchObject({
    what: 'an event is in the stream that it names',
    found: expect.stringContaining(streamId),
  });
});

test.each<[string, string, LevyEvent]>([
  ['TokenCreated', tokenId, TokenHidden({ tokenId, reason: 'Spam.' })],
  ['LaunchStarted', launchSubject.tokenId, launchCompleted],
  ['NonceAccountOpened', account, NonceLeased({ account, transactionId, value })],
])('nothing of a stream comes before its %s', (first, streamId, event) => {
  expect(brokenBy(streamId, event)).toEqual({
    what: `${first} is the first event of its stream`,
    expected: first,
    found: event.type,
  });
});

describe('a draft', () => {
  const wayward = "a draft's events are in a valid order";

  test.each<[string, readonly LevyEvent[]]>([
    ['accepted twice', [draftIssued, submissionAccepted, submissionAccepted]],
    ['accepted after it expired', [draftIssued, expired, submissionAccepted]],
    ['that ends twice', [draftIssued, submissionAccepted, submissionFinalized, submissionFinalized]],
    ['that nobody accepted, landed', [draftIssued, submissionConfirmed]],
    ['on a blockhash that nobody accepted, landed', [blockhashIssued, submissionConfirmed]],
    ['issued twice', [draftIssued, draftIssued]],
    ['that begins in its middle', [submissionAccepted]],
    ['whose history is flooded before it is issued', [flooded]],
    ['whose history is flooded after its end', [draftIssued, expired, flooded]],
  ])('%s is found', (_how, events) => {
    expect(brokenBy(transactionId, ...events)).toMatchObject({
      what: "a draft's events are in a valid order",
      found: events.at(-1)?.type,
    });
  });

  const SEARCHED: readonly [string, readonly LevyEvent[]][] = [
    ['was accepted', [draftIssued, submissionAccepted]],
    ['landed', [draftIssued, submissionAccepted, submissionConfirmed]],
    ['is sent by its creator', [DraftIssued({ ...blockhashIssued.data, subject: launchSubject })]],
    [
      'is sent by its creator, who cancelled it',
      [DraftIssued({ ...blockhashIssued.data, subject: launchSubject }), cancelled],
    ],
  ];

  test.each<[string, readonly LevyEvent[]]>(
    SEARCHED,
  )('may have an outcome that is unknown, and is concluded by an operator as it is said: the draft %s', (_how, events) => {
    const not = DraftConcluded({ ...landed.data, outcome: 'not-landed', signature: null });
    expect(brokenBy(transactionId, ...events, unknown, landed)).toBeUndefined();
    expect(brokenBy(transactionId, ...events, landed, submissionFinalized)?.what).not.toBe(wayward);
    expect(brokenBy(transactionId, ...events, not, submissionFailed)?.what).not.toBe(wayward);
    expect(brokenBy(transactionId, ...events, not, submissionFinalized)?.what).toBe(wayward);
    expect(brokenBy(transactionId, ...events, landed, submissionFailed)?.what).toBe(wayward);
    expect(brokenBy(transactionId, ...events, landed, landed)?.what).toBe(wayward);
  });

  test.each<[string, readonly LevyEvent[]]>(
    SEARCHED,
  )('may have its history flooded while it is searched: the draft %s', (_how, events) => {
    expect(brokenBy(transactionId, ...events, flooded)).toBeUndefined();
    expect(brokenBy(transactionId, ...events, flooded, submissionFinalized)?.what).not.toBe(wayward);
  });
});

test('a draft whose issue is quarantined is told once, at the event behind it', () => {
  const [accepted, confirmed] = recordedEvents([
    happening(transactionId, submissionAccepted),
    happening(transactionId, submissionConfirmed),
  ]);
  expect(ruleBrokenBy(draftAfter(), accepted as Recorded)?.found).toBe('SubmissionAccepted');
  expect(ruleBrokenBy(draftAfter(submissionAccepted), confirmed as Recorded)).toBeUndefined();
});

test('every event of a draft may come at some time', () => {
  const lives = [issuedDraft, blockhashDraft, { ...blockhashDraft, subject: launchSubject }];
  const stages: readonly (readonly DraftEvent[])[] = [
    [],
    [cancelled],
    [submissionAccepted],
    [submissionAccepted, submissionConfirmed],
  ];
  const states = [
    draftAfter(),
    ...lives.flatMap((issued) => stages.map((events) => draftAfter(DraftIssued(issued), ...events))),
  ];
  const [example] = recordedEvents([happening(transactionId, draftIssued)]);
  const neverMay = Object.keys(draft.events).filter((type) =>
    states.every((state) => ruleBrokenBy(state, { ...example, type } as Recorded) !== undefined),
  );
  expect(neverMay).toEqual([]);
});

describe('a nonce account', () => {
  const opened = NonceAccountOpened({ account, index: 0, value });
  const leased = NonceLeased({ account, transactionId, value });
  const other = otherTransactionId;

  test('that is opened twice is found', () => {
    expect(brokenBy(account, opened, opened)?.what).toBe('NonceAccountOpened occurs once in its stream');
  });

  test.each([
    ['to a second draft', [leased, NonceLeased({ account, transactionId: other, value })], transactionId],
    [
      'at another value',
      [NonceLeased({ account, transactionId, value: addresses.nextNonceValue })],
      'any draft',
    ],
  ])('leased %s is found', (_how, events, holder) => {
    expect(brokenBy(account, opened, ...events)).toMatchObject({
      what: 'a nonce account is leased to one draft at a time, at its current value',
      expected: `${holder} at ${value}`,
    });
  });

  test.each([
    ['another draft', [leased, NonceReturned({ account, transactionId: other })], transactionId],
    ['no draft', [NonceRenewed({ account, transactionId, value: addresses.nextNonceValue })], 'no draft'],
  ])('taken back from %s is found', (_how, events, holder) => {
    expect(brokenBy(account, opened, ...events)).toMatchObject({
      what: 'a nonce account is released by the draft that leased it',
      expected: holder,
    });
  });

  test('may be leased again to the draft that leases it, and to another when it was taken back', () => {
    expect(brokenBy(account, opened, leased, leased)).toBeUndefined();
    const back = [opened, leased, NonceReturned({ account, transactionId })];
    expect(brokenBy(account, ...back, NonceLeased({ account, transactionId: other, value }))).toBeUndefined();
  });
});

describe('the runs of a token', () => {
  const opened = (change: Partial<typeof runOpened.data>) => RunOpened({ ...runOpened.data, ...change });

  test('are found when two are open', () => {
    expect(brokenBy(tokenId, runOpened, opened({ runId: otherRunId, number: 2 }))).toEqual({
      what: 'a token has one open run at a time',
      expected: `the end of run ${runId}`,
      found: `run ${otherRunId}`,
    });
  });

  test.each([
    ['a link that is recorded', linksRecorded],
    ['a link that landed', linksLanded],
    ['a close', runClosed],
  ])('are found when %s is of a run that is not open', (_what, step) => {
    const what = 'a step belongs to the open run';
    expect(brokenBy(tokenId, step)).toMatchObject({ what, expected: 'no run', found: runId });
    expect(brokenBy(tokenId, opened({ runId: otherRunId }), step)).toMatchObject({
      what,
      expected: otherRunId,
    });
  });

  test('are found when something landed that was not recorded', () => {
    expect(brokenBy(tokenId, runOpened, linksLanded)?.what).toBe('a link was recorded before it landed');
    const [landed] = linksLanded.data.links;
    if (landed === undefined) throw new Error('no link');
    const changed = LinksLanded({ ...linksLanded.data, links: [landed, { ...landed, till: tills.third }] });
    expect(brokenBy(tokenId, runOpened, linksRecorded, changed)).toMatchObject({
      what: 'a link was recorded before it landed',
      found: `the till ${tills.third}`,
    });
  });
});
