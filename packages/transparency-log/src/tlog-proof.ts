/** Proofs (C2SP `tlog-proof`) that an entry is in a log: its index, the path to the root, and the signed checkpoint. */
import { fromBase64, isEqual, toBase64 } from './bytes.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { HASH_SIZE, leafHash, rootFromPath } from './merkle-tree.ts';
import { NoteInvalid, type SignedNote } from './signed-note.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';

export interface TlogProof {
  readonly index: number;
  readonly path: readonly Uint8Array[];
  /** Text of the note. */
  readonly checkpoint: string;
}

export function tlogProofText({ index, path, checkpoint }: TlogProof): string {
  const hashes = path.map((hash) => `${toBase64(hash)}\n`).join('');
  return `${HEADER}\nindex ${index}\n${hashes}\n${checkpoint}`;
}

/** Throws `NoteInvalid`. Extra data is ignored. */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n');
  const lines = (end < 0 ? '' : text.slice(0, end)).split('\n');
  if (lines.shift() !== HEADER) throw new NoteInvalid(`a proof must start with ${HEADER}`);
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const [, indexText] = /^index (0|[1-9]\d*)$/.exec(lines.shift() ?? '') ?? [];
  const index = Number(indexText);
  if (indexText === undefined || !Number.isSafeInteger(index))
    throw new NoteInvalid('a proof must contain the index of its entry');
  const path = lines.map((line) => {
    const hash = fromBase64(line);
    if (hash?.length !== HASH_SIZE) throw new NoteInvalid('every line of the path must be a hash in base64');
    return hash;
  });
  return { index, path, checkpoint: text.slice(end + 2) };
}

/** Throws `NoteInvalid` if the entry is not in the tree of the checkpoint. Does not verify signatures. */
export function requireIncluded(
  proof: TlogProof,
  entry: Uint8Array,
): { readonly checkpoint: Checkpoint; readonly note: SignedNote } {
  const parsed = parseCheckpoint(proof.checkpoint);
  const { size, root } = parsed.checkpoint;
  const found = rootFromPath(leafHash(entry), proof.index, size, proof.path);
  if (found === undefined || !isEqual(found, root))
    throw new NoteInvalid(`the path does not lead from entry ${proof.index} to the root of the checkpoint`);
  return parsed;
}
