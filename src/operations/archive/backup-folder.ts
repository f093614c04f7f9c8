/** A backup in a folder: its files, the list of them with their hashes, and the manifest, which is written last. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { BackupBegin, BackupEnd, type BackupFile, FORMAT, fileAt } from './backup-parts.ts';

export const MANIFEST = 'manifest.json';
export const FILE_LIST = 'files.ndjson';
export const SECRETS = 'secrets';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Manifest = Type.Object({
  ...BackupBegin.properties,
  ...BackupEnd.properties,
  /** Events that no program can read; they are kept as they are. */
  unreadable: Type.Integer({ minimum: 0 }),
  /** Paths of files whose bytes in the stores were not those of their names: they are not in the backup. */
  damaged: Type.Optional(Type.Array(Type.String())),
  /** Names of the files in `secrets`, if they were asked for. */
  secrets: Type.Array(Type.String({ pattern: '^[a-z-]+$' })),
  files: Type.Object({
    count: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Sha256,
  }),
});
export type Manifest = Static<typeof Manifest>;

const Listed = Type.Object({ path: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256: Sha256 });
export type ListedFile = Static<typeof Listed>;

export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    throw new OperatorError(
      `"${folder}" is no backup: it has no ${MANIFEST}. A backup that was interrupted has none`,
      {
        cause: error,
      },
    );
  }
  const found = parsed(text);
  if (Value.Check(Manifest, found)) return found;
  const format = typeof found === 'object' && found !== null && 'format' in found ? found.format : undefined;
  throw new OperatorError(
    format === undefined || format === FORMAT
      ? `"${join(folder, MANIFEST)}" is damaged: take another backup`
      : `"${folder}" is a backup of another format (${String(format)}, this release reads ${FORMAT}): restore it with the release that took it`,
  );
}

/** The files in the order in which they were taken. Throws `OperatorError` where the list is damaged. */
export async function* listedFiles(
  folder: string,
): AsyncGenerator<ListedFile & { readonly file: BackupFile }, void> {
  for await (const line of linesOf(join(folder, FILE_LIST))) {
    const listed = parsed(line);
    const file = Value.Check(Listed, listed) ? fileAt(listed.path) : undefined;
    if (file === undefined)
      throw new OperatorError(`"${join(folder, FILE_LIST)}" is damaged: take another backup`);
    yield { ...(listed as ListedFile), file };
  }
}

export function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

export async function sha256Of(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    hash.update(piece as Buffer);
    bytes += (piece as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
