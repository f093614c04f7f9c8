/** Instructions, size and cost of the transaction that creates a token. */

import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  ExtensionType,
  getAccountLen,
  getMintLen,
  LENGTH_SIZE,
  TOKEN_2022_PROGRAM_ID,
  TYPE_SIZE,
} from '@solana/spl-token';
import {
  createInitializeInstruction,
  createUpdateAuthorityInstruction,
  pack,
} from '@solana/spl-token-metadata';
import { PublicKey } from '@solana/web3.js';
import type { Instruction } from 'levy-solana-wire';
import { addressOf, associatedTokenAddress, TOKEN_2022_PROGRAM, U64_MAX } from 'levy-solana-wire';
import { compileDurableTransaction, MAX_DURABLE_SIZE } from './durable-transaction.ts';
import { createAccountInstruction } from './system-instructions.ts';
import { instructionOf, publicKey, tokenInstruction } from './web3-instruction.ts';

/** Texts stored in the mint, in UTF-8. */
interface TokenTexts {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** Addresses in base58. */
export interface TokenTerms extends TokenTexts {
  /** Payer of all costs and recipient of the whole supply. */
  readonly creator: string;
  readonly mint: string;
  /** The only address that may withdraw withheld fees. */
  readonly distributionWallet: string;
  readonly decimals: number;
  /** Base units. */
  readonly supply: bigint;
  readonly transferFeeBasisPoints: number;
  /** True if the creator may change the fee later; otherwise it is permanent. */
  readonly transferFeeAdjustable: boolean;
  /** True if the creator gives up the right to change the metadata. */
  readonly immutableMetadata: boolean;
  /** The rent-exempt balance of an account of `metadataAccountSize` bytes, in lamports. */
  readonly mintRent: bigint;
}

/** Size with TransferFeeConfig and MetadataPointer; writing the metadata enlarges the account. */
const MINT_SIZE_WITHOUT_METADATA = getMintLen([
  ExtensionType.TransferFeeConfig,
  ExtensionType.MetadataPointer,
]);
/** Size in bytes of a token account with a fixed owner whose mint has a transfer fee. */
export const CREATOR_TOKEN_ACCOUNT_SIZE = getAccountLen([
  ExtensionType.ImmutableOwner,
  ExtensionType.TransferFeeAmount,
]);
/** Cap of one transfer's fee, in base units: the highest value, so that only the rate counts. */
export const MAXIMUM_FEE = U64_MAX;
/** Longest URI that always fits, in UTF-8 bytes: with a name of 32 bytes, a symbol of 10 and both switches on. */
export const MAX_URI_BYTES = 97;

/**
 * Instructions after the nonce advance and the price. Deterministic. Throws a TypeError for an invalid address and a RangeError
 * for a number that its field cannot hold.
 */
export function creationInstructions(terms: TokenTerms): readonly Instruction[] {
  const { creator, mint, name, symbol, uri } = terms;
  const creatorTokenAccount = associatedTokenAddress(creator, mint);
  const metadata = { programId: TOKEN_2022_PROGRAM_ID, metadata: publicKey(mint) };
  return [
    createAccountInstruction({
      from: creator,
      newAccount: mint,
      lamports: terms.mintRent,
      // Token-2022 refuses to initialize a mint with spare room; writing the metadata grows it.
      space: MINT_SIZE_WITHOUT_METADATA,
      owner: TOKEN_2022_PROGRAM,
    }),
    tokenInstruction(
      createInitializeTransferFeeConfigInstruction,
      mint,
      terms.transferFeeAdjustable ? creator : null,
      terms.distributionWallet,
      terms.transferFeeBasisPoints,
      MAXIMUM_FEE,
      TOKEN_2022_PROGRAM,
    ),
    // The metadata is stored in the mint, and the pointer cannot be changed.
    tokenInstruction(createInitializeMetadataPointerInstruction, mint, null, mint, TOKEN_2022_PROGRAM),
    // No freeze authority.
    tokenInstruction(
      createInitializeMint2Instruction,
      mint,
      terms.decimals,
      creator,
      null,
      TOKEN_2022_PROGRAM,
    ),
    instructionOf(
      createInitializeInstruction({
        ...metadata,
        mint: publicKey(mint),
        updateAuthority: publicKey(creator),
        mintAuthority: publicKey(creator),
        name,
        symbol,
        uri,
      }),
    ),
    // The program refuses to initialize metadata without an authority, so the authority is removed afterwards.
    ...(terms.immutableMetadata
      ? [
          instructionOf(
            createUpdateAuthorityInstruction({
              ...metadata,
              oldAuthority: publicKey(creator),
              newAuthority: null,
            }),
          ),
        ]
      : []),
    tokenInstruction(
      createAssociatedTokenAccountInstruction,
      creator,
      creatorTokenAccount,
      creator,
      mint,
      TOKEN_2022_PROGRAM,
    ),
    tokenInstruction(
      createMintToInstruction,
      mint,
      creatorTokenAccount,
      creator,
      terms.supply,
      [],
      TOKEN_2022_PROGRAM,
    ),
    // Fixes the supply permanently.
    tokenInstruction(
      createSetAuthorityInstruction,
      mint,
      creator,
      AuthorityType.MintTokens,
      null,
      [],
      TOKEN_2022_PROGRAM,
    ),
  ];
}

/** Final size of the mint's account in bytes; its creator pays the rent. */
export function metadataAccountSize(texts: TokenTexts): number {
  const { name, symbol, uri } = texts;
  const metadata = pack({ mint: PublicKey.default, name, symbol, uri, additionalMetadata: [] });
  return MINT_SIZE_WITHOUT_METADATA + TYPE_SIZE + LENGTH_SIZE + metadata.length;
}

/** Size of the signed transaction in bytes, and if wallets can still add their guards. Needs no keys. */
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
  // Callers may pass objects with further fields, such as the supply as text.
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

/** Placeholder values, because only the texts and the two switches change the size. */
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
