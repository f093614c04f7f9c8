/** The time for which a role is held without a break, as those see it who do its work. */
import { type LeaseClock, longestSince, type Moment } from './lease-clock.ts';

export interface LeaseTerm {
  /** Of the role. */
  readonly name: string;
  /** Of this term. A later term has a greater one, whoever holds it. */
  readonly number: number;
  /**
   * Whether nobody else can hold the role yet. It looks at the clocks, not at a timer: it is right at this moment also when
   * the process was stopped or the machine suspended meanwhile. Once false, it stays false.
   */
  isHeld(): boolean;
  /** Aborted when work should end: the role is lost, or is to be given up. In the second case it is still held. */
  readonly signal: AbortSignal;
}

/** The role is somebody else's, or may be: what was about to be done must not be done, and was not. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(role: string) {
    super(`the role "${role}" is not held any more`);
  }
}

export interface RunningTerm extends LeaseTerm {
  /** Milliseconds until it is over, unless it is renewed; 0 when it is. */
  remaining(): number;
  /** It was recorded again; `sent` is a moment before that was asked of the store for the first time. */
  renew(sent: Moment): void;
  /** Work should end now. */
  giveUp(): void;
  /** It is over. */
  end(): void;
  /** Aborted when it is over. */
  readonly over: AbortSignal;
}

export interface TermOptions {
  readonly name: string;
  readonly number: number;
  /** Milliseconds. */
  readonly ttl: number;
  /** A moment before it was asked of the store for the first time. */
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
