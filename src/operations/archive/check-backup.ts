/**
 * Checks a backup by reading all of it: every file against its hash, blobs and images against their names, every event of
 * the log, and that each ledger that the log names is there.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { OperatorError } from '../../kernel/ports/operator-error.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { imageCid } from '../../server/images/image-cid.ts';
import { FILE_LIST, linesOf, listedFiles, type Manifest, readManifest, sha256Of } from './backup-folder.ts';
import { pathOf } from './backup-parts.ts';
import { eventIn } from './log-lines.ts';
import { ledgersIn } from './named-ledgers.ts';

export interface CheckedBackup {
  readonly manifest: Manifest;
  /**
   * Ledgers that the log names and the backup does not have, because the store did not have them either. Those that were
   * damaged there are in the manifest.
   */
  readonly missingLedgers: readonly string[];
}

/** Throws `OperatorError` that names the first thing that is wrong. */
export async function checkBackup(
  folder: string,
  progress: (bytes: number, of: number) => void = () => undefined,
): Promise<CheckedBackup> {
  const manifest = await readManifest(folder);
  const list = await sha256Of(join(folder, FILE_LIST)).catch(() => undefined);
  if (list?.sha256 !== manifest.files.sha256)
    throw damaged(join(folder, FILE_LIST), 'it is not the one that was written');
  const missingLedgers = await checkFiles(folder, manifest, progress);
  return { manifest, missingLedgers };
}

type Expected = Pick<
  Manifest,
  | 'events'
  | 'head'
  | 'firstEvent'
  | 'blobs'
  | 'named'
  | 'images'
  | 'chain'
  | 'unreadable'
  | 'damaged'
  | 'files'
>;

/** Checks a backup whose manifest is not written yet. */
export async function checkFiles(
  folder: string,
  expected: Expected,
  progress: (bytes: number, of: number) => void = () => undefined,
): Promise<readonly string[]> {
  const found = { log: 0, blob: 0, named: 0, image: 0, chain: 0 };
  const blobs = new Set<string>();
  const named = new Set<string>();
  const log = createLogCheck();
  let [count, bytes] = [0, 0];
  for await (const listed of listedFiles(folder)) {
    const path = join(folder, listed.path);
    const actual = await sha256Of(path).catch((error: unknown) => {
      throw damaged(path, messageOf(error));
    });
    if (actual.sha256 !== listed.sha256 || actual.bytes !== listed.bytes)
      throw damaged(path, 'its bytes are not those that were written');
    const { file } = listed;
    if (file.kind === 'blob' && file.sha256 !== actual.sha256)
      throw damaged(path, 'its content does not match its name');
    if (file.kind === 'image' && imageCid(await readFile(path)) !== file.cid)
      throw damaged(path, 'its content does not match its name');
    if (file.kind === 'blob') blobs.add(file.sha256);
    if (file.kind === 'log') {
      for await (const line of linesOf(path))
        for (const each of ledgersIn(log.add(line, path))) named.add(each);
    }
    found[file.kind] += 1;
    count += 1;
    bytes += actual.bytes;
    progress(bytes, expected.files.bytes);
  }
  const missing = lackOf({ ...log.found(), ...found, count, bytes }, expected);
  if (missing !== undefined) throw damaged(folder, missing);
  const leftOut = new Set(expected.damaged);
  return [...named].filter((sha256) => !blobs.has(sha256) && !leftOut.has(pathOf.blob(sha256)));
}

/** What was counted in a backup's files and log. */
interface Counted {
  readonly events: number;
  readonly head: string;
  readonly firstEvent: string;
  readonly unreadable: number;
  readonly blob: number;
  readonly named: number;
  readonly image: number;
  readonly chain: number;
  readonly count: number;
  readonly bytes: number;
}

/** The first thing that is not as the manifest says; undefined if all of it is. */
export function lackOf(
  found: Counted,
  { events, head, firstEvent, unreadable, blobs, named, images, chain = 0, files }: Expected,
): string | undefined {
  const compared: readonly (readonly [string, number | string, number | string])[] = [
    [`it has ${found.count} files`, found.count, files.count],
    [`it has ${found.bytes} bytes`, found.bytes, files.bytes],
    [`it has ${found.events} events`, found.events, events],
    [`its last event is at ${found.head}`, found.head, head],
    [`its first event is ${found.firstEvent}`, found.firstEvent, firstEvent],
    [`it has ${found.unreadable} events that cannot be read`, found.unreadable, unreadable],
    [`it has ${found.blob} ledger files`, found.blob, blobs],
    [`it has ${found.named} named files`, found.named, named],
    [`it has ${found.image} images`, found.image, images],
    [`it has ${found.chain} files of the chain`, found.chain, chain],
  ];
  const lack = compared.find(([, one, other]) => one !== other);
  return lack && `${lack[0]}, and the manifest says ${lack[2]}`;
}

export function createLogCheck() {
  const found = { events: 0, head: '', firstEvent: '', unreadable: 0 };
  return {
    /** `path` is where the line stands. */
    add(line: string, path: string): RecordedEvent {
      const event = eventIn(line);
      if (event === undefined)
        throw damaged(path, `after position ${found.head} there is a line that is no event`);
      if (event.position <= found.head)
        throw damaged(path, `the event at ${event.position} does not follow ${found.head}`);
      if (found.events === 0) found.firstEvent = event.id;
      found.events += 1;
      found.head = event.position;
      if (event.unreadable !== undefined) found.unreadable += 1;
      return event;
    },
    found: () => found,
  };
}

function damaged(path: string, reason: string): OperatorError {
  return new OperatorError(`"${path}" is damaged: ${reason}. Do not rely on this backup; take another one`);
}
