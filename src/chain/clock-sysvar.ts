/** Reads the chain's own clock: the account that holds the slot and the time of the block that it was read from. */

export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';

export interface ChainClock {
  readonly slot: bigint;
  /** Unix seconds, as the validators estimate the time of the block. */
  readonly time: number;
}

const SIZE = 40;

/** Undefined unless the data is that of the clock. */
export function decodeChainClock(data: Uint8Array): ChainClock | undefined {
  if (data.length !== SIZE) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { slot: view.getBigUint64(0, true), time: Number(view.getBigInt64(32, true)) };
}
