/** The latest figures of active launches, in memory: each as old as the round that saw it, and none for long. */
import type { LaunchFigures } from '../../chain/venue/launch-figures.ts';
import type { Clock } from '../../kernel/runtime/clock.ts';

/** Milliseconds; older figures are not shown. */
export const FIGURES_LIFETIME = 5_000;
/** The longest that a query waits for a launch's first figures, in milliseconds; rounds are more frequent. */
const PATIENCE = 2_500;

export interface LaunchFiguresNow {
  /**
   * The figures of an active launch, at most five seconds old; undefined while the chain shows none. Does not call the
   * chain: for a launch that has just become active it waits for the next round.
   */
  of(tokenId: string): Promise<LaunchFigures | undefined>;
}

export interface FiguresRound {
  /** Shown at once: with many pools a round takes longer than the first figures' lifetime. `at`: milliseconds since 1970. */
  see(tokenId: string, figures: LaunchFigures, at: number): void;
  /** Forgets what this round has not seen. */
  end(): void;
}

export interface KeptFigures extends LaunchFiguresNow {
  begin(): FiguresRound;
  /** The round is over: waiting calls check again, and do not wait while rounds fail. */
  ended(hasFailed: boolean): void;
}

export function createFiguresNow(clock: Clock): KeptFigures {
  let seen = new Map<string, { readonly figures: LaunchFigures; readonly at: number }>();
  let isFailing = false;
  const waiting = new Set<() => void>();

  function fresh(tokenId: string): LaunchFigures | undefined {
    const found = seen.get(tokenId);
    return found !== undefined && clock.now().getTime() - found.at <= FIGURES_LIFETIME
      ? found.figures
      : undefined;
  }

  /** Resolves at the end of a round, failed or not, or when the time is over. */
  function nextRound(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, milliseconds);
      function wake(): void {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      }
      waiting.add(wake);
    });
  }

  return {
    async of(tokenId) {
      const until = performance.now() + PATIENCE;
      for (;;) {
        const figures = fresh(tokenId);
        const left = until - performance.now();
        if (figures !== undefined || isFailing || left <= 0) return figures;
        await nextRound(left);
      }
    },
    begin() {
      const next: typeof seen = new Map();
      return {
        see(tokenId, figures, at) {
          seen.set(tokenId, { figures, at });
          next.set(tokenId, { figures, at });
        },
        end() {
          seen = next;
        },
      };
    },
    ended(hasFailed) {
      isFailing = hasFailed;
      for (const wake of [...waiting]) wake();
    },
  };
}
