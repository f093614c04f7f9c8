/** Access to the service: addresses, API client, feed, availability, and the `useAnswer` hook. */
import { signal } from '@preact/signals';
import {
  createLevyClient,
  type GetReadinessAnswer,
  type LevyClient,
  LevyError,
  type TokenEvent,
} from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Path of the console, including the path prefix of a proxy. */
export const CONSOLE = import.meta.env.DEV ? '/console/' : new URL('..', import.meta.url).pathname;
const API = new URL('..', new URL(CONSOLE, location.href));

export const API_ADDRESS = API.href.replace(/\/$/, '');

/** API client of a wallet, or anonymous. The feed reconnects automatically; `open` reports each interruption and reconnection. */
export function createClient(accessToken?: string, open?: (isOpen: boolean) => void): LevyClient {
  return createLevyClient({
    baseUrl: API_ADDRESS,
    ...(accessToken !== undefined && { accessToken }),
    async fetch(request) {
      open?.(false);
      try {
        const response = await fetch(request);
        noteAllowance(response.headers);
        if (response.status < 500) awaySince.value = undefined;
        open?.(response.ok);
        return response;
      } catch (error) {
        if (open !== undefined && !request.signal.aborted) awaySince.value ??= Date.now();
        throw error;
      }
    },
  });
}

/** Anonymous API client. */
export const levy = createClient();

/** Absolute URL of an API path, for links and pictures. */
export const apiAddress = (path: string) => new URL(path, API).href;

/** Path of a console page, given `tokens/…`. */
export const pageAddress = (path: string) => `${CONSOLE}${path}`;

/** Time in milliseconds since which the service is unreachable; undefined if it is reachable. */
export const awaySince = signal<number | undefined>(undefined);

/** Temporary API errors by call key, while cached data is shown. */
export const refusals = signal<ReadonlyMap<string, string>>(new Map());

/** True if the service has rejected the operator key. */
export const keyRefused = signal(false);

/** Current time in milliseconds, updated every second while the page is visible. */
export const now = signal(Date.now());
const SECOND = 1_000;
setInterval(() => {
  const isSeen = document.visibilityState === 'visible';
  if (isSeen) now.value = Date.now();
  if (isSeen && listeners.size > 0) {
    lastWanted = Date.now();
    following ??= follow();
  } else if (following !== undefined && Date.now() - lastWanted > KEPT_OPEN) {
    following.abort();
    following = undefined;
  }
}, SECOND);

/** Milliseconds between attempts while the service is unreachable. */
const RETRY = 2_000;
/** Minimum milliseconds between calls after changes; one call covers several changes. */
const SOONEST = 3_000;

/** Remaining calls of the general rate limit, which all clients behind this IP address share, and the end of its window. */
let allowance: { readonly calls: number; readonly of: number; readonly until: number } | undefined;

function noteAllowance(headers: Headers): void {
  const [, calls, seconds] = /"general";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (calls === undefined) return;
  const of = Number(headers.get('x-ratelimit-limit'));
  allowance = { calls: Number(calls), of, until: Date.now() + Number(seconds) * SECOND };
}

/**
 * Earliest time of the next call after a change. 55 % of the allowance is reserved for page loads and for other clients behind
 * the IP address. While more than 75 % is left, calls are 3 s apart; then the rest is spread over the window.
 */
function soonestAfter(call: number): number {
  const { calls, of, until } = allowance ?? { calls: 0, of: 0, until: 0 };
  const rest = until - Date.now();
  const spare = calls - 0.55 * of;
  if (rest <= 0 || spare > 0.2 * of) return call + SOONEST;
  return spare < 1 ? until : call + Math.max(SOONEST, rest / spare);
}

/** Milliseconds until an unused feed is closed; a quick return reuses it. */
const KEPT_OPEN = 60_000;

/** Called with each event of the public feed, or without one after a gap. */
const listeners = new Set<(event?: TokenEvent) => void>();
let following: AbortController | undefined;
let lastWanted = 0;

/** Opens the tab's single feed, used while the page is visible and shows live data. */
function follow(): AbortController {
  const ending = new AbortController();
  const tell = (event?: TokenEvent) => {
    for (const listener of listeners) listener(event);
  };
  const client = createClient(undefined, (isOpen) => isOpen && tell());
  const hear = async () => {
    for await (const event of client.events({ signal: ending.signal })) tell(event);
  };
  hear().catch(() => {
    // A permanent rejection, as after a restore of a different log, requires a new feed.
    setTimeout(() => {
      if (following === ending) following = undefined;
    }, KEPT_OPEN);
  });
  return ending;
}

/** True if the event names the token by its mint address or id. */
export const isAbout =
  (token: string) =>
  ({ data }: TokenEvent): boolean =>
    data.mintAddress === token || data.tokenId === token;

