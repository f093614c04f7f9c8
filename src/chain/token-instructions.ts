/** The instructions of Token-2022 and the associated-token program that make a taxed token, and collect and burn of it. */
import {
  AuthorityType,
  createApproveInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createRevokeInstruction,
  createSetAuthorityInstruction,
  createSetTransferFeeInstruction,
  createTransferCheckedInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { createInitializeInstruction, createUpdateAuthorityInstruction } from '@solana/spl-token-metadata';
import type { Instruction } from 'levy-solana-wire';
import { fitting, instructionOf, publicKey } from './web3-instruction.ts';

/** Must run before the mint is initialized. */
export function initializeTransferFeeConfig(config: {
  readonly mint: string;
  /** The authority that may change the fee; null if nobody may. */
  readonly configAuthority: string | null;
  readonly withdrawWithheldAuthority: string;
  readonly basisPoints: number;
  /** The cap on one transfer's fee, in base units. */
  readonly maximumFee: bigint;
}): Instruction {
  const { configAuthority } = config;
  return instructionOf(
    createInitializeTransferFeeConfigInstruction(
      publicKey(config.mint),
      configAuthority === null ? null : publicKey(configAuthority),
      publicKey(config.withdrawWithheldAuthority),
      fitting(config.basisPoints, 16),
      fitting(config.maximumFee, 64),
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Takes effect two epochs after the one in which it lands. The fee's configuration authority signs. */
export function setTransferFee(change: {
  readonly mint: string;
  readonly authority: string;
  readonly basisPoints: number;
  /** The cap on one transfer's fee, in base units. */
  readonly maximumFee: bigint;
}): Instruction {
  return instructionOf(
    createSetTransferFeeInstruction(
      publicKey(change.mint),
      publicKey(change.authority),
      [],
      fitting(change.basisPoints, 16),
      fitting(change.maximumFee, 64),
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Must run before the mint is initialized. The metadata lives in the mint, and nobody can point it elsewhere. */
export function initializeMetadataPointer(mint: string): Instruction {
  const key = publicKey(mint);
  return instructionOf(createInitializeMetadataPointerInstruction(key, null, key, TOKEN_2022_PROGRAM_ID));
}

/** The mint has no freeze authority. */
export function initializeMint(mint: string, decimals: number, mintAuthority: string): Instruction {
  return instructionOf(
    createInitializeMint2Instruction(
      publicKey(mint),
      fitting(decimals, 8),
      publicKey(mintAuthority),
      null,
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Grows the mint's account, which must already hold the rent for it. */
export function initializeMetadata(metadata: {
  readonly mint: string;
  readonly updateAuthority: string;
  readonly mintAuthority: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}): Instruction {
  const { name, symbol, uri } = metadata;
  const mint = publicKey(metadata.mint);
  return instructionOf(
    createInitializeInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata: mint,
      updateAuthority: publicKey(metadata.updateAuthority),
      mint,
      mintAuthority: publicKey(metadata.mintAuthority),
      name,
      symbol,
      uri,
    }),
  );
}

/** The metadata can never be changed again. */
export function giveUpMetadataAuthority(mint: string, authority: string): Instruction {
  return instructionOf(
    createUpdateAuthorityInstruction({
      programId: TOKEN_2022_PROGRAM_ID,
      metadata: publicKey(mint),
      oldAuthority: publicKey(authority),
      newAuthority: null,
    }),
  );
}

interface AssociatedAccount {
  readonly payer: string;
  readonly tokenAccount: string;
  readonly owner: string;
  readonly mint: string;
}

/** Fails if the account already exists. */
export function createAssociatedTokenAccount(account: AssociatedAccount): Instruction {
  return instructionOf(
    createAssociatedTokenAccountInstruction(...associatedKeys(account), TOKEN_2022_PROGRAM_ID),
  );
}

/** Does nothing if the owner has the account already. */
export function createAssociatedTokenAccountIfAbsent(account: AssociatedAccount): Instruction {
  return instructionOf(
    createAssociatedTokenAccountIdempotentInstruction(...associatedKeys(account), TOKEN_2022_PROGRAM_ID),
  );
}

function associatedKeys({ payer, tokenAccount, owner, mint }: AssociatedAccount) {
  return [publicKey(payer), publicKey(tokenAccount), publicKey(owner), publicKey(mint)] as const;
}

/** `amount` in base units. */
export function mintTo(mint: string, tokenAccount: string, authority: string, amount: bigint): Instruction {
  return instructionOf(
    createMintToInstruction(
      publicKey(mint),
      publicKey(tokenAccount),
      publicKey(authority),
      fitting(amount, 64),
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Replaces the delegate and what it may still spend, in base units. The owner signs. */
export function approveTokens(approval: {
  readonly tokenAccount: string;
  readonly owner: string;
  readonly delegate: string;
  readonly amount: bigint;
}): Instruction {
  return instructionOf(
    createApproveInstruction(
      publicKey(approval.tokenAccount),
      publicKey(approval.delegate),
      publicKey(approval.owner),
      fitting(approval.amount, 64),
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Takes the delegate's approval back. The owner signs. */
export function revokeTokens(tokenAccount: string, owner: string): Instruction {
  return instructionOf(
    createRevokeInstruction(publicKey(tokenAccount), publicKey(owner), [], TOKEN_2022_PROGRAM_ID),
  );
}

/** `amount` in base units. The owner signs. */
export function burnTokens(burn: {
  readonly mint: string;
  readonly decimals: number;
  readonly tokenAccount: string;
  readonly owner: string;
  readonly amount: bigint;
}): Instruction {
  return instructionOf(
    createBurnCheckedInstruction(
      publicKey(burn.tokenAccount),
      publicKey(burn.mint),
      publicKey(burn.owner),
      fitting(burn.amount, 64),
      fitting(burn.decimals, 8),
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Moves the tax withheld in these accounts into the mint. Anybody may; accounts without any are no error. */
export function harvestWithheldTax(mint: string, tokenAccounts: readonly string[]): Instruction {
  return instructionOf(
    createHarvestWithheldTokensToMintInstruction(
      publicKey(mint),
      tokenAccounts.map(publicKey),
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** Moves the tax withheld in the mint to an account of the token. The withdraw authority signs. */
export function withdrawWithheldTax(mint: string, destination: string, authority: string): Instruction {
  return instructionOf(
    createWithdrawWithheldTokensFromMintInstruction(
      publicKey(mint),
      publicKey(destination),
      publicKey(authority),
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** The supply can never grow again. */
export function giveUpMintAuthority(mint: string, authority: string): Instruction {
  return instructionOf(
    createSetAuthorityInstruction(
      publicKey(mint),
      publicKey(authority),
      AuthorityType.MintTokens,
      null,
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}

/** The chain withholds the tax by itself, at the rate of its epoch. `amount` in base units, the tax among them. */
export function transferChecked(transfer: {
  readonly mint: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  readonly amount: bigint;
}): Instruction {
  const { mint, decimals, from, to, authority, amount } = transfer;
  return instructionOf(
    createTransferCheckedInstruction(
      publicKey(from),
      publicKey(mint),
      publicKey(to),
      publicKey(authority),
      amount,
      decimals,
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
}
