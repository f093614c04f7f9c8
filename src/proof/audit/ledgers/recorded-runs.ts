/** What the log says of a token's runs: which are closed, what they did, and what was recorded of those that are open. */
import type { Position } from '../../../kernel/ports/event-store.ts';
import type { LogReader } from '../../../kernel/ports/log-reader.ts';
import { type EventCodec, EventUndecodable, type Recorded } from '../../../kernel/runtime/event-codec.ts';
import type { DistributionEvent } from '../../../streams/distribution.ts';
import { type DistributionRunEvent, distributionRun } from '../../../streams/distribution-run.ts';
import type { AuditNode } from '../chain/audit-node.ts';
import { createChainHistory, HistoryIncomplete } from '../chain-history.ts';
import { bookedLink, bookedPot } from '../read-books.ts';
import type { BookedLink, BookedPot, LaterLinks } from '../run-books.ts';

interface RecordedLog {
  readonly log: LogReader;
  readonly codec: EventCodec;
  /** Absent for the log as it is now. */
  readonly until?: Position;
}

export type StepsOf = (runId: string) => Promise<readonly Recorded<DistributionRunEvent>[]>;

export interface RecordedRuns {
  readonly closed: readonly string[];
  /** The opening of the run that is open. */
  readonly open: Extract<Recorded<DistributionEvent>, { type: 'RunOpened' }> | undefined;
  readonly steps: readonly Recorded<DistributionEvent>[];
  /** The steps of closed runs; the chain may be ahead of an open one. */
  readonly events: readonly Recorded<DistributionEvent>[];
}

/** What is kept of a token's stream for as long as it is audited; the steps of a run are read when they are needed. */
const OF_CLOSED_RUNS = ['RunOpened', 'LinksLanded', 'RunClosed'];

export async function recordedRuns(log: RecordedLog, stream: string): Promise<RecordedRuns> {
  const steps = await eventsOf<DistributionEvent>(log, stream, OF_CLOSED_RUNS);
  const closed = steps.flatMap((event) => (event.type === 'RunClosed' ? [event.data.runId] : []));
  const known = new Set(closed);
  return {
    closed,
    open: steps.filter((event) => event.type === 'RunOpened').findLast(({ data }) => !known.has(data.runId)),
    steps,
    events: steps.filter(({ data }) => 'runId' in data && data.runId !== null && known.has(data.runId)),
  };
}

export function stepsIn(log: RecordedLog): StepsOf {
  return (runId) => eventsOf<DistributionRunEvent>(log, streamOfRun(runId));
}

function streamOfRun(runId: string): string {
  return `${distributionRun.category}-${runId}`;
}

async function eventsOf<Event extends DistributionEvent | DistributionRunEvent>(
  { log, codec, until }: RecordedLog,
  stream: string,
  types?: readonly string[],
): Promise<readonly Recorded<Event>[]> {
  const events: Recorded[] = [];
  for await (const stored of log.stream(stream)) {
    if (until !== undefined && stored.position > until) break;
    if (types !== undefined && !types.includes(stored.type)) continue;
    try {
      events.push(codec.decode(stored));
    } catch (error) {
      // Told when the log was read.
      if (!(error instanceof EventUndecodable)) throw error;
    }
  }
  // The codec has checked them against the schemas of their stream.
  return events as readonly unknown[] as readonly Recorded<Event>[];
}

export function oldestSlot(events: readonly DistributionEvent[]): bigint | undefined {
  const first = events.find((event) => event.type === 'LinksLanded');
  return first?.type === 'LinksLanded' ? BigInt(first.data.slot) : undefined;
}

/** By the log as it is now: the service goes on while it is audited. */
export async function linksOfOpenRuns(
  { log, codec }: Pick<RecordedLog, 'log' | 'codec'>,
  stream: string,
  closed: ReadonlySet<string>,
): Promise<LaterLinks> {
  const source = { log, codec };
  const events = await eventsOf<DistributionEvent>(source, stream, ['RunOpened', 'LinksRecorded']);
  const links = new Map<string, BookedLink>();
  const pots: BookedPot[] = [];
  for (const event of events) {
    if (event.type === 'LinksRecorded' && !closed.has(event.data.runId))
      for (const link of event.data.links) links.set(link.till, bookedLink(link));
    if (event.type !== 'RunOpened' || closed.has(event.data.runId)) continue;
    const steps = await eventsOf<DistributionRunEvent>(source, streamOfRun(event.data.runId), [
      'RunAllotted',
    ]);
    for (const step of steps) if (step.type === 'RunAllotted') pots.push(...step.data.pots.map(bookedPot));
  }
  return { links, pots };
}

/** By the log as it is now: a run may have begun since. */
export async function hasRun(log: LogReader, stream: string): Promise<boolean> {
  for await (const { type } of log.stream(stream)) if (type === 'RunOpened') return true;
  return false;
}

/** Who may pay out of pots of SOL, and lends their rents. Where all is paid in the token itself, only the chain says. */
export async function distributorOf(
  { closed, events }: Pick<RecordedRuns, 'closed' | 'events'>,
  stepsOf: StepsOf,
  node: AuditNode,
): Promise<string> {
  for (const runId of closed)
    for (const event of await stepsOf(runId))
      if (event.type === 'RunAllotted')
        for (const { asset, delegate } of event.data.pots) if (asset === 'sol') return delegate;
  const landed = events.find((event) => event.type === 'LinksLanded');
  const [link] = landed?.type === 'LinksLanded' ? landed.data.links : [];
  if (link === undefined) return '';
  // The wallet signed it with this payer, so nobody else can have sent it.
  const sent = await createChainHistory(node).transaction(link.signature);
  if (sent === undefined)
    throw new HistoryIncomplete(`the node does not show ${link.signature}, the first link of the token`);
  return sent.payer;
}
