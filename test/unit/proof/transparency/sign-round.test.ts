// What each effect of a round writes, notes and refuses: a tree is signed only as it is claimed, stored and connected with the last.
import { leafHash, parseCheckpoint, rootOf } from 'levy-transparency-log';
import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import type { Cosigned } from '../../../../src/proof/transparency/cosigners.ts';
import { newWork, type Round } from '../../../../src/proof/transparency/notary-work.ts';
import { beginRound, requireOwnFiles, roundEffects } from '../../../../src/proof/transparency/sign-round.ts';
import { indexedEntry, loggedEvent, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN, notaryKey } from '../../../support/running-notary.ts';

const NOW = '2026-05-04T10:00:00.000Z';
const SINCE = '2026-05-04T09:59:59.000Z';
const treeOf = (size: number, of = loggedEvent) => ({
  size,
  root: rootOf(Array.from({ length: size }, (_, index) => leafHash(entryOf(of(index))))),
});
const stopped = (kind: string, message: string) => expect.objectContaining({ kind, message });

/** A round over the first 40 entries, whose files are stored, and what the effects need. */
async function round(given: { readonly cosigned?: Partial<Cosigned>; readonly isFirst?: boolean } = {}) {
  const { files, tree } = await recordedLog(40);
  const work = { ...newWork(), tree };
  beginRound(work, SINCE);
  const begun: Round = work.round ?? expect.unreachable();
  const asked: unknown[] = [];
  const { signal } = new AbortController();
  const parts = {
    files,
    claims: {
      async claim(head: unknown, heard: AbortSignal) {
        asked.push(['claim', head, heard === signal]);
        return given.isFirst ?? true;
      },
    },
    signer: notaryKey,
    cosigners: {
      async cosign(note: string, { size }: { readonly size: number }) {
        asked.push(['cosign', note, size]);
        return { lines: '', dispute: undefined, ...given.cosigned };
      },
    },
    now: () => NOW,
    signal,
  };
  return {
    files,
    work,
    round: begun,
    asked,
    take: (effect: keyof typeof roundEffects) => roundEffects[effect](begun, work, parts),
  };
}

test('a round is of the tree as it is when it begins', async () => {
  const { work, round: begun } = await round();
  work.tree.add(indexedEntry(loggedEvent(40)));
  expect(begun).toMatchObject({ since: SINCE, progress: 'begun', next: treeOf(40), end: { size: 40 } });
});

test('full files are written before anything else of a round', async () => {
  const { files, work, round: begun, take } = await round();
  work.waiting = [{ name: 'tile/0/007', bytes: new Uint8Array(256 * 32) }];
  await take('write full files');
  expect([work.waiting, begun.progress]).toEqual([[], 'full files written']);
  expect((await files.tile({ level: 0, index: 7, width: 256 }))?.length).toBe(256 * 32);
});

describe('a claim', () => {
  test('is of the tree that is to be signed', async () => {
    const { asked, round: begun, take } = await round();
    await take('claim');
    expect([asked, begun.progress]).toEqual([[['claim', treeOf(40), true]], 'claimed']);
  });

  test('that another notary has made first ends everything', async () => {
    const { round: begun, take } = await round({ isFirst: false });
    await expect(take('claim')).rejects.toEqual(
      stopped('notary', `Another notary has signed the log ${NOTARY_ORIGIN} at the same time.`),
    );
    expect(begun.progress).toBe('begun');
  });
});

describe('the head', () => {
  test('is stored with its root, and known as its own from before it is written', async () => {
    const { files, work, round: begun, take } = await round();
    work.isMoved = true;
    const own = Uint8Array.of(1);
    work.head = { own, next: undefined };
    await take('store head');
    const bytes = files.bytesOf({ ...begun.end, root: begun.next.root });
    expect(work.head).toEqual({ own: bytes, next: bytes });
    expect(await files.headBytes()).toEqual(Uint8Array.from(bytes));
    expect((await files.head())?.root).toEqual(Buffer.from(treeOf(40).root));
    expect([work.isMoved, begun.progress]).toEqual([false, 'head stored']);
  });

  test('that may or may not be stored is known as the next', async () => {
    const { files, work, round: begun } = await round();
    const own = Uint8Array.of(1);
    work.head = { own, next: undefined };
    work.isMoved = true;
    const putHead = () => Promise.reject(new Error('no answer'));
    const parts = { files: { ...files, putHead } };
    await expect(roundEffects['store head'](begun, work, parts as never)).rejects.toThrow('no answer');
    expect(work.head.own).toBe(own);
    expect(work.head.next).toEqual(files.bytesOf({ ...begun.end, root: begun.next.root }));
    expect([work.isMoved, begun.progress]).toEqual([true, 'begun']);
  });
});

describe('the stored tiles', () => {
  test.each([
    ['nothing', undefined],
    ['a smaller tree', treeOf(33)],
    ['the same tree', treeOf(40)],
  ])('give the tree, which extends what was signed: %s', async (_what, signed) => {
    const { work, round: begun, take } = await round();
    work.signed = signed;
    await take('check tiles');
    expect([work.signed, begun.progress]).toEqual([treeOf(40), 'tiles checked']);
    expect(await begun.stored?.root(40)).toEqual(treeOf(40).root);
  });

  const REFUSED = stopped(
    'record',
    `The stored tiles of the log ${NOTARY_ORIGIN} do not give the tree that is to be signed.`,
  );
  test('of another tree are refused', async () => {
    const { work, round: begun } = await round();
    const next = { size: 40, root: treeOf(39).root };
    const { files } = await recordedLog(40);
    await expect(roundEffects['check tiles']({ ...begun, next }, work, { files } as never)).rejects.toEqual(
      REFUSED,
    );
    expect(work.signed).toBeUndefined();
  });

  test('that do not extend what was signed are refused', async () => {
    const { work, round: begun, take } = await round();
    const signed = treeOf(33, (index) => loggedEvent(index, { id: 'another' }));
    work.signed = signed;
    await expect(take('check tiles')).rejects.toEqual(REFUSED);
    expect([work.signed, begun.progress]).toEqual([signed, 'begun']);
  });
});

