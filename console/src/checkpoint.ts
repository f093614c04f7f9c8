/** Content and signatures of the transparency log's checkpoint. */
import { isSignedBy, parseCheckpoint, parseVerifierKey, toBase64 } from 'levy-transparency-log';

export interface ReadCheckpoint {
  readonly origin: string;
  /** Entries. */
  readonly size: number;
  /** In base64, as the checkpoint has it. */
  readonly root: string;
  /** True if the log's key has signed it. */
  readonly isSigned: boolean;
  /** Witnesses that have signed it too, by what they say: their keys are known to those who check. */
  readonly cosigned: readonly { readonly name: string; readonly at: string | undefined }[];
}

const TIME_SIZE = 8;
const SIGNATURE_SIZE = 64;

/** Throws `NoteInvalid` for text that is no checkpoint, or a key that is none. */
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

/** A cosignature begins with the seconds since 1970. */
function timeIn(bytes: Uint8Array): string | undefined {
  if (bytes.length !== TIME_SIZE + SIGNATURE_SIZE) return undefined;
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_SIZE).getBigUint64(0));
  const moment = new Date(seconds * 1_000);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
