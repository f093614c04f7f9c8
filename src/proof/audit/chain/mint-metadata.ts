/** Reads a mint's metadata and metadata pointer from its Token-2022 extensions. */
import { type TokenMetadata, unpack } from '@solana/spl-token-metadata';
import { addressOf, type Extension } from 'levy-solana-wire';

const METADATA_POINTER = 18;
const TOKEN_METADATA = 19;
const KEY_SIZE = 32;
const POINTER_SIZE = 2 * KEY_SIZE;

/** Text for an unset authority or address. */
export const NOBODY = 'no account';

export interface MetadataPointer {
  /** Authority that may change the pointer. */
  readonly authority: string;
  readonly account: string;
}

export function metadataPointerOf(extensions: readonly Extension[]): MetadataPointer | undefined {
  const value = extensions.find(({ type }) => type === METADATA_POINTER)?.value;
  if (value === undefined || value.length < POINTER_SIZE) return undefined;
  return { authority: keyAt(value, 0), account: keyAt(value, KEY_SIZE) };
}

/** Undefined if the extension is missing or malformed. */
export function metadataOf(extensions: readonly Extension[]): TokenMetadata | undefined {
  const value = extensions.find(({ type }) => type === TOKEN_METADATA)?.value;
  try {
    return value && unpack(value);
  } catch {
    return undefined;
  }
}

/** An all-zero key means that the authority is unset. */
export function keyAt(value: Uint8Array, offset: number): string {
  const key = value.subarray(offset, offset + KEY_SIZE);
  return key.every((byte) => byte === 0) ? NOBODY : addressOf(key);
}
