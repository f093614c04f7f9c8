/** Publishes outcomes on NATS JetStream. */
import { type Publisher, type PublisherCursor, PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import { pauseFor } from '../../kernel/runtime/pause-for.ts';
import { createBusConnection } from './bus-connection.ts';
import { openCheckpoints } from './checkpoint.ts';
import type { NatsConnectionOptions } from './connection.ts';
import { createOutcomeStreamFinder } from './outcome-stream.ts';
import { gone, refusalIn } from './refusals.ts';
import { openSession, type Session } from './session.ts';
import { standingOf } from './standing.ts';

export interface NatsPublisherOptions extends Omit<NatsConnectionOptions, 'timeout'> {
  /** The stream's name. */
  readonly stream: string;
  /** Empty, or ending with a dot. */
  readonly subjectPrefix: string;
  /** The first parts of message names, before the dot: `tokens` of `tokens.created`. */
  readonly groups: readonly string[];
  /** How many servers keep the stream and bucket created here. */
  readonly replicas: number;
  /** Messages at most; 256 unless given. */
  readonly inFlight?: number;
  /** Milliseconds without an answer after which the server counts as gone; 10 seconds unless given. */
  readonly ackTimeout?: number;
  /** Milliseconds for connecting, and for each request; 5 seconds unless given. */
  readonly timeout?: number;
  /** Milliseconds between two looks whether the stream is still there; 10 seconds unless given. */
  readonly lookEvery?: number;
}

const IN_FLIGHT = 256;
const ACK_TIMEOUT = 10_000;
const TIMEOUT = 5_000;
const LOOK_EVERY = 10_000;
/** Milliseconds that closing waits for the checkpoint, which is dispensable. */
const PATIENCE = 500;

/** Holds nothing open until the first `resume`. */
export function createNatsPublisher(options: NatsPublisherOptions): Publisher {
  const { stream, subjectPrefix, replicas, timeout = TIMEOUT } = options;
  const subjects = options.groups.map((group) => `${subjectPrefix}${group}.*`);
  const finder = createOutcomeStreamFinder({ stream, subjects, replicas });
  const bus = createBusConnection({ ...options, timeout }, (error) => session?.end(error));
  let session: Session | undefined;
  /** The number of the current `resume`: earlier or released ones have no effect. */
  let attempt = 0;
  let stored = 0;

  async function begin(own: number, source: string, signal: AbortSignal): Promise<PublisherCursor> {
    const connection = await bus.open(signal, () => own === attempt);
    const jetstream = connection.jetstream({ timeout });
    const manager = await connection.jetstreamManager({ timeout, checkAPI: false });
    const found = await finder.open(manager, signal);
    const checkpoints = await openCheckpoints(jetstream, { stream, replicas, timeout });
    const standing = standingOf(found, source, stream, await checkpoints.load());
    const { alreadyStored, ...place } = standing;
    if (alreadyStored === 0) {
      const { created, lastSequence: sequence } = found;
      await checkpoints.save({ created, source, sequence, ...place });
    }
    if (signal.aborted || own !== attempt) throw new PublisherUnavailable('it was given up');
    const begun = openSession({
      connection,
      manager,
      finder,
      found,
      checkpoints,
      stream,
      source,
      subjectOf: ({ name }) => subjectPrefix + name,
      inFlight: options.inFlight ?? IN_FLIGHT,
      ackTimeout: options.ackTimeout ?? ACK_TIMEOUT,
      lookEvery: options.lookEvery ?? LOOK_EVERY,
      stored: () => {
        stored += 1;
      },
    });
    session = begun;
    if (connection.isClosed()) begun.end(gone(undefined));
    return { ...standing, lost: begun.lost };
  }

  function endSession(reason: Error): Session | undefined {
    attempt += 1;
    const ended = session;
    session = undefined;
    ended?.end(reason);
    return ended;
  }

  async function letGo(reason: Error): Promise<void> {
    const open = bus.current();
    const ended = endSession(reason);
    if (open === undefined) return;
    const over = new AbortController();
    await Promise.race([ended?.checkpoints.settled(), open.closed(), pauseFor(PATIENCE, over.signal)]);
    over.abort();
    await open.close();
  }

  return {
    async resume(source, signal) {
      endSession(new PublisherUnavailable('it was begun anew'));
      const own = attempt;
      try {
        return await begin(own, source, signal);
      } catch (error) {
        if (own === attempt) await letGo(gone(error));
        throw refusalIn(error, stream) ?? gone(error);
      }
    },

    publish(messages) {
      return session === undefined
        ? Promise.reject(new PublisherUnavailable('the bus has not said yet what was published last'))
        : session.window.publish(messages);
    },

    status: () => ({ isConnected: bus.current() !== undefined, connections: bus.count(), stored }),

    release: () => letGo(new PublisherUnavailable('the publisher was let go')),
  };
}
