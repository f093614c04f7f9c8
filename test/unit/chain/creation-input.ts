// One creation for the tests that need a realistic message.

import { addressOf, unsignedTransaction } from 'levy-solana-wire';
import { creationInstructions, type TokenTerms } from '../../../src/chain/creation-transaction.ts';
import {
  compileDurableTransaction,
  type DurableTransaction,
} from '../../../src/chain/durable-transaction.ts';
import { createKeyPair, createKeyring } from '../../../src/chain/keys.ts';

export type CreationInput = TokenTerms & Omit<DurableTransaction, 'payer' | 'instructions'>;

export const keyring = createKeyring(new Uint8Array(32).fill(42));
export const creator = createKeyPair(new Uint8Array(32).fill(1));
export const mint = keyring.mint('0f8fad5b-d9cb-469f-a165-70867728950e');
export const distributionWallet = keyring.distributionWallet('7c9e6679-7425-40de-944b-e07fc1f90ae7');

export const creationInput: CreationInput = {
  creator: creator.address,
  mint: mint.address,
  distributionWallet: distributionWallet.address,
  name: 'Levy Example',
  symbol: 'LEVY',
  uri: `https://levy.example/metadata/${mint.address}.json`,
  decimals: 6,
  supply: 1_000_000_000_000_000n,
  transferFeeBasisPoints: 123,
  transferFeeAdjustable: false,
  immutableMetadata: true,
  nonceAccount: keyring.nonceAccount(0).address,
  nonceAuthority: keyring.nonceAuthority.address,
  nonceValue: addressOf(new Uint8Array(32).fill(77)),
  computeUnitLimit: 60_000,
  computeUnitPrice: 1_000n,
  mintRent: 5_000_000n,
};

export function buildCreation(input: CreationInput) {
  const instructions = creationInstructions(input);
  const { bytes, signers } = compileDurableTransaction({ ...input, payer: input.creator, instructions });
  return { message: bytes, unsigned: unsignedTransaction(bytes), signers };
}
