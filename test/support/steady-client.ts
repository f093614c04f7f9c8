/** Client that retries every call, each time at another process of the service, until the outcome is known. */
import { randomUUID } from 'node:crypto';
import { checkedFetch } from './client.ts';

/** Milliseconds for which one try is waited for, and all of them. */
const TRY_PATIENCE = 12_000;
const PATIENCE = 90_000;
const PAUSE = 100;

export interface SteadyClient {
  /** Like `fetch`, for any host. Rejects on a response that the service must never send. */
  fetch(request: Request): Promise<Response>;
  /** Outcomes of tries that were repeated, with their numbers. */
  readonly setbacks: ReadonlyMap<string, number>;
}

/** `urls`: of processes that answer calls. */
export function createSteadyClient(urls: readonly string[]): SteadyClient {
  const setbacks = new Map<string, number>();
  let turn = 0;

  /** The answer, or what the try came to if it is to be made again. */
  async function attempt(request: Request): Promise<Response | string> {
    const base = urls[turn % urls.length];
    turn += 1;
    const { pathname, search } = new URL(request.url);
    const bytes = request.body === null ? undefined : await request.clone().arrayBuffer();
    try {
      const response = await checkedFetch(`${base}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        signal: AbortSignal.timeout(TRY_PATIENCE),
        ...(bytes === undefined ? {} : { body: bytes }),
      });
      if (response.ok) return response;
      const { code } = (await response.clone().json()) as { code: string };
      if (response.status === 500 || response.status === 502)
        throw new Error(`${request.method} ${pathname} answered ${response.status} ${code}`);
      const isWorthAgain = response.status > 500 || code === 'CONCURRENT_CHANGE';
      return isWorthAgain ? `${response.status} ${code}` : response;
    } catch (error) {
      if (error instanceof TypeError) return 'no connection';
      if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer';
      throw error;
    }
  }

  return {
    setbacks,
    async fetch(request) {
      if (request.method !== 'GET' && request.headers.has('authorization'))
        request.headers.set('idempotency-key', randomUUID());
      const until = performance.now() + PATIENCE;
      for (;;) {
        const outcome = await attempt(request);
        if (outcome instanceof Response) return outcome;
        setbacks.set(outcome, (setbacks.get(outcome) ?? 0) + 1);
        if (performance.now() >= until)
          throw new Error(`${request.method} ${request.url} never came to anything: ${outcome}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    },
  };
}
