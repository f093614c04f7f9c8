/**
 * A collection's registration, as the writer of a term knows it. Every change is a compare-and-set on what was read last, and
 * what an interrupted writer left is settled before the first change.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import pLimit from 'p-limit';
import { WritesLost } from '../../kernel/ports/shared-read-model.ts';
import { tryAgain } from '../../kernel/runtime/try-again.ts';
import { fillOf, type Registered, registryOf } from './layout.ts';
import { firstRegistration, includes, type RegistrationFields } from './registration-changes.ts';
import type { RegistrationWrites } from './registration-writes.ts';
import type { Known } from './registry.ts';
import { settlePending } from './take-over.ts';
import { orConflict, WriteConflict } from './write-conflict.ts';
import { replacedBy } from './writer-term.ts';

export interface OwnedRegistration {
  /**
   * One work at a time, with the registration known: after a failure nobody knows what was written, and the next work takes
   * over. Repeats the work after a write conflict.
   */
  writing<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Undefined: not registered. Within `writing` only, as everything below. */
  known(): Registered | undefined;
  /** @throws when it is not registered. */
  current(): Registered;
  register(): Promise<void>;
  save(fields: RegistrationFields): Promise<void>;
  /** See `CollectionWriter`; at any time. */
  sinceNow(): (registered: Known | undefined) => void;
}

export interface RegistrationOptions {
  readonly database: Db;
  readonly name: string;
  readonly term: number;
  readonly registrations: RegistrationWrites;
  /** Called with what is registered now. */
  readonly noted: (registered: Registered) => void;
  /** Called when nothing of what was known of the collection can be relied on. */
  readonly forgotten: () => void;
}

/** Two writers of one term take the collection from each other; each gets on after some tries. */
const TRIES = 6;
/** Milliseconds, doubled each time. */
const FIRST_PAUSE = 10;

export function createOwnedRegistration(options: RegistrationOptions): OwnedRegistration {
  const { database, name, term, registrations, noted, forgotten } = options;
  const registry = registryOf(database);
  /** Undefined while it is unknown: the next write takes over. */
  let state: Registered | undefined;
  /** The latest registration that the server acknowledged. */
  let acknowledged: Registered | undefined;
  const inTurn = pLimit(1);

  function forget(): void {
    state = undefined;
    forgotten();
  }

  function current(): Registered {
    if (state === undefined) throw new Error(`the collection "${name}" was not prepared`);
    return state;
  }

  function sinceNow(): (found: Known | undefined) => void {
    const before = acknowledged;
    return (found) => {
      if (before !== undefined && !includes(found, before)) throw new WritesLost(name);
    };
  }

  async function save(fields: RegistrationFields): Promise<void> {
    const before = current();
    const seq = before.seq + 1;
    await registrations.replace(before, { ...fields, seq });
    state = { ...before, ...fields, seq };
    acknowledged = state;
    noted(state);
  }

  async function readAndTakeOver(): Promise<void> {
    forget();
    const requireKept = sinceNow();
    const found = await registry.findOne({ _id: name });
    requireKept(found ?? undefined);
    if (found === null) return;
    if (found.term > term) throw replacedBy(found.term);
    const writer = randomUUID();
    state = found;
    await save({ writer, term });
    if (found.pending === null) return;
    await settle(database, found, writer);
    await save({ pending: null });
  }

  return {
    writing: (work) =>
      inTurn(() =>
        afterConflicts(async () => {
          if (state === undefined) await readAndTakeOver();
          return work();
        }, forget),
      ),
    known: () => state,
    current,
    sinceNow,
    save,
    async register() {
      const added = firstRegistration(name, { term, writer: randomUUID() });
      await orConflict(registry.insertOne(added));
      state = added;
      acknowledged = added;
    },
  };
}

async function settle(
  database: Db,
  { _id: name, generations, pending }: Registered,
  writer: string,
): Promise<void> {
  const entry = generations.find(({ fill }) => fill === pending?.fill);
  if (pending !== null && entry !== undefined) {
    await settlePending(fillOf(database, name, entry), pending, writer);
  }
}

/** Repeats the work after a write conflict; `failed` is called after every failure. */
function afterConflicts<Result>(work: () => Promise<Result>, failed: () => void): Promise<Result> {
  return tryAgain(work, {
    // By chance one of them waits longer, and the other gets its commit done.
    pauses: (earlier) => Math.random() * FIRST_PAUSE * 2 ** (earlier + 1),
    failed(error, earlier) {
      failed();
      if (!(error instanceof WriteConflict) || earlier + 1 === TRIES) throw error;
    },
  });
}
