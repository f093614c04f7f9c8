/** Calls a running service's operator routes with an operator's key. */
import { readOperatorKey } from '../adapters/file/secrets.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';
import { readJson } from '../kernel/runtime/bounded-input.ts';

/** Gives the body of the answer. Rejects with `OperatorError` for every refusal, and where nothing answers. */
export type AskAsOperator = (method: string, path: string, body?: object) => Promise<unknown>;

/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

/** `what` completes the sentence about a missing key: "a service lets operators alone …". */
export async function openOperatorCalls(
  place: { readonly service: string; readonly operatorKeyFile: string | undefined },
  what: string,
): Promise<AskAsOperator> {
  const { service, operatorKeyFile } = place;
  if (operatorKeyFile === undefined) {
    throw new OperatorError(
      `a service lets operators alone ${what}: give --operator-key-file, a file (mode 0600) with an operator's key`,
    );
  }
  const operatorKey = await readOperatorKey(operatorKeyFile);
  const base = service.replace(/\/*$/, '');

  return async (method, path, sent) => {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers: {
          'x-operator-key': operatorKey,
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_WITHIN),
      });
      body = await readJson(response, service);
    } catch (error) {
      throw new OperatorError(`${service} does not answer as a levy service does: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    if (response.ok) return body;
    const detail: unknown = Reflect.get(Object(body), 'detail');
    throw new OperatorError(`${service} refuses: ${typeof detail === 'string' ? detail : response.status}`);
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
