/** An account as a node writes it, in the requested encoding. */
import { base58, readMint } from 'levy-solana-wire';
import type { Json } from './json.ts';
import { parseAccount } from './json-parsed.ts';
import { invalidParams, invalidRequest } from './rpc-error.ts';
import { type Config, isConfig, wholeNumber } from './rpc-params.ts';
import type { StateAt } from './state-at.ts';
import { type ChainAccount, RENT_EPOCH } from './svm.ts';

export type Encoding = 'binary' | 'base58' | 'base64' | 'jsonParsed';

export interface Slice {
  readonly offset: number;
  readonly length: number;
}

const ENCODINGS: readonly unknown[] = ['binary', 'base58', 'base64', 'jsonParsed'];
const BASE58_LIMIT = 128;

export function encodingOf(config: Config): Encoding {
  const { encoding } = config;
  if (encoding === undefined || encoding === null) return 'binary';
  if (encoding === 'base64+zstd')
    throw invalidParams('base64+zstd encoding is not supported here; use base64');
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
  return {
    data: encodeData(account, encoding, slice, decimalsOf),
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

/** Decimals of mints in a state. */
export function mintDecimals(state: Pick<StateAt, 'account'>): (mint: Uint8Array) => number | undefined {
  return (address) => {
    const mint = state.account(address);
    return mint && readMint(mint)?.decimals;
  };
}
