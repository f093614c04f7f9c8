/**
 * The JetStream stream that holds the outcomes, created if missing and checked if it exists, and how far it is: by what it
 * holds, else by the checkpoint beside it.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from 'nats';
import { START } from '../../kernel/ports/event-store.ts';
import { type PublisherCursor, PublisherRefused } from '../../kernel/ports/publisher.ts';
import { parsedJson } from '../../kernel/runtime/bounded-input.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { codeOf } from './connection.ts';

interface OutcomeStreamOptions {
  readonly stream: string;
  /** The subjects of all published outcomes, and of nothing else. */
  readonly subjects: readonly string[];
  /** Number of servers that keep a stream created here. */
  readonly replicas: number;
}

export interface OutcomeStream {
  /** Tells this stream from an earlier one with its name. */
  readonly created: string;
  /** Sequence of the last message ever stored; 0 if none. Never decreases, unless the server lost something. */
  readonly lastSequence: number;
  /** It never held a message, or lost everything that it should have kept. */
  readonly isUnused: boolean;
  /** The last message's body; undefined if it is no longer in the stream. */
  readonly lastBody: string | undefined;
}

/**
 * Milliseconds. A server calls a stream missing before it has removed the stream's files, and nats-server 2.9 then also
 * removes those of a new stream with that name: it would have acknowledged messages that nobody can read.
 */
const REMOVAL = 5_000;

const STREAM_NOT_FOUND = 10_059;
const NAME_IN_USE = 10_058;
const NO_MESSAGE = 10_037;
const SUBJECTS_OVERLAP = 10_065;
const NOT_ENABLED = [10_039, 10_076];

/**
 * Creates the stream if it is missing. Rejects with `PublisherRefused` where the operator has to correct something, else
 * with the library's error.
 */
export async function openOutcomeStream(
  manager: JetStreamManager,
  options: OutcomeStreamOptions & {
    /** This process has used the stream before. */
    readonly wasThere: boolean;
  },
  signal: AbortSignal,
): Promise<OutcomeStream> {
  const { stream, wasThere } = options;
  let info = await infoOf(manager, stream);
  if (info === undefined) {
    if (wasThere) await sleep(REMOVAL, signal);
    signal.throwIfAborted();
    info = await make(manager, options);
  }
  requireFit(info, options);
  const { last_seq: lastSequence } = info.state;
  return {
    created: info.created,
    lastSequence,
    isUnused: lastSequence === 0 && info.config.retention === RetentionPolicy.Limits,
    lastBody: await bodyAt(manager, stream, lastSequence),
  };
}

/** Undefined if there is no such stream. */
export async function infoOf(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(stream);
  } catch (error) {
    const code = codeOf(error);
    if (code === STREAM_NOT_FOUND) return undefined;
    if (NOT_ENABLED.includes(code ?? 0)) {
      throw new PublisherRefused('JetStream is not enabled on the server, or not for this account');
    }
    throw error;
  }
}

