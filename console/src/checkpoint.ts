/** Content and signatures of the transparency log's checkpoint. */
import { isSignedBy, parseCheckpoint, parseVerifierKey, toBase64 } from 'levy-transparency-log';

export interface ReadCheckpoint {
  readonly origin: string;
  /** Number of entries. */
  readonly size: number;
  /** Root hash in base64. */
  readonly root: string;
  /** True if the signature of the log's key is valid. */
  readonly isSigned: boolean;
  /** Cosignatures as stated in the checkpoint; the console does not verify them. */
  readonly cosigned: readonly { readonly name: string; readonly at: string | undefined }[];
}

const TIME_SIZE = 8;
const SIGNATURE_SIZE = 64;

/** Throws `NoteInvalid` for a malformed checkpoint or key. */
export function readCheckpoint(text: string, keyText: string): ReadCheckpoint {
  const { checkpoint, note } = parseCheckpoint(text);
  const key = parseVerifierKey(keyText.trim());
  return {
    origin: checkpoint.origin,
    size: checkpoint.size,
    root: toBase64(checkpoint.root),
    isSigned: isSignedBy(note, key) && checkpoint.origin === key.name,
    cosigned: note.signatures
      .filter(({ keyId }) => keyId !== key.id)
      .map(({ name, bytes }) => ({ name, at: timeIn(bytes) })),
  };
}

/** Timestamp of a cosignature: seconds since 1970 in its first eight bytes. */
function timeIn(bytes: Uint8Array): string | undefined {
  if (bytes.length !== TIME_SIZE + SIGNATURE_SIZE) return undefined;
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_SIZE).getBigUint64(0));
  const moment = new Date(seconds * 1_000);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
