// The settling of a draft on a recent blockhash: by the accounts that it makes, else by the history of its key, of which only what
// can be ours is read. A launch may be sent by its creator without the service.
import {
  compileLegacyMessage,
  type Instruction,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { type SearchOutcome, startSearch } from '../../../../src/chain/history-search.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { decodePool } from '../../../../src/chain/venue/venue-accounts.ts';
import { draftOutcomes } from '../../../../src/drafts/settling/draft-outcomes.ts';
import { failedStep, landedStep, type Step } from '../../../../src/drafts/settling/steps.ts';
import type {
  Chain,
  ChainAccount,
  LandedTransaction,
  SignatureStatus,
} from '../../../../src/kernel/ports/chain.ts';
import {
  DraftCancelled,
  type DraftEvent,
  DraftIssued,
  type IssuedDraft,
  SubmissionAccepted,
} from '../../../../src/streams/draft-events.ts';
import type { DraftSubject } from '../../../../src/streams/purposes/index.ts';
import { blockhashDraft } from '../../../support/blockhash-examples.ts';
import { causeOf, clock } from '../../../support/counter.ts';
import {
  acceptedSubmission,
  addresses,
  ids,
  issuedDraft,
  signatures,
  submissionConfirmed,
  token,
} from '../../../support/domain-examples.ts';
import { draftAfter } from '../../../support/draft-stages.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { messageNaming, wireOf } from '../../../support/landed-bytes.ts';
import { launchSubject } from '../../../support/launch-examples.ts';
import { purchase } from '../../../support/promotion-examples.ts';
import { type ScriptedTransaction, scriptedHistory, strangers } from '../../../support/scripted-history.ts';
import { issuedLaunch, recordedLaunchDraft } from '../../chain/venue/launch-example.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const { transactionId } = ids;
const keyring = createKeyring(new Uint8Array(32).fill(7));
const MEMO = `promotion ${purchase.promotionId}`;
const message = compileLegacyMessage({
  payer: addresses.creator,
  instructions: [{ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(MEMO) }],
  recentBlockhash: addresses.mint,
}).bytes;
const accepted = SubmissionAccepted({
  ...acceptedSubmission,
  signedTransaction: wireOf(message).toString('base64'),
  afterSlot: '5000',
});
const REFUSED = '{"InstructionError":[0,{"Custom":1}]}';

type Accounts = Readonly<Record<string, ChainAccount>>;

interface Shown {
  /** The bytes end at height 1,000, those of a launch at 1,150. */
  readonly height?: bigint;
  readonly confirmed?: Accounts;
  readonly finalized?: Accounts;
  readonly status?: SignatureStatus;
}

/** The next step of the draft, and the calls to the chain; undefined where it is not followed. */
async function follow(
  issued: IssuedDraft,
  { height = 900n, confirmed = {}, finalized = {}, status }: Shown,
  ...rest: readonly DraftEvent[]
) {
  const asked: string[] = [];
  const outcomes = draftOutcomes({
    chain: {
      async tip(commitment) {
        asked.push(`tip ${commitment}`);
        return { slot: 4_240n + height, blockHeight: height };
      },
      async statuses(known) {
        asked.push('statuses');
        return known.map(() => status);
      },
      async accounts(addressesOf, commitment, options) {
        asked.push(`${commitment} of ${addressesOf.length}`);
        if (commitment === 'finalized') expect(options).toEqual({ atLeastSlot: 4_240n + height });
        return addressesOf.map((address) => (commitment === 'confirmed' ? confirmed : finalized)[address]);
      },
    } as Partial<Chain> as Chain,
    keyring,
    clock,
    settleDeadline: 1,
  });
  const state = draftAfter(DraftIssued({ ...issued, transactionId }), ...rest);
  const selected = outcomes.select({ transactionId, state, cause: causeOf() });
  if (selected === undefined) return { asked, step: undefined };
  const [observation] = await outcomes.observe([selected]);
  if (observation === undefined) throw new Error('it is not observed');
  return { asked, step: outcomes.nextStep(selected, observation) };
}

const on = (subject: DraftSubject): IssuedDraft => ({ ...blockhashDraft, subject });
const account = (owner: string): ChainAccount => ({ owner, lamports: 1n, data: new Uint8Array() });
const landed = (change: Partial<LandedTransaction> = {}): LandedTransaction => ({
  slot: 5_100,
  wire: wireOf(message),
  fee: 5_000n,
  error: undefined,
  logs: ['a line'],
  ...change,
});
function searchOf(step: Step | undefined) {
  if (step?.kind !== 'search' || step.search.history === undefined)
    throw new Error(`no search: ${step?.kind}`);
  return { ...step, history: step.search.history };
}
const ABSENT: SearchOutcome = { kind: 'absent', others: new Map() };
const found = (transaction: LandedTransaction): SearchOutcome => ({
  kind: 'found',
  signature: 'y',
  transaction,
});
const OVER = { height: 1_060n };

describe('a draft that nobody submitted', () => {
  test('is expired once final blocks are past its blockhash, and not before: nothing of it is signed', async () => {
    for (const subject of [token, purchase]) {
      expect((await follow(on(subject), {})).step).toEqual({ kind: 'wait' });
      const { step, asked } = await follow(on(subject), OVER);
      expect(step).toMatchObject({ kind: 'record', event: { type: 'DraftExpired' } });
      expect(asked).toEqual(['tip finalized']);
    }
  });

  test('is not followed once it is cancelled', async () => {
    expect((await follow(on(token), OVER, DraftCancelled({ transactionId }))).step).toBeUndefined();
  });
});

/** A search by its commitment, or by its name where it reads no history; any other step as it is. */
function verdictOf(step: Step | undefined) {
  if (step?.kind !== 'search') return step;
  return step.search.history === undefined ? step.search.name : step.search.commitment;
}
const at = (commitment: SignatureStatus['commitment'], error?: string): SignatureStatus => ({
  slot: 5_100,
  error,
  commitment,
});
const SEND = { kind: 'send', transaction: accepted.data.signedTransaction };
const LOGS = `logs of ${signatures.first}`;

describe('a submission', () => {
  const landedAs = (commitment: 'confirmed' | 'finalized') =>
    landedStep(transactionId, commitment, { signature: signatures.first, slot: 5_100 });
  const [NO_FEE, NO_RENT] = ['"InsufficientFundsForFee"', '{"InsufficientFundsForRent":{"account_index":0}}'];

  test.each<[string, Shown, unknown]>([
    ['is sent while a block may hold it', { height: 1_000n }, SEND],
    ['is sent on while it is only processed', { status: at('processed') }, SEND],
    ['is looked up once final blocks are past it', OVER, 'finalized'],
    ['is confirmed', { status: at('confirmed') }, landedAs('confirmed')],
    [
      'is confirmed, though final blocks are past it',
      { ...OVER, status: at('confirmed') },
      landedAs('confirmed'),
    ],
    ['is final', { ...OVER, status: at('finalized') }, landedAs('finalized')],
    ['has failed, but not for good', { status: at('confirmed', REFUSED) }, SEND],
    ['has failed for good: its logs are looked up', { status: at('finalized', REFUSED) }, LOGS],
    ['may still run where its payer had no fee', { status: at('finalized', NO_FEE) }, SEND],
    ['may still run where its payer had no rent', { status: at('finalized', NO_RENT) }, SEND],
    [
      'is looked up where it has not run and is over',
      { ...OVER, status: at('finalized', NO_FEE) },
      'finalized',
    ],
  ])('%s', async (_what, shown, verdict) => {
    expect(verdictOf((await follow(on(purchase), shown, accepted)).step)).toEqual(verdict);
  });

  test('that has failed for good is told with its log where the node has it, and without where it has not', async () => {
    const { step } = await follow(on(purchase), { status: at('finalized', REFUSED) }, accepted);
    if (step?.kind !== 'search') throw new Error(`no search: ${step?.kind}`);
    // It is known by its signature: whatever is found under it is it.
    expect(step.search.matches(landed({ wire: wireOf(Uint8Array.of(1)) }))).toBe(true);
    expect(step.conclude(found(landed()))).toEqual(failedStep(transactionId, REFUSED, ['a line']));
    expect(step.conclude(ABSENT)).toEqual(failedStep(transactionId, REFUSED));
  });
});

test('drafts of both kinds are observed together, each by what decides it', async () => {
  const outcomes = draftOutcomes({
    chain: {
      tip: async () => ({ slot: 5_300n, blockHeight: 1_060n }),
      statuses: async (known) => known.map(() => undefined),
      accounts: async (asked) => asked.map(() => undefined),
    } as Partial<Chain> as Chain,
    keyring,
    clock,
    settleDeadline: 1,
  });
  const select = (issued: IssuedDraft) => {
    const state = draftAfter(DraftIssued(issued), accepted);
    const selected = outcomes.select({ transactionId, state, cause: causeOf() });
    if (selected === undefined) throw new Error('it is not followed');
    return selected;
  };
  const drafts = [select(issuedDraft), select(on(token))];
  const observations = await outcomes.observe(drafts);
  expect(observations.map(({ confirmed, finalized }) => [confirmed.trace, finalized.trace])).toEqual([
    ['unseen', 'unseen'],
    ['open', 'decided'],
  ]);
  // The same of drafts that are alike.
  expect((await outcomes.observe(drafts.toReversed())).toReversed()).toEqual(observations);
});

describe('a creation whose bytes are over', () => {
  test.each([
    ['nothing is', {}],
    ['only lamports are', { [token.mintAddress]: account(SYSTEM_PROGRAM) }],
  ])('has not landed if %s at the address of its mint, again and again: no history is read', async (_what, at) => {
    for (const before of [[accepted], [accepted, submissionConfirmed]])
      expect((await follow(on(token), { ...OVER, finalized: at }, ...before)).step).toMatchObject({
        kind: 'absent',
        event: { type: 'SubmissionFailed', data: { code: 'TRANSACTION_EXPIRED' } },
      });
  });

  test('has landed if its mint is there: its transaction is searched, and not to find it proves nothing', async () => {
    const finalized = { [token.mintAddress]: account(TOKEN_2022_PROGRAM) };
    const step = searchOf((await follow(on(token), { ...OVER, finalized }, accepted)).step);
    expect(step.conclude(ABSENT)).toEqual({ kind: 'wait' });
    expect(step.conclude(found(landed()))).toMatchObject({
      event: { type: 'SubmissionFinalized', data: { signature: 'y', slot: '5100' } },
    });
  });
});

test('a creation is confirmed where its mint is, under whatever signature, and gone where it no longer is', async () => {
  const confirmed = { [token.mintAddress]: account(TOKEN_2022_PROGRAM) };
  for (const height of [900n, 1_000n]) {
    const { search, history } = searchOf((await follow(on(token), { height, confirmed }, accepted)).step);
    // A later block may still hold it.
    expect([search.commitment, history.window.to]).toEqual(['confirmed', undefined]);
  }
  const step = searchOf((await follow(on(token), { confirmed }, accepted)).step);
  expect(step.conclude(ABSENT)).toEqual({ kind: 'wait' });
  expect(step.conclude(found(landed()))).toMatchObject({ event: { type: 'SubmissionConfirmed' } });
  const before = [accepted, submissionConfirmed];
  expect((await follow(on(token), { confirmed }, ...before)).step).toEqual({ kind: 'wait' });
  expect((await follow(on(token), {}, ...before)).step).toMatchObject({
    kind: 'absent',
    event: { type: 'SubmissionDropped' },
  });
});

describe('a payment whose bytes are over', () => {
  const searching = async (shown: Shown = {}) =>
    searchOf((await follow(on(purchase), { ...OVER, ...shown }, accepted)).step);

  test('is searched by its known signature first, and in the history of its key, between its signing and its end', async () => {
    const step = await searching();
    expect(step.search).toMatchObject({ known: [signatures.first], commitment: 'finalized' });
    expect(step.history).toMatchObject({
      address: keyring.draft(transactionId).address,
      window: { from: 4_968n, to: 5_240n },
      atLeastSlot: 5_300n,
    });
  });

  test('is not one that failed, nor one with other memos: the list says so', async () => {
    const likelihoodIn = async (told: object, ...instructions: readonly Instruction[]) => {
      const bytes = compileLegacyMessage({
        payer: addresses.creator,
        instructions,
        recentBlockhash: addresses.mint,
      });
      const signedTransaction = wireOf(bytes.bytes).toString('base64');
      const ours = SubmissionAccepted({ ...accepted.data, signedTransaction });
      const { history } = searchOf((await follow(on(purchase), OVER, ours)).step);
      return history.likelihood(historyEntry('x', told));
    };
    const memo = (text: string): Instruction => ({
      program: MEMO_PROGRAM,
      accounts: [],
      data: Buffer.from(text),
    });
    const foreign = { ...memo('no memo'), program: addresses.nonceAccount };
    expect(await likelihoodIn({ error: REFUSED }, memo(MEMO))).toBe('ruled-out');
    expect(await likelihoodIn({ memo: '[4] spam' }, memo(MEMO))).toBe('ruled-out');
    expect(await likelihoodIn({ memo: `[${MEMO.length}] ${MEMO}` }, memo(MEMO), foreign)).toBe('likely');
    expect(await likelihoodIn({}, memo(MEMO))).toBe('possible');
    expect(await likelihoodIn({ memo: '[3] one; [4] more' }, memo('one'), memo('more'))).toBe('likely');
    expect(await likelihoodIn({ memo: '[3] one' }, memo('one'), memo('more'))).toBe('ruled-out');
    expect(await likelihoodIn({ memo: '[2] hi' })).toBe('ruled-out');
    expect(await likelihoodIn({})).toBe('possible');
  });

  test('is what carries its message and has run, under whatever signature', async () => {
    const step = await searching();
    expect(step.search.matches(landed())).toBe(true);
    expect(step.search.matches(landed({ error: '"InsufficientFundsForFee"', fee: 0n }))).toBe(false);
    expect(step.search.matches(landed({ wire: wireOf(Uint8Array.of(1, 2, 3)) }))).toBe(false);
  });

  test('has not landed once all was read without it, and has landed or failed where it is found', async () => {
    const step = await searching();
    expect(step.conclude(ABSENT)).toMatchObject({
      event: { type: 'SubmissionFailed', data: { code: 'TRANSACTION_EXPIRED' } },
    });
    expect(step.conclude(found(landed()))).toMatchObject({ event: { type: 'SubmissionFinalized' } });
    expect(step.conclude(found(landed({ error: '"Refused"' })))).toMatchObject({
      event: { type: 'SubmissionFailed', data: { code: 'CHAIN_REJECTED', logs: ['a line'] } },
    });
  });

  test('has failed in the chain’s own words where the node shows that it has, with its log where that is shown', async () => {
    const status = { slot: 5_100, error: REFUSED, commitment: 'finalized' } as const;
    const message = `The chain refused the transaction: ${REFUSED}.`;
    const failed = (logs: readonly string[]) => ({
      event: { type: 'SubmissionFailed', data: { code: 'CHAIN_REJECTED', message, logs } },
    });
    expect((await searching({ status })).conclude(ABSENT)).toMatchObject(failed([]));
    const others = new Map([[signatures.first, landed({ error: REFUSED })]]);
    expect((await searching()).conclude({ kind: 'absent', others })).toMatchObject(failed(['a line']));
  });
});

describe('a launch', () => {
  const pool = recorded('pool-at-start');
  const MADE_AT = Number(decodePool(pool.data)?.activationPoint);
  const launch = recordedLaunchDraft;
  const { creator, poolAddress, positionMint } = issuedLaunch;
  const poolAlone = { [poolAddress]: pool };
  const made = { ...poolAlone, [launchSubject.positionAddress]: recorded('position') };
  const over = { height: 1_151n };
  const OURS = Uint8Array.of(7);
  const ours: ScriptedTransaction = {
    entry: historyEntry(signatures.second, { slot: 5_100, blockTime: MADE_AT }),
    transaction: { slot: 5_100, wire: OURS, fee: 5_000n, error: undefined, logs: [] },
  };

  /** The step's search in this history; `ours` matches. */
  async function searched(step: Step | undefined, history: readonly ScriptedTransaction[]) {
    const { search, conclude } = searchOf(step);
    const { chain, calls } = scriptedHistory(history);
    const running = startSearch(chain, { ...search, matches: (transaction) => transaction.wire === OURS });
    for (;;) {
      const turn = await running.advance(16);
      if (turn.kind === 'found' || turn.kind === 'absent') return { calls, turn, conclude };
    }
  }

  test.each([
    ['after it', { slot: 5_140, blockTime: MADE_AT + 20 }],
    ['minutes after it', { slot: 5_900, blockTime: MADE_AT + 400 }],
    ['before it', { slot: 5_050, blockTime: MADE_AT - 15 }],
  ])('that its client sent is found by the second that its pool names, whatever 17,000 transfers %s', async (_where, told) => {
    const { step } = await follow(launch, { confirmed: made });
    const flood = strangers(17_000, told);
    const { calls, turn } = await searched(step, told.slot > 5_100 ? [...flood, ours] : [ours, ...flood]);
    expect(turn).toMatchObject({ kind: 'found', signature: signatures.second });
    expect(calls.reads).toBe(1);
    expect(calls.lists).toBeLessThanOrEqual(19);
  });

  test('is whatever the key of its position has signed with success', async () => {
    const { step } = await follow(launch, { finalized: made, confirmed: made });
    const { search, conclude } = searchOf(step);
    const signed = wireOf(messageNaming(positionMint, { payer: creator, signer: true }), 2);
    expect(search.matches(landed({ wire: signed }))).toBe(true);
    expect(search.matches(landed({ wire: signed, error: REFUSED }))).toBe(false);
    expect(search.matches(landed())).toBe(false);
    expect(conclude(found(landed({ wire: signed })))).toMatchObject({
      event: { type: 'SubmissionFinalized', data: { signature: 'y', slot: '5100' } },
    });
  });

  test('that is over has not landed if there is no pool of it, again and again: no history is read', async () => {
    const foreign = { [poolAddress]: account(SYSTEM_PROGRAM) };
    for (const finalized of [{}, foreign]) {
      expect((await follow(launch, { ...over, finalized })).step).toMatchObject({
        kind: 'absent',
        event: { type: 'DraftExpired' },
      });
      expect((await follow(launch, { ...over, finalized }, accepted)).step).toMatchObject({
        kind: 'absent',
        event: { type: 'SubmissionFailed', data: { code: 'TRANSACTION_EXPIRED' } },
      });
    }
  });

  test('has not failed for a message with guards: it can land without them', async () => {
    const plain = { ...launch, message: Buffer.from(message).toString('base64') };
    const refused = { status: at('finalized', REFUSED) };
    expect(verdictOf((await follow(plain, refused, accepted)).step)).toBe(LOGS);
    expect((await follow(launch, refused, accepted)).step).toEqual(SEND);
  });

  test('is found by no memo, and by no transaction that its position’s key has only named', async () => {
    const { search, history } = searchOf((await follow(launch, { confirmed: made })).step);
    const likelihood = (told: object) => history.likelihood(historyEntry('x', told));
    expect(likelihood({ memo: '[4] spam', blockTime: MADE_AT })).toBe('likely');
    expect(likelihood({ blockTime: MADE_AT + 300 })).toBe('possible');
    expect(likelihood({ blockTime: MADE_AT + 301 })).toBe('ruled-out');
    expect(likelihood({})).toBe('possible');
    expect(likelihood({ error: REFUSED, blockTime: MADE_AT })).toBe('ruled-out');
    expect(history.atLeastSlot).toBeUndefined();
    const named = messageNaming(positionMint, { payer: creator, signer: false });
    expect(search.matches(landed({ wire: wireOf(named) }))).toBe(false);
  });

  test('that is over is searched where a pool is there, up to the last block that can hold it, and ends either way', async () => {
    const { step } = await follow(launch, { ...over, finalized: poolAlone }, accepted);
    const { search, history } = searchOf(step);
    expect(search.known).toEqual([signatures.first]);
    expect(history.window.to).toBe(5_390n);
    const { calls, turn, conclude } = await searched(step, strangers(25_000, { slot: 5_391 }));
    expect(conclude(turn)).toMatchObject({ event: { type: 'SubmissionFailed' } });
    expect(calls.reads).toBeLessThanOrEqual(3);
    expect((await searched(step, [ours])).turn.kind).toBe('found');
  });
});
