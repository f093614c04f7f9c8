/** Decodes the venue's pool and position accounts: only the fields that the service checks or shows. */
import { addressOf } from 'levy-solana-wire';

/** Prices are square roots of lamports per base unit, Q64.64. */
export interface PoolAccount {
  readonly tokenMint: string;
  readonly quoteMint: string;
  /** Liquidity of all positions, Q64.64. */
  readonly liquidity: bigint;
  /** Permanently locked part of the liquidity. */
  readonly lockedLiquidity: bigint;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly sqrtPrice: bigint;
  /** Start of trading: Unix seconds in the pools of the service's launches. */
  readonly activationPoint: bigint;
  readonly creator: string;
  /** Fee in billionths of a sale's proceeds in SOL. */
  readonly tradingFee: bigint;
  /** False if the fee changes with time or traffic, or is taken in tokens: such pools are not supported for sales. */
  readonly hasFixedFee: boolean;
  /** True if the venue has stopped all trading in the pool. */
  readonly isPaused: boolean;
}

export const POOL_SIZE = 1_112;
export const POSITION_SIZE = 408;

const POOL_DISCRIMINATOR = Buffer.of(241, 154, 109, 4, 17, 177, 109, 188);
const POSITION_DISCRIMINATOR = Buffer.of(170, 188, 143, 228, 122, 64, 247, 208);
const [FIXED_FEE, NO_DYNAMIC_FEE, FEES_IN_SOL, OPEN] = [0, 0, 1, 0];
/** Number of activation types: by slot, and by time. */
const ACTIVATION_TYPES = 2;

/** Undefined unless the data is a pool. Does not check which program owns the account. */
export function decodePool(data: Uint8Array): PoolAccount | undefined {
  const bytes = accountBytes(data, POOL_DISCRIMINATOR, POOL_SIZE);
  if (bytes === undefined) return undefined;
  if (bytes.readUInt8(480) >= ACTIVATION_TYPES) return undefined;
  return {
    tokenMint: addressAt(bytes, 168),
    quoteMint: addressAt(bytes, 200),
    liquidity: u128At(bytes, 360),
    lockedLiquidity: u128At(bytes, 552),
    sqrtMinPrice: u128At(bytes, 424),
    sqrtMaxPrice: u128At(bytes, 440),
    sqrtPrice: u128At(bytes, 456),
    activationPoint: bytes.readBigUInt64LE(472),
    creator: addressAt(bytes, 648),
    tradingFee: bytes.readBigUInt64LE(8),
    hasFixedFee:
      bytes[16] === FIXED_FEE &&
      bytes.readUInt16LE(22) === 0 &&
      bytes[56] === NO_DYNAMIC_FEE &&
      bytes[484] === FEES_IN_SOL,
    isPaused: bytes[481] !== OPEN,
  };
}

/** Undefined unless the data is a position. Does not check which program owns the account. */
export function decodePosition(data: Uint8Array) {
  const bytes = accountBytes(data, POSITION_DISCRIMINATOR, POSITION_SIZE);
  return (
    bytes && {
      pool: addressAt(bytes, 8),
      positionMint: addressAt(bytes, 40),
      /** Liquidity that could be withdrawn now. */
      unlockedLiquidity: u128At(bytes, 152),
      /** Liquidity that can be withdrawn later. */
      vestedLiquidity: u128At(bytes, 168),
      lockedLiquidity: u128At(bytes, 184),
    }
  );
}

function accountBytes(data: Uint8Array, discriminator: Buffer, size: number): Buffer | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  // A later version of the program may lengthen its accounts; existing fields stay in place.
  return bytes.length >= size && bytes.subarray(0, discriminator.length).equals(discriminator)
    ? bytes
    : undefined;
}

function addressAt(bytes: Buffer, offset: number): string {
  return addressOf(bytes.subarray(offset, offset + 32));
}

/** Reads a little-endian u128. */
function u128At(bytes: Buffer, offset: number): bigint {
  return bytes.readBigUInt64LE(offset) | (bytes.readBigUInt64LE(offset + 8) << 64n);
}
