/** The instructions of Token-2022 and the associated-token program that make a taxed token. */

import type { AccountMeta, Instruction } from 'levy-solana-wire';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  addressBytes,
  joined,
  lengthPrefixed,
  nonZero,
  option,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  unsigned,
} from 'levy-solana-wire';
import { readonly, signing, writable } from './account-meta.ts';

const MINT_TOKENS_AUTHORITY = 0;
const CREATE_ACCOUNT_IF_ABSENT = 1;
// The first eight bytes of SHA-256 over `spl_token_metadata_interface:` and the name.
const INITIALIZE_METADATA = Uint8Array.of(210, 225, 30, 162, 88, 184, 77, 141);
const UPDATE_METADATA_AUTHORITY = Uint8Array.of(215, 228, 166, 228, 84, 100, 86, 123);

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
  const data = [
    Uint8Array.of(26, 0),
    option(config.configAuthority),
    option(config.withdrawWithheldAuthority),
    unsigned(config.basisPoints, 2),
    unsigned(config.maximumFee, 8),
  ];
  return token([writable(config.mint)], data);
}

/** Takes effect two epochs after the one in which it lands. The fee's configuration authority signs. */
export function setTransferFee(change: {
  readonly mint: string;
  readonly authority: string;
  readonly basisPoints: number;
  /** The cap on one transfer's fee, in base units. */
  readonly maximumFee: bigint;
}): Instruction {
  return token(
    [writable(change.mint), signing(change.authority)],
    [Uint8Array.of(26, 5), unsigned(change.basisPoints, 2), unsigned(change.maximumFee, 8)],
  );
}

/** Must run before the mint is initialized. The metadata lives in the mint, and nobody can point it elsewhere. */
export function initializeMetadataPointer(mint: string): Instruction {
  return token([writable(mint)], [Uint8Array.of(39, 0), nonZero(null), addressBytes(mint)]);
}

/** The mint has no freeze authority. */
export function initializeMint(mint: string, decimals: number, mintAuthority: string): Instruction {
  const data = [Uint8Array.of(20), unsigned(decimals, 1), addressBytes(mintAuthority), option(null)];
  return token([writable(mint)], data);
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
  const accounts = [
    writable(metadata.mint),
    readonly(metadata.updateAuthority),
    readonly(metadata.mint),
    signing(metadata.mintAuthority),
  ];
  const texts = [metadata.name, metadata.symbol, metadata.uri].map(lengthPrefixed);
  return token(accounts, [INITIALIZE_METADATA, ...texts]);
}

/** The metadata can never be changed again. */
export function giveUpMetadataAuthority(mint: string, authority: string): Instruction {
  return token([writable(mint), signing(authority)], [UPDATE_METADATA_AUTHORITY, nonZero(null)]);
}

interface AssociatedAccount {
  readonly payer: string;
  readonly tokenAccount: string;
  readonly owner: string;
  readonly mint: string;
}

/** Fails if the account already exists. */
export function createAssociatedTokenAccount(account: AssociatedAccount): Instruction {
  return associated(account, new Uint8Array(0));
}

/** Does nothing if the owner has the account already. */
export function createAssociatedTokenAccountIfAbsent(account: AssociatedAccount): Instruction {
  return associated(account, Uint8Array.of(CREATE_ACCOUNT_IF_ABSENT));
}

function associated(account: AssociatedAccount, data: Uint8Array): Instruction {
  return {
    program: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: account.payer, signer: true, writable: true },
      writable(account.tokenAccount),
      readonly(account.owner),
      readonly(account.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(TOKEN_2022_PROGRAM),
    ],
    data,
  };
}

/** Does nothing if the account already exists. */
export function ensureAssociatedTokenAccount(
  account: Parameters<typeof createAssociatedTokenAccount>[0],
): Instruction {
  return { ...createAssociatedTokenAccount(account), data: Uint8Array.of(1) };
}

/** `amount` in base units. */
export function mintTo(mint: string, tokenAccount: string, authority: string, amount: bigint): Instruction {
  return token(
    [writable(mint), writable(tokenAccount), signing(authority)],
    [Uint8Array.of(7), unsigned(amount, 8)],
  );
}

/** Replaces the delegate and what it may still spend, in base units. The owner signs. */
export function approveTokens(approval: {
  readonly tokenAccount: string;
  readonly owner: string;
  readonly delegate: string;
  readonly amount: bigint;
}): Instruction {
  return token(
    [writable(approval.tokenAccount), readonly(approval.delegate), signing(approval.owner)],
    [Uint8Array.of(4), unsigned(approval.amount, 8)],
  );
}

/** Fails unless the chain would withhold exactly this fee. The owner or, within its allowance, the delegate signs. */
export function transferTaxed(transfer: {
  readonly mint: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  readonly authority: string;
  /** Base units that leave the account, the fee among them. */
  readonly amount: bigint;
  readonly fee: bigint;
}): Instruction {
  const { mint, decimals, from, to, authority, amount, fee } = transfer;
  return token(
    [writable(from), readonly(mint), writable(to), signing(authority)],
    [Uint8Array.of(26, 1), unsigned(amount, 8), unsigned(decimals, 1), unsigned(fee, 8)],
  );
}

/** Takes the delegate's approval back. The owner signs. */
export function revokeTokens(tokenAccount: string, owner: string): Instruction {
  return token([writable(tokenAccount), signing(owner)], [Uint8Array.of(5)]);
}

/** `amount` in base units. The owner signs. */
export function burnTokens(burn: {
  readonly mint: string;
  readonly decimals: number;
  readonly tokenAccount: string;
  readonly owner: string;
  readonly amount: bigint;
}): Instruction {
  return token(
    [writable(burn.tokenAccount), writable(burn.mint), signing(burn.owner)],
    [Uint8Array.of(15), unsigned(burn.amount, 8), unsigned(burn.decimals, 1)],
  );
}

/** Moves the tax withheld in these accounts into the mint. Anybody may; accounts without any are no error. */
export function harvestWithheldTax(mint: string, tokenAccounts: readonly string[]): Instruction {
  return token([writable(mint), ...tokenAccounts.map(writable)], [Uint8Array.of(26, 4)]);
}

/** Moves the tax withheld in the mint to an account of the token. The withdraw authority signs. */
export function withdrawWithheldTax(mint: string, destination: string, authority: string): Instruction {
  return token([writable(mint), writable(destination), signing(authority)], [Uint8Array.of(26, 2)]);
}

/** The supply can never grow again. */
export function giveUpMintAuthority(mint: string, authority: string): Instruction {
  return token([writable(mint), signing(authority)], [Uint8Array.of(6, MINT_TOKENS_AUTHORITY), option(null)]);
}

function token(accounts: readonly AccountMeta[], data: readonly Uint8Array[]): Instruction {
  return { program: TOKEN_2022_PROGRAM, accounts, data: joined(data) };
}
