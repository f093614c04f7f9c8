/** Decodes the chain's clock sysvar: the slot and time of the block from which it was read. */

export const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111';

export interface ChainClock {
  readonly slot: bigint;
  /** Unix seconds: the validators' estimate of the block's time. */
  readonly time: number;
}

const SIZE = 40;

/** Undefined unless the data is a clock. */
export function decodeChainClock(data: Uint8Array): ChainClock | undefined {
  if (data.length !== SIZE) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { slot: view.getBigUint64(0, true), time: Number(view.getBigInt64(32, true)) };
}
