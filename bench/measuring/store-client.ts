/**
 * EventStoreDB client in a separate process that runs one job at a time: the service's adapter, or the bare library.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { EventToAppend, ExpectedRevision } from '../../src/kernel/ports/event-store.ts';
import { answerOf, ended } from './child.ts';

export interface StoreClientOptions {
  readonly kind: 'adapter' | 'bare';
  readonly url: string;
  /** Prefix of the streams of this benchmark. */
  readonly prefix: string;
}

export type StoreJob =
  /**
   * Appends for this time. Each writer appends one event (200 bytes of JSON) at a time to consecutive streams of a
   * few events.
   */
  | { readonly kind: 'append'; readonly writers: number; readonly milliseconds: number }
  /** Appends this many events, many per call. */
  | { readonly kind: 'write'; readonly events: number }
  /**
   * Reads the log from its beginning until this many events were received: `read` reads existing events, `subscribe`
   * subscribes.
   */
  | { readonly kind: 'subscribe' | 'read'; readonly events: number };

export interface StoreJobResult {
  /** Events per second. */
  readonly rate: number;
  /** Events per second of the client's processor time. */
  readonly work: number;
}

export type StoreJobAnswer = StoreJobResult | { readonly error: string };

/** Functions of both kinds of client. */
export interface MeasuredStore {
  /** Rejects unless the events are appended. */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<void>;
  /** Resolves when this many events were received. */
  subscribe(events: number): Promise<void>;
  /** Like `subscribe`, for existing events only. */
  read(events: number): Promise<void>;
  close(): Promise<void>;
}

export interface StoreClient {
  run(job: StoreJob): Promise<StoreJobResult>;
  stop(): Promise<void>;
}

const TIMEOUT = 60_000;

export function startStoreClient(options: StoreClientOptions): StoreClient {
  const child: ChildProcess = fork(new URL('./store-client-process.ts', import.meta.url), [
    JSON.stringify(options),
  ]);
  return {
    async run(job) {
      const answer = answerOf(child, TIMEOUT);
      child.send(job);
      const result = (await answer) as StoreJobAnswer;
      if ('error' in result) throw new Error(result.error);
      return result;
    },
    stop: () => ended(child),
  };
}
