/** Metrics of the event log and its subscribers: read models, event feed, publisher, transparency log. */
import { NOTARY_TROUBLES } from '../../../proof/transparency/notary-status.ts';
import type { MeasuredState } from '../state-metrics.ts';
import { ageOf, gauge, part, type StatePart, total } from '../state-metrics.ts';

export const logParts: readonly StatePart[] = [
  part('projections', projectionsNow)(
    gauge(
      'levy_projection_behind',
      '1 while the projection has not reached the end of the log.',
      (found) => found.map(({ name, isBehind }) => [name, isBehind ? 1 : 0]),
      ['projection'],
    ),
    gauge(
      'levy_projection_lag_seconds',
      'Age of the last event that the projection handled; 0 if it is not behind.',
      // Before its first event, the delay of the projection is unknown; levy_projection_behind is 1.
      (found, { clock }) =>
        found.map(({ name, isBehind, lastEventAt }) => [name, isBehind ? ageOf(lastEventAt, clock) : 0]),
      ['projection'],
    ),
    gauge(
      'levy_projection_stopped',
      '1 while the projection is stopped. It continues when the undecodable event is quarantined or, after another ' +
        'failure, when the service is restarted.',
      (found) => found.map(({ name, state }) => [name, state === 'failed' ? 1 : 0]),
      ['projection'],
    ),
  ),

  part('shared read models', ({ readModelWriter }) => readModelWriter?.())(
    gauge(
      'levy_read_model_writer_silent_seconds',
      'Time since the last heartbeat of the process that writes the shared read models. Absent if read models are not shared.',
      ({ silentFor }) => silentFor / 1_000,
    ),
  ),

  part('events', ({ reader }) => reader)(
    gauge(
      'levy_undecodable_events',
      'Events that this process has read, cannot decode, and that are not quarantined.',
      (events) => events.undecodable().length,
    ),
    gauge(
      'levy_quarantined_events',
      'Events that every reader skips because an operator has quarantined them.',
      (events) => events.quarantined().length,
    ),
  ),

  part('event feed', ({ eventFeed }) => eventFeed?.status())(
    gauge('levy_event_subscribers', 'Open event streams.', ({ subscribers }) => subscribers),
    gauge(
      'levy_event_feed_stopped',
      '1 while subscribers get no events. The feed continues when the undecodable event is quarantined or, after another failure, when the service is restarted.',
      ({ state }) => (state === 'failed' || state === 'blocked' ? 1 : 0),
    ),
  ),

  part('publisher', publisherNow)(
    gauge(
      'levy_publisher_working',
      '1 while outcomes are published, 0 while the bus is unavailable. Absent in processes that do not publish.',
      ({ running }) => running && (running.state === 'publishing' ? 1 : 0),
    ),
    gauge(
      'levy_publisher_lag_seconds',
      'Age of the oldest outcome that is not confirmed to be on the bus; 0 if all are confirmed. Absent while the ' +
        'position of the bus is unknown.',
      ({ running }, { clock }) =>
        running?.position === undefined ? undefined : ageOf(running.unpublishedSince, clock),
    ),
    total(
      'levy_published_messages_total',
      'Outcomes that the bus has acknowledged to this process as stored. Absent if nothing is published.',
      ({ stored }) => stored,
    ),
  ),

  part('notary', ({ notary }) => notary?.())(
    gauge(
      'levy_log_lag_seconds',
      'Age of the oldest event that is not in a checkpoint of the transparency log; 0 if all are.',
      ({ unpublishedSince }, { clock }) => ageOf(unpublishedSince, clock),
    ),
    gauge(
      'levy_log_stopped',
      '1 while the notary has stopped signing: the "log" or the notary\'s "record" differs from the signed ' +
        'tree, another "notary" writes, or at least half of the witnesses ("witness") have signed another tree. ' +
        '`/ready` has details.',
      ({ trouble }) => NOTARY_TROUBLES.map((kind) => [kind, trouble?.kind === kind ? 1 : 0]),
      ['kind'],
    ),
    gauge(
      'levy_log_witness_silent',
      '1 while a witness of the transparency log does not sign; retried every 30 seconds.',
      ({ witnesses }) => witnesses.map(({ name, error }) => [name, error === undefined ? 0 : 1]),
      ['witness'],
    ),
    gauge(
      'levy_log_witness_disagrees',
      '1 after a witness of the transparency log reported that it has signed another tree, until it signs again. `/ready` has details.',
      ({ witnesses }) => witnesses.map(({ name, disagrees }) => [name, disagrees ? 1 : 0]),
      ['witness'],
    ),
  ),
];

async function projectionsNow({ projector, following }: MeasuredState) {
  if (projector === undefined) return undefined;
  const end = await following.end();
  return projector.status().map((status) => ({ ...status, isBehind: status.position < end }));
}

async function publisherNow({ publisher }: MeasuredState) {
  if (publisher === undefined) return undefined;
  const running = publisher.running();
  const status = running?.status();
  const unpublishedSince = await running?.unpublishedSince();
  return { ...publisher.status(), running: status && { ...status, unpublishedSince } };
}
