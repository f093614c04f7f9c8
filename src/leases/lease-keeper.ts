/** What keeps a role for a process, whichever way: the work that it does while it holds the role, and how it stands. */
import type { LeaseClock } from './lease-clock.ts';
import type { LeaseTerm } from './lease-term.ts';

export interface LeaseHolder {
  /** UUID of this run of the process. In one process, one keeper of each name may use it. */
  readonly id: string;
  /** What people call the process, such as its host and number. */
  readonly label: string;
}

/** What is done while a role is held. */
export interface HeldWork {
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export interface KeeperOptions<Work extends HeldWork> {
  /** Of the role: lower-case letters, digits and `-`. */
  readonly name: string;
  readonly holder: LeaseHolder;
  readonly clock: LeaseClock;
  /**
   * Begins the work of a term, and resolves when it runs. Called for each term, and never before the work of the term
   * before it has stopped. All that the work does to others must go through fences of its term.
   */
  readonly start: (term: LeaseTerm) => Promise<Work>;
}

/** `waiting` for somebody else's term to end, or for the store; `starting` and `stopping` the work of a term of its own. */
export type LeaseState = 'waiting' | 'starting' | 'held' | 'stopping' | 'stopped';

export interface LeaseStatus {
  readonly name: string;
  readonly state: LeaseState;
  /** Since when it is in this state. ISO 8601. */
  readonly since: string;
  /** Who holds the role, as far as is known here. */
  readonly holder: LeaseHolder | undefined;
  /** The number of the holder's term. */
  readonly term: number | undefined;
  /** Why it cannot take, keep or use the lease at present; undefined while all goes well, also while it waits. */
  readonly error: string | undefined;
}

export interface LeaseKeeper<Work extends HeldWork> {
  /** What runs at present; undefined while the role is not held. */
  work(): Work | undefined;
  status(): LeaseStatus;
  /** Stops the work, then gives the role to whoever waits for it. Resolves when both are done. */
  stop(): Promise<void>;
}
