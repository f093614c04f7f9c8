/**
 * Keeps every projection up to date: inside the append's transaction if store and read model share one, otherwise
 * through a subscription with a checkpoint. The projections' code is the same for both.
 */
import { type EventStore, type Position, type RecordedEvent, START } from '../ports/event-store.ts';
import type { Collection, CollectionCommit, Document, ReadModel } from '../ports/read-model.ts';
import type { SynchronousReadModel } from '../ports/shared-transaction.ts';
import type { Projection } from './define-projection.ts';
import type { EventCodec, Recorded } from './event-codec.ts';
import { foldEvents, keysOf } from './fold-events.ts';
import { runSubscription } from './subscription-runner.ts';

export type ProjectionState = 'building' | 'live' | 'failed';

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly state: ProjectionState;
  /** Everything up to here has been handled. */
  readonly position: Position;
  /** ISO 8601: when the last handled event was recorded. Undefined until one was handled since the start. */
  readonly lastEventAt: string | undefined;
  readonly error: string | undefined;
}

export interface Projector {
  /** Brings every projection up to the head of the log and keeps it there. Resolves when that work has started. */
  start(): Promise<void>;
  status(): readonly ProjectionStatus[];
  /** True as soon as no projection is being built any more; false when the time runs out first. */
  whenBuilt(milliseconds: number): Promise<boolean>;
  /** True as soon as every working projection has handled the position; false when the time runs out first. */
  waitFor(position: Position, milliseconds: number): Promise<boolean>;
  /** Called within an append's transaction, if store and read model share one. */
  readonly inline: {
    apply(events: readonly RecordedEvent[]): void;
    failed(error: unknown, events: readonly RecordedEvent[]): void;
  };
  stop(): Promise<void>;
}

export interface ProjectorOptions {
  readonly projections: readonly Projection[];
  readonly codec: EventCodec;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Given if the read model takes part in the append's transaction. */
  readonly synchronous?: SynchronousReadModel;
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  readonly report: (message: string, details: object) => void;
}

/** After this many events, untouched projections' checkpoints are advanced too, so that a restart reads little. */
const CHECKPOINT_EVERY = 1_000;

interface Progress {
  readonly projection: Projection;
  readonly categories: readonly string[];
  state: ProjectionState;
  inline: boolean;
  position: Position;
  lastEventAt: string | undefined;
  error: string | undefined;
  /** Events since its last checkpoint that it does not fold. */
  passed: number;
  remembering: Promise<void>;
}

