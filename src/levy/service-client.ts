/** Calls to a running service. They reject with `OperatorError` if the service refuses or does not respond. */
import pTimeout from 'p-timeout';
import { readOperatorKey } from '../adapters/file/secrets.ts';
import { categoryOf } from '../kernel/ports/append-rules.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { type Position, type RecordedEvent, START } from '../kernel/ports/event-store.ts';
import type { LogReader } from '../kernel/ports/log-reader.ts';
import { memberOf, parseJson, readBody, readJson, SMALL } from '../kernel/runtime/bounded-input.ts';
import { backoff, retry } from '../kernel/runtime/retry.ts';
import { sleep } from '../kernel/runtime/sleep.ts';

/** Service that a command's options name. */
export interface ServicePlace {
  readonly service?: string | undefined;
  /** File (mode 0600) with an operator's key. */
  readonly operatorKeyFile?: string | undefined;
}

export interface RunningService {
  /** Base address, such as `https://levy.example/`. */
  readonly base: string;
  /** Key for the operators' routes. */
  readonly operatorKey?: string;
}

/** Rejects with `OperatorError` for a service without a key file. */
export async function runningServiceAt(service: string, operatorKeyFile: string | undefined) {
  if (operatorKeyFile === undefined)
    throw new OperatorError(
      "--service also needs --operator-key-file, a file (mode 0600) with an operator's key",
    );
  return { base: baseOf(service), operatorKey: await readOperatorKey(operatorKeyFile) };
}

export function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== url.origin + url.pathname)
    throw new OperatorError(
      `the service's address ${JSON.stringify(text)} is invalid; write https://host or http://host:port, without user and password`,
    );
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** The service refused a call, or did not respond. */
export class Refused extends OperatorError {
  override readonly name = 'Refused';
  readonly status: number;
  /** Code of the problem; undefined if the response is not a problem. */
  readonly code: unknown;