describe('a signature', () => {
  test('is of the tree, with the lines of the witnesses below', async () => {
    const { asked, round: begun, take } = await round({ cosigned: { lines: '— witness line\n' } });
    await take('sign');
    const [[, note, size]] = asked as [[string, string, number]];
    expect([begun.note, size, begun.progress]).toEqual([`${note}— witness line\n`, 40, 'signed']);
    expect(parseCheckpoint(note).checkpoint).toEqual({ origin: NOTARY_ORIGIN, ...treeOf(40) });
  });

  test('that witnesses outvote ends everything, and one in dispute is tried again', async () => {
    const lost = await round({ cosigned: { dispute: { outcome: 'lost', message: 'another tree.' } } });
    await expect(lost.take('sign')).rejects.toEqual(stopped('witness', 'another tree.'));
    const open = await round({ cosigned: { dispute: { outcome: 'open', message: 'too few.' } } });
    await expect(open.take('sign')).rejects.toEqual(new Error('too few.'));
    expect([lost.round.note, open.round.note]).toEqual([undefined, undefined]);
  });
});

describe('a checkpoint', () => {
  test('is published as it was signed, and the round is over', async () => {
    const { files, work, round: begun, take } = await round();
    work.isRested = true;
    work.lookedAt = -1;
    work.unpublishedSince = SINCE;
    begun.note = 'signed';
    await take('publish');
    expect(await files.checkpoint()).toBe('signed');
    expect(work).toMatchObject({
      note: { own: 'signed', next: 'signed' },
      published: { size: 40, at: NOW },
      unpublishedSince: undefined,
      round: undefined,
      isRested: false,
    });
    expect(work.lookedAt).toBeGreaterThanOrEqual(0);
  });

  test('leaves what came meanwhile unpublished since its round began', async () => {
    const { work, round: begun, take } = await round();
    begun.note = 'signed';
    work.tree.add(indexedEntry(loggedEvent(40)));
    await take('publish');
    expect(work.unpublishedSince).toBe(SINCE);
  });

  test('that may or may not be published is known as the next', async () => {
    const { files, work, round: begun } = await round();
    begun.note = 'signed';
    work.note = { own: 'before', next: undefined };
    const putCheckpoint = () => Promise.reject(new Error('no answer'));
    const parts = { files: { ...files, putCheckpoint }, now: () => NOW };
    await expect(roundEffects.publish(begun, work, parts as never)).rejects.toThrow('no answer');
    expect([work.note, work.published]).toEqual([{ own: 'before', next: 'signed' }, undefined]);
  });

  test('is not published before it is signed', async () => {
    const { take } = await round();
    await expect(take('publish')).rejects.toThrow('a checkpoint is published before it is signed');
  });
});

describe('files that another process has replaced', () => {
  const [ONE, TWO, THREE] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  const look = (
    head: { own?: Uint8Array; next?: Uint8Array },
    note: { own?: string; next?: string },
    found: { head?: Uint8Array; note?: string },
  ) =>
    requireOwnFiles(
      { head: { own: head.own, next: head.next }, note: { own: note.own, next: note.next } },
      { origin: NOTARY_ORIGIN, headBytes: async () => found.head, checkpoint: async () => found.note },
    );

  test.each([
    ['none, and none are there', {}, {}, {}],
    ['the last', { own: ONE, next: TWO }, { own: 'a', next: 'b' }, { head: ONE, note: 'a' }],
    ['the next', { own: ONE, next: TWO }, { own: 'a', next: 'b' }, { head: TWO, note: 'b' }],
    ['the first', { next: TWO }, { next: 'b' }, { head: TWO, note: 'b' }],
    ['none yet', { next: TWO }, { next: 'b' }, {}],
  ])('are not its own ones: %s', async (_what, head, note, found) => {
    expect(await look(head, note, found)).toBeUndefined();
  });

  test.each([
    ['another head', { own: ONE, next: TWO }, { own: 'a' }, { head: THREE, note: 'a' }],
    ['another checkpoint', { own: ONE }, { own: 'a', next: 'b' }, { head: ONE, note: 'c' }],
    ['no head', { own: ONE, next: TWO }, { own: 'a' }, { note: 'a' }],
    ['no checkpoint', { own: ONE }, { own: 'a', next: 'b' }, { head: ONE }],
    ['no head, and it was writing none', { own: ONE }, { own: 'a' }, { note: 'a' }],
    ['no checkpoint, and it was writing none', { own: ONE }, { own: 'a' }, { head: ONE }],
    ['a head, before its own', {}, {}, { head: ONE }],
    ['a checkpoint, before its own', {}, {}, { note: 'a' }],
  ])('stop it: %s', async (_what, head, note, found) => {
    await expect(look(head, note, found)).rejects.toEqual(
      stopped(
        'notary',
        `Another process writes the log ${NOTARY_ORIGIN}: its files were replaced since this one wrote them.`,
      ),
    );
  });
});
