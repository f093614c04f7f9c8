/** Reads accounts of the two token programs: the fields that both have, and where the extensions begin. */
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.ts';
import { sameBytes } from './bytes.ts';

export interface TokenAccountState {
  readonly mint: Uint8Array;
  readonly owner: Uint8Array;
  readonly amount: bigint;
  readonly delegate: Uint8Array | undefined;
  readonly state: 'initialized' | 'frozen';
  /** Rent that a wrapped-SOL account must keep; undefined for other tokens. */
  readonly nativeReserve: bigint | undefined;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: Uint8Array | undefined;
  readonly extensions: readonly Extension[];
}

export interface MintState {
  readonly mintAuthority: Uint8Array | undefined;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: Uint8Array | undefined;
  readonly extensions: readonly Extension[];
}

/** One entry of a Token-2022 account's type-length-value list. */
export interface Extension {
  readonly type: number;
  readonly value: Buffer;
}

const ACCOUNT_SIZE = 165;
const MINT_SIZE = 82;
const MINT_TYPE = 1;
const ACCOUNT_TYPE = 2;
const MULTISIG_SIZE = 355;

export function isTokenProgram(owner: Uint8Array): boolean {
  return sameBytes(owner, TOKEN_PROGRAM) || sameBytes(owner, TOKEN_2022_PROGRAM);
}

/** Undefined unless these are the owner and data of an initialized token account. */
export function readTokenAccount(owner: Uint8Array, bytes: Uint8Array): TokenAccountState | undefined {
  if (!isTokenProgram(owner) || bytes.length === MULTISIG_SIZE) return undefined;
  const extended = bytes.length > ACCOUNT_SIZE && sameBytes(owner, TOKEN_2022_PROGRAM);
  if (extended ? bytes[ACCOUNT_SIZE] !== ACCOUNT_TYPE : bytes.length !== ACCOUNT_SIZE) return undefined;
  const data = view(bytes);
  if (data[108] !== 1 && data[108] !== 2) return undefined;
  return {
    mint: data.subarray(0, 32),
    owner: data.subarray(32, 64),
    amount: data.readBigUInt64LE(64),
    delegate: data.readUInt32LE(72) === 1 ? data.subarray(76, 108) : undefined,
    state: data[108] === 1 ? 'initialized' : 'frozen',
    nativeReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : undefined,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: data.readUInt32LE(129) === 1 ? data.subarray(133, 165) : undefined,
    extensions: extended ? extensionsOf(data) : [],
  };
}

/** Undefined unless these are the owner and data of an initialized mint. */
export function readMint(owner: Uint8Array, bytes: Uint8Array): MintState | undefined {
  if (!isTokenProgram(owner) || bytes.length === MULTISIG_SIZE) return undefined;
  const extended = bytes.length > ACCOUNT_SIZE && sameBytes(owner, TOKEN_2022_PROGRAM);
  if (extended ? bytes[ACCOUNT_SIZE] !== MINT_TYPE : bytes.length !== MINT_SIZE) return undefined;
  const data = view(bytes);
  if (data[45] !== 1) return undefined;
  return {
    mintAuthority: data.readUInt32LE(0) === 1 ? data.subarray(4, 36) : undefined,
    supply: data.readBigUInt64LE(36),
    decimals: data.readUInt8(44),
    freezeAuthority: data.readUInt32LE(46) === 1 ? data.subarray(50, 82) : undefined,
    extensions: extended ? extensionsOf(data) : [],
  };
}

function extensionsOf(data: Buffer): Extension[] {
  const extensions: Extension[] = [];
  let offset = ACCOUNT_SIZE + 1;
  while (offset + 4 <= data.length) {
    const type = data.readUInt16LE(offset);
    const length = data.readUInt16LE(offset + 2);
    if (type === 0 || offset + 4 + length > data.length) break;
    extensions.push({ type, value: data.subarray(offset + 4, offset + 4 + length) });
    offset += 4 + length;
  }
  return extensions;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface UiTokenAmount {
  readonly [key: string]: string | number | null;
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** A raw amount as a node shows it. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
