/** A chain whose calls are counted and timed, by method and outcome. */
import type { Registry } from 'prom-client';
import type { Chain } from '../../kernel/ports/chain.ts';
import { outcomeOf } from '../../kernel/ports/chain-node-meter.ts';
import { aroundCalls } from '../../kernel/runtime/around-calls.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createHistogram } from './instruments.ts';

export function createChainMeasuring(registry: Registry): (chain: Chain) => Chain {
  const calls = createCounter(registry, metricDefinitions.chainCalls);
  const durations = createHistogram(registry, metricDefinitions.chainCallDuration);

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
