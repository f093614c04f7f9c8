/** A role that one process at a time holds: the work done while it is held, its term and its status. */

/** The two clocks of a lease, and its pause. Clocks of different processes are never compared. */
export interface LeaseClock {
  /** Milliseconds. Never goes back and cannot be set, but may stop while the machine is suspended. */
  monotonic(): number;
  /** Milliseconds since 1970. Continues while the machine is suspended, but can be set forward or back. */
  wall(): number;
  /** Resolves after the time or later, or as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface LeaseHolder {
  /** UUID of this run of the process. One keeper per name may use it. */
  readonly id: string;
  /** A readable name of the process, such as host and process id. */
  readonly label: string;
}

/** The time during which a role is held without a break. */
export interface LeaseTerm {
  /** The role's name. */
  readonly name: string;
  /** Later terms have greater numbers, also with another holder. */
  readonly number: number;
  /**
   * True while no other process can hold the role. Reads the clocks and not a timer, so it is right even after the process
   * was stopped or the machine suspended. Once false, it stays false.
   */
  isHeld(): boolean;
  /** Aborted when the work should end: the role is lost, or is to be released and still held. */
  readonly signal: AbortSignal;
}

/** Another process holds the role, or may: the act was not carried out. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(role: string) {
    super(`this process no longer holds the role "${role}"; the act was not carried out`);
  }
}

/** The work done while a role is held. */
export interface HeldWork {
  /** Resolves when nothing is in progress. */
  stop(): Promise<void>;
  /** Resolves when it cannot continue in this term: another process may then try. Absent: it always can. */
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
export type KeeperState = 'waiting' | 'starting' | 'held' | 'stopping' | 'stopped';

export interface LeaseStatus {
  readonly name: string;
  readonly state: KeeperState;
  /** When it entered this state. ISO 8601. */
  readonly since: string;
  /** The holder when the stream was last read. */
  readonly holder: LeaseHolder | undefined;
  /** The number of the holder's term. */
  readonly term: number | undefined;
  /** Why it cannot take, retain or use the lease now; undefined without a failure, also while waiting. */
  readonly error: string | undefined;
}

export interface LeaseKeeper<Work extends HeldWork> {
  /** The running work; undefined while the role is not held. */
  work(): Work | undefined;
  status(): LeaseStatus;
  /** Stops the work, then releases the role. Resolves when both are done. */
  stop(): Promise<void>;
}
