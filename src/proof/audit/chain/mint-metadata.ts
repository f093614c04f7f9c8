/** Reads a mint's metadata and metadata pointer from its Token-2022 extensions. */
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

interface MintMetadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

export function metadataPointerOf(extensions: readonly Extension[]): MetadataPointer | undefined {
  const value = extensions.find(({ type }) => type === METADATA_POINTER)?.value;
  if (value === undefined || value.length < POINTER_SIZE) return undefined;
  return { authority: keyAt(value, 0), account: keyAt(value, KEY_SIZE) };
}

/** Undefined if the extension is missing or truncated. */
export function metadataOf(extensions: readonly Extension[]): MintMetadata | undefined {
  const value = extensions.find(({ type }) => type === TOKEN_METADATA)?.value;
  if (value === undefined || value.length < POINTER_SIZE) return undefined;
  const texts: string[] = [];
  let at = POINTER_SIZE;
  for (let text = 0; text < 3; text += 1) {
    if (at + 4 > value.length) return undefined;
    const end = at + 4 + value.readUInt32LE(at);
    if (end > value.length) return undefined;
    texts.push(value.subarray(at + 4, end).toString());
    at = end;
  }
  const [name = '', symbol = '', uri = ''] = texts;
  return { updateAuthority: keyAt(value, 0), mint: keyAt(value, KEY_SIZE), name, symbol, uri };
}

/** An all-zero key means that the authority is unset. */
export function keyAt(value: Uint8Array, offset: number): string {
  const key = value.subarray(offset, offset + KEY_SIZE);
  return key.every((byte) => byte === 0) ? NOBODY : addressOf(key);
}
