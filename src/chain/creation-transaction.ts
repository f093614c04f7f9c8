/** The transaction that makes a token: paid by its creator, good for as long as its nonce's value stands. */
import { addressOf, TOKEN_2022_PROGRAM } from './address.ts';
import { nonceAdvanceInstruction } from './durable-nonce.ts';
import {
  type CompiledMessage,
  compileLegacyMessage,
  type Instruction,
  PACKET_SIZE,
  unsignedTransaction,
} from './legacy-message.ts';
import { associatedTokenAddress } from './program-address.ts';
import {
  computeUnitLimitInstruction,
  computeUnitPriceInstruction,
  createAccountInstruction,
} from './system-instructions.ts';
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
export interface CreationInput extends TokenTexts {
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
  readonly nonceAccount: string;
  readonly nonceAuthority: string;
  /** The nonce's present value, base58. */
  readonly nonceValue: string;
  readonly computeUnitLimit: number;
  /** Microlamports for each compute unit. */
  readonly computeUnitPrice: bigint;
  /** Lamports that exempt an account of `metadataAccountSize` from rent. */
  readonly mintRent: bigint;
}

export interface CreationTransaction {
  /** The bytes that are signed. */
  readonly message: Uint8Array;
  /** The wire bytes with no signature in them. */
  readonly unsigned: Uint8Array;
  /** The creator, the mint and the nonce authority, in the order of their signatures. */
  readonly signers: readonly string[];
  /** The creator's associated token account. */
  readonly creatorTokenAccount: string;
}

/** With TransferFeeConfig and MetadataPointer; the metadata make the account grow when they are written. */
const MINT_SIZE_WITHOUT_METADATA = 346;
/** Type and length, update authority, mint, three lengths and the empty list of additional fields. */
const METADATA_OVERHEAD = 4 + 32 + 32 + 3 * 4 + 4;
/** Of a token account whose mint has a transfer fee, with the extension that fixes its owner. */
export const CREATOR_TOKEN_ACCOUNT_SIZE = 182;

export const LAMPORTS_PER_SIGNATURE = 5000n;
const CREATION_SIGNERS = 3n;
const MAXIMUM_FEE = 2n ** 64n - 1n;
const MICROLAMPORTS = 1_000_000n;

/**
 * Bytes left free for the guard instructions that wallets add before they sign: the guard program's key and three
 * or four assertions. With 200, an adjustable fee and the longest name would leave no room for any URI.
 */
export const WALLET_GUARD_ALLOWANCE = 160;
export const MAX_CREATION_SIZE = PACKET_SIZE - WALLET_GUARD_ALLOWANCE;
/** UTF-8 bytes of the longest URI that always fits: beside a name of 32 bytes, a symbol of 10, and both switches on. */
export const MAX_URI_BYTES = 97;

/**
 * The same input gives the same bytes. The keys of the service (nonce authority) only sign: they neither pay nor
 * are writable. Throws a TypeError for what is no address and a RangeError for numbers that their fields cannot hold.
 */
export function buildCreationTransaction(input: CreationInput): CreationTransaction {
  const creatorTokenAccount = associatedTokenAddress(input.creator, input.mint);
  const { bytes, signers } = compileCreation(input, creatorTokenAccount);
  return { message: bytes, unsigned: unsignedTransaction(bytes), signers, creatorTokenAccount };
}

/**
 * The unsigned wire bytes of the same creation without its nonce, to be simulated under any blockhash before a nonce
 * is taken for it.
 */
export function buildCreationRehearsal(
  input: Omit<CreationInput, 'nonceAccount' | 'nonceAuthority' | 'nonceValue'>,
): Uint8Array {
  const [, ...instructions] = creationInstructions(
    { ...SIZE_SAMPLE, ...input },
    associatedTokenAddress(input.creator, input.mint),
  );
  const { bytes } = compileLegacyMessage({
    payer: input.creator,
    instructions,
    recentBlockhash: SIZE_SAMPLE.nonceValue,
  });
  return unsignedTransaction(bytes);
}

/** The bytes that the mint's account will have in the end, and whose rent the creator must pay. */
export function metadataAccountSize(texts: TokenTexts): number {
  const bytes =
    Buffer.byteLength(texts.name) + Buffer.byteLength(texts.symbol) + Buffer.byteLength(texts.uri);
  return MINT_SIZE_WITHOUT_METADATA + METADATA_OVERHEAD + bytes;
}

