/** What a transaction has to hold that makes a token, and what that costs its creator. */

import type { Instruction } from 'levy-solana-wire';
import { addressOf, associatedTokenAddress, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
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

/** The texts that are stored in the mint, in UTF-8. */
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
  /** The only one who may withdraw what transfers withheld. */
  readonly distributionWallet: string;
  readonly decimals: number;
  /** In base units. */
  readonly supply: bigint;
  readonly transferFeeBasisPoints: number;
  /** Whether the creator may change the fee later; else nobody can. */
  readonly transferFeeAdjustable: boolean;
  /** Whether the creator gives up the right to change the metadata. */
  readonly immutableMetadata: boolean;
  /** Lamports that exempt an account of `metadataAccountSize` from rent. */
  readonly mintRent: bigint;
}

/** With TransferFeeConfig and MetadataPointer; the metadata make the account grow when they are written. */
const MINT_SIZE_WITHOUT_METADATA = 346;
/** Type and length, update authority, mint, three lengths and the empty list of additional fields. */
const METADATA_OVERHEAD = 4 + 32 + 32 + 3 * 4 + 4;
/** The size of a token account whose mint has a transfer fee, with the extension that fixes its owner. */
export const CREATOR_TOKEN_ACCOUNT_SIZE = 182;
/** The creator, the mint and the nonce authority. */
export const CREATION_SIGNATURES = 3;
/** The most that one transfer is charged, in base units: no cap, so that the rate says it all. */
export const MAXIMUM_FEE = 2n ** 64n - 1n;
/** UTF-8 bytes of the longest URI that always fits: beside a name of 32 bytes, a symbol of 10, and both switches on. */
export const MAX_URI_BYTES = 97;

/**
 * What runs after the nonce's advance and the price. The same terms give the same bytes. Throws a TypeError for what is
 * no address and a RangeError for numbers that their fields cannot hold.
 */
export function creationInstructions(terms: TokenTerms): readonly Instruction[] {
  const { creator, mint } = terms;
  const creatorTokenAccount = associatedTokenAddress(creator, mint);
  return [
    createAccountInstruction({
      from: creator,
      newAccount: mint,
      lamports: terms.mintRent,
      // Token-2022 refuses to initialize a mint that has room for more; writing the metadata grows it.
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

/** The bytes that the mint's account will have in the end, and whose rent the creator must pay. */
export function metadataAccountSize(texts: TokenTexts): number {
  const bytes =
    Buffer.byteLength(texts.name) + Buffer.byteLength(texts.symbol) + Buffer.byteLength(texts.uri);
  return MINT_SIZE_WITHOUT_METADATA + METADATA_OVERHEAD + bytes;
}

/** How many bytes the signed transaction takes, and whether wallets can still add their guards. Needs no keys. */
export function checkCreationSize(
  terms: TokenTexts & Pick<TokenTerms, 'transferFeeAdjustable' | 'immutableMetadata'>,
): { readonly size: number; readonly limit: number; readonly fits: boolean } {
  const { transactionSize } = compileDurableTransaction({
    ...SAMPLE_FRAME,
    instructions: creationInstructions({ ...SAMPLE_TERMS, ...terms }),
  });
  return { size: transactionSize, limit: MAX_DURABLE_SIZE, fits: transactionSize <= MAX_DURABLE_SIZE };
}

function placeholder(fill: number): string {
  return addressOf(new Uint8Array(32).fill(fill));
}

/** Only the texts and the two switches change the size; the rest may be anything. */
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