async function make(
  manager: JetStreamManager,
  { stream, subjects, replicas }: OutcomeStreamOptions,
): Promise<StreamInfo> {
  try {
    return await manager.streams.add({
      name: stream,
      description: 'What happened in Levy, as CloudEvents, in the order of its log.',
      subjects: [...subjects],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.Old,
      num_replicas: replicas,
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === SUBJECTS_OVERLAP) {
      throw new PublisherRefused(
        `the stream ${stream} cannot be made, because another one takes some of ${subjects.join(', ')}: set PUBLISHER_SUBJECT_PREFIX, or change that stream`,
      );
    }
    // Another process created it at the same time.
    const info = code === NAME_IN_USE ? await infoOf(manager, stream) : undefined;
    if (info !== undefined) return info;
    if (code === undefined) throw error;
    throw new PublisherRefused(
      `the stream ${stream} cannot be made: ${error instanceof Error ? error.message : 'unknown'} (${code})`,
    );
  }
}

/** Any other message in the stream would pass for a published outcome. */
function requireFit({ config }: StreamInfo, { stream, subjects }: OutcomeStreamOptions): void {
  const refuse = (what: string) => {
    throw new PublisherRefused(`the stream ${stream} cannot be used: ${what}`);
  };
  if (config.mirror !== undefined || (config.sources?.length ?? 0) > 0)
    refuse('it takes its messages from another stream');
  const found = (config.subjects ?? []).toSorted();
  if (found.join() !== subjects.toSorted().join()) {
    refuse(
      `its subjects are ${found.join(', ') || 'none'}, and have to be ${subjects.join(', ')}: ` +
        'change them, or set PUBLISHER_STREAM to another name',
    );
  }
  if (config.no_ack) refuse('it does not acknowledge what it is sent (no_ack)');
}

async function bodyAt(
  manager: JetStreamManager,
  stream: string,
  sequence: number,
): Promise<string | undefined> {
  if (sequence === 0) return undefined;
  try {
    return (await manager.streams.getMessage(stream, { seq: sequence })).string();
  } catch (error) {
    if (codeOf(error) === NO_MESSAGE) return undefined;
    throw error;
  }
}

/**
 * A position of the log and its sequence in the stream, for when the stream's last message is gone: as long as the stream
 * keeps it, that message holds the position. A stream loses messages when they expire, are consumed (work queues), have no
 * consumer (interest) or are purged; it keeps the sequence. The checkpoint is in a key-value bucket beside the stream,
 * because it must outlive the stream's messages, because a moved or restored bus takes both along, and because servers
 * before 2.10 keep no metadata with a stream. It may lag: each message is one sequence, so later ones can be counted.
 */
const Checkpoint = Type.Object({
  /** When the stream was created: sequences of an earlier stream with its name mean nothing. */
  created: Type.String(),
  /** The log's public name. */
  source: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  position: Type.String(),
  /** The event there; null at the log's start. */
  eventId: Type.Union([Type.String(), Type.Null()]),
});
type Checkpoint = Static<typeof Checkpoint>;

const KEY = 'checkpoint';

export type CheckpointStore = Awaited<ReturnType<typeof openCheckpoints>>;

/** Creates the bucket if missing. Rejects with the library's errors. */
export async function openCheckpoints(
  jetstream: JetStreamClient,
  { stream, replicas }: Pick<OutcomeStreamOptions, 'stream' | 'replicas'>,
) {
  const bucket = await jetstream.views.kv(`${stream}_publisher`, {
    description: `Which position of Levy's log stands at which sequence of ${stream}.`,
    history: 1,
    replicas,
    allow_direct: false,
  });
  let waiting: Checkpoint | undefined;
  let isSaving = false;

  async function save(checkpoint: Checkpoint): Promise<void> {
    await bucket.put(KEY, JSON.stringify(checkpoint));
  }

  async function saveWaiting(): Promise<void> {
    if (isSaving) return;
    isSaving = true;
    try {
      while (waiting !== undefined) {
        const latest = waiting;
        waiting = undefined;
        await save(latest);
      }
    } catch {
      // The checkpoint is only older, which costs some counting.
    } finally {
      isSaving = false;
    }
  }

  return {
    save,
    /** Undefined if the checkpoint is missing or unreadable. */
    async load() {
      const entry = await bucket.get(KEY);
      return entry?.operation === 'PUT' ? parsed(Checkpoint, entry.string()) : undefined;
    },
    /** Saves in the background, one write at a time, the latest one. */
    saveLater(checkpoint: Checkpoint) {
      waiting = checkpoint;
      void saveWaiting();
    },
  };
}

const AT_THE_START = { position: START, eventId: null, alreadyStored: 0 };

/** The fields read from a message in the stream. */
const Published = Type.Object({
  id: Type.String(),
  source: Type.String(),
  position: Type.String({ minLength: 1 }),
});

/**
 * The last message holds the position. If it is gone, the checkpoint holds the position of an earlier message (or of
 * a later one, if the server lost count of messages without interest), and each sequence after that is one message.
 * Throws `PublisherRefused` if the stream holds something else, or if the position cannot be found.
 */
export function cursorIn(
  found: OutcomeStream,
  source: string,
  stream: string,
  checkpoint: Checkpoint | undefined,
): Omit<PublisherCursor, 'lost'> {
  if (found.isUnused) return AT_THE_START;
  if (found.lastBody !== undefined) {
    const last = parsed(Published, found.lastBody);
    if (last === undefined) {
      throw new PublisherRefused(
        `the last message of the stream ${stream} was not published by Levy: leave the stream to Levy alone, or set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others`,
      );
    }
    requireSource(last.source, source, stream);
    return { position: last.position, eventId: last.id, alreadyStored: 0 };
  }
  if (checkpoint?.created === found.created) {
    requireSource(checkpoint.source, source, stream);
    const alreadyStored = Math.max(0, found.lastSequence - checkpoint.sequence);
    const { position, eventId } = checkpoint;
    return { position, eventId, alreadyStored };
  }
  if (found.lastSequence === 0) return AT_THE_START;
  throw new PublisherRefused(
    `it cannot be told how far the stream ${stream} is: its last message is gone, and there is no checkpoint in the bucket ${stream}_publisher; set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others, or delete the stream to have everything published anew`,
  );
}

function requireSource(found: string, source: string, stream: string): void {
  if (found === source) return;
  throw new PublisherRefused(
    `the stream ${stream} holds the outcomes of another log (${found}; this one is ${source}): set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others`,
  );
}

function parsed<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  const found = parsedJson(text);
  return Value.Check(schema, found) ? found : undefined;
}
