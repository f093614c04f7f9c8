/** Verifies a whole published log: the entries must produce its tiles and the signed root. */
import { fromUtf8, isEqual } from './bytes.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { createGrowingTree, tileName } from './growing-tree.ts';
import { type Policy, requirePolicy } from './policy.ts';
import { NoteInvalid } from './signed-note.ts';
import { parseEntryBundle, TILE_WIDTH, tilePath } from './tiles.ts';

/** Reads a path below the log's address, such as `tile/0/000.p/12`; undefined if it does not exist. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | undefined>;

export interface VerifiedLog {
  readonly checkpoint: Checkpoint;
  readonly witnesses: readonly string[];
}

/** Throws `NoteInvalid` with the first violation. Reads one bundle at a time. */
export async function verifyLog(
  read: ReadLogFile,
  policy: Policy,
  progress: (entries: number, of: number) => void = () => undefined,
): Promise<VerifiedLog> {
  const note = await read('checkpoint');
  if (note === undefined) throw new NoteInvalid('the checkpoint is missing');
  const signed = parseCheckpoint(fromUtf8(note));
  const { checkpoint } = signed;
  const witnesses = requirePolicy(policy, signed);
  const tree = createGrowingTree();
  for (let bundle = 0; tree.size() < checkpoint.size; bundle++) {
    const width = Math.min(TILE_WIDTH, checkpoint.size - tree.size());
    const path = tileName(tilePath({ level: 'entries', index: bundle, width }));
    const bytes = await read(path);
    const entries = bytes && parseEntryBundle(bytes);
    if (entries?.length !== width)
      throw new NoteInvalid(`${path} is missing, or not a bundle of ${width} entries`);
    for (const entry of entries) {
      for (const { name, bytes: expected } of tree.add(entry)) {
        const found = await read(name);
        if (found === undefined || !isEqual(found, expected))
          throw new NoteInvalid(`${name} is missing, or differs from its entries`);
      }
    }
    progress(tree.size(), checkpoint.size);
  }
  if (!isEqual(tree.root(), checkpoint.root))
    throw new NoteInvalid('the root of the entries differs from the root of the checkpoint');
  return { checkpoint, witnesses };
}
