/** Reads mints and token accounts of Token-2022: what the service needs to know of a token that is on the chain. */
import { addressOf, TOKEN_2022_PROGRAM } from './address.ts';

/** The tax of one transfer; the chain rounds it up and never takes more than the maximum. */
export interface TransferFee {
  /** From this epoch on. */
  readonly epoch: bigint;
  readonly basisPoints: number;
  /** Base units. */
  readonly maximumFee: bigint;
}

export interface Mint {
  /** Base units that there are now. */
  readonly supply: bigint;
  readonly decimals: number;
  /** The rate before the latest change and the one after it; the same until the first change. Undefined without a tax. */
  readonly transferFees: { readonly older: TransferFee; readonly newer: TransferFee } | undefined;
}

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Base units that can be spent; taxes withheld in the account are not among them. */
  readonly amount: bigint;
  readonly frozen: boolean;
}

interface OwnedData {
  readonly owner: string;
  readonly data: Uint8Array;
}

const ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
const MULTISIG_SIZE = 355;
const MINT_TYPE = 1;
const ACCOUNT_TYPE = 2;
const TRANSFER_FEE_CONFIG = 1;
const TRANSFER_FEE_CONFIG_SIZE = 108;
const BASIS_POINTS = 10_000n;

/** Undefined unless this is an initialized mint of Token-2022. */
export function decodeMint({ owner, data }: OwnedData): Mint | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  if (owner !== TOKEN_2022_PROGRAM || !isOfType(bytes, MINT_SIZE, MINT_TYPE) || bytes[45] !== 1)
    return undefined;
  const config = extension(bytes, TRANSFER_FEE_CONFIG);
  return {
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes.readUInt8(44),
    transferFees:
      config?.length === TRANSFER_FEE_CONFIG_SIZE
        ? { older: transferFeeAt(config, 72), newer: transferFeeAt(config, 90) }
        : undefined,
  };
}

/** Undefined unless this is an initialized token account of Token-2022. */
export function decodeTokenAccount({ owner, data }: OwnedData): TokenAccount | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const state = bytes[108];
  if (owner !== TOKEN_2022_PROGRAM || !isOfType(bytes, ACCOUNT_SIZE, ACCOUNT_TYPE)) return undefined;
  if (state !== 1 && state !== 2) return undefined;
  return {
    mint: addressOf(bytes.subarray(0, 32)),
    owner: addressOf(bytes.subarray(32, 64)),
    amount: bytes.readBigUInt64LE(64),
    frozen: state === 2,
  };
}

/** Base units withheld of a transfer of so many. */
export function feeOfTransfer({ basisPoints, maximumFee }: TransferFee, amount: bigint): bigint {
  const fee = (amount * BigInt(basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return fee > maximumFee ? maximumFee : fee;
}

function isOfType(bytes: Buffer, plainSize: number, type: number): boolean {
  if (bytes.length === plainSize) return true;
  // Extended mints are padded to the size of an account, so that the byte after it tells the two apart.
  return bytes.length > ACCOUNT_SIZE && bytes.length !== MULTISIG_SIZE && bytes[ACCOUNT_SIZE] === type;
}

/** The value of an extension, from the list of type, length and value that follows the account's type. */
function extension(bytes: Buffer, wanted: number): Buffer | undefined {
  let offset = ACCOUNT_SIZE + 1;
  while (offset + 4 <= bytes.length) {
    const type = bytes.readUInt16LE(offset);
    const end = offset + 4 + bytes.readUInt16LE(offset + 2);
    if (type === 0 || end > bytes.length) return undefined;
    if (type === wanted) return bytes.subarray(offset + 4, end);
    offset = end;
  }
  return undefined;
}

function transferFeeAt(config: Buffer, offset: number): TransferFee {
  return {
    epoch: config.readBigUInt64LE(offset),
    maximumFee: config.readBigUInt64LE(offset + 8),
    basisPoints: config.readUInt16LE(offset + 16),
  };
}
