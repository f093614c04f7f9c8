/** The service behind the page: where it is, how it is called, and whether it answers. */
import { signal } from '@preact/signals';
import { createLevyClient, type GetReadinessAnswer, type LevyClient, LevyError } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';

/** `/console/`, below whatever path a proxy serves it. */
export const CONSOLE = import.meta.env.DEV ? '/console/' : new URL('..', import.meta.url).pathname;
const API = new URL('..', new URL(CONSOLE, location.href));

export const API_ADDRESS = API.href.replace(/\/$/, '');

/** Calls as nobody. */
export const levy = createLevyClient({ baseUrl: API_ADDRESS });

/** An address of the API, for links and pictures. */
export const apiAddress = (path: string) => new URL(path, API).href;

/** An address of the console: `tokens/…`. */
export const pageAddress = (path: string) => `${CONSOLE}${path}`;

/** Since when the service has not answered, in milliseconds; undefined while it does. */
export const awaySince = signal<number | undefined>(undefined);

/** Why what is shown is from before, where the service answers that it cannot say it now: by what is asked, in the API's own sentences. */
export const refusals = signal<ReadonlyMap<string, string>>(new Map());

/** Whether the service no longer takes the operator's key of the page. */
export const keyRefused = signal(false);

/** Milliseconds, once a second. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1_000);

/** Milliseconds between two tries while the service is away. */
const RETRY = 2_000;

export interface Answer<Data> {
  /** The last one, also while the service is away or cannot give another, or while the next is awaited. */
  readonly data: Data | undefined;
  /** Why there is no answer, in the API's own sentence. */
  readonly failed: string | undefined;
  readonly code: string | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Whether the service could not be asked, or has said that it cannot answer now. */
function isAway(error: unknown): boolean {
  return error instanceof LevyError
    ? error.code === undefined && error.status >= 500
    : error instanceof TypeError;
}

/** Milliseconds until a call is worth another try, because what is wrong with it may pass; undefined where it does not. */
function retryAfter(error: unknown): number | undefined {
  if (isAway(error)) return RETRY;
  if (!(error instanceof LevyError)) return undefined;
  const { status, retryAfterSeconds } = error;
  if (status < 500 && retryAfterSeconds === undefined) return undefined;
  return Math.max(RETRY, 1_000 * (retryAfterSeconds ?? 0));
}

/** What is wrong, as the API says it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof LevyError) return error.problem?.detail ?? error.message;
  if (isAway(error)) return 'The service does not answer.';
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

/**
 * What a call answers, asked again whenever `key` changes, every so many milliseconds, and as soon as a service that was away is
 * back. `key` names what is asked: an answer to another key is not shown. What was refused is asked again as another `caller`.
 */
export function useAnswer<Data>(
  key: string,
  call: () => Promise<Data>,
  { every, caller }: { readonly every?: number; readonly caller?: LevyClient } = {},
): Answer<Data> {
  const [held, hold] = useState<Held<Data>>(empty(key));
  const [round, next] = useState(0);
  const latest = useRef(call);
  latest.current = call;

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askAfter = (milliseconds: number | undefined) => {
      if (!isOver && milliseconds !== undefined) timer = setTimeout(ask, milliseconds);
    };
    const ask = async () => {
      // Nobody looks at a page in the background.
      if (document.visibilityState === 'hidden' && held.of === key && held.data !== undefined)
        return askAfter(every);
      try {
        const data = await latest.current();
        if (isOver) return;
        awaySince.value = undefined;
        hold({ of: key, data, failed: undefined, code: undefined, isLoading: false });
        askAfter(every);
      } catch (error) {
        if (isOver) return;
        const away = isAway(error);
        if (away) awaySince.value ??= Date.now();
        else awaySince.value = undefined;
        const code = error instanceof LevyError ? error.code : undefined;
        const retry = retryAfter(error);
        // What is typed into the page stays with it.
        const isKept = retry !== undefined || keyRefused.value;
        hold((before) => ({
          of: key,
          data: isKept && before.of === key ? before.data : undefined,
          failed: sentenceOf(error),
          code,
          isLoading: false,
        }));
        askAfter(away || retry === undefined ? (retry ?? every) : Math.max(retry, every ?? 0));
      }
    };
    if (held.of !== key) hold(empty(key));
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, round, every]);

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
