/** A term: the time during which a role is held without a break. */
import { type LeaseClock, longestSince, type Moment } from './lease-clock.ts';

export interface LeaseTerm {
  /** The role's name. */
  readonly name: string;
  /** The term's number. Later terms have greater numbers, also with another holder. */
  readonly number: number;
  /**
   * Whether no other process can hold the role yet. Reads the clocks and not a timer, so it is right even after the process
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

export interface RunningTerm extends LeaseTerm {
  /** Milliseconds until the term is over, unless renewed; 0 when over. */
  remaining(): number;
  /** Extends the term after a renewal was recorded; `sent` is a moment before its first try. */
  renew(sent: Moment): void;
  /** Tells the work to end. */
  giveUp(): void;
  /** Ends the term. */
  end(): void;
  /** Aborted when the term is over. */
  readonly over: AbortSignal;
}

export interface TermOptions {
  readonly name: string;
  readonly number: number;
  /** Milliseconds. */
  readonly ttl: number;
  /** A moment before the first try to record it. */
  readonly sent: Moment;
  readonly clock: LeaseClock;
}

export function createTerm({ name, number, ttl, sent, clock }: TermOptions): RunningTerm {
  const leaving = new AbortController();
  const over = new AbortController();
  let since = sent;

  function end(): void {
    over.abort(new LeaseLost(name));
    leaving.abort(new LeaseLost(name));
  }
  function remaining(): number {
    const left = ttl - longestSince(since, clock);
    if (left <= 0) end();
    return over.signal.aborted ? 0 : left;
  }

  return {
    name,
    number,
    isHeld: () => remaining() > 0,
    signal: leaving.signal,
    remaining,
    renew(moment) {
      since = moment;
    },
    giveUp: () => leaving.abort(),
    end,
    over: over.signal,
  };
}