export interface Answer<Data> {
  /** Latest successful response; retained while the next one is loading or has failed. */
  readonly data: Data | undefined;
  /** Error message of the API. */
  readonly failed: string | undefined;
  readonly code: string | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** True if the service is unreachable or a proxy reports a failure. */
function isAway(error: unknown): boolean {
  return error instanceof LevyError
    ? error.code === undefined && error.status >= 500
    : error instanceof TypeError;
}

/** Milliseconds until a retry; undefined if the error is permanent. */
export function retryAfter(error: unknown): number | undefined {
  if (isAway(error)) return RETRY;
  if (!(error instanceof LevyError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status < 500 && retryAfterSeconds === undefined) return undefined;
  return Math.max(RETRY, 1_000 * (retryAfterSeconds ?? 0));
}

/** Error message to show. */
export function sentenceOf(error: unknown): string {
  if (error instanceof LevyError) return error.problem?.detail ?? error.message;
  if (isAway(error)) return 'The service is not responding.';
  return error instanceof Error ? error.message : String(error);
}

/** Validation messages of the API by field. */
export function fieldsNamedBy(error: unknown): { readonly [field: string]: string } {
  const details = error instanceof LevyError ? (error.problem?.details ?? []) : [];
  return Object.fromEntries(details.map(({ path, message }) => [String(path.at(-1) ?? ''), message]));
}

/** Readiness report. Fetched directly, because a service that is not ready returns the report with status 503. */
export async function readiness(): Promise<GetReadinessAnswer> {
  return (await fetch(apiAddress('ready'))).json();
}

type Held<Data> = Pick<Answer<Data>, 'data' | 'failed' | 'code' | 'isLoading'> & { readonly of: string };

/** Reasons to request a response again, besides retries after temporary errors. */
interface Renewal {
  /** Selects the events of the public feed after which to call again. Calls use less than half of the general allowance. */
  readonly changedBy?: (event: TokenEvent) => boolean;
  /** Milliseconds between calls; with `changedBy`, covers changes without events and an unavailable feed. */
  readonly every?: number;
  /** Client of the call; a new one repeats a failed call. */
  readonly caller?: LevyClient;
}

/** Milliseconds after an event until the read models should include it. */
const FOLLOWED = 1_000;

/**
 * Answer of a call, repeated when `key` changes, by `Renewal` while the page is visible, and when the service is reachable again.
 * `key` identifies the call: a response to another key is not shown.
 */
export function useAnswer<Data>(
  key: string,
  call: () => Promise<Data>,
  { changedBy, every, caller }: Renewal = {},
): Answer<Data> {
  const [held, hold] = useState<Held<Data>>(empty(key));
  const [round, next] = useState(0);
  const latest = useRef({ call, changedBy });
  latest.current = { call, changedBy };
  const isFollowed = changedBy !== undefined;

  useEffect(() => {
    let isOver = false;
    let isAsking = false;
    let isAnswered = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let due = Number.POSITIVE_INFINITY;
    let began = 0;
    let refusedUntil = 0;
    /** Schedules a call unless an earlier one is scheduled. */
    const askAfter = (milliseconds: number | undefined) => {
      if (isOver || milliseconds === undefined || Date.now() + milliseconds >= due) return;
      clearTimeout(timer);
      due = Date.now() + milliseconds;
      timer = setTimeout(ask, milliseconds);
    };
    const ask = async () => {
      due = Number.POSITIVE_INFINITY;
      // No calls in a background tab, except the first.
      if (isAsking || (document.visibilityState === 'hidden' && isAnswered)) return askAfter(SECOND);
      const early = Math.max(refusedUntil, isFollowed && began > 0 ? soonestAfter(began) : 0) - Date.now();
      if (early > 0) return askAfter(early);
      isAsking = true;
      began = Date.now();
      try {
        const data = await latest.current.call();
        if (isOver) return;
        isAnswered = true;
        hold({ of: key, data, failed: undefined, code: undefined, isLoading: false });
        askAfter(every);
      } catch (error) {
        if (isOver) return;
        const away = isAway(error);
        if (away) awaySince.value ??= Date.now();
        else awaySince.value = undefined;
        // An unanswered call does not count against the rate limit.
        if (away) began = 0;
        const code = error instanceof LevyError ? error.code : undefined;
        const retry = retryAfter(error);
        // Retain the data so that input in the page survives.
        const isKept = retry !== undefined || keyRefused.value;
        hold((before) => ({
          of: key,
          data: isKept && before.of === key ? before.data : undefined,
          failed: sentenceOf(error),
          code,
          isLoading: false,
        }));
        refusedUntil = Date.now() + (retry ?? 0);
        askAfter(retry ?? every);
      } finally {
        isAsking = false;
      }
    };
    if (held.of !== key) hold(empty(key));
    void ask();
    const listener = (event?: TokenEvent) => {
      if (event === undefined || latest.current.changedBy?.(event)) askAfter(FOLLOWED);
    };
    if (isFollowed) listeners.add(listener);
    return () => {
      isOver = true;
      clearTimeout(timer);
      listeners.delete(listener);
    };
  }, [key, round, every, isFollowed]);

  useEffect(() => {
    if (held.failed !== undefined) next((count) => count + 1);
  }, [caller, keyRefused.value]);

  const shown = held.of === key ? held : empty<Data>(key);
  const refusal =
    shown.data !== undefined && shown.code !== undefined && !keyRefused.value ? shown.failed : undefined;
  useEffect(() => {
    if (refusal === undefined) return;
    refusals.value = new Map(refusals.value).set(key, refusal);
    return () => {
      refusals.value = new Map([...refusals.value].filter(([each]) => each !== key));
    };
  }, [key, refusal]);
  return { ...shown, again: () => next((count) => count + 1) };
}

function empty<Data>(key: string): Held<Data> {
  return { of: key, data: undefined, failed: undefined, code: undefined, isLoading: true };
}
