/** The service behind the page: where it is, how it is called, and whether it answers. */
import { signal } from '@preact/signals';
import {
  createLevyClient,
  type GetReadinessAnswer,
  type LevyClient,
  LevyError,
  type TokenEvent,
} from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';

/** `/console/`, below whatever path a proxy serves it. */
export const CONSOLE = import.meta.env.DEV ? '/console/' : new URL('..', import.meta.url).pathname;
const API = new URL('..', new URL(CONSOLE, location.href));

export const API_ADDRESS = API.href.replace(/\/$/, '');

/** Calls as a wallet, or as nobody. One that follows the feed connects again by itself: `open` is told when it has to, and when it has done so. */
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

/** Calls as nobody. */
export const levy = createClient();

/** An address of the API, for links and pictures. */
export const apiAddress = (path: string) => new URL(path, API).href;

/** An address of the console: `tokens/…`. */
export const pageAddress = (path: string) => `${CONSOLE}${path}`;

/** Since when the service has not answered, in milliseconds; undefined while it does. */
export const awaySince = signal<number | undefined>(undefined);

/** Why what is shown is from before, where the service answers that it cannot say it now: by what is asked, in the API's own sentences. */
export const refusals = signal<ReadonlyMap<string, string>>(new Map());

/** True if the service rejects the page's operator key. */
export const keyRefused = signal(false);

/** Milliseconds, once a second. */
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

/** Milliseconds between two tries while the service is away. */
const RETRY = 2_000;
/** Milliseconds between two calls for what changes: each shows all that has changed meanwhile. */
const SOONEST = 3_000;

/** Calls that the policy of most routes still allows everybody behind this address, until its window ends. */
let allowance: { readonly calls: number; readonly of: number; readonly until: number } | undefined;

function noteAllowance(headers: Headers): void {
  const [, calls, seconds] = /"general";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (calls === undefined) return;
  const of = Number(headers.get('x-ratelimit-limit'));
  allowance = { calls: Number(calls), of, until: Date.now() + Number(seconds) * SECOND };
}

/**
 * When to ask for what has changed since a call. More than half of the allowance is left to pages that are opened, and to others behind
 * the address; of the rest, the first calls are made at once, and the later ones last until it is renewed.
 */
function soonestAfter(call: number): number {
  const { calls, of, until } = allowance ?? { calls: 0, of: 0, until: 0 };
  const rest = until - Date.now();
  const spare = calls - 0.55 * of;
  if (rest <= 0 || spare > 0.2 * of) return call + SOONEST;
  return spare < 1 ? until : call + Math.max(SOONEST, rest / spare);
}

/** Milliseconds for which the feed stays open that nobody wants: who comes back soon opens no other. */
const KEPT_OPEN = 60_000;

/** Are told each event of the public feed, and nothing where some may have been missed. */
const listeners = new Set<(event?: TokenEvent) => void>();
let following: AbortController | undefined;
let lastWanted = 0;

/** One stream for the tab, while it is seen and shows what changes. */
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
    // It is refused for good, as after a restore of another log: another one begins anew.
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
  /** The last one, also while the service is away or cannot give another, or while the next is awaited. */
  readonly data: Data | undefined;
  /** Why there is no answer, in the API's own sentence. */
  readonly failed: string | undefined;
  readonly code: string | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** True if the service is unreachable or temporarily unavailable. */
function isAway(error: unknown): boolean {
  return error instanceof LevyError
    ? error.code === undefined && error.status >= 500
    : error instanceof TypeError;
}

/** Milliseconds until a call is worth another try, because what is wrong with it may pass; undefined where it does not. */
export function retryAfter(error: unknown): number | undefined {
  if (isAway(error)) return RETRY;
  if (!(error instanceof LevyError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status < 500 && retryAfterSeconds === undefined) return undefined;
  return Math.max(RETRY, 1_000 * (retryAfterSeconds ?? 0));
}

/** The API's sentence about an error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof LevyError) return error.problem?.detail ?? error.message;
  if (isAway(error)) return 'The service is not responding.';
  return error instanceof Error ? error.message : String(error);
}

/** The fields that the API's refusal names, with its words. */
export function fieldsNamedBy(error: unknown): { readonly [field: string]: string } {
  const details = error instanceof LevyError ? (error.problem?.details ?? []) : [];
  return Object.fromEntries(details.map(({ path, message }) => [String(path.at(-1) ?? ''), message]));
}

/** A service that is not ready answers 503, and says in the same words what is wrong. */
export async function readiness(): Promise<GetReadinessAnswer> {
  return (await fetch(apiAddress('ready'))).json();
}

type Held<Data> = Pick<Answer<Data>, 'data' | 'failed' | 'code' | 'isLoading'> & { readonly of: string };

/** When an answer is asked for again, besides after a failure that may pass. */
interface Renewal {
  /** The public feed reports changes. Calls keep to half of the allowance of most routes. */
  readonly changedBy?: (event: TokenEvent) => boolean;
  /** Milliseconds; of what the feed tells, for what it leaves out and in case that it is not to be had. */
  readonly every?: number;
  /** A refused call is repeated as another caller. */
  readonly caller?: LevyClient;
}

/** Milliseconds: read models follow the log a little later than the feed does. */
const FOLLOWED = 1_000;

/**
 * The answer of a call, which is repeated whenever `key` changes, as `Renewal` says while the page is visible, and as soon as a service that was
 * away is back. `key` names what is asked: an answer to another key is not shown.
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
    /** Unless it is asked sooner anyway. */
    const askAfter = (milliseconds: number | undefined) => {
      if (isOver || milliseconds === undefined || Date.now() + milliseconds >= due) return;
      clearTimeout(timer);
      due = Date.now() + milliseconds;
      timer = setTimeout(ask, milliseconds);
    };
    const ask = async () => {
      due = Number.POSITIVE_INFINITY;
      // Nobody looks at a page in the background.
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
        // Nobody has counted it.
        if (away) began = 0;
        const code = error instanceof LevyError ? error.code : undefined;
        const retry = retryAfter(error);
        // Input in the page is kept.
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
