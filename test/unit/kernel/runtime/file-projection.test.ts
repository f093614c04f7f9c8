// Documents that come from files are read beside the log: neither appends nor other projections wait for a file, and one that
// cannot be read holds up nothing but its own subject.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import type { Document } from '../../../../src/kernel/ports/read-model.ts';
import type { ReadFiles } from '../../../../src/kernel/runtime/define-projection.ts';
import {
  fileProjectionsOf,
  type Projection,
  projectionsOf,
} from '../../../../src/kernel/runtime/define-projection.ts';
import { Counted, type CounterEvent, causeOf, counter, executorOn } from '../../../support/counter.ts';
import { deferred } from '../../../support/deferred.ts';
import { memoryDisk } from '../../../support/memory-disk.ts';
import {
  openProjecting,
  type Projecting,
  type ProjectingOptions,
  until,
} from '../../../support/projecting.ts';

/** What each event's file says of each wallet. */
const shares = fileProjectionsOf<CounterEvent>()({
  name: 'shares',
  version: 1,
  indexes: { wallet: ({ wallet }: { readonly wallet: string; readonly paid: number }) => [wallet] },
  of: 'Counted',
  subjectOf: ({ stream }) => stream,
});

const totals: Projection<{ readonly total: number }> = projectionsOf<CounterEvent>()({
  name: 'totals',
  version: 1,
  on: {
    Counted: {
      key: ({ stream }) => stream,
      apply: (before, { data }) => ({ total: (before?.total ?? 0) + data.by }),
    },
  },
});

/** Files by name: slices of what each wallet was paid. */
function shelf() {
  const files = new Map<string, readonly { readonly [wallet: string]: number }[]>();
  const read: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const filesOf: ReadFiles = async function* (event) {
    const { stream, data } = event;
    const name = String((data as { readonly note?: string }).note);
    read.push(name);
    await gate;
    const slices = files.get(name);
    if (slices === undefined) throw new Error(`the file ${name} is missing`);
    for (const slice of slices)
      yield Object.entries(slice).map(([wallet, paid]) => ({
        key: `${stream}/${wallet}`,
        document: { wallet, paid },
      }));
  };
  return {
    filesOf,
    read,
    put: (name: string, ...slices: readonly { readonly [wallet: string]: number }[]) =>
      files.set(name, slices),
    close() {
      const { promise, resolve } = deferred();
      gate = promise;
      return resolve;
    },
  };
}

type Shelf = ReturnType<typeof shelf>;

function open(options: Partial<ProjectingOptions> & { readonly files: Shelf }) {
  const { files, ...rest } = options;
  return openProjecting({ projections: [totals, shares], filesOf: files.filesOf, ...rest });
}

async function name(projecting: Projecting, stream: string, note: string): Promise<string> {
  const done = await executorOn(projecting.store).execute(counter, stream, causeOf(), () => [
    Counted({ by: 1, note }),
  ]);
  return done.position ?? '';
}

const statusOf = ({ projector }: Projecting) => projector.status().find(({ name: own }) => own === 'shares');

/** Once everything is read that can be. */
async function untilRead(projecting: Projecting): Promise<void> {
  const head = await projecting.store.head();
  await until(() => statusOf(projecting)?.state === 'live' && (statusOf(projecting)?.position ?? '') >= head);
}

const paid = (projecting: Projecting, wallet: string): Promise<readonly Document[]> =>
  projecting.readModel.find(shares, 'wallet', wallet);

