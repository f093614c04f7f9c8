/** The event log in EventStoreDB (or KurrentDB): streams `<prefix>.<category>-<id>`, so logs can share a database. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import { type Logger, silentLogger } from '../../kernel/ports/logger.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import { parseEventStoreDbUrl } from '../../operations/config/event-store-url.ts';
import { createAppender } from './append.ts';
import { codeOf, openConnection, within } from './connection.ts';
import { EventStoreUnreachable } from './errors.ts';
import { createLogTail, type LogTail } from './log-tail.ts';
import { READ_PATIENCE } from './reading.ts';
import { createStoredAppends } from './stored-appends.ts';
import { createStoredReads } from './stored-reads.ts';
import { subscribeToLog } from './subscription.ts';
import { isUnfinished, markAppend, requireFinished } from './unfinished-copy.ts';

export interface EventStoreDbOptions {
  /** As `EVENT_STORE_URL`. */
  readonly url: string;
  /** Letters, digits and underscores. */
  readonly prefix: string;
  /** User and password, where they are not in the address. */
  readonly user?: { readonly name: string; readonly password: string };
  /** File with the certificates of the authorities, where it is not in the address. */
  readonly caFile?: string;
  /** How long an append is retried while its outcome is unknown. Milliseconds; 10,000 unless given. */
  readonly appendPatience?: number;
  /** How long a start waits for the server. Milliseconds; 10,000 unless given. */
  readonly startPatience?: number;
  /** Whether the log is being copied there: otherwise one whose copying is not finished is refused. */
  readonly isCopy?: boolean;
  /** Called when a connection is lost and is being restored, and when it is back. */
  readonly logger?: Logger;
}

/** Milliseconds. */
const START_PATIENCE = 10_000;
const START_PAUSE = 250;
const APPEND_PATIENCE = 10_000;
/** Codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

export interface EventStoreDb extends EventStore {
  /** False while the log cannot be followed or appends are refused. `head` shows whether the store answers at all. */
  healthy(): boolean;
  /** Why it is not healthy. */
  trouble(): string | undefined;
  /** The log is a part of a copy from now on, and refused where it is opened, until `finishCopy`. */
  beginCopy(): Promise<void>;
  finishCopy(): Promise<void>;
}

/** Rejects with `OperatorError` when the server does not answer, or refuses, and for a copy that is not finished. */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDb> {
  const parsed = parseEventStoreDbUrl(options.url);
  const address = {
    ...parsed,
    user: options.user ?? parsed.user,
    caFile: parsed.caFile ?? options.caFile,
  };
  const prefix = `${options.prefix}.`;
  const logger = options.logger ?? silentLogger;
  const calls = openConnection(address, 'calls');
  const subscriptions = openConnection(address, 'subscriptions');
  const tail = createLogTail({ subscriptions, calls, prefix, logger });
  const appender = createAppender(calls, options.appendPatience ?? APPEND_PATIENCE);
  let closed = false;

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await appender.close();
    await tail.end();
    await Promise.all([calls.close(), subscriptions.close()]);
  }

  const trouble = () => tail.trouble ?? appender.trouble();

  const { headInTheEnd, ...reads } = createStoredReads({
    connection: calls,
    prefix,
    tail,
  });
  const store: EventStoreDb = {
    ...reads,
    ...createStoredAppends({
      connection: calls,
      prefix,
      appender,
      tail,
      head: headInTheEnd,
    }),
    subscribe: (wanted) => subscribeToLog({ connection: subscriptions, tail, prefix, logger }, wanted),
    head: () => within(READ_PATIENCE, headInTheEnd(), 'the event store does not answer'),
    extentOf: (position) => ({ unit: 'bytes', amount: Number(position) }),
    healthy: () => !closed && trouble() === undefined,
    trouble,
    async beginCopy() {
      if (!(await isUnfinished(calls, options.prefix)))
        await appender.append(...markAppend(options.prefix, 'begun'));
    },
    async finishCopy() {
      if (await isUnfinished(calls, options.prefix))
        await appender.append(...markAppend(options.prefix, 'finished'));
    },
    close,
  };
  try {
    await answerOf(tail.head, options.startPatience ?? START_PATIENCE, parsed.shown);
    if (options.isCopy !== true) await requireFinished(calls, options.prefix);
  } catch (error) {
    await close();
    throw error;
  }
  return store;
}

/** In one line, without the library's notes for its own developers. */
function reasonOf(error: unknown): string {
  return messageOf(error)
    .replace(/\s*Resolution note:.*/s, '')
    .replace(/\s+/g, ' ');
}

async function answerOf(head: LogTail['head'], patience: number, shown: string): Promise<void> {
  const giveUpAt = performance.now() + patience;
  for (;;) {
    try {
      await head();
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === PERMISSION_DENIED || code === UNAUTHENTICATED) {
        throw new EventStoreUnreachable(
          `the event store at ${shown} does not let this user read $all: correct user and password, or give the user the right to read $all (docs/how-to/operate/use-eventstoredb.md)`,
          { cause: error },
        );
      }
      if (performance.now() + START_PAUSE >= giveUpAt) {
        throw new EventStoreUnreachable(`the event store at ${shown} does not answer: ${reasonOf(error)}`, {
          cause: error,
        });
      }
      await sleep(START_PAUSE);
    }
  }
}
