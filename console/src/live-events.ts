/** Hook for the live feed: a bounded list, newest first, that can be paused. */
import type { EventWish, LevyClient, TokenEvent } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createClient } from './service.ts';
import { signedIn } from './wallet.ts';

/** Maximum number of rows. The browser draws all of them without virtual scrolling. */
export const MAX_EVENTS = 200;
/** Milliseconds between redraws, because a backlog is received in hundreds of events. */
const DRAWN = 200;

interface LiveEvents {
  /** Newest first. */
  readonly rows: readonly TokenEvent[];
  readonly waiting: number;
  readonly isPaused: boolean;
  readonly isOpen: boolean;
  /** Error that ended the feed. */
  readonly failed: unknown;
  pause(): void;
  resume(): void;
}

/** Restarts when `key`, which identifies the filter, changes. After a sign-in it resumes after the last event. */
export function useLiveEvents(key: string, wish: EventWish, signedInAs: LevyClient | undefined): LiveEvents {
  const [rows, show] = useState<readonly TokenEvent[]>([]);
  const [waiting, count] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [isOpen, open] = useState(false);
  const [failed, fail] = useState<unknown>();
  /** Events that are not drawn yet, newest first; at most `MAX_EVENTS`. */
  const come = useRef<TokenEvent[]>([]);
  const paused = useRef(false);
  const last = useRef<{ readonly of: string; readonly id?: string }>({ of: key });

  const draw = () => {
    if (paused.current || come.current.length === 0) return;
    const fresh = come.current;
    come.current = [];
    count(0);
    show((before) => [...fresh, ...before].slice(0, MAX_EVENTS));
  };
  const setPause = (value: boolean) => {
    paused.current = value;
    setPaused(value);
    draw();
  };

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    fail(undefined);
    if (last.current.of !== key) {
      last.current = { of: key };
      come.current = [];
      show([]);
      count(0);
    }
    const client = createClient(signedInAs?.accessToken, open);
    const after = last.current.id ?? wish.after;
    const follow = async () => {
      for await (const event of client.events({ ...wish, ...(after !== undefined && { after }), signal })) {
        if (signal.aborted) return;
        last.current = { of: key, id: event.id };
        come.current = [event, ...come.current].slice(0, MAX_EVENTS);
        if (paused.current) count((before) => before + 1);
      }
    };
    const following = signedInAs === undefined ? follow() : signedIn(follow());
    following.catch((error: unknown) => {
      if (signal.aborted) return;
      open(false);
      fail(error);
    });
    const drawing = setInterval(draw, DRAWN);
    return () => {
      clearInterval(drawing);
      ending.abort();
    };
  }, [key, signedInAs]);

  return {
    rows,
    waiting,
    isPaused,
    isOpen,
    failed,
    pause: () => setPause(true),
    resume: () => setPause(false),
  };
}
