/** Reads the log of a running service by its `GET /operator/log`. */
import { setTimeout as pause } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import { categoryOf } from '../kernel/ports/append-rules.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type Position, type RecordedEvent, START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { parseJson, readJson, SMALL } from '../kernel/runtime/bounded-input.ts';
import { callPatiently, type RunningService, refusalOf, unreachable } from './running-service.ts';

export interface ServiceLogOptions extends RunningService {
  /** Milliseconds to wait before asking again; after as many failures in a row it gives up. */
  readonly pauses?: readonly number[];
}

/** As many as the route gives at once. */
const PAGE = 10_000;
const PAUSES = [250, 1_000, 2_000, 4_000];
/** Milliseconds for which the service may say nothing. */
const SILENCE = 30_000;

/** Rejects with `OperatorError` unless the service answers and knows the key. */
export async function openServiceLog(options: ServiceLogOptions): Promise<LogReader> {
  const { base, operatorKey, pauses = PAUSES } = options;
  const closing = new AbortController();

  async function ask(path: string): Promise<Response> {
    const asking = () =>
      fetch(new URL(path, base), {
        headers: { 'x-operator-key': operatorKey },
        redirect: 'error',
        signal: closing.signal,
      });
    const response = await callPatiently(() => spoken(asking()), closing.signal);
    if (response.ok) return response;
    throw await refusalOf(response, base);
  }

  /** Waits, to ask again; throws when there is no use in it. */
  async function waitAfter(error: unknown, failures: number): Promise<void> {
    const wait = pauses[failures];
    if (error instanceof OperatorError || closing.signal.aborted) throw error;
    if (wait === undefined) throw unreachable(base, error);
    await pause(wait);
  }

  /** Every event from a place on. `after` names the page behind the latest event that was delivered. */
  async function* pages(
    after: (latest: RecordedEvent | undefined) => Record<string, string>,
  ): AsyncGenerator<RecordedEvent, void> {
    let latest: RecordedEvent | undefined;
    for (let failures = 0; ; ) {
      const query = new URLSearchParams({ ...after(latest), limit: String(PAGE) });
      try {
        let lines = 0;
        for await (const event of eventsIn(await ask(`operator/log?${query}`))) {
          latest = event;
          lines += 1;
          failures = 0;
          yield event;
        }
        if (lines < PAGE) return;
      } catch (error) {
        // What came was delivered: the next page goes on behind it.
        await waitAfter(error, failures);
        failures += 1;
      }
    }
  }

  async function head(): Promise<Position> {
    for (let failures = 0; ; failures += 1) {
      try {
        const answer = await readJson(await ask('operator/projections'), base);
        const position: unknown = Reflect.get(Object(answer), 'head');
        if (typeof position === 'string') return position;
        throw new OperatorError(`${base} does not answer as a levy service does`);
      } catch (error) {
        await waitAfter(error, failures);
      }
    }
  }

  await head();
  return {
    async *events({ after = START, categories } = {}) {
      const end = await head();
      if (end <= after) return;
      for await (const event of pages((latest) => ({ after: latest?.position ?? after }))) {
        if (event.position > end) return;
        if (categories?.includes(categoryOf(event.stream)) ?? true) yield event;
        if (event.position === end) return;
      }
    },
    stream: (stream, from = 0) =>
      pages((latest) => ({ stream, fromRevision: String(latest ? latest.revision + 1 : from) })),
    head,
    // What its store counts is not known here; positions grow with it.
    extentOf: (position) => ({ unit: 'events', amount: Number(position) }),
    close: async () => closing.abort(),
  };
}

/** Throws where the answer breaks off. */
async function* eventsIn(response: Response): AsyncGenerator<RecordedEvent, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await spoken(reader.read());
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > SMALL) throw new OperatorError('an event of the service has no end');
      // Only a service that is none of ours would say something else.
      for (const line of lines) yield parseJson(line, 'the service') as RecordedEvent;
    }
    if (rest !== '') throw new Error('its answer broke off');
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function spoken<Result>(waiting: Promise<Result>): Promise<Result> {
  return pTimeout(waiting, { milliseconds: SILENCE, message: `it said nothing for ${SILENCE / 1_000} s` });
}
