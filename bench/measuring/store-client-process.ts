/** Child process of `store-client.ts`. */
import { openEventStoreDb } from '../../src/adapters/eventstoredb/event-store.ts';
import { type EventToAppend, START } from '../../src/kernel/ports/event-store.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { openBareStore } from './bare-store.ts';
import type {
  MeasuredStore,
  StoreClientOptions,
  StoreJob,
  StoreJobAnswer,
  StoreJobResult,
} from './store-client.ts';

const EVENTS_A_STREAM = 4;
/** JSON of data and metadata. */
const EVENT_BYTES = 200;
const EVENTS_A_CALL = 500;
const CALLS_AT_ONCE = 4;

const options = JSON.parse(process.argv[2] ?? '{}') as StoreClientOptions;
const opening = options.kind === 'adapter' ? openAdapter(options) : openBareStore(options);

process.on('message', async (job: StoreJob) => {
  const answer: StoreJobAnswer = await run(await opening, job).catch((error: unknown) => ({
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  process.send?.(answer);
});
process.once('disconnect', () => {
  opening.then((store) => store.close()).finally(() => process.exit(0));
});

async function openAdapter({ url, prefix }: StoreClientOptions): Promise<MeasuredStore> {
  const store = await openEventStoreDb({ url, prefix });
  return {
    async append(stream, expected, events) {
      const { outcome } = await store.append(stream, expected, events);
      if (outcome !== 'appended') throw new Error('an append met a conflict');
    },
    async subscribe(events) {
      let taken = 0;
      for await (const { kind } of store.subscribe({ after: START, signal: new AbortController().signal })) {
        if (kind === 'event') taken += 1;
        else if (kind === 'caught-up') break;
      }
      if (taken !== events) throw new Error(`${taken} of ${events} events were delivered`);
    },
    read: () => Promise.reject(new Error('the port reads streams only')),
    close: () => store.close(),
  };
}

async function run(store: MeasuredStore, job: StoreJob): Promise<StoreJobResult> {
  const start = performance.now();
  const before = process.cpuUsage();
  const events = job.kind === 'append' ? await append(store, job) : await perform(store, job);
  const { user, system } = process.cpuUsage(before);
  return { rate: (events * 1_000) / (performance.now() - start), work: (events * 1e6) / (user + system) };
}

async function perform(store: MeasuredStore, job: Exclude<StoreJob, { kind: 'append' }>): Promise<number> {
  if (job.kind === 'write') await write(store, job.events);
  else await store[job.kind](job.events);
  return job.events;
}

async function append(
  store: MeasuredStore,
  { writers, milliseconds }: StoreJob & { kind: 'append' },
): Promise<number> {
  const end = performance.now() + milliseconds;
  let appended = 0;
  const writeOn = async () => {
    for (let number = 0, stream = ''; performance.now() < end; number += 1) {
      const revision = number % EVENTS_A_STREAM;
      if (revision === 0) stream = newStream();
      await store.append(stream, revision === 0 ? 'none' : revision - 1, [newEvent()]);
      appended += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, writeOn));
  return appended;
}

async function write(store: MeasuredStore, events: number): Promise<void> {
  let left = events;
  const writeOn = async () => {
    while (left > 0) {
      const count = Math.min(EVENTS_A_CALL, left);
      left -= count;
      await store.append(newStream(), 'none', Array.from({ length: count }, newEvent));
    }
  };
  await Promise.all(Array.from({ length: CALLS_AT_ONCE }, writeOn));
}

function newStream(): string {
  return `note-${randomId()}`;
}

const metadata = { commandId: randomId() };
const shortest = { walletId: randomId(), address: 'a'.repeat(44), note: '' };
const bytes = JSON.stringify(shortest).length + JSON.stringify(metadata).length;
const data = { ...shortest, note: 'n'.repeat(EVENT_BYTES - bytes) };

function newEvent(): EventToAppend {
  return { id: randomId(), type: 'Noted', data, metadata };
}
