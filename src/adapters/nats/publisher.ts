/**
 * Publishes outcomes on NATS JetStream with many in flight, each for exactly one sequence of the stream.
 *
 * Each message states the sequence that it expects. If a message is lost, or another publisher stored one, the stream's
 * sequence differs, so the server rejects all later messages. Gaps and reordering are therefore impossible. Each message
 * except the first also states the id of the previous one. The first does not, because nats-server 2.9 forgets that id after a
 * restart once its duplicate window has passed, and would reject the correct message permanently.
 */
import { ErrorCode, headers, type NatsConnection, NatsError, type PubAck } from 'nats';
import pLimit from 'p-limit';
import {
  type Publisher,
  type PublisherCursor,
  type PublisherMessage,
  PublisherRefused,
  PublisherSuperseded,
  PublisherUnavailable,
} from '../../kernel/ports/publisher.ts';
import { CLOUD_EVENTS_JSON } from '../../outcomes/cloud-event.ts';
import { codeOf, connectToNats, type NatsConnectionOptions, refusalIn, unavailable } from './connection.ts';
import {
  type CheckpointStore,
  cursorIn,
  type OutcomeStream,
  openCheckpoints,
  openOutcomeStream,
} from './outcome-stream.ts';

export interface NatsPublisherOptions extends Omit<NatsConnectionOptions, 'timeout'> {
  readonly stream: string;
  /** Empty, or ends with a dot. */
  readonly subjectPrefix: string;
  /** First parts of message names, before the dot: `tokens` of `tokens.created`. */
  readonly groups: readonly string[];
  /** Number of servers that store the stream and bucket created here. */
  readonly replicas: number;
  /** Maximum number of unacknowledged messages; default 256. */
  readonly inFlight?: number;
  /** Milliseconds until a message without acknowledgement ends the session; default 10 seconds. */
  readonly ackTimeout?: number;
  /** Timeout in milliseconds of connecting and of each request; default 5 seconds. */
  readonly timeout?: number;
}

const DEFAULTS = { inFlight: 256, ackTimeout: 10_000, timeout: 5_000 };

const WRONG_LAST_ID = 10_070;
const WRONG_LAST_SEQUENCE = 10_071;

