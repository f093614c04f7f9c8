/** How a careful client calls: what is not answered, or answered that it is not known yet, is asked again until it is. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. */
const PATIENCE = 120_000;
const PAUSE = 500;

/**
 * As `fetch`. A call that writes carries a key of its own, so that it is done once however often it is sent; whoever
 * needs longer than two minutes is given up.
 */
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

/** The same for work that only asks, or that is right to be done twice. */
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
