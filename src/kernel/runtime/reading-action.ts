/**
 * Decides what a reading does next: targets that are brought up to date by one subscription to the log. The first start,
 * a rebuild, a target that left the appends, and one that left its group all ask these functions.
 *
 * Where appends project in their own transaction, a reading ends as soon as it has caught up with them, and its targets
 * join the appends. Anywhere else it goes on for as long as the process.
 */
import type { Position } from '../ports/event-store.ts';
import type { ProjectionState } from './projection-target.ts';
import type { SubscriptionState } from './subscription-runner.ts';

/** `caught up`: the targets have left the subscription, at the end of the log. `failed`: no retry has helped. */
export type ReadingProgress = 'not begun' | 'caught up' | 'failed' | 'over';

export interface ReadingState {
  readonly progress: ReadingProgress;
  /** Those that it still reads for: neither retired nor read for elsewhere. */
  readonly targets: readonly { readonly state: ProjectionState; readonly position: Position }[];
  /** Whether appends project in their own transaction. */
  readonly isInline: boolean;
  /** The last position of the log that this process knows. */
  readonly head: Position;
}

/** `read each alone`: one of them cannot be written, and nothing tells which. */
export type ReadingAction = 'read' | 'go live' | 'fail' | 'read each alone' | 'end';

export function nextAction({ progress, targets }: ReadingState): ReadingAction {
  if (targets.length === 0) return 'end';
  switch (progress) {
    case 'not begun':
      return 'read';
    case 'caught up':
      return 'go live';
    case 'failed':
      return targets.length === 1 ? 'fail' : 'read each alone';
    case 'over':
      return 'end';
  }
}

/** `go live`: what is still being built goes live, and is read for further. */
export type EndOfLogAction = 'join appends' | 'go live' | 'read on' | 'leave';

/** What is done when everything in the log has been handled. */
export function actionAtEndOfLog({ targets, isInline, head }: ReadingState): EndOfLogAction {
  if (targets.length === 0) return 'leave';
  if (!isInline) return targets.some(({ state }) => state === 'building') ? 'go live' : 'read on';
  // An append that the subscription has not shown yet is in none of their documents.
  return targets.every(({ position }) => position >= head) ? 'join appends' : 'read on';
}

export function progressAfter(end: SubscriptionState | 'left', isStopping: boolean): ReadingProgress {
  if (end === 'left') return 'caught up';
  // What fails while the process ends is no fault of a projection.
  return end === 'failed' && !isStopping ? 'failed' : 'over';
}
