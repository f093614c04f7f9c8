/** Checkpoints (C2SP `tlog-checkpoint`): the signed size and root of a log. */
import { fromBase64, toBase64, utf8ToBytes } from './bytes.ts';
import { HASH_SIZE } from './merkle-tree.ts';
import {
  ED25519,
  NoteInvalid,
  noteKey,
  noteOf,
  parseNote,
  type SignedNote,
  signatureLine,
} from './signed-note.ts';

export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

export interface Checkpoint extends TreeHead {
  /** Name of the log. */
  readonly origin: string;
}

/** Text to sign. */
function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Throws `NoteInvalid` for an invalid checkpoint. Lines after the third are ignored. */
export function parseCheckpointText(text: string): Checkpoint {
  const [origin, sizeText, rootText] = text.split('\n');
  const root = rootText === undefined ? undefined : fromBase64(rootText);
  const size = Number(sizeText);
  if (!origin || sizeText === undefined || !/^(0|[1-9]\d*)$/.test(sizeText) || !Number.isSafeInteger(size))
    throw new NoteInvalid('a checkpoint must start with the name of the log and its size');
  if (root?.length !== HASH_SIZE)
    throw new NoteInvalid("a checkpoint's third line must be a root of 32 bytes in base64");
  return { origin, size, root };
}

/** Throws `NoteInvalid`. Does not verify signatures. */
export function parseCheckpoint(note: string): {
  readonly checkpoint: Checkpoint;
  readonly note: SignedNote;
} {
  const parsed = parseNote(note);
  return { checkpoint: parseCheckpointText(parsed.text), note: parsed };
}

/** Signs with the log's key, whose name is the log's. */
export interface LogSigner {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

export function signCheckpoint(checkpoint: Checkpoint, signer: LogSigner): string {
  const text = checkpointText(checkpoint);
  const key = noteKey(checkpoint.origin, ED25519, signer.publicKey);
  return noteOf(text, [signatureLine(key, signer.sign(utf8ToBytes(text)))]);
}
