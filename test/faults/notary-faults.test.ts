// Whatever fails or ends the process while a tree is signed, and at whichever step: what was ever signed is one history.
import { leafHash, parseCheckpointText, rootOf, type TreeHead } from 'levy-transparency-log';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKeyring } from '../../src/chain/keys.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import type { EventStore, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../src/kernel/ports/logger.ts';
import { withMethods } from '../../src/kernel/runtime/around-calls.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { randomId } from '../../src/kernel/runtime/ids.ts';
import { entryOf } from '../../src/proof/transparency/canonical-record.ts';
import { checkpointClaims } from '../../src/proof/transparency/checkpoint-claims.ts';
import { isLeftOut } from '../../src/proof/transparency/left-out.ts';
import { logFiles } from '../../src/proof/transparency/log-files.ts';
import { type Notary, startNotary } from '../../src/proof/transparency/notary.ts';
import { streams } from '../../src/streams/index.ts';
import { eventually, Hopeless } from '../support/eventually.ts';
import { skipPauses } from '../support/skipped-pauses.ts';
import { temporaryEventStore, wholeLog } from '../support/temporary-event-store.ts';

skipPauses();

const ORIGIN = 'levy.example/log';
const { logKey } = createKeyring(new Uint8Array(32).fill(7));
const codec = createEventCodec(streams);
const reader = strictReader(codec);
const clock = { now: () => new Date() };

type Files = Pick<BlobStore, 'getFile' | 'putFile'>;

interface World {
  readonly store: EventStore;
  readonly files: Files;
  readonly stored: ReadonlyMap<string, Uint8Array>;
  /** Every tree that any process ever signed. */
  readonly signed: TreeHead[];
}

/** What a world has when it begins. */
interface Beginning {
  readonly events: readonly RecordedEvent[];
  readonly stored: ReadonlyMap<string, Uint8Array>;
  readonly signed: readonly TreeHead[];
}

async function world({ events, stored, signed }: Beginning): Promise<World> {
  const own = new Map(stored);
  return {
    store: await storeOf(events),
    files: {
      getFile: async (name) => own.get(name),
      putFile: async (name, bytes) => void own.set(name, Uint8Array.from(bytes)),
    },
    stored: own,
    signed: [...signed],
  };
}

/** A log of its own with the same events, each at its position. */
async function storeOf(events: readonly RecordedEvent[]): Promise<EventStore> {
  const store = await temporaryEventStore();
  for (let from = 0, to = 0; from < events.length; from = to) {
    const { stream, revision } = events[from] as RecordedEvent;
    while (events[to]?.stream === stream) to += 1;
    await store.append(stream, revision === 0 ? 'none' : revision - 1, events.slice(from, to));
  }
  return store;
}

/** A process that keeps the log. */
function processOn({ store, files, signed }: World): Notary {
  const notary = startNotary(
    {
      store,
      files: logFiles(files, ORIGIN),
      claims: checkpointClaims({ origin: ORIGIN, store, codec, reader, clock, failed: () => undefined }),
      signer: {
        publicKey: logKey.publicKey,
        sign(message) {
          signed.push(parseCheckpointText(Buffer.from(message).toString()));
          return logKey.sign(message);
        },
      },
      witnesses: [],
      clock,
      logger: silentLogger,
      isShared: false,
    },
    { isHeld: () => true },
  );
  onTestFinished(() => notary.stop());
  return notary;
}

async function append(store: EventStore, stream: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    id: randomId(),
    type: 'Happened',
    data: {},
    metadata: {},
  }));
  await store.append(stream, 'none', events);
}

async function published(notary: Notary, size: number): Promise<void> {
  await eventually(`${size} entries are published`, async () => {
    const { trouble, published: found } = notary.status();
    if (trouble !== undefined) throw new Hopeless(trouble.message);
    return found?.size === size;
  });
}

/** `before`: the step is not done; `after`: it is, and nobody is told. */
interface Fault {
  readonly step: number;
  readonly moment: 'before' | 'after';
  /** Whether the process is gone from then on: nothing more that it does has an effect. */
  readonly isEnd: boolean;
}

/** Counts every step that leaves the process, and does the fault at its own. */
function faulty({ store, files, stored, signed }: World, fault: Fault | undefined) {
  let steps = 0;
  let isGone = false;
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isGone) throw new Error('the process is gone');
    const isTheOne = fault !== undefined && steps === fault.step;
    steps += 1;
    if (!isTheOne) return work();
    isGone = fault.isEnd;
    if (fault.moment === 'after') await work();
    throw new Error('it fails');
  }
  const around: World = {
    signed,
    stored,
    files: {
      getFile: (name) => step(() => files.getFile(name)),
      putFile: (name, bytes) => step(() => files.putFile(name, bytes)),
    },
    store: withMethods(store, {
      append: (...call) => step(() => store.append(...call)),
      keepLast: (...call) => step(() => store.keepLast(...call)),
      async *read(...call) {
        await step(async () => undefined);
        yield* store.read(...call);
      },
    }),
  };
  return { around, steps: () => steps, isReached: () => fault !== undefined && steps > fault.step };
}

const [BEFORE, GROWN] = [250, 270];

/** Made once: each world begins with a copy. */
let grown: Beginning | undefined;

/** A log of which some is published, and more has happened since: a full page, and a part of the next. */
async function grownLog(): Promise<World> {
  grown ??= await grow();
  return world(grown);
}

async function grow(): Promise<Beginning> {
  const given = await world({ events: [], stored: new Map(), signed: [] });
  await append(given.store, 'thing-a', BEFORE);
  const first = processOn(given);
  await published(first, BEFORE);
  await first.stop();
  await append(given.store, 'thing-b', GROWN - BEFORE);
  return { ...given, events: await wholeLog(given.store) };
}

/** By event: all worlds begin with the same ones. */
const leafHashes = new Map<string, Uint8Array>();

function leafOf(event: RecordedEvent): Uint8Array {
  const leaf = leafHashes.get(event.id) ?? leafHash(entryOf(event));
  leafHashes.set(event.id, leaf);
  return leaf;
}

async function expectOneHistory({ store, signed }: World): Promise<void> {
  const leaves = (await wholeLog(store)).filter(({ stream }) => !isLeftOut(stream)).map(leafOf);
  const roots = new Map(signed.map(({ size }) => [size, hex(rootOf(leaves.slice(0, size)))]));
  for (const { size, root } of signed) expect(hex(root)).toBe(roots.get(size));
  const sizes = signed.map(({ size }) => size);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

async function after(fault: Fault): Promise<void> {
  const given = await grownLog();
  const { around, isReached } = faulty(given, fault);
  const second = processOn(around);
  await eventually('it fails', async () => isReached());
  if (!fault.isEnd) await published(second, GROWN);
  await second.stop();
  await append(given.store, 'thing-c', 3);
  const third = processOn(given);
  await published(third, GROWN + 3);
  await third.stop();
  await expectOneHistory(given);
}

describe.each([
  ['the process ends', true],
  ['a step fails once', false],
] as const)('when %s', (_name, isEnd) => {
  test.each(['before', 'after'] as const)('%s any step, one history is signed', async (moment) => {
    const { around, steps } = faulty(await grownLog(), undefined);
    const sound = processOn(around);
    await published(sound, GROWN);
    await sound.stop();
    expect(steps()).toBeGreaterThan(12);
    await Promise.all(Array.from({ length: steps() }, (_, step) => after({ step, moment, isEnd })));
  });
});
