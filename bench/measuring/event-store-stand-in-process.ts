/** The tests' stand-in for EventStoreDB in a separate process, which reports its calls by subject. */
import { openEventStoreStandIn } from '../../test/support/event-store-stand-in/open-stand-in.ts';
import type { StoreCalls } from './event-store-server.ts';

/** Milliseconds between two counts. */
const TOLD_EVERY = 100;

const OF = { stream: '', absent: ' (absent)', append: ' (append)' };

const standIn = await openEventStoreStandIn({});
const calls: Record<string, number> = {};
standIn.calls.told = (kind, stream) => {
  const name = kind === 'log' || kind === 'subscription' ? kind : `${categoryOf(stream)}${OF[kind]}`;
  calls[name] = (calls[name] ?? 0) + 1;
};
process.once('disconnect', () => process.exit(0));
process.send?.({ url: standIn.url });
setInterval(() => {
  process.send?.({ calls } satisfies { calls: StoreCalls });
}, TOLD_EVERY);

/** Streams are named `<prefix>.<category>-<id>`. */
function categoryOf(stream: string): string {
  return stream.slice(stream.indexOf('.') + 1).replace(/-.*$/s, '');
}