describe('a projection of files', () => {
  test('shows what the newest file of each subject says', async () => {
    const files = shelf();
    files.put('first', { ann: 1 }, { ben: 1 });
    files.put('second', { ann: 3, ben: 2 });
    files.put('other', { ann: 7 });
    const projecting = open({ files });
    await projecting.projector.start();
    await name(projecting, 'a', 'first');
    await untilRead(projecting);
    expect(await paid(projecting, 'ben')).toEqual([{ wallet: 'ben', paid: 1 }]);
    await name(projecting, 'a', 'second');
    await name(projecting, 'b', 'other');
    await untilRead(projecting);
    expect(await paid(projecting, 'ann')).toEqual([
      { wallet: 'ann', paid: 3 },
      { wallet: 'ann', paid: 7 },
    ]);
    expect(statusOf(projecting)).toMatchObject({ isFileBacked: true, isCurrent: true, error: undefined });
    expect(projecting.reports).toEqual([]);
  });

  test('reads only the newest file of a subject when it catches up', async () => {
    const files = shelf();
    files.put('second', { ann: 3 });
    files.put('other', { ann: 7 });
    const projecting = open({ files });
    for (const note of ['gone', 'gone', 'second']) await name(projecting, 'a', note);
    await name(projecting, 'b', 'other');
    await projecting.projector.start();
    await untilRead(projecting);
    expect(files.read).toEqual(['second', 'other']);
  });

  test('holds up neither appends nor other projections while it reads', async () => {
    const files = shelf();
    files.put('slow', { ann: 1 });
    const openGate = files.close();
    const projecting = open({ files });
    await projecting.projector.start();
    const position = await name(projecting, 'a', 'slow');
    await until(() => files.read.length > 0);
    expect(await projecting.projector.waitFor(position, 30_000)).toBe(true);
    expect(await projecting.projector.whenBuilt(30_000)).toBe(true);
    expect(await projecting.readModel.get(totals, 'counter-a')).toEqual({ total: 1 });
    expect(statusOf(projecting)?.position).not.toBe(position);
    openGate();
    await untilRead(projecting);
    expect(await paid(projecting, 'ann')).toHaveLength(1);
  });

  test('reports a missing file, shows all others, and tries it again with the next event', async () => {
    const files = shelf();
    files.put('other', { ann: 7 });
    const projecting = open({ files });
    await projecting.projector.start();
    const before = await name(projecting, 'c', 'other');
    await untilRead(projecting);
    await name(projecting, 'a', 'lost');
    await name(projecting, 'b', 'other');
    await until(() => statusOf(projecting)?.error !== undefined);
    while ((await paid(projecting, 'ann')).length < 2) await nextTurn();
    expect(statusOf(projecting)).toMatchObject({
      state: 'live',
      isCurrent: false,
      error: 'the file lost is missing',
      position: before,
    });
    expect(projecting.reports.join('\n')).toContain('projection waits for a file');
    files.put('lost', { ben: 5 });
    await name(projecting, 'd', 'other');
    await untilRead(projecting);
    expect(await paid(projecting, 'ben')).toEqual([{ wallet: 'ben', paid: 5 }]);
    expect(statusOf(projecting)).toMatchObject({ isCurrent: true, error: undefined });
    expect(projecting.reports).toHaveLength(1);
  });

  test('asks a store that does not answer again by itself', async () => {
    const files = shelf();
    files.put('first', { ann: 1 });
    let failures = 2;
    const filesOf: ReadFiles = async function* (event) {
      if (failures > 0) {
        failures -= 1;
        throw new StoreUnavailable('the store does not answer');
      }
      yield* files.filesOf(event);
    };
    const projecting = open({ files, filesOf });
    await projecting.projector.start();
    await name(projecting, 'a', 'first');
    await untilRead(projecting);
    expect(await paid(projecting, 'ann')).toHaveLength(1);
    expect(failures).toBe(0);
  });

  test('goes live without a missing file, and reads it after a restart', async () => {
    const files = shelf();
    files.put('other', { ann: 7 });
    const on = memoryDisk();
    const first = open({ files, on });
    await name(first, 'a', 'lost');
    await name(first, 'b', 'other');
    await first.projector.start();
    await until(() => statusOf(first)?.state === 'live');
    expect(await paid(first, 'ann')).toHaveLength(1);
    await first.stop();
    files.put('lost', { ben: 5 });
    const second = open({ files, on });
    await second.projector.start();
    await untilRead(second);
    expect(await paid(second, 'ben')).toHaveLength(1);
    await second.stop();
    files.read.length = 0;
    const third = open({ files, on });
    await third.projector.start();
    await untilRead(third);
    expect(files.read, 'what was read is not read again').toEqual([]);
  });

  test('ends with the same documents when the process was killed between two slices', async () => {
    const files = shelf();
    files.put('first', { ann: 1 });
    files.put('second', { ann: 2 }, { ben: 2 });
    const on = memoryDisk();
    let commits = 0;
    const cut = open({
      files,
      on,
      faulty: (readModel) => ({
        ...readModel,
        async commit(some) {
          const isSlice = some.some(
            ({ collection, changes }) => collection.name === 'shares' && changes.length > 0,
          );
          if (isSlice) commits += 1;
          if (isSlice && commits === 3) await new Promise(() => {});
          await readModel.commit(some);
        },
      }),
    });
    await cut.projector.start();
    await name(cut, 'a', 'first');
    await untilRead(cut);
    await name(cut, 'a', 'second');
    await until(() => commits === 3);
    expect(await paid(cut, 'ann')).toEqual([{ wallet: 'ann', paid: 2 }]);
    expect(await paid(cut, 'ben')).toEqual([]);
    void cut.crash();
    const again = open({ files, on });
    await again.projector.start();
    await untilRead(again);
    expect(await paid(again, 'ann')).toEqual([{ wallet: 'ann', paid: 2 }]);
    expect(await paid(again, 'ben')).toEqual([{ wallet: 'ben', paid: 2 }]);
  });

  test('is built anew beside what is read meanwhile', async () => {
    const files = shelf();
    files.put('first', { ann: 1 });
    const projecting = open({ files });
    await projecting.projector.start();
    await name(projecting, 'a', 'first');
    await untilRead(projecting);
    const openGate = files.close();
    expect(await projecting.projector.rebuild(shares)).toBe(true);
    await until(() => files.read.length === 2);
    expect(await paid(projecting, 'ann')).toEqual([{ wallet: 'ann', paid: 1 }]);
    files.put('first', { ann: 4 });
    openGate();
    await untilRead(projecting);
    expect(await paid(projecting, 'ann')).toEqual([{ wallet: 'ann', paid: 4 }]);
  });
});
