/** The instructions, size and cost of the transaction that creates a token. */

import { ExtensionType, getAccountLen, getMintLen, LENGTH_SIZE, TYPE_SIZE } from '@solana/spl-token';
import { pack } from '@solana/spl-token-metadata';
import { PublicKey } from '@solana/web3.js';
import type { Instruction } from 'levy-solana-wire';
import { addressOf, associatedTokenAddress, TOKEN_2022_PROGRAM, U64_MAX } from 'levy-solana-wire';
import { compileDurableTransaction, MAX_DURABLE_SIZE } from './durable-transaction.ts';
import { createAccountInstruction } from './system-instructions.ts';
import {
  createAssociatedTokenAccount,
  giveUpMetadataAuthority,
  giveUpMintAuthority,
  initializeMetadata,
  initializeMetadataPointer,
  initializeMint,
  initializeTransferFeeConfig,
  mintTo,
} from './token-instructions.ts';

/** The texts stored in the mint, in UTF-8. */
export interface TokenTexts {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** Addresses in base58. */
export interface TokenTerms extends TokenTexts {
  /** Pays for everything and receives the whole supply. */
  readonly creator: string;
  readonly mint: string;
  /** The only address that may withdraw withheld fees. */
  readonly distributionWallet: string;
  readonly decimals: number;
  /** In base units. */
  readonly supply: bigint;
  readonly transferFeeBasisPoints: number;
  /** Whether the creator may change the fee later; otherwise nobody can. */
  readonly transferFeeAdjustable: boolean;
  /** Whether the creator gives up the right to change the metadata. */
  readonly immutableMetadata: boolean;
  /** The rent-exempt balance of an account of `metadataAccountSize` bytes, in lamports. */
  readonly mintRent: bigint;
}

/** With TransferFeeConfig and MetadataPointer; the account grows when the metadata is written. */
const MINT_SIZE_WITHOUT_METADATA = getMintLen([
  ExtensionType.TransferFeeConfig,
  ExtensionType.MetadataPointer,
]);
/** The size of a token account with a fixed owner whose mint has a transfer fee, in bytes. */
export const CREATOR_TOKEN_ACCOUNT_SIZE = getAccountLen([
  ExtensionType.ImmutableOwner,
  ExtensionType.TransferFeeAmount,
]);
/** The cap on one transfer's fee, in base units: the maximum, so that only the rate counts. */
export const MAXIMUM_FEE = U64_MAX;
/** The longest URI that always fits, in UTF-8 bytes: with a name of 32 bytes, a symbol of 10 and both switches on. */
export const MAX_URI_BYTES = 97;

/**
 * The instructions after the nonce advance and the price. The same terms give the same bytes. Throws a TypeError for an
 * invalid address and a RangeError for a number that its field cannot hold.
 */
export function creationInstructions(terms: TokenTerms): readonly Instruction[] {
  const { creator, mint } = terms;
  const creatorTokenAccount = associatedTokenAddress(creator, mint);
  return [
    createAccountInstruction({
      from: creator,
      newAccount: mint,
      lamports: terms.mintRent,
      // Token-2022 refuses to initialize a mint with spare room; writing the metadata grows it.
      space: MINT_SIZE_WITHOUT_METADATA,
      owner: TOKEN_2022_PROGRAM,
    }),
    initializeTransferFeeConfig({
      mint,
      configAuthority: terms.transferFeeAdjustable ? creator : null,
      withdrawWithheldAuthority: terms.distributionWallet,
      basisPoints: terms.transferFeeBasisPoints,
      maximumFee: MAXIMUM_FEE,
    }),
    initializeMetadataPointer(mint),
    initializeMint(mint, terms.decimals, creator),
    initializeMetadata({
      mint,
      updateAuthority: creator,
      mintAuthority: creator,
      name: terms.name,
      symbol: terms.symbol,
      uri: terms.uri,
    }),
    // The program refuses to initialize metadata without an authority, so it is given up afterwards.
    ...(terms.immutableMetadata ? [giveUpMetadataAuthority(mint, creator)] : []),
    createAssociatedTokenAccount({ payer: creator, tokenAccount: creatorTokenAccount, owner: creator, mint }),
    mintTo(mint, creatorTokenAccount, creator, terms.supply),
    giveUpMintAuthority(mint, creator),
  ];
}

/** The final size of the mint's account in bytes; its creator pays the rent for it. */
export function metadataAccountSize(texts: TokenTexts): number {
  const { name, symbol, uri } = texts;
  const metadata = pack({ mint: PublicKey.default, name, symbol, uri, additionalMetadata: [] });
  return MINT_SIZE_WITHOUT_METADATA + TYPE_SIZE + LENGTH_SIZE + metadata.length;
}

/** The signed transaction's size in bytes, and whether wallets can still add their guards. Needs no keys. */
export function checkCreationSize({
  name,
  symbol,
  uri,
  transferFeeAdjustable,
  immutableMetadata,
}: TokenTexts & Pick<TokenTerms, 'transferFeeAdjustable' | 'immutableMetadata'>): {
  readonly size: number;
  readonly limit: number;
  readonly fits: boolean;
} {
  // Callers may know more of the token, such as its supply as text.
  const terms = { ...SAMPLE_TERMS, name, symbol, uri, transferFeeAdjustable, immutableMetadata };
  const { transactionSize } = compileDurableTransaction({
    ...SAMPLE_FRAME,
    instructions: creationInstructions(terms),
  });
  return { size: transactionSize, limit: MAX_DURABLE_SIZE, fits: transactionSize <= MAX_DURABLE_SIZE };
}

function placeholder(fill: number): string {
  return addressOf(new Uint8Array(32).fill(fill));
}

/** Only the texts and the two switches change the size; the other values do not matter. */
const SAMPLE_FRAME = {
  payer: placeholder(1),
  nonceAccount: placeholder(4),
  nonceAuthority: placeholder(5),
  nonceValue: placeholder(7),
  computeUnitLimit: 0,
  computeUnitPrice: 0n,
};
const SAMPLE_TERMS = {
  creator: placeholder(1),
  mint: placeholder(2),
  distributionWallet: placeholder(3),
  decimals: 0,
  supply: 0n,
  transferFeeBasisPoints: 0,
  mintRent: 0n,
};
