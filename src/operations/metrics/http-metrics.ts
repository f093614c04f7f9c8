/** Counts and times HTTP answers. Called once per request, so it must be very cheap. */
import type { Registry } from 'prom-client';
import { metricDefinitions } from './definitions.ts';
import { createCounter, createGauge, createHistogram } from './instruments.ts';

/** The label of all paths without a route: their number is unlimited. */
const NO_ROUTE = 'unknown';

/** Answers are counted in batches of this size: counting one by one costs several times as much. */
const BATCH = 256;

export interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern; undefined for a path without a route. */
  readonly route: string | undefined;
  readonly status: number;
  /** Until the end of the answer; undefined for answers that do not end by themselves. */
  readonly milliseconds: number | undefined;
  /** Its name; undefined for calls without the key of one. */
  readonly partner?: string | undefined;
}

export interface HttpMetrics {
  answered(request: AnsweredRequest): void;
  /** Counts a refusal by its problem code. */
  refused(code: string): void;
  /** Counts a request limited by the rate-limit policy with this name. */
  limited(policy: string): void;
  unreadable(): void;
  /** Counts a connection that was closed because its client did not read. */
  unread(reason: string): void;
  /** Where the bytes of answers that wait for their clients are read. */
  watchWaiting(bytes: () => number): void;
  /** Counts the pending batch; must be called before the registry is read. */
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
  const ofPartners = createCounter(registry, metricDefinitions.partnerRequests);
  const unread = createCounter(registry, metricDefinitions.httpUnread);
  const waiting = createGauge(registry, metricDefinitions.httpWaiting);
  let waitingBytes = () => 0;
  /** By method, then by route: naming the labels for each request takes longer than counting it. */
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

  function count({ method, route = NO_ROUTE, status, milliseconds, partner }: AnsweredRequest): void {
    const { statuses, duration } = metricsOf(method, route);
    let counted = statuses.get(status);
    if (counted === undefined) {
      counted = requests.labels({ method, route, status: String(status) });
      statuses.set(status, counted);
    }
    counted.inc();
    if (milliseconds !== undefined) duration.observe(milliseconds / 1000);
    if (partner !== undefined) ofPartners.inc({ partner, status: String(status) });
  }

  function flush(): void {
    for (const answered of uncounted) count(answered);
    uncounted.length = 0;
    waiting.set(waitingBytes());
  }

  return {
    answered(request) {
      uncounted.push(request);
      if (uncounted.length === BATCH) flush();
    },
    refused: (code) => refusals.inc({ code }),
    limited: (policy) => limited.inc({ policy }),
    unreadable: () => unreadable.inc(),
    unread: (reason) => unread.inc({ reason }),
    watchWaiting(bytes) {
      waitingBytes = bytes;
    },
    flush,
  };
}
