/** A chain whose calls are counted and timed, by method and outcome. */
import type { Chain } from '../../kernel/ports/chain.ts';
import { outcomeOf } from '../../kernel/ports/chain-node-meter.ts';
import { aroundCalls } from '../../kernel/runtime/around-calls.ts';
import type { Instruments } from './instruments.ts';

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createChainMeasuring({ counter, histogram }: Instruments): (chain: Chain) => Chain {
  const calls = counter(
    'levy_chain_calls_total',
    ['method', 'outcome'],
    'Calls to the chain node: "answered", "behind" if every answer was older than what was asked for, "unavailable" without an answer in time, "invalid" with one that makes no sense.',
  );
  const durations = histogram(
    'levy_chain_call_duration_seconds',
    ['method'],
    'How long calls to the chain node took, whatever came of them.',
    BUCKETS,
  );

  return (chain) =>
    aroundCalls(chain, async (method, call) => {
      const started = performance.now();
      let problem: unknown;
      try {
        return await call();
      } catch (error) {
        problem = error;
        throw error;
      } finally {
        calls.inc({ method, outcome: outcomeOf(problem) });
        durations.observe({ method }, (performance.now() - started) / 1000);
      }
    });
}
