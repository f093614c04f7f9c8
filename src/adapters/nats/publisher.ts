/** Publishes outcomes on NATS JetStream. */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type JetStreamManager, type NatsConnection, NatsError } from 'nats';
import { START } from '../../ports/event-store.ts';
import {
  type Publisher,
  type PublisherCursor,
  PublisherRefused,
  PublisherUnavailable,
} from '../../ports/publisher.ts';
import { pauseFor } from '../../runtime/pause-for.ts';
import { type Checkpoint, type CheckpointStore, openCheckpoints } from './checkpoint.ts';
import { connectToNats, type NatsConnectionOptions, reasonOf } from './connection.ts';
import { codeOf, createOutcomeStreamFinder, type OutcomeStream } from './outcome-stream.ts';
import { openPublishWindow, type PublishWindow } from './publish-window.ts';

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

const GIVEN_UP = 'it was given up';

/** The fields read from a message in the stream. */
const Published = Type.Object({
  id: Type.Optional(Type.String()),
  source: Type.String(),
  position: Type.String({ minLength: 1 }),
});

/** From one `resume` to its end, whatever causes that. */
interface Session {
  readonly window: PublishWindow;
  readonly checkpoints: CheckpointStore;
  readonly over: AbortSignal;
  end(error: Error): void;
}

/** Holds nothing open until the first `resume`. */
export function createNatsPublisher(options: NatsPublisherOptions): Publisher {
  const { stream, subjectPrefix, replicas, timeout = TIMEOUT } = options;
  const subjects = options.groups.map((group) => `${subjectPrefix}${group}.*`);
  const finder = createOutcomeStreamFinder({ stream, subjects, replicas });
  let connection: NatsConnection | undefined;
  let session: Session | undefined;
  /** The number of the current `resume`: earlier or released ones have no effect. */
  let attempt = 0;
  let connections = 0;
  let stored = 0;

  async function connected(own: number, signal: AbortSignal): Promise<NatsConnection> {
    if (connection !== undefined && !connection.isClosed()) return connection;
    const made = await connectToNats({ ...options, timeout }, signal);
    connections += 1;
    if (own !== attempt) {
      await made.close();
      throw new PublisherUnavailable(GIVEN_UP);
    }
    connection = made;
    made.closed().then((error) => {
      if (made === connection) session?.end(gone(error));
    });
    watchPermissions(made);
    return made;
  }

  /** The server does not answer forbidden messages: without this it would look like a stalled server. */
  async function watchPermissions(made: NatsConnection): Promise<void> {
    for await (const { permissionContext: context } of made.status()) {
      if (context === undefined || made !== connection) continue;
      session?.end(notAllowed(context));
    }
  }

  /** Nothing else tells of a stream that is deleted while nothing is published. */
  async function watchStream(
    manager: JetStreamManager,
    found: OutcomeStream,
    { end, over }: Pick<Session, 'end' | 'over'>,
  ): Promise<void> {
    while (!over.aborted) {
      await pauseFor(options.lookEvery ?? LOOK_EVERY, over);
      // A look that fails says nothing: the connection tells of its own end.
      const isThere = await finder.isThere(manager, found).catch(() => true);
      if (!isThere) end(new PublisherUnavailable(`the stream ${stream} was deleted`));
    }
  }

  async function begin(own: number, source: string, signal: AbortSignal): Promise<PublisherCursor> {
    const made = await connected(own, signal);
    const jetstream = made.jetstream({ timeout });
    const manager = await made.jetstreamManager({ timeout, checkAPI: false });
    const found = await finder.open(manager, signal);
    const checkpoints = await openCheckpoints(jetstream, { stream, replicas, timeout });
    const { created, lastSequence } = found;
    const standing = standingOf(found, source, stream, await checkpoints.load());
    const { position, alreadyStored, eventId } = standing;
    const known = eventId === undefined ? {} : { eventId };
    if (alreadyStored === 0)
      await checkpoints.save({ created, source, sequence: lastSequence, position, ...known });
    if (signal.aborted || own !== attempt) throw new PublisherUnavailable(GIVEN_UP);

    let tellLost: (error: Error) => void = () => undefined;
    const lost = new Promise<Error>((resolve) => {
      tellLost = resolve;
    });
    const over = new AbortController();
    const window = openPublishWindow({
      connection: made,
      stream,
      subjectOf: ({ name }) => subjectPrefix + name,
      lastSequence,
      inFlight: options.inFlight ?? IN_FLIGHT,
      ackTimeout: options.ackTimeout ?? ACK_TIMEOUT,
      stored(sequence, message) {
        stored += 1;
        const { id: eventId, position: reached } = message;
        checkpoints.note({ created, source, sequence, position: reached, eventId });
      },
      failed(error) {
        over.abort();
        tellLost(error);
        // Messages still under way on a stalled connection should not arrive.
        if (error instanceof PublisherUnavailable) void made.close();
      },
    });
    session = {
      window,
      checkpoints,
      over: over.signal,
      end(error) {
        over.abort();
        window.end(error);
        tellLost(error);
      },
    };
    void watchStream(manager, found, session);
    if (made.isClosed()) session.end(gone(undefined));
    return { position, alreadyStored, ...known, lost };
  }

  async function letGo(reason: Error): Promise<void> {
    attempt += 1;
    const [ended, open] = [session, connection];
    session = undefined;
    ended?.end(reason);
    if (open === undefined || open.isClosed()) return;
    const over = new AbortController();
    await Promise.race([ended?.checkpoints.settled(), open.closed(), pauseFor(PATIENCE, over.signal)]);
    over.abort();
    await open.close();
  }

  return {
    async resume(source, signal) {
      attempt += 1;
      const own = attempt;
      const ended = session;
      session = undefined;
      ended?.end(new PublisherUnavailable('it was begun anew'));
      try {
        return await begin(own, source, signal);
      } catch (error) {
        if (own === attempt) await letGo(gone(error));
        throw refusalIn(error, stream) ?? gone(error);
      }
    },

    publish(messages) {
      return session === undefined
        ? Promise.reject(new PublisherUnavailable('it is not known where the bus stands'))
        : session.window.publish(messages);
    },

    status: () => ({
      isConnected: connection !== undefined && !connection.isClosed(),
      connections,
      stored,
    }),

    release: () => letGo(new PublisherUnavailable('the publisher was let go')),
  };
}

