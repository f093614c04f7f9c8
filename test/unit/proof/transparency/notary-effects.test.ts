// What each action of a notary changes in its work, and what it begins, ends or leaves alone.
import { signCheckpoint } from 'levy-transparency-log';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';
import { createEffects } from '../../../../src/proof/transparency/notary-effects.ts';
import { type NotaryWork, newWork, type Round } from '../../../../src/proof/transparency/notary-work.ts';
import { eventually } from '../../../support/eventually.ts';
import { appendRecorded } from '../../../support/recorded-events.ts';
import { loggedEvents, recordedLog } from '../../../support/recorded-log.ts';
import { NOTARY_ORIGIN, notaryKey } from '../../../support/running-notary.ts';
import { skipPauses } from '../../../support/skipped-pauses.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

skipPauses();

const NOW = '2026-05-04T10:00:00.000Z';
const SIZE = 9;
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const EVENTS = loggedEvents(SIZE).map((event, index) => ({ ...event, id: idOf(index) }));
const recorded = await recordedLog(SIZE, EVENTS);
const { head } = recorded;
const ROUND: Round = { end: head, next: head, since: NOW, progress: 'full files written' };
const ANOTHER = `Another process writes the log ${NOTARY_ORIGIN}: its files were replaced since this one wrote them.`;

async function effectsOn(work: NotaryWork, { claimed }: { readonly claimed?: typeof head } = {}) {
  const { files } = await recordedLog(SIZE, EVENTS);
  const told: unknown[] = [];
  const calls: unknown[] = [];
  const stopping = new AbortController();
  const store = await temporaryEventStore();
  await appendRecorded(store, EVENTS);
  const { effects, followed } = createEffects(work, {
    store,
    files,
    claims: {
      last: async () => claimed,
      async claim() {
        calls.push('claim');
        return true;
      },
    },
    signer: notaryKey,
    cosigners: { cosign: async () => ({ lines: '', dispute: undefined }), status: () => [] },
    outcome: {
      problemFound: (problem) => void calls.push(problem),
      recovered: () => void calls.push('recovered'),
    },
    logger: loggerTo((message, fields) => void told.push([message, fields])),
    now: () => NOW,
    stopping,
  });
  onTestFinished(async () => {
    stopping.abort();
    await followed();
  });
  return { effects, followed, files, told, calls, stopping, store };
}

describe('reading the record', () => {
  test('begins anew, with what is stored, published and claimed, and follows the log', async () => {
    const work: NotaryWork = {
      ...newWork(),
      round: ROUND,
      waiting: [{ name: 'tile/0/000', bytes: new Uint8Array(1) }],
      awaited: [head],
      signed: { size: 99, root: head.root },
      head: { own: undefined, next: Uint8Array.of(1) },
      note: { own: undefined, next: 'next' },
    };
    const { effects, files } = await effectsOn(work, { claimed: { ...head, size: 50 } });
    const note = signCheckpoint({ origin: NOTARY_ORIGIN, size: SIZE, root: head.root }, notaryKey);
    await files.putCheckpoint(note);
    await effects['read record']();
    expect(work).toMatchObject({
      log: 'comparing',
      round: undefined,
      waiting: [],
      awaited: [{ size: 50 }],
      signed: { size: 50 },
      published: { size: SIZE, at: undefined },
      head: { own: await files.headBytes(), next: Uint8Array.of(1) },
      note: { own: note, next: 'next' },
    });
    expect([work.tree.size(), work.isMoved]).toEqual([SIZE, false]);
    await eventually('it was compared', async () => work.log === 'ended');
    expect(work.order?.compared()).toBe(SIZE);
  });

  test('of a log in another store corrects where its events stand', async () => {
    const work = newWork();
    const { effects } = await effectsOn(work);
    await effects['read record']();
    await eventually('it was compared', async () => work.log === 'ended');
    const positions = work.tree.end().entries.map(({ position }) => position);
    expect(positions).not.toEqual(head.entries.map(({ position }) => position));
    expect([work.isMoved, positions.length]).toEqual([true, SIZE]);
  });

  test('is done again where the log could not be followed', async () => {
    const work = newWork();
    const { effects, followed, calls, store } = await effectsOn(work);
    await store.append('token-9', 'none', [{ id: idOf(99), type: 'Happened', data: {}, metadata: {} }]);
    await effects['read record']();
    work.order = {
      compared: () => 0,
      missing: async () => undefined,
      next: async () => ({ kind: 'edited', message: 'changed' }) as never,
    };
    await followed();
    expect([work.log, calls]).toEqual(['unread', [expect.objectContaining({ message: 'changed' })]]);
  });

  test('is not done again by a notary that was stopped', async () => {
    const work = newWork();
    const { effects, followed, stopping } = await effectsOn(work);
    await effects['read record']();
    stopping.abort();
    await followed();
    expect(work.log).not.toBe('unread');
  });
});

