/** Result of a step as data. It comes from the step's decider, or from its reader if no decision is needed. */
import type {
  DistributionEvent,
  HaltCode,
  LinkPurpose,
  OpenedRun,
  RecordedLink,
} from '../streams/distribution.ts';
import { LinksRecorded } from '../streams/distribution.ts';
import type { DistributionRunEvent } from '../streams/distribution-run.ts';
import { type Wait, waitFor } from '../streams/distribution-wait.ts';
import { READ_PAUSE } from './engine-parts.ts';

/** Cause and length of the pause before the next step. */
export interface Waiting {
  readonly for: Wait | undefined;
  /** Milliseconds. */
  readonly pause: number;
}

export type Decision =
  /** Append to the token's stream unless it changed since the view was read; continue immediately, or after the wait. */
  | {
      readonly kind: 'record-of-token';
      readonly events: readonly DistributionEvent[];
      readonly waiting?: Waiting;
    }
  /** Append to the open run's stream, under the same condition. */
  | {
      readonly kind: 'record-of-run';
      readonly events: readonly DistributionRunEvent[];
      readonly waiting?: Waiting;
    }
  | { readonly kind: 'wait'; readonly waiting: Waiting }
  /** Halt the token until an operator resumes it. */
  | { readonly kind: 'halt'; readonly code: HaltCode; readonly reason: string };

/** True for a decision. The facts that a reader passes to its decider have no `kind`. */
export function isDecision<Facts>(found: Facts | Decision): found is Decision {
  return typeof found === 'object' && found !== null && 'kind' in found;
}

export function waits(reason: Wait | undefined, pause = READ_PAUSE): Decision {
  return { kind: 'wait', waiting: { for: reason, pause } };
}

/** Repeats the step immediately. */
export const AGAIN = waits(undefined, 0);

export function halts(code: HaltCode, reason: string): Decision {
  return { kind: 'halt', code, reason };
}

export function recordsOfToken(...events: readonly DistributionEvent[]): Decision {
  return { kind: 'record-of-token', events };
}

export function recordsOfRun(...events: readonly DistributionRunEvent[]): Decision {
  return { kind: 'record-of-run', events };
}

/** Records the event, if any, and then waits; the event lets other processes report the wait. */
export function recordsAndWaits(event: DistributionRunEvent | undefined, waiting: Waiting): Decision {
  return event === undefined
    ? { kind: 'wait', waiting }
    : { kind: 'record-of-run', events: [event], waiting };
}

/** Waits until the node returns `what`. */
export function waitForNode(what: string): Decision {
  return waits(waitFor('chain-unavailable', `The chain node does not show ${what}.`));
}

/** Records links; nothing is signed for a link before it is recorded. */
export function recordsLinks(
  { open: { tokenId, runId } }: { readonly open: Pick<OpenedRun, 'tokenId' | 'runId'> },
  purpose: LinkPurpose,
  links: readonly RecordedLink[],
  judged: Pick<Parameters<typeof LinksRecorded>[0], 'sale' | 'unsold'> = {},
): Decision {
  return recordsOfToken(LinksRecorded({ tokenId, runId, purpose, links: [...links], ...judged }));
}