/** Undefined for other errors. */
function refusalIn(error: unknown, stream: string): PublisherRefused | undefined {
  if (error instanceof PublisherRefused) return error;
  if (!(error instanceof NatsError)) return undefined;
  if (error.permissionContext !== undefined) return notAllowed(error.permissionContext);
  if (codeOf(error) === undefined) return undefined;
  return new PublisherRefused(`JetStream refuses what is needed for ${stream}: ${reasonOf(error)}`);
}

function notAllowed({ operation, subject }: { operation: string; subject: string }): PublisherRefused {
  return new PublisherRefused(`the server does not allow this user to ${operation} to ${subject}`);
}

function gone(error: unknown): PublisherUnavailable {
  if (error instanceof PublisherUnavailable) return error;
  return new PublisherUnavailable(
    error === undefined ? 'the connection was closed' : `the bus does not answer: ${reasonOf(error)}`,
  );
}

/**
 * The last message holds the position. If it is gone, the checkpoint holds the position of an earlier message (or of
 * a later one, if the server lost count of messages without interest), and each sequence after that is one message.
 * Throws `PublisherRefused` if the stream holds something else, or if the position cannot be found.
 */
function standingOf(
  found: OutcomeStream,
  source: string,
  stream: string,
  checkpoint: Checkpoint | undefined,
): Omit<PublisherCursor, 'lost'> {
  if (found.isUnused) return { position: START, alreadyStored: 0 };
  if (found.lastBody !== undefined) {
    const last = publishedIn(found.lastBody);
    if (last === undefined) {
      throw new PublisherRefused(
        `the last message of the stream ${stream} was not published by Levy: leave the stream to Levy alone, or set PUBLISHER_STREAM and PUBLISHER_SUBJECT_PREFIX to others`,
      );
    }
    requireSource(last.source, source, stream);
    return {
      position: last.position,
      alreadyStored: 0,
      ...(last.id === undefined ? {} : { eventId: last.id }),
    };
  }
  if (checkpoint?.created === found.created) {
    requireSource(checkpoint.source, source, stream);
    const alreadyStored = Math.max(0, found.lastSequence - checkpoint.sequence);
    const { position, eventId } = checkpoint;
    return { position, alreadyStored, ...(eventId === undefined ? {} : { eventId }) };
  }
  if (found.lastSequence === 0) return { position: START, alreadyStored: 0 };
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

function publishedIn(body: string): Static<typeof Published> | undefined {
  try {
    const found: unknown = JSON.parse(body);
    return Value.Check(Published, found) ? found : undefined;
  } catch {
    return undefined;
  }
}