/**
 * What the creation takes from the creator, in lamports: fees and the rent of the mint and of the creator's token
 * account. Whatever the creator keeps must itself be nothing or exempt from rent, or the chain refuses.
 */
export function creationCost(parts: {
  readonly mintRent: bigint;
  /** For `CREATOR_TOKEN_ACCOUNT_SIZE` bytes. */
  readonly tokenAccountRent: bigint;
  readonly computeUnitLimit: number;
  /** Microlamports. */
  readonly computeUnitPrice: bigint;
}): bigint {
  const microlamports = BigInt(parts.computeUnitLimit) * parts.computeUnitPrice;
  const priorityFee = (microlamports + MICROLAMPORTS - 1n) / MICROLAMPORTS;
  return CREATION_SIGNERS * LAMPORTS_PER_SIGNATURE + priorityFee + parts.mintRent + parts.tokenAccountRent;
}

/** How many bytes the signed transaction takes, and whether wallets can still add their guards. Needs no keys. */
export function checkCreationSize(
  input: TokenTexts & Pick<CreationInput, 'transferFeeAdjustable' | 'immutableMetadata'>,
): { readonly size: number; readonly limit: number; readonly fits: boolean } {
  const { transactionSize } = compileCreation({ ...SIZE_SAMPLE, ...input }, placeholder(6));
  return { size: transactionSize, limit: MAX_CREATION_SIZE, fits: transactionSize <= MAX_CREATION_SIZE };
}

function compileCreation(input: CreationInput, creatorTokenAccount: string): CompiledMessage {
  return compileLegacyMessage({
    payer: input.creator,
    instructions: creationInstructions(input, creatorTokenAccount),
    recentBlockhash: input.nonceValue,
  });
}

function creationInstructions(input: CreationInput, creatorTokenAccount: string): Instruction[] {
  const { creator, mint } = input;
  return [
    // The chain takes a message for a durable one only if it begins with the advance.
    nonceAdvanceInstruction(input.nonceAccount, input.nonceAuthority),
    computeUnitLimitInstruction(input.computeUnitLimit),
    computeUnitPriceInstruction(input.computeUnitPrice),
    createAccountInstruction({
      from: creator,
      newAccount: mint,
      lamports: input.mintRent,
      // Token-2022 refuses to initialize a mint that has room for more; writing the metadata grows it.
      space: MINT_SIZE_WITHOUT_METADATA,
      owner: TOKEN_2022_PROGRAM,
    }),
    initializeTransferFeeConfig({
      mint,
      configAuthority: input.transferFeeAdjustable ? creator : null,
      withdrawWithheldAuthority: input.distributionWallet,
      basisPoints: input.transferFeeBasisPoints,
      maximumFee: MAXIMUM_FEE,
    }),
    initializeMetadataPointer(mint),
    initializeMint(mint, input.decimals, creator),
    initializeMetadata({
      mint,
      updateAuthority: creator,
      mintAuthority: creator,
      name: input.name,
      symbol: input.symbol,
      uri: input.uri,
    }),
    // The program refuses to initialize metadata without an authority, so it is given up afterwards.
    ...(input.immutableMetadata ? [giveUpMetadataAuthority(mint, creator)] : []),
    createAssociatedTokenAccount({ payer: creator, tokenAccount: creatorTokenAccount, owner: creator, mint }),
    mintTo(mint, creatorTokenAccount, creator, input.supply),
    giveUpMintAuthority(mint, creator),
  ];
}

function placeholder(fill: number): string {
  return addressOf(new Uint8Array(32).fill(fill));
}

/** Only the texts and the two switches change the size; the rest may be anything. */
const SIZE_SAMPLE = {
  creator: placeholder(1),
  mint: placeholder(2),
  distributionWallet: placeholder(3),
  nonceAccount: placeholder(4),
  nonceAuthority: placeholder(5),
  nonceValue: placeholder(7),
  decimals: 0,
  supply: 0n,
  transferFeeBasisPoints: 0,
  computeUnitLimit: 0,
  computeUnitPrice: 0n,
  mintRent: 0n,
};
