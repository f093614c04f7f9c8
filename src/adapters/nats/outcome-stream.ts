/** The JetStream stream that holds the outcomes: created if missing, checked if it exists. */
import {
  DiscardPolicy,
  type JetStreamManager,
  NatsError,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from 'nats';
import { PublisherRefused } from '../../kernel/ports/publisher.ts';
import { pauseFor } from '../../kernel/runtime/pause-for.ts';

export interface OutcomeStreamOptions {
  readonly stream: string;
  /** The subjects of all published outcomes, and of nothing else. */
  readonly subjects: readonly string[];
  /** How many servers keep a stream created here. */
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

export interface OutcomeStreamFinder {
  /** Rejects with `PublisherRefused` where the operator has to correct something, else with the library's error. */
  open(manager: JetStreamManager, signal: AbortSignal): Promise<OutcomeStream>;
  /** Whether it is still the same stream, and not deleted or another one with its name. */
  isThere(manager: JetStreamManager, found: Pick<OutcomeStream, 'created'>): Promise<boolean>;
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

export function createOutcomeStreamFinder(options: OutcomeStreamOptions): OutcomeStreamFinder {
  const { stream } = options;
  let wasThere = false;
  return {
    isThere: async (manager, { created }) => (await infoOf(manager, stream))?.created === created,

    async open(manager, signal) {
      let info = await infoOf(manager, stream);
      if (info === undefined) {
        if (wasThere) await pauseFor(REMOVAL, signal);
        signal.throwIfAborted();
        info = await make(manager, options);
      }
      wasThere = true;
      requireFit(info, options);
      const { last_seq: lastSequence } = info.state;
      return {
        created: info.created,
        lastSequence,
        isUnused: lastSequence === 0 && info.config.retention === RetentionPolicy.Limits,
        lastBody: await bodyAt(manager, stream, lastSequence),
      };
    },
  };
}

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
  if (config.sealed) refuse('it is sealed');
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

/** The code of a JetStream error; undefined for any other error. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}
