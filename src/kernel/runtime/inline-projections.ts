/** Folds events within the transaction of their append, where log and read model share one. */
import type { RecordedEvent } from '../ports/event-store.ts';
import type { CollectionCommit } from '../ports/read-model.ts';
import type { InlineProjections, SynchronousReadModel } from '../ports/shared-transaction.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { CHECKPOINT_EVERY } from './batch-commit.ts';
import { EventUndecodable } from './event-codec.ts';
import type { EventReader } from './event-reader.ts';
import { targetsOf } from './kept-projection.ts';
import {
  checkpointOf,
  commitOf,
  type Decoded,
  decodedOnce,
  keysFor,
  type Target,
} from './projection-target.ts';
import { isFormer, type ProjectionTrouble } from './projection-trouble.ts';
import type { ProjectorWork } from './projector-work.ts';
import type { BeginReading } from './reading.ts';

interface InlineParts {
  /** Without it, other processes and this one read the log instead. */
  readonly synchronous: SynchronousReadModel | undefined;
  readonly reader: Pick<EventReader, 'readNow'>;
  readonly trouble: Pick<ProjectionTrouble, 'fail'>;
  readonly beginReading: BeginReading;
}

export function createInlineProjections(
  work: ProjectorWork,
  { synchronous, reader, trouble, beginReading }: InlineParts,
): Required<InlineProjections> {
  const isCheckpointDue = checkpointTurns();
  const joined = () => targetsOf(work.all).filter(({ inline, retired }) => inline && !retired);

  /** What it cannot decode, it waits for beside the appends, which go on. */
  function leaveAppends(target: Target, error: unknown): void {
    if (!(error instanceof EventUndecodable)) {
      trouble.fail(target, error);
      return;
    }
    target.inline = false;
    beginReading([target]);
  }

  /** An older generation that cannot be written must not stop the others: what it wrote is undone alone. */
  function writeBeside(documents: SynchronousReadModel, target: Target, commitNow: CommitNow): void {
    try {
      documents.attempt(() => {
        const commit = commitNow(target);
        if (commit !== undefined) documents.commitNow([commit]);
      });
    } catch (error) {
      // The whole transaction is lost, which is no fault of this generation.
      if (error instanceof StoreUnavailable) throw error;
      leaveAppends(target, error);
    }
  }

  return {
    apply(events) {
      work.head = events.at(-1)?.position ?? work.head;
      if (synchronous === undefined) return;
      const isDue = isCheckpointDue(events.length);
      const commitNow = foldedNow(synchronous, events, decodedOnce(reader.readNow));
      const commits: CollectionCommit[] = [];
      for (const target of joined()) {
        if (isFormer(work, target)) {
          writeBeside(synchronous, target, commitNow);
          continue;
        }
        try {
          const commit = commitNow(target);
          if (commit !== undefined) commits.push(commit);
          else if (isDue) commits.push(checkpointOf(target, work.head));
        } catch (error) {
          leaveAppends(target, error);
        }
      }
      if (commits.length > 0) synchronous.commitNow(commits);
      for (const target of joined()) target.position = work.head;
      work.moved();
    },

    failed(error, events) {
      // Nothing of this append was projected: every affected projection stops before it.
      for (const target of joined())
        if (events.some(({ type }) => target.projection.on[type] !== undefined)) trouble.fail(target, error);
    },
  };
}

/** Tells after how many events untouched projections' checkpoints are advanced as well. */
function checkpointTurns(): (events: number) => boolean {
  let sinceLast = 0;
  return (events) => {
    sinceLast += events;
    if (sinceLast < CHECKPOINT_EVERY) return false;
    sinceLast = 0;
    return true;
  };
}

/** What the append changes in the target's documents, with its checkpoint; undefined if it folds none of the events. */
type CommitNow = (target: Target) => CollectionCommit | undefined;

function foldedNow(
  documents: SynchronousReadModel,
  events: readonly RecordedEvent[],
  decoded: Decoded,
): CommitNow {
  const checkpoint = events.at(-1)?.position;
  return (target) => {
    const { projection, generation } = target;
    const recorded = events
      .filter(({ type }) => projection.on[type] !== undefined)
      .flatMap((event) => decoded(event) ?? []);
    if (recorded.length === 0) return undefined;
    const stored = documents.loadNow(projection, keysFor(target, recorded), generation);
    target.lastEventAt = recorded.at(-1)?.metadata.occurredAt;
    const commit = commitOf(target, stored, recorded);
    return checkpoint === undefined ? commit : { ...commit, checkpoint };
  };
}
