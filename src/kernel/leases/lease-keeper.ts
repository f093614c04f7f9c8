/** The interface to a role of this process: the work done while it is held, and its status. */
import type { LeaseClock } from './lease-clock.ts';
import type { LeaseTerm } from './lease-term.ts';

export interface LeaseHolder {
  /** UUID of this run of the process. One keeper per name may use it. */
  readonly id: string;
  /** A readable name of the process, such as host and process id. */
  readonly label: string;
}

/** The work done while a role is held. */
export interface HeldWork {
  /** Resolves when nothing is in progress. */
  stop(): Promise<void>;
  /** Resolves when it cannot go on in this term: another process may then try. Absent: it always can. */
  readonly ended?: Promise<void>;
}

export interface KeeperOptions<Work extends HeldWork> {
  /** The role's name: lower-case letters, digits and `-`. */
  readonly name: string;
  readonly holder: LeaseHolder;
  readonly clock: LeaseClock;
  /**
   * Starts the work of a term, and resolves when it runs. Called once per term, never before the previous term's work has
   * stopped. Everything the work does outside the process must go through fences of its term.
   */
  readonly start: (term: LeaseTerm) => Promise<Work>;
}

/** `waiting`: for another process's term to end, or for the store. `starting`, `stopping`: the work of its own term. */
export type LeaseState = 'waiting' | 'starting' | 'held' | 'stopping' | 'stopped';

export interface LeaseStatus {
  readonly name: string;
  readonly state: LeaseState;
  /** When it entered this state. ISO 8601. */
  readonly since: string;
  /** The known holder of the role. */
  readonly holder: LeaseHolder | undefined;
  /** The number of the holder's term. */
  readonly term: number | undefined;
  /** Why it cannot take, keep or use the lease now; undefined without a failure, also while waiting. */
  readonly error: string | undefined;
}

export interface LeaseKeeper<Work extends HeldWork> {
  /** The running work; undefined while the role is not held. */
  work(): Work | undefined;
  status(): LeaseStatus;
  /** Stops the work, then releases the role. Resolves when both are done. */
  stop(): Promise<void>;
}