  constructor(message: string, status: number, { code, cause }: { code?: unknown; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
    this.code = code;
  }
}

async function refusalOf(response: Response, { base, operatorKey }: RunningService): Promise<Refused> {
  const { status } = response;
  const problem = await readJson(response, base).catch(() => undefined);
  const [detail, code] = [memberOf(problem, 'detail'), memberOf(problem, 'code')];
  const refused = (message: string) => new Refused(message, status, { code });
  if (operatorKey !== undefined && status === 404 && (code === undefined || code === 'ROUTE_NOT_FOUND'))
    return refused(
      `${base} has no operators' routes; set OPERATOR_KEYS of the service, and use the same release as this command`,
    );
  if (status === 401)
    return refused(`${base} refuses this operator's key; add its SHA-256 to OPERATOR_KEYS of the service`);
  return refused(`${base} refuses: ${typeof detail === 'string' ? detail : `HTTP status ${status}`}`);
}

const GATEWAY_TIMEOUT = 504;

function unreachable(base: string, error: unknown): Refused {
  const reasons = [error, error instanceof Error ? error.cause : undefined]
    .filter((each) => each instanceof Error)
    .map(({ message }) => message);
  return new Refused(`${base} does not respond: ${reasons.join(': ')}`, GATEWAY_TIMEOUT, { cause: error });
}

interface Call {
  readonly method?: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

const TOO_MANY_REQUESTS = 429;
/** Milliseconds after which rate-limited calls are abandoned. */
const MAX_WAIT = 600_000;
/** Seconds before a retry if the response names none. */
const DEFAULT_PAUSE = 1;
const MAX_PAUSE = 60;

/**
 * Resolves with the response once it starts. Repeats the call while the service responds with 429, after the pauses
 * that it names, for ten minutes at most.
 */
export async function ask(service: RunningService, path: string, call: Call = {}): Promise<Response> {
  const { base, operatorKey } = service;
  const { method = 'GET', body, signal = new AbortController().signal } = call;
  const headers = {
    ...(operatorKey !== undefined && { 'x-operator-key': operatorKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const asking = () =>
    fetch(new URL(path, base), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal,
    });
  for (let waited = 0; ; ) {
    const response = await spoken(asking()).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    if (response.ok) return response;
    if (response.status !== TOO_MANY_REQUESTS) throw await refusalOf(response, service);
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? DEFAULT_PAUSE);
    const pause = Math.min(Number.isFinite(seconds) ? seconds : DEFAULT_PAUSE, MAX_PAUSE) * 1_000;
    waited += pause;
    if (waited > MAX_WAIT)
      throw new OperatorError(`${base} still limits calls after ten minutes; try again later`);
    await sleep(pause, signal);
  }
}

export async function askForJson(service: RunningService, path: string, call: Call = {}): Promise<unknown> {
  return readJson(await ask(service, path, call), service.base);
}

/** Fetches a public file; undefined if the service does not have it. */
export async function fetchFile(base: string, path: string, most = SMALL): Promise<Uint8Array | undefined> {
  try {
    return await readBody(await ask({ base }, path), most, `${base}${path}`);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

/** Yields the bytes as they are received. Rejects if the response is truncated. */
export async function* received(asked: Promise<Response>): AsyncGenerator<Uint8Array, void> {
  const reader = (await asked).body?.getReader();
  try {
    while (reader !== undefined) {
      const { value, done } = await spoken(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

/** Milliseconds without data after which a call fails. */
const IDLE_TIMEOUT = 60_000;

function spoken<Result>(waiting: Promise<Result>): Promise<Result> {
  return pTimeout(waiting, { milliseconds: IDLE_TIMEOUT, message: `no data for ${IDLE_TIMEOUT / 1_000} s` });
}

/** Maximum number of events per response of the route. */
const PAGE = 10_000;
/** Milliseconds before each retry; after as many consecutive failures, the call fails. */
const PAUSES = [250, 1_000, 2_000, 4_000];

/** Rejects with `OperatorError` unless the service responds and accepts the key. */
export async function openServiceLog(
  service: RunningService,
  pauses: readonly number[] = PAUSES,
): Promise<LogReader> {
  const { base } = service;
  const closing = new AbortController();
  const { signal } = closing;

  /** Throws unless the call can be retried. */
  function failed(error: unknown, failures: number): void {
    const passes = error instanceof Refused ? error.status >= 500 : !(error instanceof OperatorError);
    if (passes && !signal.aborted && failures < pauses.length) return;
    throw error instanceof OperatorError ? error : unreachable(base, error);
  }

  /** Yields every event from a position on. `after` returns the query of the page after the latest event. */
  async function* pages(
    after: (latest: RecordedEvent | undefined) => Record<string, string>,
  ): AsyncGenerator<RecordedEvent, void> {
    let latest: RecordedEvent | undefined;
    for (let failures = 0; ; ) {
      const query = new URLSearchParams({ ...after(latest), limit: String(PAGE) });
      try {
        let lines = 0;
        for await (const event of eventsIn(ask(service, `operator/log?${query}`, { signal }))) {
          latest = event;
          lines += 1;
          failures = 0;
          yield event;
        }
        if (lines < PAGE) return;
      } catch (error) {
        // The received events were delivered, so the next page continues after them.
        failed(error, failures);
        await sleep(backoff(pauses, failures), signal);
        failures += 1;
      }
    }
  }

  const head = () =>
    retry(
      async (): Promise<Position> => {
        const position = memberOf(await askForJson(service, 'operator/projections', { signal }), 'head');
        if (typeof position === 'string') return position;
        throw new OperatorError(`${base} is not a levy service`);
      },
      { pauses, signal, failed },
    );

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
    // The unit depends on the service's store, which is unknown here. Positions of every store increase with the number of events.
    extentOf: (position) => ({ unit: 'events', amount: Number(position) }),
    close: async () => closing.abort(),
  };
}

/** Parses the events. Throws if the response is truncated. */
async function* eventsIn(asked: Promise<Response>): AsyncGenerator<RecordedEvent, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of received(asked)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > SMALL) throw new OperatorError('an event in the response of the service is too long');
    // Not validated, because every levy service sends events here.
    for (const line of lines) yield parseJson(line, 'the service') as RecordedEvent;
  }
  if (rest !== '') throw new Error('the response was truncated');
}
