/** Asks a running service, and waits where it wants fewer calls (429), as long as its answer says. */
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../kernel/ports/errors.ts';

const TOO_MANY_REQUESTS = 429;
/** Milliseconds. */
const PATIENCE = 600_000;
const UNLESS_SAID = 1_000;
const LONGEST_PAUSE = 60_000;

/** Rejects with `OperatorError` when the service has wanted fewer calls for ten minutes. Aborting ends the waiting. */
export async function patiently(ask: () => Promise<Response>, aborted?: AbortSignal): Promise<Response> {
  for (let waited = 0; ; ) {
    const response = await ask();
    if (response.status !== TOO_MANY_REQUESTS) return response;
    await response.body?.cancel();
    const wait = pauseAfter(response.headers.get('retry-after'));
    waited += wait;
    if (waited > PATIENCE)
      throw new OperatorError(`${new URL(response.url).origin} wants fewer calls than this needs`);
    await pause(wait, undefined, aborted === undefined ? {} : { signal: aborted });
  }
}

export function patientFetch(url: URL): Promise<Response> {
  return patiently(() => fetch(url));
}

/** The header says seconds or a date. */
function pauseAfter(header: string | null): number {
  if (header === null) return UNLESS_SAID;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_PAUSE) : UNLESS_SAID;
}
