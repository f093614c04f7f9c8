/** Signed notes (C2SP `signed-note`) with Ed25519 keys: text that any number of keys have signed. */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, fromBase64, toBase64, toHex, utf8ToBytes } from './bytes.ts';

/** Supported signature types. */
export const ED25519 = 0x01;
/** Signature type of a witness's timestamped checkpoint signature (C2SP `tlog-cosignature`). */
export const COSIGNATURE = 0x04;

export interface NoteKey {
  readonly name: string;
  /** 8 hex digits. */
  readonly id: string;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  /** 8 hex digits. */
  readonly keyId: string;
  /** Bytes after the key's id. */
  readonly bytes: Uint8Array;
  /** Line in the note, without its line break. */
  readonly line: string;
}

export interface SignedNote {
  /** Includes the final line break. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Thrown for an invalid note, key or proof; the message contains the reason. */
export class NoteInvalid extends Error {
  override readonly name = 'NoteInvalid';
}

const PUBLIC_KEY_SIZE = 32;
const SIGNATURE_SIZE = 64;
const MARK = '— ';
const KEY_NAME = /^[^\s+]+$/u;
/** Maximum number of signatures, far above those of a log and its witnesses, so that verification is bounded. */
const MAX_SIGNATURES = 100;
const MAX_NOTE = 1_000_000;

export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name);
}

export function noteKey(name: string, type: number, publicKey: Uint8Array): NoteKey {
  if (!isKeyName(name))
    throw new NoteInvalid(`the key name "${name}" must not contain blanks or a plus sign`);
  if (publicKey.length !== PUBLIC_KEY_SIZE) throw new NoteInvalid('an Ed25519 public key must have 32 bytes');
  return { name, id: toHex(keyIdOf(name, type, publicKey)), type, publicKey };
}

function keyIdOf(name: string, type: number, publicKey: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4);
}

/** Text form of a key for verifiers: `<name>+<id>+<base64 of type and key>`. */
export function verifierKey({ name, id, type, publicKey }: NoteKey): string {
  return `${name}+${id}+${toBase64(concatBytes(Uint8Array.of(type), publicKey))}`;
}

/** Throws `NoteInvalid` for an invalid verifier key, or an unsupported signature type. */
export function parseVerifierKey(text: string): NoteKey {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  const type = bytes?.[0];
  if (name === undefined || bytes === undefined || type === undefined)
    throw new NoteInvalid('a verifier key must have the form name+id+key');
  if (type !== ED25519 && type !== COSIGNATURE)
    throw new NoteInvalid(
      `the verifier key of ${name} has type ${type}; supported are Ed25519 (1) and cosignatures (4)`,
    );
  const key = noteKey(name, type, bytes.subarray(1));
  if (key.id !== id) throw new NoteInvalid(`the verifier key of ${name} has the id ${key.id}, not ${id}`);
  return key;
}

/** Throws `NoteInvalid` for an invalid note. */
export function parseNote(note: string): SignedNote {
  if (note.length > MAX_NOTE) throw new NoteInvalid('the note is longer than a million characters');
  if ([...note].some((character) => character < ' ' && character !== '\n'))
    throw new NoteInvalid('the note must not contain control characters');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw new NoteInvalid('the note must have signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES)
    throw new NoteInvalid(`the note must have at most ${MAX_SIGNATURES} signatures`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

/** Throws `NoteInvalid`. */
export function parseSignature(line: string): NoteSignature {
  const [name, encoded, ...more] = line.startsWith(MARK) ? line.slice(MARK.length).split(' ') : [];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  if (name === undefined || !isKeyName(name) || bytes === undefined || bytes.length < 5 || more.length > 0)
    throw new NoteInvalid('a signature line must have the form "— name base64"');
  return { name, keyId: toHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4), line };
}

/** Formats a signature line without its line break. */
export function signatureLine(
  { name, type, publicKey }: Pick<NoteKey, 'name' | 'type' | 'publicKey'>,
  signature: Uint8Array,
): string {
  return `${MARK}${name} ${toBase64(concatBytes(keyIdOf(name, type, publicKey), signature))}`;
}

export function noteOf(text: string, lines: readonly string[]): string {
  return `${text}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** True if the key has signed and all its signatures are valid; a wrong one makes the whole note suspect. */
export function isSignedBy(note: SignedNote, key: NoteKey): boolean {
  const own = note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
  return own.length > 0 && own.every(({ bytes }) => isSignatureOf(note.text, key, bytes));
}

function isSignatureOf(text: string, key: NoteKey, bytes: Uint8Array): boolean {
  if (key.type === ED25519) return isSignature(key.publicKey, utf8ToBytes(text), bytes);
  return cosignatureTime(text, key, bytes) !== undefined;
}

const TIME_SIZE = 8;

/** Time of a witness's signature (seconds since 1970); undefined if the signature is invalid. */
export function cosignatureTime(text: string, key: NoteKey, bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== TIME_SIZE + SIGNATURE_SIZE) return undefined;
  const time = new DataView(bytes.buffer, bytes.byteOffset, TIME_SIZE).getBigUint64(0);
  const message = utf8ToBytes(`cosignature/v1\ntime ${time}\n${text}`);
  return isSignature(key.publicKey, message, bytes.subarray(TIME_SIZE)) ? time : undefined;
}

/** Refuses small-order keys, for which anybody can forge signatures. Never throws. */
function isSignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_SIZE) return false;
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}
