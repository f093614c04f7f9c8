/** Makes calls as a careful client does: repeats a call until its outcome is returned. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. */
const PATIENCE = 120_000;
const PAUSE = 500;

/** Variant of `fetch` that retries for two minutes. A write carries an Idempotency-Key, so that it takes effect once. */
export async function steadyFetch(request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.headers.has('authorization')) {
    request.headers.set('idempotency-key', randomUUID());
  }
  const until = performance.now() + PATIENCE;
  for (;;) {
    const response = await fetch(request.clone()).catch((error: unknown) => {
      if (performance.now() >= until) throw error;
      return undefined;
    });
    const isKnown = response !== undefined && response.status !== 503 && response.status !== 504;
    if (response !== undefined && (isKnown || performance.now() >= until)) return response;
    await pause();
  }
}

/** Retries work that only reads, or that may run twice. */
export async function steadily<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() >= until) throw error;
      await pause();
    }
  }
}

function pause(): Promise<void> {
  return sleep(PAUSE);
}
