/** Events of a token's distribution and its runs, decoded, in the order of the log, and grouped by run. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type EventCodec, EventUndecodable, type Recorded } from '../../../kernel/runtime/event-codec.ts';
import { type DistributionEvent, distribution } from '../../../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../../streams/distribution-run.ts';

export type TokenRunEvent = Recorded<DistributionEvent> | Recorded<DistributionRunEvent>;

interface ReadableLog {
  readonly log: LogReader;
  readonly codec: EventCodec;
  /** Inclusive position; absent: up to the current end of the log. */
  readonly until?: Position;
}

/** The first group has the events before the first run; each later group begins with a `RunOpened`. */
export async function* eventsByRun(
  log: ReadableLog,
  tokenId: string,
): AsyncGenerator<readonly TokenRunEvent[]> {
  let group: TokenRunEvent[] = [];
  let steps: readonly Recorded<DistributionRunEvent>[] = [];
  let next = 0;
  const addStepsBefore = (position: Position | undefined) => {
    for (let step = steps[next]; step !== undefined; step = steps[++next]) {
      if (position !== undefined && step.position > position) return;
      group.push(step);
    }
  };
  for await (const event of eventsOf<DistributionEvent>(log, `${distribution.category}-${tokenId}`)) {
    addStepsBefore(event.position);
    if (event.type === 'RunOpened') {
      addStepsBefore(undefined);
      yield group;
      group = [];
      steps = await stepsOf(log, event.data.runId);
      next = 0;
    }
    group.push(event);
  }
  addStepsBefore(undefined);
  yield group;
}

export async function stepsOf(
  log: ReadableLog,
  runId: string,
): Promise<readonly Recorded<DistributionRunEvent>[]> {
  const steps: Recorded<DistributionRunEvent>[] = [];
  for await (const step of eventsOf<DistributionRunEvent>(log, `${distributionRun.category}-${runId}`))
    steps.push(step);
  return steps;
}

/** Skips undecodable events, which the check of the log reports. */
export async function* eventsOf<Event extends DistributionEvent | DistributionRunEvent>(
  { log, codec, until }: ReadableLog,
  stream: string,
): AsyncGenerator<Recorded<Event>> {
  for await (const stored of log.stream(stream)) {
    if (until !== undefined && stored.position > until) return;
    try {
      // The codec has checked the event against the schemas of this stream.
      yield codec.decode(stored) as unknown as Recorded<Event>;
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
    }
  }
}
