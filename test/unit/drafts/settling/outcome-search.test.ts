// Which transaction spent a nonce value, where blocks also hold transactions that never ran.
import { compileLegacyMessage, unsignedTransaction } from 'levy-solana-wire';
import { expect, test } from 'vitest';
import { deciderIn, outcomeSearch } from '../../../../src/drafts/settling/outcome-search.ts';
import type { LandedTransaction } from '../../../../src/kernel/ports/chain.ts';
import { SubmissionAccepted, SubmissionOverdue } from '../../../../src/streams/draft-events.ts';
import {
  acceptedSubmission,
  addresses,
  draftIssued,
  ids,
  signatures,
} from '../../../support/domain-examples.ts';
import { pendingAfter } from '../../../support/draft-stages.ts';

const wireOf = (payer: string) =>
  unsignedTransaction(
    compileLegacyMessage({ payer, instructions: [], recentBlockhash: addresses.mint }).bytes,
  );
const base64 = (wire: Uint8Array) => Buffer.from(wire).toString('base64');
const [ours, advance, stranger] = [addresses.creator, addresses.otherCreator, addresses.mint].map(wireOf);

const state = pendingAfter(
  draftIssued,
  SubmissionAccepted({
    ...acceptedSubmission,
    signedTransaction: base64(ours as Uint8Array),
    afterSlot: '5000',
  }),
  SubmissionOverdue({
    transactionId: ids.transactionId,
    advanceSignature: signatures.second,
    advanceTransaction: base64(advance as Uint8Array),
  }),
);

function landed(wire: Uint8Array | undefined, change: Partial<LandedTransaction> = {}): LandedTransaction {
  return { slot: 7, wire: wire as Uint8Array, fee: 5_000n, error: undefined, logs: [], ...change };
}
const search = outcomeSearch(state, { address: addresses.nonceAccount, commitment: 'finalized' });

test('it is searched by both known signatures, and in the history of the account since the submission was signed', () => {
  expect(search).toMatchObject({
    known: [signatures.first, signatures.second],
    history: { address: addresses.nonceAccount, window: { from: 4_968n, to: undefined } },
  });
});

test('the value was not spent by what stands in a block without having run, nor by a stranger', () => {
  expect(search.matches(landed(ours, { fee: 0n, error: '"InsufficientFundsForFee"' }))).toBe(false);
  expect(search.matches(landed(stranger))).toBe(false);
});

test('it was spent by the submission or by the advance, under whatever signature, and by a failure that was charged for', () => {
  const error = '{"InstructionError":[2,{"Custom":1}]}';
  for (const [transaction, isOurs] of [
    [landed(ours), true],
    [landed(ours, { error }), true],
    [landed(advance), false],
  ] as const) {
    expect(search.matches(transaction)).toBe(true);
    expect(deciderIn(state, { kind: 'found', signature: 'other', transaction })).toMatchObject({
      isOurs,
      signature: 'other',
      error: transaction.error,
    });
  }
});

test('not to find it proves nothing', () => {
  expect(deciderIn(state, { kind: 'absent', others: new Map() })).toBeUndefined();
});
