/** When which token is looked at next, and what this process has seen of it. */
import type { RunProgress } from './services.ts';
import type { TokenMemory } from './token-memory.ts';
import type { Seen } from './waiting/seen.ts';

export interface Scheduled {
  readonly tokenId: string;
  /** Milliseconds. */
  wakeAt: number;
  isBusy: boolean;
  /** Something was recorded while a step was under way. */
  isChanged: boolean;
  failures: number;
  memory: TokenMemory | undefined;
  progress: RunProgress | undefined;
  seen: Seen | undefined;
  /** When the step under way began; milliseconds. */
  busySince: number;
  /** The log says that the step under way does not end. */
  isHangingTold: boolean;
  /** When its next run is due, as far as the read model said. */
  due: number | undefined;
}

export interface Turn {
  /** Those that may take a step now, the one that has waited longest first. */
  readonly ready: readonly Scheduled[];
  /** When nobody may be waited for any longer; milliseconds. */
  readonly next: number;
  /** Everybody was looked at. */
  readonly isOfAll: boolean;
}

export interface Timetable {
  /** Wakes the token then, or at the earlier moment that was known before. Milliseconds. */
  schedule(tokenId: string, wakeAt: number): Scheduled;
  get(tokenId: string): Scheduled | undefined;
  all(): IterableIterator<Scheduled>;
  /** `places`: how many may begin a step. */
  turn(now: number, places: number): Turn;
}

/** Milliseconds: the longest that nobody looks at the timetable. */
const LONGEST_SLEEP = 1_000;

export function createTimetable(): Timetable {
  const entries = new Map<string, Scheduled>();
  /** Those whose time comes before everybody is looked at again: most tokens sleep most of the time. */
  const soon = new Set<Scheduled>();
  let allLookedAt = 0;

  return {
    get: (tokenId) => entries.get(tokenId),
    all: () => entries.values(),

    schedule(tokenId, wakeAt) {
      const found = entries.get(tokenId) ?? newEntry(tokenId, wakeAt);
      found.wakeAt = Math.min(found.wakeAt, wakeAt);
      found.isChanged = true;
      entries.set(tokenId, found);
      soon.add(found);
      return found;
    },

    turn(now, places) {
      // A clock may be set back.
      const isOfAll = now >= allLookedAt + LONGEST_SLEEP || now < allLookedAt;
      if (isOfAll) {
        allLookedAt = now;
        soon.clear();
        for (const entry of entries.values()) if (entry.wakeAt < now + LONGEST_SLEEP) soon.add(entry);
      }
      const waiting = [...soon].filter(({ isBusy }) => !isBusy);
      // A token that has always something to do does not go before the others.
      waiting.sort((one, other) => one.wakeAt - other.wakeAt);
      const due = waiting.filter(({ wakeAt }) => wakeAt <= now);
      // Whoever is ready and has no place is woken by the step that ends.
      const wakeAt = waiting[due.length]?.wakeAt ?? Number.MAX_SAFE_INTEGER;
      return {
        ready: due.slice(0, Math.max(0, places)),
        next: Math.min(wakeAt, allLookedAt + LONGEST_SLEEP),
        isOfAll,
      };
    },
  };
}

function newEntry(tokenId: string, wakeAt: number): Scheduled {
  return {
    tokenId,
    wakeAt,
    isBusy: false,
    isChanged: false,
    failures: 0,
    memory: undefined,
    progress: undefined,
    seen: undefined,
    busySince: 0,
    isHangingTold: false,
    due: undefined,
  };
}
