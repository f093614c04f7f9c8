/**
 * JetStream stream of the outcomes, created if missing and checked if it exists, with its progress: read from its last
 * message, or else from a checkpoint.
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
import pLimit from 'p-limit';
import { START } from '../../kernel/ports/event-store.ts';
import { type PublisherCursor, PublisherRefused } from '../../kernel/ports/publisher.ts';
import { parsedJson } from '../../kernel/runtime/bounded-input.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { codeOf } from './connection.ts';

interface OutcomeStreamOptions {
  readonly stream: string;
  /** Subjects of all published outcomes, and of nothing else. */
  readonly subjects: readonly string[];
  /** Number of servers that store a stream created here. */
  readonly replicas: number;
}

export interface OutcomeStream {
  /** Creation time; distinguishes this stream from an earlier one of the same name. */
  readonly created: string;
  /** Sequence of the last message ever stored; 0 if none. Decreases only if the server lost messages. */
  readonly lastSequence: number;
  /** True if the stream never contained a message, or lost all messages that it should have retained. */
  readonly isUnused: boolean;
  /** Body of the last message; undefined if it is no longer in the stream. */
  readonly lastBody: string | undefined;
}

/**
 * Milliseconds before a removed stream is created again. A server reports a stream as missing before it has deleted its
 * files, and nats-server 2.9 then also deletes those of a new stream of that name, losing acknowledged messages.
 */
const REMOVAL = 5_000;

const STREAM_NOT_FOUND = 10_059;
const NAME_IN_USE = 10_058;
const NO_MESSAGE = 10_037;
const SUBJECTS_OVERLAP = 10_065;
const NOT_ENABLED = [10_039, 10_076];

/**
 * Creates the stream if it is missing. Rejects with `PublisherRefused` if the operator must correct something, otherwise
 * with the library's error.
 */
export async function openOutcomeStream(
  manager: JetStreamManager,
  options: OutcomeStreamOptions & {
    /** True if this process has used the stream before. */
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

/** Undefined if the stream does not exist. */
async function infoOf(manager: JetStreamManager, stream: string): Promise<StreamInfo | undefined> {
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
      description: 'Outcomes of Levy as CloudEvents, in the order of its log.',
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
        `the stream ${stream} cannot be created, because another stream has some of its subjects (${subjects.join(', ')}): set PUBLISHER_SUBJECT_PREFIX, or change that stream`,
      );
    }
    // Another process created the stream concurrently.
    const info = code === NAME_IN_USE ? await infoOf(manager, stream) : undefined;
    if (info !== undefined) return info;
    if (code === undefined) throw error;
    throw new PublisherRefused(
      `the stream ${stream} cannot be created: ${error instanceof Error ? error.message : 'unknown'} (${code})`,
    );
  }
}

/** Rejects other subjects and sources, because any message in the stream counts as a published outcome. */
function requireFit({ config }: StreamInfo, { stream, subjects }: OutcomeStreamOptions): void {
  const refuse = (what: string) => {
    throw new PublisherRefused(`the stream ${stream} cannot be used: ${what}`);
  };
  if (config.mirror !== undefined || (config.sources?.length ?? 0) > 0)
    refuse('it receives messages from another stream');
  const found = (config.subjects ?? []).toSorted();
  if (found.join() !== subjects.toSorted().join()) {
    refuse(
      `its subjects are ${found.join(', ') || 'none'}, but must be ${subjects.join(', ')}: ` +
        'change them, or set PUBLISHER_STREAM to another name',
    );
  }
  if (config.no_ack) refuse('it does not acknowledge messages (no_ack)');
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
 * Position of the log at a sequence of the stream. It is needed only if the stream's last message is gone, because that
 * message contains the position. A stream loses messages when they expire, are consumed (work queues), have no consumer (interest)
 * or are purged, but retains the sequence. The checkpoint is in a separate key-value bucket for three reasons: it must
 * outlive the stream's messages; a moved or restored bus includes both; servers before 2.10 store no metadata with a stream.
 * The checkpoint may lag, because each message is one sequence, so later messages can be counted.
 */
const Checkpoint = Type.Object({
  /** Creation time of the stream; sequences of an earlier stream of the same name are invalid. */
  created: Type.String(),
  source: Type.String(),
  sequence: Type.Integer({ minimum: 0 }),
  position: Type.String(),
  /** Id of the event at the position; null at the log's start. */
  eventId: Type.Union([Type.String(), Type.Null()]),
});
type Checkpoint = Static<typeof Checkpoint>;

const KEY = 'checkpoint';

export type CheckpointStore = Awaited<ReturnType<typeof openCheckpoints>>;

/** Creates the bucket if it is missing. Rejects with the library's errors. */
export async function openCheckpoints(
  jetstream: JetStreamClient,
  { stream, replicas }: Pick<OutcomeStreamOptions, 'stream' | 'replicas'>,
) {
  const bucket = await jetstream.views.kv(`${stream}_publisher`, {
    description: `Position of Levy's log at a sequence of ${stream}.`,
    history: 1,
    replicas,
    allow_direct: false,
  });
  const inTurn = pLimit(1);
  let latest: Checkpoint;

  async function save(checkpoint: Checkpoint): Promise<void> {
    await bucket.put(KEY, JSON.stringify(checkpoint));
  }

  return {
    save,
    /** Undefined if the checkpoint is missing or unreadable. */
    async load() {
      const entry = await bucket.get(KEY);
      return entry?.operation === 'PUT' ? parsed(Checkpoint, entry.string()) : undefined;
    },
    /** Saves in the background: one write at a time, always the latest checkpoint. */
    scheduleSave(checkpoint: Checkpoint) {
      latest = checkpoint;
      // Failures are ignored: an older checkpoint is valid too, although more messages must then be counted.
      if (inTurn.pendingCount === 0) inTurn(() => save(latest)).catch(() => undefined);
    },
  };
}

const AT_THE_START = { position: START, eventId: null, alreadyStored: 0 };

/** Fields read from a message in the stream. */
const Published = Type.Object({
  id: Type.String(),
  source: Type.String(),
  position: Type.String({ minLength: 1 }),
});

/**
 * Reads the position from the last message. If that is gone, the checkpoint contains the position of an earlier message (or
 * of a later one, if the server lost count of messages without interest), and each sequence after it is one message. Throws
 * `PublisherRefused` if the stream contains other messages, or if the position cannot be determined.
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
        `the last message of the stream ${stream} was not published by Levy: use the stream for Levy only, or set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to other names`,
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
    `the progress of the stream ${stream} is unknown: its last message is gone, and the bucket ${stream}_publisher contains no checkpoint; set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to other names, or delete the stream to publish everything again`,
  );
}

function requireSource(found: string, source: string, stream: string): void {
  if (found === source) return;
  throw new PublisherRefused(
    `the stream ${stream} contains the outcomes of another log (${found}; this one is ${source}): set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to other names`,
  );
}

function parsed<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> | undefined {
  const found = parsedJson(text);
  return Value.Check(schema, found) ? found : undefined;
}
