/**
 * Waits until the read models include a position that a caller names: an `X-Position`, or the id of an event of the
 * feed. An invalid position is reported immediately.
 */
import type { EventStore, Position } from '../../kernel/ports/event-store.ts';
import { firstEventOf } from '../../kernel/runtime/log-source.ts';
import { markOf, positionIn } from './feed/frames.ts';

/** `never` for a position that cannot be in this log. */
type Reached = 'reached' | 'not-yet' | 'never';

export type WaitForPosition = (given: string, milliseconds: number) => Promise<Reached>;

export function createWaitForPosition(options: {
  readonly store: Pick<EventStore, 'mayHave' | 'subscribe'>;
  /** Resolves with false if the read models do not reach the position in time. */
  readonly waitFor: (position: Position, milliseconds: number) => Promise<boolean>;
}): WaitForPosition {
  const { store, waitFor } = options;
  let mark: string | undefined;

  return async (given, milliseconds) => {
    if (mark === undefined) {
      const first = await firstEventOf(store);
      mark = first && markOf(first);
    }
    const position = mark && positionIn(given, mark);
    if (position === undefined || !(await store.mayHave(position))) return 'never';
    return (await waitFor(position, milliseconds)) ? 'reached' : 'not-yet';
  };
}
