/** Counts and times HTTP responses. Called once per request, so it must be very cheap. */
import type { Gauge } from 'prom-client';
import type { ResponseObserver } from '../../server/http/response-log.ts';
import type { Instruments } from './instruments.ts';

/** Upper bounds in seconds. A submission may wait up to half a minute for its outcome. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Label of all paths without a route, whose number is unlimited. */
const NO_ROUTE = 'unknown';

type AnsweredRequest = Omit<Parameters<ResponseObserver['answered']>[0], 'partner'> & {
  readonly partner?: string | undefined;
};

export function createHttpMetrics({ counter, gauge, histogram }: Instruments) {
  const requests = counter(
    'levy_http_requests_total',
    ['method', 'route', 'status'],
    'Requests with a response, by the pattern of their route; "unknown" without a route.',
  );
  const durations = histogram(
    'levy_http_request_duration_seconds',
    ['method', 'route'],
    'Time from the start of a request to the end of its response. Event streams are not included.',
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
    'Requests that could not be read: broken, too large or too slow.',
  );
  const limited = counter('levy_rate_limit_refusals_total', ['policy'], 'Requests refused by a rate limit.');
  const ofPartners = counter(
    'levy_partner_requests_total',
    ['partner', 'status'],
    "Requests with a partner's key that have a response.",
  );
  const unread = counter(
    'levy_http_unread_connections_total',
    ['reason'],
    'Connections that were closed because their clients did not read: "timeout" after 60 s, "limit" when 64 MiB wait over all connections.',
  );
  const waiting: Gauge = gauge(
    'levy_http_waiting_bytes',
    [],
    'Bytes of responses that clients have not read yet. 64 MiB at most.',
    () => waiting.set(waitingBytes()),
  );
  let waitingBytes = () => 0;
  return {
    answered({ method, route = NO_ROUTE, status, milliseconds, partner }: AnsweredRequest) {
      requests.inc({ method, route, status });
      if (milliseconds !== undefined) durations.observe({ method, route }, milliseconds / 1000);
      if (partner !== undefined) ofPartners.inc({ partner, status });
    },
    /** Counts a refusal by its problem code. */
    refused: (code: string) => refusals.inc({ code }),
    /** Counts a refusal by a rate-limit policy. */
    limited: (policy: string) => limited.inc({ policy }),
    unreadable: () => unreadable.inc(),
    /** Counts a connection that was closed because its client did not read. */
    unread: (reason: string) => unread.inc({ reason }),
    /** Sets the function that returns the number of response bytes that wait for clients. */
    watchWaiting(bytes: () => number) {
      waitingBytes = bytes;
    },
  };
}
