/** What a projector is given, and what it has in hand. */
import { setMaxListeners } from 'node:events';
import { type EventStore, type Position, START } from '../ports/event-store.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReadModel } from '../ports/read-model.ts';
import type { WriterReplaced } from '../ports/shared-read-model.ts';
import { type Condition, createCondition } from './condition.ts';
import type { Projection, ReadFiles } from './define-projection.ts';
import type { EventReader } from './event-reader.ts';
import { type Kept, newKept } from './kept-projection.ts';

export interface ProjectorOptions {
  readonly projections: readonly Projection[];
  readonly reader: Pick<EventReader, 'read' | 'readNow' | 'mayBecome' | 'pause'>;
  readonly store: EventStore;
  readonly readModel: ReadModel;
  /** Given if other processes read the read model, and may write it after this one. */
  readonly shared?: {
    /** Called when others should learn of something that no commit of a batch shows. */
    readonly changed: () => void;
    /** Another process writes now: nothing more is written here. */
    readonly replaced: (error: WriterReplaced) => void;
  };
  /** The stream category of each event type. */
  readonly categoryOfType: ReadonlyMap<string, string>;
  /** Reads the files that an event names, for the projections that are made from files. */
  readonly filesOf?: ReadFiles;
  readonly logger: Logger;
}

export interface ProjectorWork {
  readonly all: readonly Kept[];
  readonly condition: Condition;
  readonly stopping: AbortController;
  /** The end of the log when the projector started. */
  head: Position;
  /** Has the end wait for the work, which never rejects. */
  begin(work: Promise<void>): void;
  /** A position has moved, for which a caller in this process may wait. */
  moved(): void;
  /** Something else has changed, which concerns other processes as well. */
  changed(): void;
  /** Resolves when everything that was begun has ended. */
  ended(): Promise<void>;
}

export function newProjectorWork({ projections, categoryOfType, shared }: ProjectorOptions): ProjectorWork {
  const condition = createCondition();
  const underWay: Promise<void>[] = [];
  const stopping = new AbortController();
  // Each subscription listens to it.
  setMaxListeners(0, stopping.signal);
  return {
    all: projections.map((projection) => newKept(projection, categoryOfType)),
    condition,
    stopping,
    head: START,
    begin: (work) => void underWay.push(work),
    moved: () => condition.notify(),
    changed() {
      condition.notify();
      shared?.changed();
    },
    async ended() {
      // One by one, since work that ends may have begun more.
      for (const work of underWay) await work;
    },
  };
}