export function createProjector(options: ProjectorOptions): Projector {
  const { codec, store, readModel, synchronous, report } = options;
  const all = options.projections.map(
    (projection): Progress => ({
      projection,
      categories: categoriesOf(projection, options.categoryOfType),
      state: 'building',
      inline: false,
      position: START,
      lastEventAt: undefined,
      error: undefined,
      passed: 0,
      remembering: Promise.resolve(),
    }),
  );
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  const waiters = new Set<() => void>();
  let head: Position = START;
  let sinceCheckpoint = 0;

  function moved(): void {
    for (const wake of [...waiters]) wake();
  }

  /** Checks again whenever a projection has moved. */
  async function until(isSo: () => boolean, milliseconds: number): Promise<boolean> {
    if (isSo()) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), milliseconds);
      function settle(result: boolean): void {
        clearTimeout(timer);
        waiters.delete(check);
        resolve(result);
      }
      function check(): void {
        if (isSo()) settle(true);
      }
      waiters.add(check);
    });
  }

  function fail(progress: Progress, error: unknown): void {
    progress.state = 'failed';
    progress.inline = false;
    progress.error = error instanceof Error ? error.message : String(error);
    report('projection stopped', { projection: progress.projection.name, error: progress.error });
    moved();
  }

  async function catchUp(progress: Progress): Promise<void> {
    const { projection } = progress;
    const end = await runSubscription({
      store,
      after: progress.position,
      categories: progress.categories,
      signal: stopping.signal,
      async handle(events) {
        const recorded = events.map((event) => codec.decode(event));
        const stored = await readModel.load(projection, keysOf(projection, recorded));
        const checkpoint = events.at(-1)?.position ?? progress.position;
        await readModel.commit([
          { collection: projection, changes: foldEvents(projection, stored, recorded), checkpoint },
          ...latestOf(events),
        ]);
        progress.position = checkpoint;
        progress.lastEventAt = recorded.at(-1)?.metadata.occurredAt;
        progress.error = undefined;
        progress.passed = 0;
        moved();
      },
      caughtUp(position) {
        if (position > progress.position) progress.position = position;
        // No append can run between this comparison and the switch: both are one synchronous step.
        if (synchronous !== undefined && progress.position >= head) {
          progress.inline = true;
          return 'leave';
        }
        if (progress.state === 'building') becomeLive(progress);
        progress.passed += 1;
        if (progress.passed >= CHECKPOINT_EVERY) remember(progress);
        moved();
        return 'stay';
      },
      passed(position) {
        if (position > progress.position) progress.position = position;
        remember(progress);
        moved();
      },
      failed(error, final) {
        progress.error = error instanceof Error ? error.message : String(error);
        report('projection failed', { projection: projection.name, error: progress.error, final });
      },
    });
    if (end === 'left') becomeLive(progress);
    if (end === 'failed') fail(progress, progress.error);
  }

  /** Saves the checkpoint, so that a restart need not read events that the projection does not fold. */
  function remember(progress: Progress): void {
    progress.passed = 0;
    progress.remembering = readModel
      .commit([{ collection: progress.projection, changes: [], checkpoint: progress.position }])
      .catch((error: unknown) =>
        report('projection checkpoint not saved', {
          projection: progress.projection.name,
          error: error instanceof Error ? error.message : String(error),
        }),
      );
  }

  function becomeLive(progress: Progress): void {
    running.push(
      readModel
        .commit([{ collection: progress.projection, changes: [], checkpoint: progress.position }])
        .then(() => readModel.goLive(progress.projection))
        .then(() => {
          // An append may have stopped it meanwhile; then it stays stopped.
          if (progress.state === 'building') progress.state = 'live';
          moved();
        })
        .catch((error: unknown) => fail(progress, error)),
    );
  }

  function changesOf(
    documents: SynchronousReadModel,
    progress: Progress,
    events: readonly RecordedEvent[],
  ): CollectionCommit | undefined {
    const { projection } = progress;
    const relevant = events.filter((event) => projection.on[event.type] !== undefined);
    if (relevant.length === 0) return undefined;
    const recorded: Recorded[] = relevant.map((event) => codec.decode(event));
    const stored = documents.loadNow(projection, keysOf(projection, recorded));
    progress.lastEventAt = recorded.at(-1)?.metadata.occurredAt;
    return { collection: projection, changes: foldEvents(projection, stored, recorded), checkpoint: head };
  }

  return {
    async start() {
      await readModel.prepare(all.map(({ projection }) => projection));
      const found = await store.head();
      if (found > head) head = found;
      const source = await sourceOf(store, readModel);
      for (const progress of all) {
        const checkpoint = (await readModel.checkpoint(progress.projection)) ?? START;
        const isKnown = source.isKnown && checkpoint <= head;
        // Another log, or one restored from an older copy: remove documents of events that it lacks.
        if (!isKnown) await readModel.clear(progress.projection);
        // Beyond the last event known to be the same, the log may hold other events than those that were handled.
        const { sameUpTo = checkpoint } = synchronous === undefined ? source : {};
        progress.position = isKnown ? (checkpoint < sameUpTo ? checkpoint : sameUpTo) : START;
      }
      // Only now: a process that ends earlier leaves the old mark, and the next start empties the rest.
      await source.remember();
      for (const progress of all) running.push(catchUp(progress));
    },

    status() {
      return all.map(({ projection, state, position, lastEventAt, error, inline }) => ({
        name: projection.name,
        version: projection.version,
        state,
        position: inline ? head : position,
        lastEventAt,
        error,
      }));
    },

    whenBuilt: (milliseconds) => until(() => all.every(({ state }) => state !== 'building'), milliseconds),

    waitFor: (position, milliseconds) =>
      until(
        () =>
          all.every(
            (one) => one.state === 'failed' || (one.inline && head >= position) || one.position >= position,
          ),
        milliseconds,
      ),

    inline: {
      apply(events) {
        head = events.at(-1)?.position ?? head;
        if (synchronous === undefined) return;
        sinceCheckpoint += events.length;
        const moveAll = sinceCheckpoint >= CHECKPOINT_EVERY;
        if (moveAll) sinceCheckpoint = 0;
        const commits: CollectionCommit[] = [];
        for (const progress of all) {
          if (!progress.inline) continue;
          try {
            const commit = changesOf(synchronous, progress, events);
            if (commit !== undefined) commits.push(commit);
            else if (moveAll)
              commits.push({ collection: progress.projection, changes: [], checkpoint: head });
          } catch (error) {
            fail(progress, error);
          }
        }
        if (commits.length > 0) synchronous.commitNow(commits);
        for (const progress of all) if (progress.inline) progress.position = head;
        moved();
      },

      failed(error, events) {
        // Nothing of this append was projected: every affected projection stops before it.
        for (const progress of all) {
          if (progress.inline && events.some((event) => progress.projection.on[event.type]))
            fail(progress, error);
        }
      },
    },

    async stop() {
      stopping.abort();
      // One by one, since work that ends may have started more.
      for (const work of running) await work;
      await Promise.all(all.map(({ remembering }) => remembering));
      const inline = all.filter((progress) => progress.inline);
      await readModel.commit(
        inline.map(({ projection }) => ({ collection: projection, changes: [], checkpoint: head })),
      );
    },
  };
}

