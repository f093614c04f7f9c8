/** A chain whose calls are counted and timed, by method and outcome. */
import type { Registry } from 'prom-client';
import { type Chain, ChainUnavailable } from '../../ports/chain.ts';
import { aroundCalls } from '../../runtime/around-calls.ts';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createHistogram } from './instruments.ts';

export function createChainMeasuring(registry: Registry): (chain: Chain) => Chain {
  const calls = createCounter(registry, metricDefinitions.chainCalls);
  const durations = createHistogram(registry, metricDefinitions.chainCallDuration);

  return (chain) =>
    aroundCalls(chain, async (method, call) => {
      const started = performance.now();
      let outcome: 'answered' | 'unavailable' | 'invalid' = 'answered';
      try {
        return await call();
      } catch (error) {
        outcome = error instanceof ChainUnavailable ? 'unavailable' : 'invalid';
        throw error;
      } finally {
        calls.inc({ method, outcome });
        durations.observe({ method }, (performance.now() - started) / 1000);
      }
    });
}
