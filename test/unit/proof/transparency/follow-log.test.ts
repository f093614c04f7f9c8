// Following the log: what was recorded is compared, what is new is added once and in order, and what was signed has to be met on the way.
import { leafHash, rootOf } from 'levy-transparency-log';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EventStore } from '../../../../src/kernel/ports/event-store.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { followLog, requireComplete, writeFullFiles } from '../../../../src/proof/transparency/notary.ts';
import { type NotaryWork, newWork } from '../../../../src/proof/transparency/notary-work.ts';
import { eventually } from '../../../support/eventually.ts';
import { appendEntries } from '../../../support/running-notary.ts';
import { skipPauses } from '../../../support/skipped-pauses.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

skipPauses();

const NOW = '2026-05-04T10:00:00.000Z';
const stopped = (kind: string, message: string) => expect.objectContaining({ kind, message });
const file = (name: string) => ({ name, bytes: new Uint8Array(1) });

function follow(
  store: EventStore,
  work: NotaryWork,
  putFull = async (_file: { readonly name: string }) => {},
) {
  const stopping = new AbortController();
  const problems: unknown[] = [];
  const ended = followLog(work, {
    store,
    files: { putFull },
    now: () => NOW,
    signal: stopping.signal,
    failed: (problem) => void problems.push(problem),
  });
  onTestFinished(() => {
    stopping.abort();
    return ended;
  });
  return { problems, ended };
}
const untilSize = (work: NotaryWork, size: number) =>
  eventually(`the tree has ${size} entries`, async () => work.tree.size() === size);

async function storeWith(count: number) {
  const store = await temporaryEventStore();
  await appendEntries(store, 'token-1', count);
  const leaves = (await wholeLog(store)).map((event) => leafHash(entryOf(event)));
  return { store, treeOf: (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) }) };
}

describe('a log without a record', () => {
  test('keeps since when something is unpublished, and is ended once', async () => {
    const { store } = await storeWith(2);
    const work: NotaryWork = { ...newWork(), log: 'compared', unpublishedSince: 'before' };
    follow(store, work);
    await untilSize(work, 2);
    expect([work.log, work.unpublishedSince]).toEqual(['compared', 'before']);
  });
});

test.each([
  ['comparing', [777]],
  ['compared', []],
] as const)('commands come first: a log that is %s is rested from for so long', async (log, rests) => {
  const { store } = await storeWith(2);
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 777;
    return time;
  });
  onTestFinished(() => clock.mockRestore());
  const pauses: unknown[] = [];
  const { setTimeout } = globalThis;
  // No spy: `restoreAllMocks` of any later file would put these fake timers back.
  globalThis.setTimeout = ((run: () => void, pause?: number) => {
    pauses.push(pause);
    return setTimeout(run, pause);
  }) as typeof setTimeout;
  onTestFinished(() => {
    globalThis.setTimeout = setTimeout;
  });
  const work: NotaryWork = { ...newWork(), log };
  follow(store, work);
  await untilSize(work, 2);
  // Apart from the retry pause of the subscription and the wait of a batch for more events.
  expect(pauses.filter((pause) => pause !== 40 && pause !== 50)).toEqual(rests);
});

describe('full files', () => {
  const waiting = (count: number) => Array.from({ length: count }, (_, index) => file(`${index}`));

  test.each([
    [47, []],
    [48, waiting(48).map(({ name }) => name)],
  ])('are not held back without bound: %i wait', async (count, expected) => {
    const { store } = await storeWith(1);
    const written: string[] = [];
    const work: NotaryWork = { ...newWork(), log: 'comparing', waiting: waiting(count) };
    follow(store, work, async ({ name }) => void written.push(name));
    await eventually('it was read to its end', async () => work.log === 'ended');
    expect([written, work.waiting.length]).toEqual([expected, count - expected.length]);
  });

  test('that cannot be written come again with their events, which are added once', async () => {
    const { store, treeOf } = await storeWith(256);
    let failures = 2;
    const work: NotaryWork = { ...newWork(), log: 'comparing', waiting: waiting(48) };
    const { problems } = follow(store, work, async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the disk is full');
    });
    await eventually('it was read to its end', async () => work.log === 'ended');
    expect(problems.map(String)).toEqual(['Error: the disk is full', 'Error: the disk is full']);
    expect([work.tree.size(), work.waiting]).toEqual([256, []]);
    expect(Buffer.from(work.tree.root())).toEqual(Buffer.from(treeOf(256).root));
  });

  test('that could not be written wait on', async () => {
    const work = { ...newWork(), waiting: ['one', 'two', 'three'].map(file) };
    const putFull = async ({ name }: { readonly name: string }) => {
      if (name === 'two') throw new Error('the disk is full');
    };
    await expect(writeFullFiles(work, { putFull })).rejects.toThrow('the disk is full');
    expect(work.waiting.map(({ name }) => name)).toEqual(['two', 'three']);
  });
});

describe('a log that was read to its end', () => {
  const signed = (size: number) => ({ size, root: new Uint8Array(32) });
  const workWith = (change: object) => ({ ...newWork(), ...change });

  test('lacks what was signed', async () => {
    await expect(requireComplete(workWith({ awaited: [signed(7), signed(9)] }))).rejects.toEqual(
      stopped(
        'log',
        'The log is shorter than the signed tree: it has 0 entries, and a tree of 7 was signed.',
      ),
    );
  });
});
