/** Encodes an account like a node, in the requested encoding. */
import { base58, readMint } from 'levy-solana-wire';
import type { Json } from './json.ts';
import { parseAccount } from './json-parsed.ts';
import { invalidParams, invalidRequest } from './rpc-error.ts';
import { type Config, isConfig, wholeNumber } from './rpc-params.ts';
import type { StateAt } from './state-at.ts';
import { type ChainAccount, RENT_EPOCH } from './svm.ts';
import { zstdFrame } from './zstd-frame.ts';

export type Encoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';

export interface Slice {
  readonly offset: number;
  readonly length: number;
}

const ENCODINGS: readonly unknown[] = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'];
const BASE58_LIMIT = 128;
const TOO_LONG = 'error: data too large for bs58 encoding';

/** `otherwise`: default encoding of the method. */
export function encodingOf(config: Config, otherwise: Encoding = 'binary'): Encoding {
  const { encoding } = config;
  if (encoding === undefined || encoding === null) return otherwise;
  if (!isEncoding(encoding)) throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\`.`);
  return encoding;
}

function isEncoding(value: unknown): value is Encoding {
  return ENCODINGS.includes(value);
}

export function sliceOf(config: Config): Slice | undefined {
  const { dataSlice } = config;
  if (dataSlice === undefined || dataSlice === null) return undefined;
  if (!isConfig(dataSlice)) throw invalidParams('Invalid params: invalid dataSlice.');
  return {
    offset: wholeNumber(dataSlice.offset, 'offset'),
    length: wholeNumber(dataSlice.length, 'length'),
  };
}

export function encodeAccount(
  account: ChainAccount,
  encoding: Encoding,
  slice: Slice | undefined,
  decimalsOf: (mint: Uint8Array) => number | undefined,
): Json {
  return { data: encodeData(account, encoding, slice, decimalsOf), ...withoutData(account) };
}

function withoutData(account: ChainAccount) {
  return {
    executable: account.executable,
    lamports: account.lamports,
    owner: base58(account.owner),
    rentEpoch: RENT_EPOCH,
    space: account.data.length,
  };
}

export function encodeData(
  account: ChainAccount,
  encoding: Encoding,
  slice: Slice | undefined,
  decimalsOf: (mint: Uint8Array) => number | undefined,
): Json {
  if (encoding === 'jsonParsed') {
    const parsed = parseAccount(account, decimalsOf);
    if (parsed !== undefined) return parsed;
  }
  const data = slice ? account.data.subarray(slice.offset, slice.offset + slice.length) : account.data;
  if (encoding === 'base64+zstd') return [zstdFrame(data).toString('base64'), encoding];
  if (encoding === 'base64' || encoding === 'jsonParsed') {
    return [Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'), 'base64'];
  }
  if (data.length > BASE58_LIMIT) {
    throw invalidRequest(
      `Encoded binary (base 58) data should be less than ${BASE58_LIMIT} bytes, please use Base64 encoding.`,
    );
  }
  return encoding === 'binary' ? base58(data) : [base58(data), 'base58'];
}

/**
 * Encodes an account for a notification. Data that are too long for base58 are replaced by an error text, because a
 * notification cannot be refused.
 */
export function notifiedAccount(...given: Parameters<typeof encodeAccount>): Json {
  const [account, encoding, slice, decimalsOf] = given;
  const isBase58 = encoding === 'binary' || encoding === 'base58';
  const length = Math.min(account.data.length - (slice?.offset ?? 0), slice?.length ?? Infinity);
  if (!isBase58 || length <= BASE58_LIMIT) return encodeAccount(account, encoding, slice, decimalsOf);
  return { data: encoding === 'binary' ? TOO_LONG : [TOO_LONG, encoding], ...withoutData(account) };
}

/** Returns a function that reads the decimals of mints in a state. */
export function mintDecimals(state: Pick<StateAt, 'account'>): (mint: Uint8Array) => number | undefined {
  return (address) => {
    const mint = state.account(address);
    return mint && readMint(mint)?.decimals;
  };
}
