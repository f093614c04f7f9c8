/** Tax of a Token-2022 mint on each transfer. */

/** Tax of one transfer; the chain rounds it up, and limits it to the maximum. */
export interface TransferFee {
  /** First epoch in which the rate applies. */
  readonly epoch: bigint;
  readonly basisPoints: number;
  /** Base units. */
  readonly maximumFee: bigint;
}

export interface TransferFeeConfig {
  /** Authority that may change the tax; zeros if there is none. */
  readonly configAuthority: Uint8Array;
  /** Authority that may collect the tax; zeros if there is none. */
  readonly withdrawAuthority: Uint8Array;
  /** Base units that were collected into the mint. */
  readonly withheldAmount: bigint;
  readonly older: TransferFee;
  readonly newer: TransferFee;
}

const CONFIG_SIZE = 108;
const BASIS_POINTS = 10_000n;

/** Decodes the extension of a mint; undefined if it has another size. */
export function readTransferFeeConfig(value: Buffer): TransferFeeConfig | undefined {
  if (value.length !== CONFIG_SIZE) return undefined;
  return {
    configAuthority: value.subarray(0, 32),
    withdrawAuthority: value.subarray(32, 64),
    withheldAmount: value.readBigUInt64LE(64),
    older: transferFeeAt(value, 72),
    newer: transferFeeAt(value, 90),
  };
}

/** Base units that are withheld from a transfer of `amount`. */
export function feeOfTransfer(
  { basisPoints, maximumFee }: Omit<TransferFee, 'epoch'>,
  amount: bigint,
): bigint {
  const fee = (amount * BigInt(basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return fee > maximumFee ? maximumFee : fee;
}

function transferFeeAt(config: Buffer, offset: number): TransferFee {
  return {
    epoch: config.readBigUInt64LE(offset),
    maximumFee: config.readBigUInt64LE(offset + 8),
    basisPoints: config.readUInt16LE(offset + 16),
  };
}
