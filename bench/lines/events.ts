/**
 * Event feed with a thousand subscribers: deliveries per second, their cost for the server, and whether each
 * subscriber receives each event once and in order.
 */

import { compare, inTurns } from '../measuring/alternate.ts';
import { type ServerProcess, startServer } from '../measuring/child.ts';
import { type Line, written } from '../measuring/line.ts';
import { residentMegabytesOf } from '../measuring/memory.ts';
import { processorSecondsOf } from '../measuring/processor-time.ts';
import { type Progress, type Subscribers, startSubscribers } from '../measuring/subscribers.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { Allowance, Appended } from '../servers/feed-messages.ts';

const SUBSCRIBERS = 1_000;
const RESTLESS = 50;
/** Maximum number of events that are in transit to the slowest of the subscribers with a stable connection. */
const AHEAD = 300;
const ROUNDS = 3;
const WARM_UP = 2_000;
const MILLISECONDS = 3_000;

interface Measured {
  /** Deliveries to subscribers per second. */
  readonly rate: number;
  /** Deliveries per second of the server's processor time. */
  readonly work: number;
  readonly megabytes: number;
  /** Appended events per second. */
  readonly events: number;
}

export const events: Line = () =>
  inTemporaryFolder(async (folder) => {
    const server = await startServer(new URL('../servers/feed.ts', import.meta.url), { folder });
    const alone = residentMegabytesOf(server.pid);
    const subscribers = await startSubscribers({
      url: server.url,
      count: SUBSCRIBERS,
      restless: RESTLESS,
    });
    try {
      const tell = (ahead: number, milliseconds = MILLISECONDS) =>
        tellFor(server, subscribers, ahead, milliseconds);
      await tell(AHEAD, WARM_UP);
      const results = await inTurns(ROUNDS, {
        many: () => tell(AHEAD),
        restless: async () => {
          subscribers.order('lose connections');
          const measured = await tell(AHEAD);
          subscribers.order('keep connections');
          return measured;
        },
        single: () => tell(1),
      });
      const { deliveries, reconnections, told } = await subscribers.until(
        (progress) => progress.isLevel && progress.deliveries === progress.told * SUBSCRIBERS,
      );
      await requireAll(server, subscribers);

      const of = (figure: keyof Measured) =>
        compare(new Map([...results].map(([name, all]) => [name, all.map((each) => each[figure])] as const)));
      const [rates, work, megabytes, each] = [of('rate'), of('work'), of('megabytes'), of('events')];
      const bytes = Math.round((megabytes.medians.many * 1e6) / rates.medians.many);
      return [
        {
          what: `${SUBSCRIBERS} subscribers of GET /events, as many events of ${bytes} bytes as they take: deliveries per second`,
          figures:
            `${written(rates.medians.many)}/s (${written(each.medians.many)} events/s, ${written(megabytes.medians.many)} MB/s); ` +
            `${written(1e6 / work.medians.many)} us of the server's processor time each`,
        },
        {
          what: `the same while ${RESTLESS} of them reconnect with Last-Event-ID / while none does`,
          ratio: rates.ratio('restless', 'many'),
          figures:
            `${written(rates.medians.restless)}/s; by the server's processor time ${written(work.ratio('restless', 'many'))}; ` +
            `each connection for 50 to 250 ms, ${reconnections} times in all`,
        },
        {
          what: 'one event at a time, the next once all subscribers have received it',
          figures: `${written(each.medians.single)} events/s, so ${written(1_000 / each.medians.single)} ms until ${SUBSCRIBERS} have it; ${written(rates.medians.single)} deliveries/s`,
        },
        {
          what: 'lost, duplicate or reordered deliveries',
          figures: `0 of ${deliveries.toLocaleString('en-US')} deliveries: each subscriber was told the ids of all ${told.toLocaleString('en-US')} events in the log's order`,
        },
        {
          what: "the server's memory",
          figures: `${written(alone)} MB before, ${written(residentMegabytesOf(server.pid))} MB after`,
        },
      ];
    } finally {
      await subscribers.stop();
      await server.stop();
    }
  });

/**
 * Lets the server append events for this time, never more than `ahead` of the slowest subscriber. Resolves when all
 * subscribers have received all events.
 */
async function tellFor(
  server: ServerProcess,
  subscribers: Subscribers,
  ahead: number,
  milliseconds: number,
): Promise<Measured> {
  const start = await subscribers.until(() => true);
  const begin = performance.now();
  const busy = processorSecondsOf(server.pid);
  let allowed = start.told;
  let elapsed = 0;
  const end = await subscribers.until((progress) => {
    elapsed = performance.now() - begin;
    if (elapsed >= milliseconds) return true;
    if (progress.told + ahead > allowed) {
      allowed = progress.told + ahead;
      server.tell({ appended: allowed } satisfies Allowance);
    }
    return false;
  });
  const spent = processorSecondsOf(server.pid) - busy;
  await subscribers.until((progress: Progress) => progress.told >= allowed);
  const perSecond = (figure: 'deliveries' | 'bytes' | 'told') =>
    ((end[figure] - start[figure]) * 1_000) / elapsed;
  return {
    rate: perSecond('deliveries'),
    work: (end.deliveries - start.deliveries) / spent,
    megabytes: perSecond('bytes') / 1e6,
    events: perSecond('told'),
  };
}

/** Throws unless the received events are the appended ones. */
async function requireAll(server: ServerProcess, subscribers: Subscribers): Promise<void> {
  // An id is a position followed by a mark of the log.
  const told = (await subscribers.toldIds()).map((id) => id.split('.', 1)[0]);
  const { positions } = (await server.ask('positions')) as Appended;
  if (told.length !== positions.length)
    throw new Error(`${told.length} of ${positions.length} events were told`);
  const other = positions.findIndex((position, index) => told[index] !== position);
  if (other !== -1)
    throw new Error(`in the place of ${positions[other]} the subscribers were told ${told[other]}`);
}
