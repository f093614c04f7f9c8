// What the service does about a submission on a recent blockhash: by its account where it makes one, else by the history
// of its key, of which only what can be ours is read.
import { compileLegacyMessage, MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { SearchOutcome } from '../../../../src/chain/history-search.ts';
import type { Step } from '../../../../src/drafts/settling/step.ts';
import { nextVersionStep, type ObservedVersion } from '../../../../src/drafts/settling/version-lifetime.ts';
import type { ChainAccount, LandedTransaction } from '../../../../src/kernel/ports/chain.ts';
import { DraftIssued, SubmissionAccepted } from '../../../../src/streams/draft-events.ts';
import type { DraftSubject } from '../../../../src/streams/purposes/index.ts';
import { acceptedSubmission, addresses, ids, signatures, token } from '../../../support/domain-examples.ts';
import { pendingAfter } from '../../../support/draft-stages.ts';
import { historyEntry } from '../../../support/history-entry.ts';
import { purchase } from '../../../support/promotion-examples.ts';
import { refreshableDraft } from '../../../support/refreshable-examples.ts';

const NOW = '2026-05-04T10:02:00.000Z';
const MEMO = `promotion ${purchase.promotionId}`;
const message = compileLegacyMessage({
  payer: addresses.creator,
  instructions: [{ program: MEMO_PROGRAM, accounts: [], data: Buffer.from(MEMO) }],
  recentBlockhash: addresses.mint,
}).bytes;
const wire = (of: Uint8Array) => Buffer.concat([Buffer.of(1), Buffer.alloc(64, 9), of]);
const landed = (change: Partial<LandedTransaction> = {}): LandedTransaction => ({
  slot: 5_100,
  wire: wire(message),
  fee: 5_000n,
  error: undefined,
  logs: ['a line'],
  ...change,
});

function followed(subject: DraftSubject) {
  const state = pendingAfter(
    DraftIssued({ ...refreshableDraft, subject }),
    SubmissionAccepted({
      ...acceptedSubmission,
      signedTransaction: wire(message).toString('base64'),
      afterSlot: '5000',
    }),
  );
  return { transactionId: ids.transactionId, state };
}

const account = (owner: string): ChainAccount => ({ owner, lamports: 1n, data: new Uint8Array() });
/** Final blocks are 60 past the end of the bytes. */
const over = (keyAccount?: ChainAccount): ObservedVersion => ({
  status: undefined,
  tip: { slot: 5_300n, blockHeight: 1_060n },
  key: { address: addresses.mint, account: keyAccount },
});

function searchOf(step: Step) {
  if (step.kind !== 'search' || step.search.history === undefined) throw new Error(`no search: ${step.kind}`);
  return { ...step, history: step.search.history };
}
const ABSENT: SearchOutcome = { kind: 'absent', others: new Map() };
const found = (transaction: LandedTransaction): SearchOutcome => ({
  kind: 'found',
  signature: 'y',
  transaction,
});

describe('a creation whose bytes are over', () => {
  test.each([
    ['nothing is', undefined],
    ['only lamports are', account(SYSTEM_PROGRAM)],
  ])('has not landed if %s at the address of its mint: no history is read, however long it is', (_what, at) => {
    expect(nextVersionStep(followed(token), over(at), NOW)).toMatchObject({
      kind: 'record',
      event: { type: 'SubmissionLapsed', data: { signature: signatures.first, finalizedHeight: '1060' } },
    });
  });

  test('has landed if its mint is there: its transaction is searched, and not to find it proves nothing', () => {
    const step = searchOf(nextVersionStep(followed(token), over(account(TOKEN_2022_PROGRAM)), NOW));
    expect(step.conclude(ABSENT)).toEqual({ kind: 'wait' });
    expect(step.conclude(found(landed()))).toMatchObject({
      event: { type: 'SubmissionFinalized', data: { signature: 'y', slot: '5100' } },
    });
  });
});

describe('a payment whose bytes are over', () => {
  const step = searchOf(nextVersionStep(followed(purchase), over(), NOW));

  test('is searched by its known signature first, and in the history of its key, between its signing and its end', () => {
    expect(step.search).toMatchObject({ known: [signatures.first], commitment: 'finalized' });
    expect(step.history).toMatchObject({
      address: addresses.mint,
      window: { from: 4_968n, to: 5_240n },
      atLeastSlot: 5_300n,
    });
  });

  test('is not one that failed, nor one with another memo: the list says so', () => {
    const likelihood = (told: object) => step.history.likelihood(historyEntry('x', told));
    expect(likelihood({ error: '{"InstructionError":[0,{"Custom":1}]}' })).toBe('ruled-out');
    expect(likelihood({ memo: '[4] spam' })).toBe('ruled-out');
    expect(likelihood({ memo: `[${MEMO.length}] ${MEMO}` })).toBe('likely');
    expect(likelihood({})).toBe('possible');
  });

  test('is what carries its message and has run, under whatever signature', () => {
    expect(step.search.matches(landed())).toBe(true);
    expect(step.search.matches(landed({ error: '"InsufficientFundsForFee"', fee: 0n }))).toBe(false);
    expect(step.search.matches(landed({ wire: wire(Uint8Array.of(1, 2, 3)) }))).toBe(false);
  });

  test('can be signed again once all was read without it, and has landed or failed where it is found', () => {
    expect(step.conclude(ABSENT)).toMatchObject({ event: { type: 'SubmissionLapsed' } });
    expect(step.conclude(found(landed()))).toMatchObject({ event: { type: 'SubmissionFinalized' } });
    expect(step.conclude(found(landed({ error: '"Refused"' })))).toMatchObject({
      event: { type: 'SubmissionFailed', data: { code: 'CHAIN_REJECTED', logs: ['a line'] } },
    });
  });
});

test('bytes that may land are sent, whatever else is so', () => {
  const good = { ...over(), tip: { slot: 5_100n, blockHeight: 1_000n }, key: undefined };
  expect(nextVersionStep(followed(purchase), good, NOW)).toMatchObject({ kind: 'send' });
});
