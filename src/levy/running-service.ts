/** Calls to a running service. All of them reject with `OperatorError` where the service refuses or does not answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readOperatorKey } from '../adapters/file/secrets.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { readJson } from '../kernel/runtime/bounded-input.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';

/** The service that the options of a command name. */
export interface ServicePlace {
  readonly service?: string | undefined;
  /** A file (mode 0600) with the key for the service. */
  readonly operatorKeyFile?: string | undefined;
}

export interface RunningServicePlace extends ServicePlace {
  readonly service: string;
}

export interface RunningService {
  /** Its address, as `https://levy.example/`. */
  readonly base: string;
  readonly operatorKey: string;
}

/** Undefined if none is named. Rejects with `OperatorError` for a service without its key, and the other way round. */
export async function runningServiceAt(place: RunningServicePlace): Promise<RunningService>;
export async function runningServiceAt(place: ServicePlace): Promise<RunningService | undefined>;
export async function runningServiceAt(place: ServicePlace): Promise<RunningService | undefined> {
  const { service, operatorKeyFile } = place;
  if (service === undefined) {
    if (operatorKeyFile === undefined) return undefined;
    throw new OperatorError('--operator-key-file is for --service: give the address of the service as well');
  }
  if (operatorKeyFile === undefined)
    throw new OperatorError(
      "a service answers operators only: give --operator-key-file, a file (mode 0600) with an operator's key",
    );
  return { base: baseOf(service), operatorKey: await readOperatorKey(operatorKeyFile) };
}

export function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new OperatorError(
      `the service's address is ${JSON.stringify(text)}: write it as https://host or http://host:port`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new OperatorError(
      "the service's address takes no user and password: it asks for an operator's key",
    );
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** A refusal that passes is an error after which to ask again; any other is for the operator. */
export async function refusalOf(response: Response, base: string): Promise<Error> {
  const problem = await readJson(response, base).catch(() => undefined);
  const detail: unknown = Reflect.get(Object(problem), 'detail');
  const said = typeof detail === 'string' ? detail : `status ${response.status}`;
  const code: unknown = Reflect.get(Object(problem), 'code');
  if (response.status === 404 && (code === undefined || code === 'ROUTE_NOT_FOUND'))
    return new OperatorError(
      `${base} has no routes for operators: set OPERATOR_KEYS of the service, and use this command's release`,
    );
  switch (response.status) {
    case 401:
      return new OperatorError(
        `${base} does not know this operator's key: its SHA-256 has to be in OPERATOR_KEYS of the service`,
      );
    case 502:
    case 503:
    case 504:
      return new Error(said);
    default:
      return new OperatorError(`${base} refuses: ${said}`);
  }
}

export function unreachable(base: string, error: unknown): OperatorError {
  const reasons = [error, error instanceof Error ? error.cause : undefined]
    .filter((each) => each instanceof Error)
    .map(({ message }) => message);
  return new OperatorError(`${base} does not answer: ${reasons.join(': ')}`, { cause: error });
}

/** Milliseconds. */
const RESPONSE_TIMEOUT = 30_000;

/** The function calls an operator route and resolves with the JSON of the response. */
export async function openOperatorCalls(place: RunningServicePlace) {
  const { base, operatorKey } = await runningServiceAt(place);
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        'x-operator-key': operatorKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT),
    }).catch((error: unknown) => {
      throw unreachable(base, error);
    });
    if (!response.ok) throw new OperatorError((await refusalOf(response, base)).message);
    return readJson(response, base).catch((error: unknown) => {
      throw new OperatorError(`${base} does not answer as a levy service does: ${messageOf(error)}`, {
        cause: error,
      });
    });
  };
}

const TOO_MANY_REQUESTS = 429;
/** Milliseconds. */
const LONGEST_WAIT = 600_000;
const DEFAULT_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Repeats a call for as long as the service answers 429, after the pauses that it names, for ten minutes at most. */
export async function callPatiently(call: () => Promise<Response>, aborted?: AbortSignal): Promise<Response> {
  for (let waited = 0; ; ) {
    const response = await call();
    if (response.status !== TOO_MANY_REQUESTS) return response;
    await response.body?.cancel();
    const pause = pauseAfter(response.headers.get('retry-after'));
    waited += pause;
    if (waited > LONGEST_WAIT)
      throw new OperatorError(`${new URL(response.url).origin} wants fewer calls than this needs`);
    await sleep(pause, undefined, aborted === undefined ? {} : { signal: aborted });
  }
}

/** Retry-After holds seconds or a date. */
function pauseAfter(header: string | null): number {
  if (header === null) return DEFAULT_PAUSE;
  const seconds = Number(header);
  const pause = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(pause) ? Math.min(Math.max(pause, 0), LONGEST_PAUSE) : DEFAULT_PAUSE;
}
