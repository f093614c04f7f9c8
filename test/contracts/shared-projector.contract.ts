// Contract of shared read models for the projecting process and the reading processes.
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestRebuild } from '../../src/app/foundation.ts';
import { type Projecting, startProjecting } from '../../src/app/projecting.ts';
import { OperatorError, StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore, Position } from '../../src/kernel/ports/event-store.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import { WriterReplaced } from '../../src/kernel/ports/shared-read-model.ts';
import { type Projection, projectionsOf } from '../../src/kernel/runtime/define-projection.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { createEventReader } from '../../src/kernel/runtime/event-reader.ts';
import { createExecutor } from '../../src/kernel/runtime/execute.ts';
import type { LeaseTerm } from '../../src/kernel/runtime/lease.ts';
import { createLogFollower } from '../../src/kernel/runtime/log-follower.ts';
import { firstEventOf } from '../../src/kernel/runtime/log-source.ts';
import { createRemoteProjector, type RemoteProjector } from '../../src/kernel/runtime/remote-projector.ts';
import { streams } from '../../src/streams/index.ts';
import { breakableLog } from '../support/breakable-log.ts';
import { Counted, type CounterEvent, causeOf, clock, counter } from '../support/counter.ts';
import { eventually } from '../support/eventually.ts';
import type { SharedReadModels } from '../support/shared-read-model.ts';
import { temporaryEventStore } from '../support/temporary-event-store.ts';

type Total = { readonly total: number };

export function totalsOf(version: number): Projection<Total> {
  return projectionsOf<CounterEvent>()<Total>({
    name: 'totals',
    version,
    on: {
      Counted: {
        key: ({ stream }) => stream,
        apply: (document, { data }) => {
          if (data.by === 13) throw new Error('not thirteen');
          return { total: (document?.total ?? 0) + data.by };
        },
      },
    },
  });
}

export const totals = totalsOf(1);

/** Folds events of the same stream category, of which there are none. */
const untouched = projectionsOf<CounterEvent>()({
  name: 'untouched',
  version: 1,
  on: { CounterClosed: { key: ({ stream }) => stream, apply: (document) => document } },
});

type Kept = Projection | readonly Projection[];
const all = (kept: Kept): readonly Projection[] => [kept].flat();

interface World {
  readonly store: EventStore;
  readonly models: SharedReadModels;
  readonly reports: readonly string[];
  /** A process that only queries. */
  follow(release?: Kept, store?: EventStore): Promise<RemoteProjector>;
  /** A process that writes, under a term. */
  project(term: TestTerm, release?: Kept, store?: EventStore): Promise<Projecting>;
  count(...numbers: readonly number[]): Promise<Position>;
}

interface TestTerm extends LeaseTerm {
  lose(): void;
}

export function termOf(number: number): TestTerm {
  const over = new AbortController();
  return {
    name: 'projector',
    number,
    isHeld: () => !over.signal.aborted,
    signal: over.signal,
    lose: () => over.abort(),
  };
}

export async function worldOn(models: SharedReadModels): Promise<World> {
  const store = await temporaryEventStore();
  const reports: string[] = [];
  const logger = loggerTo((message, details) => void reports.push(`${message}: ${JSON.stringify(details)}`));
  const known = [...streams, counter];
  const codec = createEventCodec(known);
  const executor = createExecutor(store, codec, clock, {});
  const categoryOfType = new Map(
    known.flatMap(({ category, events }) => Object.keys(events).map((type) => [type, category] as const)),
  );
  async function followed(log: EventStore) {
    const following = createLogFollower({
      store: log,
      categories: streams.map(({ category }) => category),
      learn: () => undefined,
      trouble: () => undefined,
      logger,
    });
    await following.start();
    onTestFinished(() => following.stop());
    return following;
  }
  const optionsWith = async (kept: Kept, log: EventStore) => ({
    projections: all(kept),
    shared: await models.open(),
    store: log,
    reader: createEventReader({ store: log, codec, logger }),
    categoryOfType,
    following: await followed(log),
    clock,
    release: `1.${all(kept)[0]?.version}.0`,
    logger,
  });
  return {
    store,
    models,
    reports,
    async follow(release: Kept = totals, log = store) {
      const followed = createRemoteProjector({
        projections: all(release),
        readModel: await models.open(),
        firstEvent: async () => (await firstEventOf(log))?.id,
        requestRebuild: (name, actor) => requestRebuild(executor, name, actor),
        logger,
      });
      onTestFinished(() => followed.stop());
      await followed.start();
      return followed;
    },
    async project(term, release: Kept = totals, log = store) {
      const work = await startProjecting(await optionsWith(release, log), term);
      onTestFinished(() => work.stop());
      return work;
    },
    async count(...numbers) {
      let position = '';
      for (const by of numbers) {
        const done = await executor.execute(counter, 'a', causeOf(), () => [Counted({ by })]);
        position = done.position ?? '';
      }
      return position;
    },
  };
}