/** Opens nothing until the first `resume`. */
export function createNatsPublisher(given: NatsPublisherOptions): Publisher {
  const options = { ...DEFAULTS, ...given };
  const { stream, subjectPrefix, replicas, timeout, inFlight, ackTimeout } = options;
  const subjects = options.groups.map((group) => `${subjectPrefix}${group}.*`);
  const counts = { connections: 0, stored: 0 };
  let session: ReturnType<typeof openSession> | undefined;
  let stopping = new AbortController();
  let wasThere = false;

  /** Ends the session, and a running `resume`. */
  async function end(reason: Error): Promise<void> {
    stopping.abort(reason);
    stopping = new AbortController();
    const ended = session;
    session = undefined;
    await ended?.end(reason);
  }

  /** One connection's publishing, from `resume` until it ends for any reason. `source` is the public name of the log. */
  function openSession(
    connection: NatsConnection,
    source: string,
    { created, lastSequence }: OutcomeStream,
    checkpoints: CheckpointStore,
  ) {
    const jetstream = connection.jetstream({ timeout });
    const limit = pLimit(inFlight);
    const over = new AbortController();
    let next = lastSequence + 1;
    let previousId: string | undefined;

    /** Closes the connection, so that unacknowledged messages on a stalled one do not arrive later. */
    function end(reason: Error): Promise<void> {
      over.abort(reason);
      return connection.close();
    }

    /** Sends the message before the first await, so messages are sent in the order of the calls. */
    async function publishNext({ id, position, name, body }: PublisherMessage): Promise<void> {
      over.signal.throwIfAborted();
      const sequence = next;
      const expected = {
        lastSequence: sequence - 1,
        ...(previousId === undefined ? {} : { lastMsgID: previousId }),
      };
      const head = headers();
      head.set('Levy-Position', position);
      head.set('Content-Type', CLOUD_EVENTS_JSON);
      next += 1;
      previousId = id;
      try {
        const sending = jetstream.publish(subjectPrefix + name, body, {
          msgID: id,
          expect: expected,
          headers: head,
          timeout: ackTimeout,
        });
        requireAt(await sending, sequence, stream);
        counts.stored += 1;
        checkpoints.scheduleSave({ created, source, sequence, position, eventId: id });
      } catch (error) {
        if (isTooLarge(error)) {
          // The message was never sent; earlier ones are stored.
          await connection.flush().catch(() => undefined);
          const size = `${Buffer.byteLength(body)} bytes, and the server accepts ${connection.info?.max_payload}`;
          void end(new PublisherRefused(`${name} ${id} has ${size} with headers (max_payload)`));
        } else void end(problemOf(error, stream));
        throw over.signal.reason;
      }
    }

    connection.closed().then((error) => end(unavailable(error)));

    return {
      connection,
      /** Resolves with the error that ended the session. */
      lost: new Promise<Error>((resolve) => {
        over.signal.addEventListener('abort', () => resolve(over.signal.reason), { once: true });
      }),
      async publish(messages: readonly PublisherMessage[]) {
        await Promise.all(messages.map((message) => limit(() => publishNext(message))));
      },
      /** Rejects the messages that are not stored yet. */
      end,
    };
  }

  async function begin(
    connection: NatsConnection,
    source: string,
    signal: AbortSignal,
  ): Promise<PublisherCursor> {
    const manager = await connection.jetstreamManager({ timeout, checkAPI: false });
    const found = await openOutcomeStream(manager, { stream, subjects, replicas, wasThere }, signal);
    wasThere = true;
    const checkpoints = await openCheckpoints(connection.jetstream({ timeout }), { stream, replicas });
    const cursor = cursorIn(found, source, stream, await checkpoints.load());
    const { alreadyStored, ...place } = cursor;
    if (alreadyStored === 0)
      await checkpoints.save({ created: found.created, source, sequence: found.lastSequence, ...place });
    if (signal.aborted) throw new PublisherUnavailable('the resume was cancelled');
    session = openSession(connection, source, found, checkpoints);
    return { ...cursor, lost: session.lost };
  }

  return {
    async resume(source, signal) {
      const ending = end(new PublisherUnavailable('publishing was restarted'));
      const given = AbortSignal.any([signal, stopping.signal]);
      await ending;
      const connection = await connectToNats({ ...options, timeout }, given);
      counts.connections += 1;
      // Closing the connection makes its pending requests reject.
      const abandon = () => void connection.close();
      given.addEventListener('abort', abandon);
      try {
        return await begin(connection, source, given);
      } catch (error) {
        await connection.close();
        throw refusalIn(error, stream) ?? unavailable(error);
      } finally {
        given.removeEventListener('abort', abandon);
      }
    },

    publish: (messages) =>
      session?.publish(messages) ??
      Promise.reject(new PublisherUnavailable('publishing has not been resumed yet')),

    status: () => ({ isConnected: session?.connection.isClosed() === false, ...counts }),

    release: () => end(new PublisherUnavailable('the publisher was released')),
  };
}

/** The server acknowledges a duplicate wherever it is stored, despite the expected sequence. */
function requireAt(ack: Pick<PubAck, 'stream' | 'seq'>, sequence: number, stream: string): void {
  if (ack.stream !== stream)
    throw new PublisherRefused(`another stream, ${ack.stream}, receives the subjects of ${stream}`);
  if (ack.seq !== sequence)
    throw new PublisherSuperseded(`the message for sequence ${sequence} is already stored at ${ack.seq}`);
}

function problemOf(error: unknown, stream: string): Error {
  if (error instanceof PublisherSuperseded || error instanceof PublisherRefused) return error;
  if (!(error instanceof NatsError)) return unavailable(error);
  const { api_error: refusal } = error;
  const code = codeOf(error);
  if (code === WRONG_LAST_ID || code === WRONG_LAST_SEQUENCE)
    return new PublisherSuperseded(refusal?.description);
  if (refusal !== undefined && code === undefined)
    return new PublisherUnavailable(`the server does not store messages: ${refusal.description}`);
  if (refusal !== undefined)
    return new PublisherRefused(`the stream ${stream} rejected a message: ${refusal.description} (${code})`);
  if (error.code === ErrorCode.NoResponders)
    return new PublisherUnavailable(`no stream has the subjects of ${stream}`);
  if (error.code === ErrorCode.Timeout)
    return new PublisherUnavailable('the server does not acknowledge messages');
  return refusalIn(error, stream) ?? unavailable(error);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof NatsError && error.code === ErrorCode.MaxPayloadExceeded;
}
