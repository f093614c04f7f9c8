/** The feed as a list: the newest events first, a bounded number of them, and paused while somebody reads. */
import type { EventWish, LevyClient, TokenEvent } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createClient } from './service.ts';
import { signedIn } from './wallet.ts';

/** Rows that a page keeps: a browser draws them at once, and nobody reads more. */
export const MAX_EVENTS = 200;
/** Milliseconds: a backlog comes by the hundred, and is drawn a few times a second. */
const DRAWN = 200;

interface LiveEvents {
  /** The newest first. */
  readonly rows: readonly TokenEvent[];
  /** Number of events received during the pause. */
  readonly waiting: number;
  readonly isPaused: boolean;
  /** True if the service is connected. */
  readonly isOpen: boolean;
  /** Why nothing comes any more. */
  readonly failed: unknown;
  pause(): void;
  resume(): void;
}

/** Begins anew whenever `key` changes, which names the wish; who signs in meanwhile goes on after the last event. */
export function useLiveEvents(key: string, wish: EventWish, signedInAs: LevyClient | undefined): LiveEvents {
  const [rows, show] = useState<readonly TokenEvent[]>([]);
  const [waiting, count] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [isOpen, open] = useState(false);
  const [failed, fail] = useState<unknown>();
  /** Newest first, and at most as many as are kept. */
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
