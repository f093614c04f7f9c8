// The notary keeps one tree, whatever happens, and stops before it signs another.

import { ED25519, isSignedBy, leafHash, noteKey, parseCheckpoint, rootOf } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { isExcluded } from '../../../../src/proof/transparency/excluded-streams.ts';
import { logFiles, serveOrigin } from '../../../../src/proof/transparency/log-files.ts';
import type { Notary } from '../../../../src/proof/transparency/notary.ts';
import { publishedLog } from '../../../../src/proof/transparency/published-log.ts';
import type { Witness } from '../../../../src/proof/transparency/witness.ts';
import { WitnessDisagrees } from '../../../../src/proof/transparency/witness.ts';
import { eventually } from '../../../support/eventually.ts';
import { appendRecorded } from '../../../support/recorded-events.ts';
import { blobsInMemory } from '../../../support/recorded-log.ts';
import {
  appendEntries as append,
  notaryKey as logKey,
  notaryOf,
  NOTARY_ORIGIN as ORIGIN,
  untilPublished,
} from '../../../support/running-notary.ts';
import { skipPauses } from '../../../support/skipped-pauses.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

skipPauses();

const key = noteKey(ORIGIN, ED25519, logKey.publicKey);

interface Setting {
  readonly store: EventStore;
  readonly files: ReturnType<typeof blobsInMemory>;
}

async function setting(): Promise<Setting> {
  const files = blobsInMemory();
  await serveOrigin(files, ORIGIN);
  return { store: await temporaryEventStore(), files };
}

/** A log of so many events that a notary has published before it ended. */
async function published(count: number): Promise<Setting> {
  const given = await setting();
  await append(given.store, 'thing-a', count);
  const notary = notaryOf(given);
  await untilPublished(notary, count);
  await notary.stop();
  return given;
}

async function untilStopped(notary: Notary) {
  return eventually('the notary stops', async () => notary.status().trouble);
}

/** The root over what the log holds, computed without tiles. */
async function rootOfLog(store: EventStore): Promise<string> {
  const events = (await wholeLog(store)).filter(({ stream }) => !isExcluded(stream));
  return Buffer.from(rootOf(events.map((event) => leafHash(entryOf(event))))).toString('hex');
}

async function publishedRoot(files: Setting['files']): Promise<string> {
  const { checkpoint, note } = parseCheckpoint((await logFiles(files, ORIGIN).checkpoint()) ?? '');
  expect(isSignedBy(note, key)).toBe(true);
  return Buffer.from(checkpoint.root).toString('hex');
}

async function proofs({ store, files }: Setting): Promise<readonly string[]> {
  const log = publishedLog({ blobs: files, store, publicKey: logKey.publicKey });
  const events = (await wholeLog(store)).filter(({ stream }) => !isExcluded(stream));
  const some = [0, 255, 256, 400, 511, 512, 599].flatMap((index) => events[index] ?? []);
  return Promise.all(some.map(async (event) => (await log.prove(event)).outcome));
}

/** The log with its events written anew, as somebody changes it in the file of a stopped service. */
async function rewritten(
  store: EventStore,
  change: (events: { id: string; type: string; stream: string; data: object; metadata: object }[]) => void,
): Promise<EventStore> {
  const events = (await wholeLog(store)).map((event) => ({ ...event }));
  change(events as never);
  const other = await temporaryEventStore();
  const revisions = new Map<string, number>();
  for (const { id, type, stream, data, metadata } of events) {
    const revision = revisions.get(stream);
    const result = await other.append(stream, revision ?? 'none', [{ id, type, data, metadata }]);
    if (result.outcome === 'appended') revisions.set(stream, result.revision);
  }
  return other;
}

describe('a log', () => {
  test('is made again from the events when its files are lost', async () => {
    const given = await published(300);
    const files = blobsInMemory();
    const again = notaryOf({ store: given.store, files });
    await untilPublished(again, 300);
    expect(await publishedRoot(files)).toBe(await publishedRoot(given.files));
  });

  test('keeps its tree in another store, where its events stand elsewhere; its record is corrected once', async () => {
    const given = await published(300);
    const before = await publishedRoot(given.files);
    const other = await temporaryEventStore();
    await append(other, 'lease-of-another', 20);
    const kept = (await wholeLog(given.store)).filter(({ stream }) => !isExcluded(stream));
    await appendRecorded(other, kept);
    const moved = { store: other, files: given.files };
    expect(await proofs(moved)).toContain('unpublished');
    const second = notaryOf(moved);
    await eventually('every event is proved', async () =>
      (await proofs(moved)).every((outcome) => outcome === 'proved'),
    );
    expect(await publishedRoot(given.files)).toBe(before);
    await append(other, 'thing-b', 3);
    await untilPublished(second, 303);
    await second.stop();
    expect(await publishedRoot(given.files)).toBe(await rootOfLog(other));
    const files = new Map(given.files.stored);
    const third = notaryOf(moved);
    await append(other, 'thing-b', 1);
    await untilPublished(third, 304);
    await third.stop();
    const replaced = [...given.files.stored].filter(([name, bytes]) => files.get(name) !== bytes);
    expect(replaced.map(([name]) => name.split('/').at(-1))).toEqual(['head', 'checkpoint']);
  });
});