interface Source {
  /** The log holds every event that the read model was made from. */
  readonly isKnown: boolean;
  /** The position of the latest of these events; undefined if it was not remembered. */
  readonly sameUpTo?: Position;
  remember(): Promise<void>;
}

/**
 * Identifies the log that the read model was made from: by the log's first event, which the read model remembers. It
 * remembers the latest handled event, too: a log that was restored from an older copy begins alike, and may have grown
 * to any length since.
 */
async function sourceOf(store: EventStore, readModel: ReadModel): Promise<Source> {
  await readModel.prepare([SOURCE]);
  const first = await firstEventOf(store);
  const documents = await readModel.load(SOURCE, [SOURCE.name, LATEST]);
  const known = documents.get(SOURCE.name)?.document;
  const latest = documents.get(LATEST);
  const isSameLog = known === undefined || known.firstEvent === first?.id;
  const isKnown = isSameLog && (await isThere(store, latest?.document));
  return {
    isKnown,
    ...(latest === undefined ? {} : { sameUpTo: latest.position }),
    async remember() {
      if (isKnown && known?.firstEvent === first?.id) return;
      await readModel.clear(SOURCE);
      if (first === undefined) return;
      const document = { firstEvent: first.id };
      await readModel.commit([
        { collection: SOURCE, changes: [{ key: SOURCE.name, position: first.position, document }] },
      ]);
    },
  };
}

const SOURCE: Collection = { name: 'source_log', version: 1 };
const LATEST = 'latest';

/** Written together with the projected documents; the latest of all projections stays. */
function latestOf(events: readonly RecordedEvent[]): readonly CollectionCommit[] {
  const last = events.at(-1);
  if (last === undefined) return [];
  const { id, stream, revision, position } = last;
  return [{ collection: SOURCE, changes: [{ key: LATEST, position, document: { id, stream, revision } }] }];
}

async function isThere(store: EventStore, latest: Document | undefined): Promise<boolean> {
  if (latest === undefined) return true;
  const { id, stream, revision } = latest;
  for await (const event of store.read(String(stream), Number(revision))) return event.id === id;
  return false;
}

async function firstEventOf(store: EventStore): Promise<RecordedEvent | undefined> {
  const found = new AbortController();
  for await (const message of store.subscribe({ after: START, signal: found.signal })) {
    if (message.kind === 'checkpoint') continue;
    return message.kind === 'event' ? message.event : undefined;
  }
  return undefined;
}

function categoriesOf(
  projection: Projection,
  categoryOfType: ReadonlyMap<string, string>,
): readonly string[] {
  const categories = Object.keys(projection.on).map((type) => {
    const category = categoryOfType.get(type);
    if (category === undefined)
      throw new Error(`the projection "${projection.name}" folds "${type}", which no stream has`);
    return category;
  });
  return [...new Set(categories)];
}
