// What is published of a log: nothing before the first checkpoint, tiles only as far as it reaches, and proofs of what it covers.
import {
  ED25519,
  leafHash,
  noteKey,
  parseTlogProof,
  requireIncluded,
  rootOf,
  signCheckpoint,
  verifierKey,
} from 'levy-transparency-log';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { logFiles, serveOrigin } from '../../../../src/proof/transparency/log-files.ts';
import { publishedLog } from '../../../../src/proof/transparency/published-log.ts';
import { blobsInMemory, loggedEvent, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN, notaryKey } from '../../../support/running-notary.ts';

const KEY = verifierKey(noteKey(NOTARY_ORIGIN, ED25519, notaryKey.publicKey));
/** The head has them all; the checkpoint covers the first 590. */
const [RECORDED, PUBLISHED] = [600, 590];
const recorded = await recordedLog(RECORDED);
const rootOfFirst = (count: number) =>
  rootOf(recorded.events.slice(0, count).map((event) => leafHash(entryOf(event))));
const NOTE = signCheckpoint(
  { origin: NOTARY_ORIGIN, size: PUBLISHED, root: rootOfFirst(PUBLISHED) },
  notaryKey,
);

async function published(given: { readonly note?: string | undefined; readonly isServed?: boolean } = {}) {
  const { note = NOTE, isServed = true } = given;
  const blobs = blobsInMemory();
  for (const [name, bytes] of recorded.blobs.stored) blobs.stored.set(name, bytes);
  if (isServed) await serveOrigin(blobs, NOTARY_ORIGIN);
  if (note !== '') await logFiles(blobs, NOTARY_ORIGIN).putCheckpoint(note);
  const asked: string[] = [];
  const log = publishedLog({
    blobs: {
      ...blobs,
      getFile(name) {
        asked.push(name);
        return blobs.getFile(name);
      },
    },
    store: {
      async *read(stream) {
        for (const event of recorded.events) if (event.stream === stream) yield event;
      },
    },
    publicKey: notaryKey.publicKey,
  });
  return { log, blobs, asked };
}

test('before a log is served, and before its first checkpoint, nothing is published', async () => {
  const none = (await published({ isServed: false })).log;
  const begun = (await published({ note: '' })).log;
  for (const log of [none, begun]) {
    expect(await log.checkpoint()).toBeUndefined();
    expect(await log.tile('0/000')).toBeUndefined();
    expect(await log.prove(loggedEvent(0))).toEqual({ outcome: 'unpublished' });
  }
  expect([await none.verifierKey(), await begun.verifierKey()]).toEqual([undefined, KEY]);
});

describe('a tile', () => {
  test.each([
    ['0/000', 256, true],
    ['0/000.p/10', 10, false],
    ['0/002.p/78', 78, false],
    ['0/002.p/79', undefined, undefined],
    ['0/002', undefined, undefined],
    ['0/003.p/1', undefined, undefined],
    ['1/000.p/2', 2, false],
    ['1/000.p/3', undefined, undefined],
    ['2/000.p/1', undefined, undefined],
    ['none', undefined, undefined],
  ])('is given as far as the checkpoint reaches: %s', async (path, width, isFull) => {
    const found = await (await published()).log.tile(path);
    expect([found && found.bytes.length / 32, found?.isFull]).toEqual([width, isFull]);
  });

  test.each([
    ['entries/001', 256],
    ['entries/002.p/78', 78],
    ['entries/002.p/79', undefined],
  ])('of entries too: %s', async (path, width) => {
    const found = await (await published()).log.tile(path);
    expect(found && found.bytes.length / 34).toBe(width);
  });

  test('of hashes of hashes is given as far as the checkpoint reaches, whatever the head has by now', async () => {
    const root = rootOfFirst(500);
    const { log } = await published({
      note: signCheckpoint({ origin: NOTARY_ORIGIN, size: 500, root }, notaryKey),
    });
    expect((await log.tile('1/000.p/1'))?.bytes.length).toBe(32);
    expect(await log.tile('1/000.p/2')).toBeUndefined();
  });

  test('that is missing in the files is not given', async () => {
    const { log, blobs } = await published();
    for (const name of blobs.stored.keys()) if (name.includes('tile/0/001')) blobs.stored.delete(name);
    expect(await log.tile('0/001')).toBeUndefined();
  });
});

describe('an event', () => {
  test.each([0, 1, 255, 256, 511, 512, 589])('is proved by its path to the root: entry %i', async (index) => {
    const event = loggedEvent(index);
    const found = await (await published()).log.prove(event);
    if (found.outcome !== 'proved') return expect.unreachable(found.outcome);
    expect([found.event, found.key]).toEqual([event, KEY]);
    const proof = parseTlogProof(found.proof);
    expect([proof.index, proof.checkpoint]).toEqual([index, NOTE]);
    expect(requireIncluded(proof, entryOf(event)).checkpoint.size).toBe(PUBLISHED);
  });

  test.each<[string, RecordedEvent, string]>([
    ['behind the checkpoint', loggedEvent(590), 'unpublished'],
    ['behind the head', loggedEvent(600), 'unpublished'],
    ['with another id', loggedEvent(7, { id: 'other' }), 'unpublished'],
    ['before all others', loggedEvent(0, { id: 'other', position: '' }), 'unpublished'],
    ['with other data', loggedEvent(7, { data: { index: 8 } }), 'changed'],
  ])('is not proved %s', async (_what, event, outcome) => {
    expect(await (await published()).log.prove(event)).toEqual({ outcome });
  });

  test('is not proved without a head, nor by an empty one', async () => {
    const { log, blobs } = await published();
    const empty = await recordedLog(0);
    for (const name of [...blobs.stored.keys()].filter((each) => each.endsWith('/head')))
      blobs.stored.set(name, empty.blobs.stored.get(name) ?? expect.unreachable());
    expect(await log.prove(loggedEvent(0))).toEqual({ outcome: 'unpublished' });
    for (const name of [...blobs.stored.keys()].filter((each) => each.endsWith('/head')))
      blobs.stored.delete(name);
    expect(await log.prove(loggedEvent(0))).toEqual({ outcome: 'unpublished' });
  });

  test('that is the first of its type in a stream is found and proved', async () => {
    const { log } = await published();
    expect(await log.proveFirst('token-1', 'Happened')).toMatchObject({
      outcome: 'proved',
      event: { id: 'event-1' },
    });
    expect(await log.proveFirst('token-1', 'Other')).toEqual({ outcome: 'absent' });
    expect(await log.proveFirst('token-9', 'Happened')).toEqual({ outcome: 'absent' });
  });
});

test('which log is served is asked for once a second, and what is known of it is kept', async () => {
  const { log, blobs, asked } = await published();
  const looks = () => asked.filter((name) => name === 'transparency/origin').length;
  await log.checkpoint();
  await log.tile('0/000');
  await log.tile('0/000');
  expect(looks()).toBe(1);
  expect(asked.filter((name) => name.endsWith('tile/0/000'))).toHaveLength(1);
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001);
  onTestFinished(() => later.mockRestore());
  await log.tile('0/000');
  expect(looks()).toBe(2);
  expect(asked.filter((name) => name.endsWith('tile/0/000'))).toHaveLength(1);
  await serveOrigin(blobs, 'levy.example/other');
  expect(await log.checkpoint()).toBe(NOTE);
  later.mockReturnValue(performance.now() + 1_001);
  expect(await log.checkpoint()).toBeUndefined();
});
