/** A transparency log with its files in memory, as a notary leaves them. */
import type { RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { entryOf } from '../../src/proof/transparency/canonical-record.ts';
import { logFiles } from '../../src/proof/transparency/log-files.ts';
import { createLogTree, type IndexedEntry } from '../../src/proof/transparency/log-tree.ts';
import { NOTARY_ORIGIN } from './running-notary.ts';

/** Events of three streams, in turn. */
export function loggedEvents(count: number): readonly RecordedEvent[] {
  return Array.from({ length: count }, (_, index) => loggedEvent(index));
}

export function loggedEvent(index: number, change: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    id: `event-${index}`,
    type: 'Happened',
    data: { index },
    metadata: {},
    stream: `token-${index % 3}`,
    revision: Math.floor(index / 3),
    position: String(index).padStart(6, '0'),
    ...change,
  };
}

export function indexedEntry(event: RecordedEvent): IndexedEntry {
  const { id, stream, revision, position } = event;
  return { id, stream, revision, position, entry: entryOf(event) };
}

export function blobsInMemory() {
  const stored = new Map<string, Uint8Array>();
  return {
    stored,
    getFile: async (name: string) => stored.get(name),
    putFile: async (name: string, bytes: Uint8Array) => void stored.set(name, Uint8Array.from(bytes)),
  };
}

export async function recordedLog(count: number, events = loggedEvents(count)) {
  const blobs = blobsInMemory();
  const files = logFiles(blobs, NOTARY_ORIGIN);
  const tree = createLogTree();
  for (const event of events) for (const file of tree.add(indexedEntry(event))) await files.putFull(file);
  const head = { ...tree.end(), root: tree.root() };
  await files.putHead(files.bytesOf(head));
  return { blobs, files, events, tree, head };
}
