/** Calls a running service's operator routes. All calls reject with `OperatorError`, also where nothing answers. */
import { OperatorError } from '../kernel/ports/errors.ts';
import { readJson } from '../kernel/runtime/bounded-input.ts';
import { messageOf } from '../kernel/runtime/message-of.ts';
import { refusalOf, runningServiceAt, type ServicePlace, unreachable } from './running-service.ts';

/** Resolves with the body of the answer. */
export type AskAsOperator = (method: string, path: string, body?: object) => Promise<unknown>;

export interface ServiceProjection {
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly progress: { readonly unit: string; readonly done: number; readonly of: number } | null;
}

/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

export async function openOperatorCalls(place: ServicePlace): Promise<AskAsOperator> {
  const service = await runningServiceAt(place);
  if (service === undefined) throw new OperatorError('give --service, the address of a running service');
  const { base, operatorKey } = service;

  return async (method, path, sent) => {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        'x-operator-key': operatorKey,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN),
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

export async function projectionsOf(ask: AskAsOperator): Promise<readonly ServiceProjection[]> {
  const found: unknown = Reflect.get(Object(await ask('GET', 'operator/projections')), 'projections');
  if (Array.isArray(found)) return found as readonly ServiceProjection[];
  throw new OperatorError('the service does not answer as a levy service does');
}

/** False if it is being built already. */
export async function rebuildProjection(ask: AskAsOperator, name: string): Promise<boolean> {
  const path = `operator/projections/${encodeURIComponent(name)}/rebuild`;
  return Reflect.get(Object(await ask('POST', path)), 'started') === true;
}
