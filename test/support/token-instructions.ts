/** Instructions of spl-token by the names under which tests use them. */
import * as spl from '@solana/spl-token';
import { type Instruction, TOKEN_2022_PROGRAM } from 'levy-solana-wire';
import { tokenInstruction } from '../../src/chain/web3-instruction.ts';

export const TOKEN_ACCOUNT_SIZE = spl.ACCOUNT_SIZE;

interface AssociatedAccount {
  readonly payer: string;
  readonly tokenAccount: string;
  readonly owner: string;
  readonly mint: string;
}

interface Fee {
  readonly mint: string;
  readonly basisPoints: number;
  readonly maximumFee: bigint;
}

export function initializeTransferFeeConfig(
  config: Fee & { readonly configAuthority: string | null; readonly withdrawWithheldAuthority: string },
): Instruction {
  return tokenInstruction(
    spl.createInitializeTransferFeeConfigInstruction,
    config.mint,
    config.configAuthority,
    config.withdrawWithheldAuthority,
    config.basisPoints,
    config.maximumFee,
    TOKEN_2022_PROGRAM,
  );
}

export function setTransferFee(change: Fee & { readonly authority: string }): Instruction {
  const { mint, authority, basisPoints, maximumFee } = change;
  return tokenInstruction(
    spl.createSetTransferFeeInstruction,
    mint,
    authority,
    [],
    basisPoints,
    maximumFee,
    TOKEN_2022_PROGRAM,
  );
}

export function initializeMint(mint: string, decimals: number, authority: string): Instruction {
  return tokenInstruction(
    spl.createInitializeMint2Instruction,
    mint,
    decimals,
    authority,
    null,
    TOKEN_2022_PROGRAM,
  );
}

export function createAssociatedTokenAccount(account: AssociatedAccount): Instruction {
  const { payer, tokenAccount, owner, mint } = account;
  const create = spl.createAssociatedTokenAccountInstruction;
  return tokenInstruction(create, payer, tokenAccount, owner, mint, TOKEN_2022_PROGRAM);
}

export function createAssociatedTokenAccountIfAbsent(account: AssociatedAccount): Instruction {
  const { payer, tokenAccount, owner, mint } = account;
  const create = spl.createAssociatedTokenAccountIdempotentInstruction;
  return tokenInstruction(create, payer, tokenAccount, owner, mint, TOKEN_2022_PROGRAM);
}

export function mintTo(mint: string, account: string, authority: string, amount: bigint): Instruction {
  return tokenInstruction(
    spl.createMintToInstruction,
    mint,
    account,
    authority,
    amount,
    [],
    TOKEN_2022_PROGRAM,
  );
}

export function approveTokens(approval: {
  readonly tokenAccount: string;
  readonly owner: string;
  readonly delegate: string;
  readonly amount: bigint;
}): Instruction {
  const { tokenAccount, owner, delegate, amount } = approval;
  const approve = spl.createApproveInstruction;
  return tokenInstruction(approve, tokenAccount, delegate, owner, amount, [], TOKEN_2022_PROGRAM);
}

export function revokeTokens(tokenAccount: string, owner: string): Instruction {
  return tokenInstruction(spl.createRevokeInstruction, tokenAccount, owner, [], TOKEN_2022_PROGRAM);
}

export function harvestWithheldTax(mint: string, tokenAccounts: readonly string[]): Instruction {
  return tokenInstruction(
    spl.createHarvestWithheldTokensToMintInstruction,
    mint,
    tokenAccounts,
    TOKEN_2022_PROGRAM,
  );
}

export function withdrawWithheldTax(mint: string, destination: string, authority: string): Instruction {
  return tokenInstruction(
    spl.createWithdrawWithheldTokensFromMintInstruction,
    mint,
    destination,
    authority,
    [],
    TOKEN_2022_PROGRAM,
  );
}

/** For an account of wrapped SOL. */
export function approveDelegate(approval: {
  readonly account: string;
  readonly owner: string;
  readonly delegate: string;
  readonly lamports: bigint;
}): Instruction {
  const { account, owner, delegate, lamports } = approval;
  return tokenInstruction(spl.createApproveInstruction, account, delegate, owner, lamports);
}

export function closeSolAccount(account: string, destination: string, owner: string): Instruction {
  return tokenInstruction(spl.createCloseAccountInstruction, account, destination, owner);
}

export function syncNative(account: string): Instruction {
  return tokenInstruction(spl.createSyncNativeInstruction, account);
}
