/**
 * Copies the named files of a store of ledgers: those of the transparency log. What is replaced as the log grows is read
 * first and written last, so that it names nothing that is not there. A file at the target is replaced only when the log
 * there is the beginning of the one at the source, which the tiles of the source prove: a log that is longer at the
 * target, or another one, stays.
 */
import { isEqual, parseCheckpoint, tiledTree } from 'levy-transparency-log';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import {
  LOG_FILES,
  type LogFiles,
  logFiles,
  logFolder,
  parseIndexPage,
} from '../../proof/transparency/log-files.ts';
import type { FileCounter } from './counted-files.ts';

type Files = Pick<BlobStore, 'listFiles' | 'getFile' | 'putFile'>;

interface Stores {
  readonly source: Files;
  readonly target: Files;
}

interface Read {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a head or a checkpoint says of its log. */
interface Tree {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

export async function copyNamedFiles({ source, target }: Stores, count: FileCounter): Promise<void> {
  const replaced = await replacedFiles(source);
  const faultsBefore = count.faults;
  const isAhead = await logsAhead(target, replaced);
  for await (const name of source.listFiles('')) {
    if (isReplaced(name)) continue;
    await count.faultOr(`the file ${name}`, async () => {
      const bytes = await source.getFile(name);
      if (bytes === undefined) return;
      const there = await target.getFile(name);
      if (there !== undefined && !isEqual(there, bytes)) {
        if (!isSamePage(name, there, bytes)) throw otherFile();
        // Where its events stand belongs to the longer log.
        if (isAhead(name)) return;
      }
      await putAndCompare(target, { name, bytes }, there, count);
    });
  }
  // The heads of a log that is not whole there would be believed.
  if (count.faults > faultsBefore) return;
  for (const file of replaced) {
    await count.faultOr(`the file ${file.name}`, async () => {
      const there = await target.getFile(file.name);
      if (there !== undefined && !isEqual(there, file.bytes))
        await requireOlder({ source, target }, file, there);
      await putAndCompare(target, file, there, count);
    });
    if (count.faults > faultsBefore) return;
  }
}

async function putAndCompare(
  target: Files,
  { name, bytes }: Read,
  there: Uint8Array | undefined,
  count: FileCounter,
): Promise<void> {
  if (there === undefined || !isEqual(there, bytes)) await target.putFile(name, bytes);
  const copied = await target.getFile(name);
  if (copied === undefined || !isEqual(copied, bytes))
    throw new Error('it is not at the target as it was written: another process writes there');
  count.compared(bytes.length, there === undefined ? 1 : 0);
}

/** In the order in which they are written: `origin` says which log is served, and a checkpoint signs what a head holds. */
async function replacedFiles(source: Files): Promise<readonly Read[]> {
  const names: string[] = [];
  for await (const name of source.listFiles('')) if (isReplaced(name)) names.push(name);
  const read: Read[] = [];
  for (const name of names.sort((one, other) => rank(one) - rank(other))) {
    const bytes = await source.getFile(name);
    if (bytes !== undefined) read.push({ name, bytes });
  }
  return read.reverse();
}

/** What is written later is read earlier. */
function rank(name: string): number {
  const place = ['origin', 'checkpoint', 'head'].indexOf(lastPart(name));
  return place === -1 ? 3 : place;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isReplaced(name: string): boolean {
  return !/\/(tile|index)\//.test(name);
}

/** Tells of a file's name whether it is of a log that is longer at the target. */
async function logsAhead(target: Files, replaced: readonly Read[]): Promise<(name: string) => boolean> {
  const folders: string[] = [];
  for (const { name, bytes } of replaced) {
    if (lastPart(name) !== 'head') continue;
    const there = await target.getFile(name);
    const [known, given] = [there && treeOf(name, there), treeOf(name, bytes)];
    if (known !== undefined && given !== undefined && known.size > given.size)
      folders.push(name.slice(0, -'head'.length));
  }
  return (name) => folders.some((folder) => name.startsWith(folder));
}

/** The notary replaces a page of the index when the log was moved to another store: the positions alone are others. */
function isSamePage(name: string, one: Uint8Array, other: Uint8Array): boolean {
  if (!/\/index\//.test(name)) return false;
  const [known, given] = [one, other].map((bytes) => parseIndexPage(Buffer.from(bytes).toString()));
  if (known === undefined || given === undefined || known.length !== given.length) return false;
  return known.every((line, at) => {
    const { id, stream, revision } = given[at] ?? {};
    return line.id === id && line.stream === stream && line.revision === revision;
  });
}

async function requireOlder(
  { source, target }: Stores,
  { name, bytes }: Read,
  there: Uint8Array,
): Promise<void> {
  if (name === `${LOG_FILES}origin`) return requireKnownLog(source, there);
  const [known, given] = [treeOf(name, there), treeOf(name, bytes)];
  if (known === undefined || given === undefined || known.origin !== given.origin) throw otherFile();
  if (known.size > given.size) {
    const isSame = await isBeginning(logFiles(target, known.origin), given, known.size);
    throw isSame
      ? new Error(
          `the log at the target has ${known.size} entries, the one at the source ${given.size}: a service has gone on at the target, and its log stays`,
        )
      : otherFile();
  }
  if (!(await isBeginning(logFiles(source, known.origin), known, given.size))) throw otherFile();
}

/** A log was given another name: the one that is served there is one that the source has as well, and no shorter. */
async function requireKnownLog(source: Files, there: Uint8Array): Promise<void> {
  const folder = logFolder(Buffer.from(there).toString().trim());
  if ((await source.getFile(`${folder}head`)) === undefined) throw otherFile();
}

/** Whether the tree is that of the first entries of the log, which has `available` of them. */
async function isBeginning(files: LogFiles, { size, root }: Tree, available: number): Promise<boolean> {
  const tree = tiledTree(async (level, index, width) => {
    const tile = await files.tile({ level, index, width });
    if (tile !== undefined) return tile;
    throw new Error(`tile ${index} of level ${level} of the log ${files.origin} is missing`);
  }, available);
  return isEqual(await tree.root(size), root);
}

/** Undefined for what is neither the head nor the checkpoint of a log. */
function treeOf(name: string, bytes: Uint8Array): Tree | undefined {
  const text = Buffer.from(bytes).toString();
  try {
    if (lastPart(name) === 'checkpoint') return parseCheckpoint(text).checkpoint;
    if (lastPart(name) !== 'head') return undefined;
    const { origin, size, root } = JSON.parse(text) as { readonly [field in keyof Tree]?: unknown };
    return typeof origin === 'string' && typeof size === 'number' && typeof root === 'string'
      ? { origin, size, root: Buffer.from(root, 'hex') }
      : undefined;
  } catch {
    return undefined;
  }
}

function otherFile(): Error {
  return new Error(
    'the target has another file of that name, which stays. Is it the store of another service?',
  );
}
