/** A draft on a recent blockhash, its refreshes and what becomes of its submissions: values that fit every schema. */
import { compileLegacyMessage } from 'levy-solana-wire';
import { withBlockhash } from '../../src/chain/issued-message.ts';
import {
  DraftIssued,
  DraftRefreshed,
  type IssuedDraft,
  SubmissionLapsed,
} from '../../src/streams/draft-events.ts';
import { addresses, ids, issuedDraft, signatures } from './domain-examples.ts';

export const blockhashes = { first: addresses.nonceValue, second: addresses.nextNonceValue } as const;

const { bytes: firstMessage } = compileLegacyMessage({
  payer: addresses.creator,
  instructions: [{ program: addresses.mint, accounts: [], data: Uint8Array.of(1) }],
  recentBlockhash: blockhashes.first,
});

export const messages = {
  first: Buffer.from(firstMessage).toString('base64'),
  second: Buffer.from(withBlockhash(firstMessage, blockhashes.second)).toString('base64'),
} as const;

export const refreshableDraft: IssuedDraft = {
  ...issuedDraft,
  message: messages.first,
  lifetime: { kind: 'recent-blockhash', blockhash: blockhashes.first, lastValidBlockHeight: '1000' },
  bytesExpireAt: '2026-05-04T10:00:37.000Z',
};

export const refreshableIssued = DraftIssued(refreshableDraft);
export const draftRefreshed = DraftRefreshed({
  transactionId: ids.transactionId,
  version: 2,
  message: messages.second,
  lifetime: { kind: 'recent-blockhash', blockhash: blockhashes.second, lastValidBlockHeight: '1200' },
  bytesExpireAt: '2026-05-04T10:01:27.000Z',
});
export const submissionLapsed = SubmissionLapsed({
  transactionId: ids.transactionId,
  signature: signatures.first,
  finalizedHeight: '1001',
});
