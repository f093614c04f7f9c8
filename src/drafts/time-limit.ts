/** One time limit for all that a call asks of the chain, however many questions it has, so that its caller gets an answer. */
import pTimeout from 'p-timeout';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import { aroundCalls } from '../kernel/runtime/around-calls.ts';

export interface TimeLimit {
  /** Rejects with `ChainUnavailable` at the limit; the work goes on. */
  of<T>(work: Promise<T>): Promise<T>;
  /** The chain, with the limit on each of its answers. */
  chain(chain: Chain): Chain;
}

/** Begins now. */
export function createTimeLimit(milliseconds: number): TimeLimit {
  const until = performance.now() + milliseconds;

  const of = <T>(work: Promise<T>): Promise<T> =>
    pTimeout(work, {
      milliseconds: Math.max(1, until - performance.now()),
      fallback() {
        throw new ChainUnavailable('the chain does not answer in the time that a call has');
      },
    });

  return { of, chain: (chain) => aroundCalls(chain, (_method, call) => of(call())) };
}
