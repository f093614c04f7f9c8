/** A draft on a recent blockhash: values that fit every schema. */
import { compileLegacyMessage } from 'levy-solana-wire';
import { DraftIssued, type IssuedDraft } from '../../src/streams/draft-events.ts';
import { addresses, issuedDraft } from './domain-examples.ts';

const { bytes: message } = compileLegacyMessage({
  payer: addresses.creator,
  instructions: [{ program: addresses.mint, accounts: [], data: Uint8Array.of(1) }],
  recentBlockhash: addresses.nonceValue,
});

export const blockhashDraft: IssuedDraft = {
  ...issuedDraft,
  message: Buffer.from(message).toString('base64'),
  lifetime: {
    kind: 'recent-blockhash',
    blockhash: addresses.nonceValue,
    lastValidBlockHeight: '1000',
  },
};

export const blockhashIssued = DraftIssued(blockhashDraft);
