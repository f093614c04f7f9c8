/** Subscribes to `GET /events` without losing or repeating events: reconnects automatically, after the last received id. */
import { LevyError, levyErrorOf } from './levy-error.ts';
import { readServerSentEvents } from './server-sent-events.ts';

export interface EventWish {
  /** `id` of the last handled event, or `start`; starts with the next event when absent. */
  readonly after?: string;
  /** Names (`tokens.created`) and families (`tokens.*`). */
  readonly types?: readonly string[];
  /** Only events of this token: its id, or its mint address. */
  readonly token?: string;
  /** Only events of tokens that this wallet created. */
  readonly creator?: string;
  /** Only public events of tokens whose drafts were requested with this partner's key. */
  readonly partner?: string;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** CloudEvent whose `data` depend on `type`: see `GET /asyncapi.json`. */
export interface TokenEvent {
  /** Store it after the event is handled, to resume with it as `after`. */
  readonly id: string;
  readonly type: string;
  /** Subject of the event. */
  readonly subject: string;
  /** Time of recording; ISO 8601. */
  readonly time: string;
  readonly position: string;
  readonly data: { readonly [name: string]: unknown };
}

/** Milliseconds before reconnecting, unless the service names another delay. */
const RETRY = 2_000;
const CHECKPOINT = 'levy.checkpoint';

/** `request` sends a call with the client's session. */
export async function* followEvents(
  { after, types, token, creator, partner, signal }: EventWish,
  request: (query: { [name: string]: string }, headers: { [name: string]: string }) => Promise<Response>,
): AsyncGenerator<TokenEvent> {
  let last = after;
  const wished = {
    ...(types === undefined ? {} : { types: types.join() }),
    ...(token === undefined ? {} : { token }),
    ...(creator === undefined ? {} : { creator }),
    ...(partner === undefined ? {} : { partner }),
  };
  while (!signal?.aborted) {
    let wait = RETRY;
    try {
      const query = last === undefined ? wished : { ...wished, after: last };
      const response = await request(query, { accept: 'text/event-stream' });
      if (!response.ok || response.body === null) throw await levyErrorOf(response);
      const events = readServerSentEvents(response.body);
      try {
        for await (const { id, data } of events) {
          if (id !== '') last = id;
          const told = JSON.parse(data) as TokenEvent;
          if (told.type !== CHECKPOINT) yield { ...told, id };
        }
      } finally {
        wait = events.retry ?? wait;
      }
    } catch (error) {
      if (signal?.aborted) return;
      wait = waitAfter(error, wait);
    }
    await pause(wait, signal);
  }
}

/** Milliseconds before a retry. Throws errors that a retry would not fix. */
function waitAfter(error: unknown, wait: number): number {
  if (error instanceof LevyError) {
    if (error.status !== 429 && error.status < 500) throw error;
    return (error.retryAfterSeconds ?? wait / 1_000) * 1_000;
  }
  // Failed and lost connections are TypeErrors; connections that a proxy closes are DOMExceptions.
  if (error instanceof TypeError || error instanceof DOMException) return wait;
  throw error;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
