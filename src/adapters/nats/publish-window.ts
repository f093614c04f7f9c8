/**
 * Publishes messages on JetStream with many in flight, each for exactly one sequence of the stream.
 *
 * If a message is lost, or another publisher stored one, the stream's sequence differs from what the later messages
 * expect, so the server refuses all of them: gaps and reordering are impossible. This relies on sequences. Each message
 * but the first also expects the previous one's id: after a restart of the server, and once its duplicate window has
 * passed, nats-server 2.9 forgets the id and would refuse the right first message for ever.
 */
import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from 'nats';
import {
  type PublisherMessage,
  PublisherRefused,
  PublisherUnavailable,
} from '../../kernel/ports/publisher.ts';
import { CLOUD_EVENTS_JSON } from '../../outcomes/cloud-event.ts';
import { problemOf } from './publish-answers.ts';

export interface PublishWindowOptions {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly subjectOf: (message: PublisherMessage) => string;
  /** Sequence of the stream's last message. */
  readonly lastSequence: number;
  /** Messages at most. */
  readonly inFlight: number;
  /** The longest time without any answer while messages are in flight. Milliseconds. */
  readonly ackTimeout: number;
  readonly stored: (sequence: number, message: PublisherMessage) => void;
  /** Called once; nothing is published after it. */
  readonly failed: (error: Error) => void;
}

export interface PublishWindow {
  /** Resolves when all messages are stored. */
  publish(messages: readonly PublisherMessage[]): Promise<void>;
  /** Rejects what is not stored yet. */
  end(error: Error): void;
}

interface Call {
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Waiting {
  readonly message: PublisherMessage;
  readonly call: Call;
}

/** Characters of bodies in flight, nearly their bytes; a single message of any size is allowed. */
const CHARACTERS_IN_FLIGHT = 8 * 1024 * 1024;

export function openPublishWindow(options: PublishWindowOptions): PublishWindow {
  const { connection, stream, subjectOf, ackTimeout } = options;
  const inbox = createInbox();
  const waiting: Waiting[] = [];
  const flying = new Map<number, Waiting>();
  let characters = 0;
  let next = options.lastSequence + 1;
  let previousId: string | undefined;
  let error: Error | undefined;
  let watch: NodeJS.Timeout | undefined;

  const subscription = connection.subscribe(`${inbox}.*`, {
    callback(problem, answer) {
      if (problem !== null) fail(new PublisherUnavailable(problem.message));
      else take(answer);
    },
  });

  function take(answer: Msg): void {
    const sequence = Number(answer.subject.slice(inbox.length + 1));
    const entry = flying.get(sequence);
    if (entry === undefined || error !== undefined) return;
    const problem = problemOf(answer, sequence, stream);
    if (problem !== undefined) {
      fail(problem);
      return;
    }
    flying.delete(sequence);
    characters -= entry.message.body.length;
    if (flying.size > 0) watch?.refresh();
    options.stored(sequence, entry.message);
    entry.call.left -= 1;
    if (entry.call.left === 0) entry.call.resolve();
    fill();
  }

  function fill(): void {
    while (waiting.length > 0 && flying.size < options.inFlight && error === undefined) {
      if (characters > CHARACTERS_IN_FLIGHT) break;
      const entry = waiting.shift();
      if (entry !== undefined) send(entry);
    }
    if (flying.size === 0 || error !== undefined) {
      clearTimeout(watch);
      watch = undefined;
    } else {
      watch ??= setTimeout(
        () => fail(new PublisherUnavailable('the server does not acknowledge what it is sent')),
        ackTimeout,
      );
    }
  }

  function send(entry: Waiting): void {
    const { message } = entry;
    const head = headersOf(message, next, previousId);
    const reply = `${inbox}.${next}`;
    flying.set(next, entry);
    characters += message.body.length;
    next += 1;
    previousId = message.id;
    try {
      connection.publish(subjectOf(message), message.body, { headers: head, reply });
    } catch (problem) {
      fail(unsendable(message, connection, problem));
    }
  }

  function fail(problem: Error): void {
    if (error !== undefined) return;
    end(problem);
    options.failed(problem);
  }

  function end(problem: Error): void {
    if (error !== undefined) return;
    error = problem;
    clearTimeout(watch);
    if (!connection.isClosed()) subscription.unsubscribe();
    const calls = new Set([...flying.values(), ...waiting].map(({ call }) => call));
    flying.clear();
    waiting.length = 0;
    for (const call of calls) call.reject(problem);
  }

  return {
    publish(messages) {
      if (error !== undefined) return Promise.reject(error);
      if (messages.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const call: Call = { left: messages.length, resolve, reject };
        for (const message of messages) waiting.push({ message, call });
        fill();
      });
    },
    end,
  };
}

function headersOf(message: PublisherMessage, sequence: number, previousId: string | undefined): MsgHdrs {
  const head = headers();
  head.set('Nats-Msg-Id', message.id);
  head.set('Nats-Expected-Last-Sequence', String(sequence - 1));
  if (previousId !== undefined) head.set('Nats-Expected-Last-Msg-Id', previousId);
  head.set('Levy-Position', message.position);
  head.set('Content-Type', CLOUD_EVENTS_JSON);
  return head;
}

function unsendable({ name, id, body }: PublisherMessage, { info }: NatsConnection, problem: unknown): Error {
  if (info !== undefined && Buffer.byteLength(body) + 1_024 > info.max_payload) {
    return new PublisherRefused(
      `${name} ${id} has ${Buffer.byteLength(body)} bytes, and the server takes ${info.max_payload} with headers (max_payload)`,
    );
  }
  return new PublisherUnavailable(problem instanceof Error ? problem.message : 'nothing can be sent');
}
