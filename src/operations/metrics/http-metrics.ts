/** Counts and times HTTP answers. Called once per request, so it must be very cheap. */
import type { Gauge } from 'prom-client';
import type { Instruments } from './instruments.ts';

/** Seconds. A submission may wait up to half a minute for its outcome. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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
}

interface RouteMetrics {
  readonly statuses: Map<number, { inc(): void }>;
  readonly duration: { observe(seconds: number): void };
}

export function createHttpMetrics({ counter, gauge, histogram }: Instruments): HttpMetrics {
  const requests = counter(
    'levy_http_requests_total',
    ['method', 'route', 'status'],
    'Answered requests, by the pattern of their route; "unknown" is every address that has none.',
    flush,
  );
  const durations = histogram(
    'levy_http_request_duration_seconds',
    ['method', 'route'],
    'From the arrival of a request to the end of its answer. Streams of events are not in it.',
    BUCKETS,
  );
  const refusals = counter(
    'levy_http_refusals_total',
    ['code'],
    'Requests that were refused, by the code of the problem.',
  );
  const unreadable = counter(
    'levy_http_unreadable_requests_total',
    [],
    'What arrived so broken, large or slow that no request came of it.',
  );
  const limited = counter(
    'levy_rate_limit_refusals_total',
    ['policy'],
    'Requests that were refused because their caller had made too many.',
  );
  const ofPartners = counter(
    'levy_partner_requests_total',
    ['partner', 'status'],
    "Answered requests that came with a partner's key.",
  );
  const unread = counter(
    'levy_http_unread_connections_total',
    ['reason'],
    'Connections that were closed because their clients did not read: "timeout" after 60 s, "limit" when 64 MiB wait over all connections.',
  );
  const waiting: Gauge = gauge(
    'levy_http_waiting_bytes',
    [],
    'Bytes of answers that wait until their clients read them. 64 MiB at most.',
    () => waiting.set(waitingBytes()),
  );
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

  /** Before any of these is read: the requests are the first that is. */
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
    unread: (reason) => unread.inc({ reason }),
    watchWaiting(bytes) {
      waitingBytes = bytes;
    },
  };
}
