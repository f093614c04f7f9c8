/** Base58 addresses and the 32 bytes that they stand for. */
import bs58 from 'bs58';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95';
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111';
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';

export const ADDRESS_SIZE = 32;

/** The 32 bytes of an address, or undefined for any other text. No two texts give the same bytes. */
export function parseAddress(text: string): Uint8Array | undefined {
  // Base58 decoding takes quadratic time: never let it see a long text.
  if (text.length < 32 || text.length > 44) return undefined;
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === ADDRESS_SIZE ? bytes : undefined;
}

const wellKnown = new Map<string, Uint8Array>(
  [
    SYSTEM_PROGRAM,
    COMPUTE_BUDGET_PROGRAM,
    TOKEN_PROGRAM,
    TOKEN_2022_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    LIGHTHOUSE_PROGRAM,
    MEMO_PROGRAM,
    RECENT_BLOCKHASHES_SYSVAR,
    RENT_SYSVAR,
  ].map((address) => [address, bs58.decode(address)]),
);

/** The 32 bytes of an address that is known to be one; throws a TypeError for any other text. */
export function addressBytes(address: string): Uint8Array {
  const bytes = wellKnown.get(address) ?? parseAddress(address);
  if (bytes === undefined) throw new TypeError(`not an address: ${address.slice(0, 64)}`);
  return bytes;
}

/** The address of 32 bytes; throws a TypeError for any other length. */
export function addressOf(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_SIZE) throw new TypeError(`an address has 32 bytes, not ${bytes.length}`);
  return bs58.encode(bytes);
}
