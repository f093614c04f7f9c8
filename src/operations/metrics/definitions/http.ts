/** Answers to calls, and subscribers of events. */
import { counter, gauge, histogram, stateGauge } from '../definition.ts';

/** Seconds. A submission may wait up to half a minute for its outcome. */
const OF_REQUESTS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const httpMetrics = {
  httpRequests: counter(
    'levy_http_requests_total',
    ['method', 'route', 'status'],
    'Answered requests, by the pattern of their route; "unknown" is every address that has none.',
  ),
  httpDuration: histogram(
    'levy_http_request_duration_seconds',
    ['method', 'route'],
    'From the arrival of a request to the end of its answer. Streams of events are not in it.',
    OF_REQUESTS,
  ),
  httpRefusals: counter(
    'levy_http_refusals_total',
    ['code'],
    'Requests that were refused, by the code of the problem.',
  ),
  httpUnreadable: counter(
    'levy_http_unreadable_requests_total',
    [],
    'What arrived so broken, large or slow that no request came of it.',
  ),
  httpWaiting: gauge(
    'levy_http_waiting_bytes',
    [],
    'Bytes of answers that wait until their clients read them. 64 MiB at most.',
  ),
  httpUnread: counter(
    'levy_http_unread_connections_total',
    ['reason'],
    'Connections that were closed because their clients did not read: "timeout" after 60 s, "limit" when 64 MiB wait over all connections.',
  ),
  rateLimitRefusals: counter(
    'levy_rate_limit_refusals_total',
    ['policy'],
    'Requests that were refused because their caller had made too many.',
  ),
  partnerRequests: counter(
    'levy_partner_requests_total',
    ['partner', 'status'],
    "Answered requests that came with a partner's key.",
  ),
  eventSubscribers: stateGauge(
    'levy_event_subscribers',
    [],
    'Open connections that are sent events as they happen.',
  ),
  eventFeedStopped: stateGauge(
    'levy_event_feed_stopped',
    [],
    '1 while subscribers get no events: at an event that cannot be decoded, until that is quarantined; after another failure, until the service is restarted.',
  ),
} as const;
