/** Whether this release can decode what the log holds: it shows what cannot be decoded, and goes on without it. */
import type { LogReader } from '../../kernel/ports/log-reader.ts';
import { EventUndecodable } from '../../kernel/runtime/event-codec.ts';
import { eventReaderOf } from '../log-events.ts';
import type { Findings, ShowProgress } from './obstacle.ts';

/** Events that are named; more are counted. */
const MOST_NAMED = 10;
const EVENTS_A_TELLING = 1_000;

export async function checkContents(
  log: LogReader,
  findings: Findings,
  progress: ShowProgress,
): Promise<void> {
  const reader = await eventReaderOf(log);
  const of = log.extentOf(await log.head()).amount;
  let [events, undecodable] = [0, 0];
  for await (const stored of log.events()) {
    events += 1;
    if (events % EVENTS_A_TELLING === 0) progress(log.extentOf(stored.position).amount, of);
    try {
      reader.readNow(stored);
    } catch (error) {
      if (!(error instanceof EventUndecodable)) throw error;
      undecodable += 1;
      if (undecodable > MOST_NAMED) continue;
      const { problem, isNewer } = error.event;
      const remedy = isNewer
        ? 'Use the release that wrote it, or a later one'
        : 'What to do: docs/how-to/operate/give-up-an-event.md';
      findings.obstacle(
        `the event ${stored.id} (${stored.type}, revision ${stored.revision} of ${stored.stream}) cannot be decoded: ${problem}. ${remedy}`,
      );
    }
  }
  if (undecodable > MOST_NAMED)
    findings.obstacle(`${undecodable - MOST_NAMED} more events cannot be decoded`);
  else if (undecodable === 0) findings.remark('every event can be decoded');
}
