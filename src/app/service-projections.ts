/** The read models of a running service, by its operator routes: how far they are, and to build them anew. */
import { readOperatorKey } from '../adapters/file/secrets.ts';
import { OperatorError } from '../kernel/ports/operator-error.ts';

export interface ServiceProjection {
  readonly name: string;
  readonly state: string;
  readonly error: string | null;
  readonly progress: { readonly unit: string; readonly done: number; readonly of: number } | null;
}

export interface ServiceProjections {
  status(): Promise<readonly ServiceProjection[]>;
  /** False if it is being built already. */
  rebuild(name: string): Promise<boolean>;
}

/** Milliseconds. */
const ANSWER_WITHIN = 30_000;

/** All calls reject with `OperatorError`. */
export async function openServiceProjections(place: {
  readonly service: string;
  readonly operatorKeyFile: string | undefined;
}): Promise<ServiceProjections> {
  const { service, operatorKeyFile } = place;
  if (operatorKeyFile === undefined) {
    throw new OperatorError(
      "a service lets operators alone rebuild: give --operator-key-file, a file (mode 0600) with an operator's key",
    );
  }
  const operatorKey = await readOperatorKey(operatorKeyFile);
  const base = service.replace(/\/*$/, '');

  async function ask(method: string, path: string): Promise<unknown> {
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers: { 'x-operator-key': operatorKey },
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_WITHIN),
      });
      body = await response.json();
    } catch (error) {
      throw new OperatorError(`${service} does not answer as a levy service does: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    if (response.ok) return body;
    const detail: unknown = Reflect.get(Object(body), 'detail');
    throw new OperatorError(`${service} refuses: ${typeof detail === 'string' ? detail : response.status}`);
  }

  return {
    async status() {
      const projections: unknown = Reflect.get(
        Object(await ask('GET', '/operator/projections')),
        'projections',
      );
      if (Array.isArray(projections)) return projections as readonly ServiceProjection[];
      throw new OperatorError(`${service} does not answer as a levy service does`);
    },
    async rebuild(name) {
      const path = `/operator/projections/${encodeURIComponent(name)}/rebuild`;
      return Reflect.get(Object(await ask('POST', path)), 'started') === true;
    },
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
