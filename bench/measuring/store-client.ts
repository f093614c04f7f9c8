/** A client of EventStoreDB in a process of its own, given one job after the other: the service's adapter, or the bare library. */
import { type ChildProcess, fork } from 'node:child_process';
import type { EventToAppend, ExpectedRevision } from '../../src/kernel/ports/event-store.ts';
import { answerOf, ended } from './child.ts';

export interface StoreClientOptions {
  readonly kind: 'adapter' | 'bare';
  readonly url: string;
  /** Of the streams of this benchmark. */
  readonly prefix: string;
}

export type StoreJob =
  /** Appends for so long, each writer one event (200 bytes of JSON) at a time: streams of a few events, one after the other. */
  | { readonly kind: 'append'; readonly writers: number; readonly milliseconds: number }
  /** Appends so many events, many in a call. */
  | { readonly kind: 'write'; readonly events: number }
  /** Takes the log from its beginning until it has all of so many events: `read` as what is there, else as a subscriber. */
  | { readonly kind: 'subscribe' | 'read'; readonly events: number };

export interface StoreJobResult {
  /** Events a second. */
  readonly rate: number;
  /** Events for each second of the client's processor time. */
  readonly work: number;
}

export type StoreJobAnswer = StoreJobResult | { readonly error: string };

/** What both kinds can do, in that process. */
export interface MeasuredStore {
  /** Rejects when it is not appended. */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToAppend[]): Promise<void>;
  /** Resolves when it has been given all of so many events. */
  subscribe(events: number): Promise<void>;
  /** As `subscribe`, but what is there only. */
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