describe('a notary tells', () => {
  test('in which state it is, what is published since when, and how much of its record it has found', async () => {
    const { store, files } = await setting();
    await append(store, 'token-1', 3);
    const first = notaryOf({ store, files });
    expect(first.status()).toMatchObject({
      state: 'comparing',
      origin: ORIGIN,
      size: 0,
      compared: 0,
      published: undefined,
    });
    await untilPublished(first, 3);
    expect(first.status()).toMatchObject({
      state: 'signing',
      size: 3,
      compared: 0,
      published: { size: 3, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
    });
    await first.stop();
    const second = notaryOf({ store, files });
    await append(store, 'token-1', 1);
    await untilPublished(second, 4);
    expect(second.status()).toMatchObject({ state: 'signing', size: 4, compared: 3 });
    await second.stop();
    for (const name of files.stored.keys())
      if (name.endsWith('/head')) files.stored.set(name, Buffer.from('broken'));
    const third = notaryOf({ store, files });
    await untilStopped(third);
    expect(third.status()).toMatchObject({ state: 'stopped', trouble: { kind: 'record' } });
  });

  test('nothing of what fails because it was stopped', async () => {
    const { store, files } = await setting();
    let cutOff = () => {};
    const waiting = new Promise<undefined>((_resolve, reject) => {
      cutOff = () => reject(new Error('cut off'));
    });
    const notary = notaryOf({ store, files: { ...files, getFile: () => waiting } });
    const stopped = notary.stop();
    cutOff();
    await stopped;
    expect([notary.status().error, notary.status().trouble]).toEqual([undefined, undefined]);
  });
});

// Each kind of change is in recorded-order.test.
describe('the notary stops before it signs', () => {
  test('when an event was edited', async () => {
    const given = await published(300);
    const before = new Map(given.files.stored);
    const edited = await rewritten(given.store, (events) => {
      const event = events[150];
      if (event) event.data = { index: 7 };
    });
    expect(await untilStopped(notaryOf({ store: edited, files: given.files }))).toMatchObject({
      kind: 'log',
      message: expect.stringContaining('Entry 150 differs: the data, metadata or type of event '),
    });
    const written = [...given.files.stored].filter(([name, bytes]) => before.get(name) !== bytes);
    expect(written.map(([name]) => name)).toEqual([]);
  });

  test('when its files are lost and the log was changed: the claims in the log still know', async () => {
    const given = await published(30);
    const store = await rewritten(given.store, (events) => {
      const event = events[3];
      if (event !== undefined) event.data = {};
    });
    const files = blobsInMemory();
    const second = notaryOf({ store, files });
    expect(await untilStopped(second)).toMatchObject({ kind: 'log' });
    expect(await logFiles(files, ORIGIN).checkpoint()).toBeUndefined();
  });

  test('when the log was put back, and the record cannot be read at its end at first', async () => {
    const given = await published(600);
    const store = await rewritten(given.store, (events) => void events.splice(256));
    let isRefused = false;
    const files: Setting['files'] = {
      ...given.files,
      async getFile(name) {
        if (isRefused || !name.endsWith('index/001')) return given.files.getFile(name);
        isRefused = true;
        throw new Error('the files do not answer');
      },
    };
    expect(await untilStopped(notaryOf({ store, files }))).toMatchObject({
      kind: 'log',
      message: expect.stringContaining('Entry 256 differs: '),
    });
    expect(isRefused).toBe(true);
  });

  test('when another notary works at the same time; what both have signed is one tree', async () => {
    const given = await setting();
    await append(given.store, 'thing-a', 300);
    const both = [notaryOf(given), notaryOf(given)];
    await eventually('one of them stops', async () =>
      both.some((notary) => notary.status().trouble?.kind === 'notary'),
    );
    await Promise.all(both.map((notary) => notary.stop()));
    await append(given.store, 'thing-b', 5);
    const after = notaryOf(given);
    await untilPublished(after, 305);
    expect(await publishedRoot(given.files)).toBe(await rootOfLog(given.store));
  });

  test('when a witness holds another tree', async () => {
    const given = await setting();
    await append(given.store, 'thing-a', 3);
    const witness: Witness = {
      name: 'witness.example',
      cosign: async () => {
        throw new WitnessDisagrees('the witness witness.example holds another tree');
      },
    };
    const notary = notaryOf(given, { witnesses: [witness] });
    expect(await untilStopped(notary)).toMatchObject({ kind: 'witness' });
    expect(await logFiles(given.files, ORIGIN).checkpoint()).toBeUndefined();
  });

  test('when its term has ended', async () => {
    const given = await setting();
    await append(given.store, 'thing-a', 3);
    let looks = 0;
    const notary = notaryOf(given, { isHeld: () => ++looks < 2 });
    await eventually('it looks', async () => looks === 2);
    await notary.stop();
    expect(await logFiles(given.files, ORIGIN).checkpoint()).toBeUndefined();
  });
});
