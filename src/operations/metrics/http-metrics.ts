/** Counts and times what the HTTP layer answers. Called once per request, so it must cost next to nothing. */
import type { Registry } from 'prom-client';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createHistogram } from './instruments.ts';

/** The label of all paths without a route: there is no end of them. */
const NO_ROUTE = 'unknown';

/** Answers are counted in batches of this size: counted one by one, each costs several times as much. */
const BATCH = 256;

export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the route; undefined where there is none. */
  readonly route: string | undefined;
  readonly status: number;
  /** Until the end of the answer; undefined where the answer is one that does not end by itself. */
  readonly milliseconds: number | undefined;
}

export interface HttpMetrics {
  answered(request: AnsweredRequest): void;
  /** With the code of the problem. */
  refused(code: string): void;
  /** By the rate-limit policy of that name. */
  limited(policy: string): void;
  unreadable(): void;
  /** Counts what was not yet; to be called before the registry is read. */
  flush(): void;
}

interface RouteMetrics {
  readonly statuses: Map<number, { inc(): void }>;
  readonly duration: { observe(seconds: number): void };
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const requests = createCounter(registry, metricDefinitions.httpRequests);
  const durations = createHistogram(registry, metricDefinitions.httpDuration);
  const refusals = createCounter(registry, metricDefinitions.httpRefusals);
  const unreadable = createCounter(registry, metricDefinitions.httpUnreadable);
  const limited = createCounter(registry, metricDefinitions.rateLimitRefusals);
  /** By method, then by route: to name the labels anew for each request takes longer than to count it. */
  const known = new Map<string, Map<string, RouteMetrics>>();
  const uncounted: AnsweredRequest[] = [];

  function metricsOf(method: string, route: string): RouteMetrics {
    const routes = known.get(method) ?? new Map<string, RouteMetrics>();
    known.set(method, routes);
    const found = routes.get(route);
    if (found !== undefined) return found;
    const made = { statuses: new Map(), duration: durations.labels({ method, route }) };
    routes.set(route, made);
    return made;
  }

  function count({ method, route = NO_ROUTE, status, milliseconds }: AnsweredRequest): void {
    const { statuses, duration } = metricsOf(method, route);
    let counted = statuses.get(status);
    if (counted === undefined) {
      counted = requests.labels({ method, route, status: String(status) });
      statuses.set(status, counted);
    }
    counted.inc();
    if (milliseconds !== undefined) duration.observe(milliseconds / 1000);
  }

  function flush(): void {
    for (const answered of uncounted) count(answered);
    uncounted.length = 0;
  }

  return {
    answered(request) {
      uncounted.push(request);
      if (uncounted.length === BATCH) flush();
    },
    refused: (code) => refusals.inc({ code }),
    limited: (policy) => limited.inc({ policy }),
    unreadable: () => unreadable.inc(),
    flush,
  };
}