export async function totalOf(followed: RemoteProjector, position: Position, release = totals) {
  expect(await followed.waitFor(position, 20_000)).toBe(true);
  return (await followed.readModel.get(release, 'counter-a'))?.total;
}

const statusOf = (followed: RemoteProjector) => followed.status()[0];

export function sharedProjectorContract(what: string, openModels: () => Promise<SharedReadModels>): void {
  const openWorld = async () => worldOn(await openModels());

  describe(`on ${what}, a process that only queries`, () => {
    test('sees what the projector writes, and its own writes when it waits for them', async () => {
      const world = await openWorld();
      await world.count(1);
      const followed = await world.follow();
      await world.project(termOf(1));
      for (let total = 2; total <= 10; total += 1)
        expect(await totalOf(followed, await world.count(1))).toBe(total);
      expect(statusOf(followed)).toMatchObject({ state: 'live', isCurrent: true, served: 1, version: 1 });
      expect(followed.writer()).toMatchObject({ term: 1, release: '1.1.0', error: undefined });
    });

    test('waits in vain neither for a projection that a batch leaves alone, nor for an event that none folds', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(1), [totals, untouched]);
      const followed = await world.follow([totals, untouched]);
      expect(await followed.whenBuilt(20_000)).toBe(true);
      for (let total = 2; total <= 5; total += 1) {
        expect(await totalOf(followed, await world.count(1))).toBe(total);
        await world.store.append(`elsewhere-${total}`, 'none', [
          { id: crypto.randomUUID(), type: 'Other', data: {}, metadata: {} },
        ]);
        expect(await followed.waitFor(await world.store.head(), 20_000)).toBe(true);
      }
      expect(followed.status().map(({ position }) => position)).toEqual([
        await world.store.head(),
        await world.store.head(),
      ]);
    });

    test('writes nothing itself, and is not built while nobody writes', async () => {
      const world = await openWorld();
      const followed = await world.follow();
      const position = await world.count(1);
      expect(await followed.whenBuilt(5)).toBe(false);
      expect(await followed.waitFor(position, 5)).toBe(false);
      expect(statusOf(followed)).toMatchObject({ state: 'building', isCurrent: false, served: undefined });
      expect(followed.writer().term).toBeUndefined();
    });

    test('answers that the store is away until it has answered once, and begins by itself', async () => {
      const world = await openWorld();
      await world.count(1);
      world.models.isAway = true;
      const starting = world.follow();
      await eventually('it has tried', async () => expect(world.models.refused).toBeGreaterThan(1));
      const followed = await starting;
      await expect(followed.readModel.get(totals, 'counter-a')).rejects.toBeInstanceOf(StoreUnavailable);
      expect(followed.writer().error).toContain('does not respond');
      world.models.isAway = false;
      await world.project(termOf(1));
      expect(await totalOf(followed, await world.count(1))).toBe(2);
      expect(followed.writer().error).toBeUndefined();
    });

    test('refuses to start on the read models of another log, and empties nothing', async () => {
      const world = await openWorld();
      await world.count(3);
      await world.project(termOf(1));
      const followed = await world.follow();
      expect(await totalOf(followed, await world.count(4))).toBe(7);
      const other = await temporaryEventStore();
      await expect(world.follow(totals, other)).rejects.toBeInstanceOf(OperatorError);
      await other.append('elsewhere-a', 'none', [
        { id: crypto.randomUUID(), type: 'Other', data: {}, metadata: {} },
      ]);
      await expect(world.follow(totals, other)).rejects.toThrow('another event log');
      await expect(world.project(termOf(9), totals, other)).rejects.toThrow('another event log');
      // The right projector was not even replaced.
      expect(await totalOf(followed, await world.count(1))).toBe(8);
    });

    test('says that a projection has stopped, and why', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(1));
      const followed = await world.follow();
      expect(await followed.whenBuilt(20_000)).toBe(true);
      await world.count(13);
      await eventually('it has stopped', async () =>
        expect(statusOf(followed)).toMatchObject({ state: 'failed', error: 'not thirteen' }),
      );
      // It is not waited for, as in the projector's own process.
      expect(await followed.waitFor(await world.store.head(), 20_000)).toBe(true);
    });

    test('says that a projection is not up to date while the process that writes cannot read the log', async () => {
      const world = await openWorld();
      await world.count(1);
      const log = breakableLog();
      await world.project(termOf(1), totals, log.of(world.store));
      const followed = await world.follow();
      expect(await followed.whenBuilt(20_000)).toBe(true);
      log.break();
      await eventually('it is not up to date', async () =>
        expect(statusOf(followed)).toMatchObject({ served: 1, isCurrent: false, error: 'the log is away' }),
      );
      log.mend();
      await eventually('it is up to date again', async () =>
        expect(statusOf(followed)).toMatchObject({ state: 'live', isCurrent: true, error: undefined }),
      );
    });

    test('has a projection rebuilt by the process that writes, once, also when that process has changed', async () => {
      const world = await openWorld();
      await world.count(1, 2);
      const first = termOf(1);
      const work = await world.project(first);
      const followed = await world.follow();
      expect(await followed.whenBuilt(20_000)).toBe(true);
      const before = await followed.readModel.served(totals);
      first.lose();
      await work.stop();
      const asked = followed.rebuild(totals, 'operator:alice');
      await world.project(termOf(2));
      expect(await asked).toBe(true);
      await eventually('the rebuilt documents are read', async () =>
        expect((await followed.readModel.served(totals))?.generation).toBeGreaterThan(
          before?.generation ?? 0,
        ),
      );
      const rebuilt = await followed.readModel.served(totals);
      expect(await totalOf(followed, await world.count(3))).toBe(6);
      await world.project(termOf(3));
      expect(await totalOf(followed, await world.count(4))).toBe(10);
      expect((await followed.readModel.served(totals))?.generation).toBe(rebuilt?.generation);
      expect(world.reports.filter((each) => each.startsWith('projection rebuild started'))).toHaveLength(1);
    });
  });

  describe(`on ${what}, the projector`, () => {
    test('ends when another process writes under a higher term, and changes nothing after that', async () => {
      const world = await openWorld();
      await world.count(1);
      const work = await world.project(termOf(1));
      const followed = await world.follow();
      await world.project(termOf(2));
      await world.count(1);
      await work.ended;
      expect(await totalOf(followed, await world.count(1))).toBe(3);
      expect(followed.writer().term).toBe(2);
      expect(world.reports.some((each) => each.startsWith('another process writes'))).toBe(true);
    });

    test('writes nothing more once its term is lost, before anybody else has begun', async () => {
      const world = await openWorld();
      await world.count(1);
      const term = termOf(1);
      const work = await world.project(term);
      const followed = await world.follow();
      expect(await totalOf(followed, await world.count(1))).toBe(2);
      term.lose();
      await world.count(1);
      await work.ended;
      expect((await followed.readModel.get(totals, 'counter-a'))?.total).toBe(2);
    });

    test('does not begin under a term that is lower than one that has begun', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(5));
      await expect(world.project(termOf(4))).rejects.toBeInstanceOf(WriterReplaced);
    });

    test('waits for a read model that is away, and misses nothing', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(1));
      const followed = await world.follow();
      expect(await followed.whenBuilt(20_000)).toBe(true);
      world.models.isAway = true;
      const position = await world.count(...Array(20).fill(1));
      await eventually('it says so', async () =>
        expect(world.reports.some((each) => each.startsWith('projection failed'))).toBe(true),
      );
      world.models.isAway = false;
      expect(await totalOf(followed, position)).toBe(21);
      await eventually('it says that this is over', async () =>
        expect(statusOf(followed)).toMatchObject({ state: 'live', error: undefined }),
      );
    });

    test('of an older release stands by, where a newer version is live', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(1), totalsOf(2));
      const followed = await world.follow(totalsOf(2));
      expect(await followed.whenBuilt(20_000)).toBe(true);
      await expect(world.project(termOf(2))).rejects.toThrow('Release 1.2.0 has built a newer version');
      expect(await totalOf(followed, await world.count(1), totalsOf(2))).toBe(2);
      expect(followed.writer().term).toBe(1);
    });
  });

  describe(`on ${what}, an upgrade`, () => {
    test('lets the processes of the older release read the old version until the new one is built', async () => {
      const world = await openWorld();
      await world.count(1);
      const old = await world.project(termOf(1));
      const before = await world.follow();
      expect(await before.whenBuilt(20_000)).toBe(true);
      const after = await world.follow(totalsOf(2));
      expect(statusOf(after)).toMatchObject({ version: 2, served: 1, state: 'building', isCurrent: true });
      expect(await totalOf(after, await world.count(1), totalsOf(2))).toBe(2);
      await old.stop();
      await world.project(termOf(2), totalsOf(2));
      await eventually('the new version is live', async () =>
        expect(statusOf(after)).toMatchObject({ version: 2, served: 2, state: 'live' }),
      );
      expect(await totalOf(after, await world.count(1), totalsOf(2))).toBe(3);
      await eventually('the older release says what it lacks', async () =>
        expect(statusOf(before)).toMatchObject({ state: 'failed', served: undefined, isCurrent: false }),
      );
      expect(statusOf(before)?.error).toContain('start the newer release');
      await expect(before.readModel.get(totals, 'counter-a')).rejects.toThrow('still being built');
      // Nobody waits in vain for what this release cannot read.
      expect(await before.waitFor(await world.count(1), 20_000)).toBe(true);
    });

    test('tells processes of the newer release that came first whose upgrade is missing', async () => {
      const world = await openWorld();
      await world.count(1);
      await world.project(termOf(1));
      const followed = await world.follow(totalsOf(3));
      await eventually('it says so', async () =>
        expect(statusOf(followed)?.error).toContain('upgrade the process with the role `projector`'),
      );
      await eventually('the older documents are read', async () =>
        expect(statusOf(followed)).toMatchObject({ state: 'building', served: 1 }),
      );
      expect(await followed.waitFor(await world.count(1), 20_000)).toBe(true);
    });
  });
}
