/** A running service that a command asks, as an operator. */
import { readOperatorKey } from '../adapters/file/secrets.ts';
import { OperatorError } from '../kernel/ports/errors.ts';
import { readJson } from '../kernel/runtime/bounded-input.ts';

/** The service that the options of a command name. */
export interface ServicePlace {
  readonly service?: string | undefined;
  /** A file (mode 0600) with the key for the service. */
  readonly operatorKeyFile?: string | undefined;
}

export interface RunningService {
  /** Its address, as `https://levy.example/`. */
  readonly base: string;
  readonly operatorKey: string;
}

/** Undefined if none is named. Rejects with `OperatorError` for a service without its key, and the other way round. */
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
