/** The addresses of a launch on the venue, Meteora DAMM v2, derived from mint, creator and the position's key. */
import { addressBytes, associatedTokenAddress, programAddress, TOKEN_PROGRAM } from 'levy-solana-wire';

export const VENUE_PROGRAM = 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG';
/** The mint of wrapped SOL; a token account of it holds as many lamports as tokens. */
export const WRAPPED_SOL_MINT = 'So11111111111111111111111111111111111111112';
/** Signs for every vault and every position's mint; derived from the program's address alone. */
export const POOL_AUTHORITY = 'HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC';
export const EVENT_AUTHORITY = '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet';

export interface LaunchAddresses {
  readonly pool: string;
  readonly tokenVault: string;
  readonly solVault: string;
  readonly position: string;
  /** Holds the one token of the position's mint; its owner owns the position. */
  readonly positionTokenAccount: string;
  readonly creatorTokenAccount: string;
  readonly creatorSolAccount: string;
}

/** The token's only pool of this kind against SOL. Anybody can create it, so the address alone proves nothing. */
export function poolAddress(mint: string): string {
  const [mintKey, solKey] = [addressBytes(mint), addressBytes(WRAPPED_SOL_MINT)];
  const [larger, smaller] = Buffer.compare(mintKey, solKey) > 0 ? [mintKey, solKey] : [solKey, mintKey];
  return derived('cpool', larger, smaller);
}

/** The pool with the accounts that hold its tokens and its SOL. */
export function poolAddresses(
  mint: string,
  pool: string,
): Pick<LaunchAddresses, 'pool' | 'tokenVault' | 'solVault'> {
  return { pool, tokenVault: vaultAddress(mint, pool), solVault: vaultAddress(WRAPPED_SOL_MINT, pool) };
}

export function positionAddress(positionMint: string): string {
  return derived('position', addressBytes(positionMint));
}

/** Throws a TypeError for an invalid address. */
export function launchAddresses(launch: {
  readonly mint: string;
  readonly creator: string;
  readonly positionMint: string;
}): LaunchAddresses {
  const { mint, creator, positionMint } = launch;
  return {
    ...poolAddresses(mint, poolAddress(mint)),
    position: positionAddress(positionMint),
    positionTokenAccount: derived('position_nft_account', addressBytes(positionMint)),
    creatorTokenAccount: associatedTokenAddress(creator, mint),
    creatorSolAccount: associatedTokenAddress(creator, WRAPPED_SOL_MINT, TOKEN_PROGRAM),
  };
}

function vaultAddress(mint: string, pool: string): string {
  return derived('token_vault', addressBytes(mint), addressBytes(pool));
}

function derived(prefix: string, ...seeds: readonly Uint8Array[]): string {
  return programAddress([Buffer.from(prefix), ...seeds], VENUE_PROGRAM);
}
