/** Addresses of a launch on the venue, Meteora DAMM v2, derived from mint, creator and the position's key. */
import {
  addressBytes,
  associatedTokenAddress,
  NATIVE_MINT,
  programAddress,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';

export const VENUE_PROGRAM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
/** Signer of every vault and every position's mint; derived from the program's address alone. */
export const POOL_AUTHORITY = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC';
export const EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';

export type LaunchAddresses = ReturnType<typeof launchAddresses>;

/** The token's only pool of this kind against SOL. Anybody can create it, so the address alone proves nothing. */
function poolAddress(mint: string): string {
  const [mintKey, solKey] = [addressBytes(mint), addressBytes(NATIVE_MINT)];
  const [larger, smaller] = Buffer.compare(mintKey, solKey) > 0 ? [mintKey, solKey] : [solKey, mintKey];
  return derived('cpool', larger, smaller);
}

/** The pool, and the accounts that hold its tokens and its SOL. */
export function poolAddresses(mint: string, pool: string) {
  return { pool, tokenVault: vaultAddress(mint, pool), solVault: vaultAddress(NATIVE_MINT, pool) };
}

function positionAddress(positionMint: string): string {
  return derived('position', addressBytes(positionMint));
}

/** Throws a TypeError for an invalid address. */
export function launchAddresses(launch: {
  readonly mint: string;
  readonly creator: string;
  readonly positionMint: string;
}) {
  const { mint, creator, positionMint } = launch;
  return {
    ...poolAddresses(mint, poolAddress(mint)),
    position: positionAddress(positionMint),
    /** Account that holds the only token of the position's mint; its owner owns the position. */
    positionTokenAccount: derived('position_nft_account', addressBytes(positionMint)),
    creatorTokenAccount: associatedTokenAddress(creator, mint),
    creatorSolAccount: associatedTokenAddress(creator, NATIVE_MINT, TOKEN_PROGRAM),
  };
}

function vaultAddress(mint: string, pool: string): string {
  return derived('token_vault', addressBytes(mint), addressBytes(pool));
}

function derived(prefix: string, ...seeds: readonly Uint8Array[]): string {
  return programAddress([Buffer.from(prefix), ...seeds], VENUE_PROGRAM);
}
