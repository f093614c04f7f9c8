/** The gauges and counters that are read on request, made from their definitions, and the form of a part that writes them. */
import type { Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../../kernel/runtime/clock.ts';
import type { StateGaugeDefinition } from './definition.ts';
import { metricDefinitions } from './definitions.ts';
import { createTotals, type DistributionTotals } from './distribution-totals.ts';
import { createCounter, createGauge } from './instruments.ts';
import type { MeasuredState } from './measured-state.ts';

type Definitions = typeof metricDefinitions;
type StateGauge = {
  [Name in keyof Definitions]: Definitions[Name] extends StateGaugeDefinition ? Name : never;
}[keyof Definitions];
type StateGauges = { readonly [Name in StateGauge]: Gauge<Definitions[Name]['labels'][number]> };

interface StateCounters {
  readonly restarts: Counter;
  readonly published: Counter;
  readonly connections: Counter;
}

export interface StateInstruments {
  readonly gauges: StateGauges;
  readonly totals: DistributionTotals;
  readonly counters: StateCounters;
  /** By the part that could not be read; it only grows. */
  readonly failures: Counter<'part'>;
}

/** Reads a part of the state, and returns what writes it. */
export interface StateParts {
  readonly [part: string]: (state: MeasuredState, instruments: StateInstruments) => Promise<() => void>;
}

export function createStateInstruments(registry: Registry): StateInstruments {
  const gauges = Object.fromEntries(
    Object.entries(metricDefinitions).flatMap(([name, definition]) =>
      'ofState' in definition ? [[name, createGauge<string>(registry, definition)]] : [],
    ),
  ) as StateGauges;
  return {
    gauges,
    totals: createTotals(registry),
    counters: {
      restarts: createCounter(registry, metricDefinitions.localChainRestarts),
      published: createCounter(registry, metricDefinitions.publishedMessages),
      connections: createCounter(registry, metricDefinitions.publisherConnections),
    },
    failures: createCounter(registry, metricDefinitions.scrapeFailures),
  };
}

/** What a part writes that the process lacks, or that could not be read. */
export const nothing = () => undefined;

/** Seconds since then. */
export function ageOf(timestamp: string, clock: Clock): number {
  return Math.max(0, clock.now().getTime() - Date.parse(timestamp)) / 1000;
}
