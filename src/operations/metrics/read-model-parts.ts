/** The gauges of the event log and of what follows it: read models, subscribers, the publisher, the transparency log. */
import { NOTARY_TROUBLES } from '../../proof/transparency/notary-status.ts';
import { ageOf, nothing, type StateParts } from './state-instruments.ts';

export const readModelParts: StateParts = {
  async projections({ following, projector, clock }, { gauges }) {
    if (projector === undefined) return nothing;
    const end = await following.end();
    return () => {
      for (const { name: projection, state, position, lastEventAt } of projector.status()) {
        const isBehind = position < end;
        gauges.projectionBehind.set({ projection }, isBehind ? 1 : 0);
        gauges.projectionStopped.set({ projection }, state === 'failed' ? 1 : 0);
        if (lastEventAt !== undefined)
          gauges.projectionLastEvent.set({ projection }, Date.parse(lastEventAt) / 1000);
        // Behind before its first event: the delay is unknown, and the gauge above shows that it is behind.
        const since = isBehind && lastEventAt !== undefined ? ageOf(lastEventAt, clock) : 0;
        gauges.projectionLag.set({ projection }, since);
      }
    };
  },

  async 'shared read models'({ readModelWriter }, { gauges }) {
    if (readModelWriter === undefined) return nothing;
    return () => {
      const { term, silentFor } = readModelWriter();
      gauges.readModelWriterSilence.set(silentFor / 1_000);
      if (term !== undefined) gauges.readModelWriterTerm.set(term);
    };
  },

  async events({ events }, { gauges }) {
    if (events === undefined) return nothing;
    return () => {
      gauges.undecodableEvents.set(events.undecodable().length);
      gauges.quarantinedEvents.set(events.quarantined().length);
    };
  },

  async 'event feed'({ eventFeed }, { gauges }) {
    if (eventFeed === undefined) return nothing;
    return () => {
      const { state, subscribers } = eventFeed.status();
      gauges.eventSubscribers.set(subscribers);
      gauges.eventFeedStopped.set(state === 'failed' || state === 'blocked' ? 1 : 0);
    };
  },

  async publisher({ publisher, clock }, { gauges, counters }) {
    if (publisher === undefined) return nothing;
    const running = publisher.running();
    const isKnown = running?.status().position !== undefined;
    const since = await running?.unpublishedSince();
    return () => {
      const { stored, connections: made } = publisher.status();
      counters.published.inc(stored);
      counters.connections.inc(made);
      if (running === undefined) return;
      gauges.publisherWorking.set(running.status().state === 'publishing' ? 1 : 0);
      if (isKnown) gauges.publisherLag.set(since === undefined ? 0 : ageOf(since, clock));
    };
  },

  async notary({ notary, clock }, { gauges }) {
    const status = notary?.();
    if (status === undefined) return nothing;
    return () => {
      const { size, published, unpublishedSince, trouble, witnesses } = status;
      gauges.logEntries.set(size);
      gauges.logLag.set(unpublishedSince === undefined ? 0 : ageOf(unpublishedSince, clock));
      if (published?.at !== undefined) gauges.logPublished.set(Date.parse(published.at) / 1000);
      for (const kind of NOTARY_TROUBLES) gauges.logStopped.set({ kind }, trouble?.kind === kind ? 1 : 0);
      for (const { name: witness, error, disagrees } of witnesses) {
        gauges.logWitnessSilent.set({ witness }, error === undefined ? 0 : 1);
        gauges.logWitnessDisagrees.set({ witness }, disagrees ? 1 : 0);
      }
    };
  },
};
