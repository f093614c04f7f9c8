/** Puts a backup that was checked into empty stores: files first, the log last, so that nothing names what is not there. */
import { constants, createReadStream } from 'node:fs';
import { copyFile, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ImageStore } from '../../kernel/ports/image-store.ts';
import type { LogWriter } from '../../kernel/ports/log-writer.ts';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { linesOf, listedFiles, type Manifest } from './backup-folder.ts';
import { createLogCheck } from './check-backup.ts';
import { isRestored } from './copied-streams.ts';

export interface RestoreTarget {
  readonly log: LogWriter;
  readonly blobs: Pick<BlobStore, 'put' | 'putFile'>;
  readonly images: Pick<ImageStore, 'put'>;
  /** Where the file of the service's own chain belongs; its folder is there. */
  readonly chain: string;
}

const EVENTS_AT_ONCE = 1_000;

export async function restoreBackup(
  folder: string,
  manifest: Manifest,
  { log, blobs, images, chain }: RestoreTarget,
  progress: (bytes: number, of: number) => void = () => undefined,
): Promise<void> {
  let done = 0;
  for await (const { file, path: name, bytes } of listedFiles(folder)) {
    if (file.kind === 'log') continue;
    const path = join(folder, name);
    if (file.kind === 'named') await blobs.putFile(file.name, await readFile(path));
    else if (file.kind === 'image') await images.put(file.cid, await readFile(path));
    else if (file.kind === 'chain') await copyDurably(path, chain);
    else if ((await blobs.put(createReadStream(path))) !== file.sha256)
      throw new OperatorError(`"${path}" changed while it was restored`);
    done += bytes;
    progress(done, manifest.files.bytes);
  }
  const check = createLogCheck();
  const isKept = manifest.positions === 'events' ? () => true : isRestored;
  let waiting: RecordedEvent[] = [];
  for await (const { file, path: name, bytes } of listedFiles(folder)) {
    if (file.kind !== 'log') continue;
    for await (const line of linesOf(join(folder, name))) {
      const event = check.add(line, name);
      if (isKept(event)) waiting.push(event);
      if (waiting.length < EVENTS_AT_ONCE) continue;
      await log.add(waiting);
      waiting = [];
    }
    done += bytes;
    progress(done, manifest.files.bytes);
  }
  if (waiting.length > 0) await log.add(waiting);
  if (check.found().events !== manifest.events)
    throw new OperatorError(`"${folder}" changed while it was restored`);
  await log.finish();
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const handle = await open(to, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