describe('the end of the comparison', () => {
  test('is told, with how many entries there are', async () => {
    const work: NotaryWork = { ...newWork(), log: 'ended', tree: recorded.tree };
    const { effects, told } = await effectsOn(work);
    await effects['end comparison']();
    expect([work.log, told]).toEqual([
      'compared',
      [['log compared with what was signed', { entries: SIZE }]],
    ]);
  });

  test('does not come where something that was signed is missing', async () => {
    const work: NotaryWork = { ...newWork(), log: 'ended', awaited: [head] };
    const { effects, told } = await effectsOn(work);
    await expect(effects['end comparison']()).rejects.toThrow(`a tree of ${SIZE} entries was signed`);
    expect([work.log, told]).toEqual(['ended', []]);
  });
});

test('a rest ends rested', async () => {
  const work = newWork();
  await (await effectsOn(work)).effects.rest();
  expect(work.isRested).toBe(true);
});

test('a round begins with the tree as it is', async () => {
  const work: NotaryWork = { ...newWork(), tree: recorded.tree };
  await (await effectsOn(work)).effects['begin round']();
  expect(work.round).toMatchObject({ since: NOW, progress: 'begun', next: { size: SIZE } });
});

describe('a look at the own files', () => {
  test('in a round goes on with it', async () => {
    const work: NotaryWork = { ...newWork(), round: { ...ROUND }, isRested: true, lookedAt: -1 };
    const { effects, files } = await effectsOn(work);
    work.head = { own: await files.headBytes(), next: undefined };
    await effects['check owner']();
    expect([work.round?.progress, work.isRested, work.lookedAt]).toEqual(['owner checked', true, -1]);
  });

  test('between two rounds is noted, and rested after', async () => {
    const work: NotaryWork = { ...newWork(), isRested: true, lookedAt: -1 };
    const { effects, files, calls } = await effectsOn(work);
    work.head = { own: await files.headBytes(), next: undefined };
    await effects['check owner']();
    expect([work.isRested, calls]).toEqual([false, ['recovered']]);
    expect(work.lookedAt).toBeGreaterThanOrEqual(0);
  });

  test('finds those of another process', async () => {
    const work: NotaryWork = { ...newWork(), round: { ...ROUND } };
    await expect((await effectsOn(work)).effects['check owner']()).rejects.toThrow(ANOTHER);
    expect(work.round?.progress).toBe('full files written');
  });
});

test('the steps of a round are taken in it, and outside nothing is done', async () => {
  const work: NotaryWork = { ...newWork(), round: { ...ROUND } };
  const { effects, files, calls } = await effectsOn(work);
  const progress: (string | undefined)[] = [];
  for (const action of ['write full files', 'claim', 'store head', 'check tiles', 'sign'] as const) {
    await effects[action]();
    progress.push(work.round?.progress);
  }
  expect(progress).toEqual(['full files written', 'claimed', 'head stored', 'tiles checked', 'signed']);
  expect(await files.checkpoint()).toBeUndefined();
  await effects.publish();
  expect([work.round, work.published, calls]).toEqual([
    undefined,
    { size: SIZE, at: NOW },
    ['claim', 'recovered'],
  ]);
  await effects.claim();
  expect(calls).toEqual(['claim', 'recovered']);
});

test('the end of a term stops the notary', async () => {
  const { effects, stopping } = await effectsOn(newWork());
  await effects['end term']();
  expect(stopping.signal.aborted).toBe(true);
});
