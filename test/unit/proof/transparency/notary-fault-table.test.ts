// Each write of a round: not done, or done and not answered. After it, all that is stored is computed anew from the events.
import { entryBundle, leafHash, parseCheckpoint, parseEntryBundle, rootOf } from 'levy-transparency-log';
import { expect, test } from 'vitest';
import { withMethods } from '../../../../src/kernel/runtime/wrap-calls.ts';
import { entryOf } from '../../../../src/proof/transparency/canonical-record.ts';
import { isExcluded } from '../../../../src/proof/transparency/excluded-streams.ts';
import { logFiles, logFolder } from '../../../../src/proof/transparency/log-files.ts';
import { eventually } from '../../../support/eventually.ts';
import { blobsInMemory } from '../../../support/recorded-log.ts';
import { appendEntries, NOTARY_ORIGIN, notaryOf, untilPublished } from '../../../support/running-notary.ts';
import { skipPauses } from '../../../support/skipped-pauses.ts';
import { temporaryEventStore, wholeLog } from '../../../support/temporary-event-store.ts';

skipPauses();

const [BEFORE, GROWN] = [250, 270];
const FOLDER = logFolder(NOTARY_ORIGIN);

type World = Awaited<ReturnType<typeof grownLog>>;

/** A published tree, and entries behind it that fill a tile, a bundle and a page of the index. */
async function grownLog() {
  const files = blobsInMemory();
  const store = await temporaryEventStore();
  await appendEntries(store, 'thing-a', BEFORE);
  const first = notaryOf({ store, files });
  await untilPublished(first, BEFORE);
  await first.stop();
  await appendEntries(store, 'thing-b', GROWN - BEFORE);
  return { store, files };
}

/** In the order in which a round does them. */
const WRITES = ['bundle', 'index', 'tile', 'claim', 'head', 'checkpoint'] as const;
type Write = (typeof WRITES)[number];

function writeOf(name: string): Write | undefined {
  if (name.startsWith(`${FOLDER}tile/entries/`)) return 'bundle';
  if (name.startsWith(`${FOLDER}tile/`)) return 'tile';
  if (name.startsWith(`${FOLDER}index/`)) return 'index';
  return (['head', 'checkpoint'] as const).find((each) => name === `${FOLDER}${each}`);
}

type Moment = 'not done' | 'done, not answered';

/** A process whose last effect is the write, done or not: nothing after it happens. `writes` are those that it began. */
function endingAt({ store, files }: World, last: Write | undefined, moment: Moment) {
  const writes: Write[] = [];
  let isGone = false;
  async function step<Result>(write: Write | undefined, work: () => Promise<Result>): Promise<Result> {
    if (isGone) throw new Error('the process is gone');
    if (write !== undefined) writes.push(write);
    if (write === undefined || write !== last) return work();
    isGone = true;
    if (moment === 'done, not answered') await work();
    throw new Error('nobody answers');
  }
  return {
    writes,
    isGone: () => isGone,
    place: {
      files: {
        getFile: (name: string) => step(undefined, () => files.getFile(name)),
        putFile: (name: string, bytes: Uint8Array) => step(writeOf(name), () => files.putFile(name, bytes)),
      },
      store: withMethods(store, {
        append: (...call) => step('claim', () => store.append(...call)),
        setMaxCount: (...call) => step(undefined, () => store.setMaxCount(...call)),
      }),
    },
  };
}

/** What is stored, each part held against the events: a part that is not what they give fails. */
async function progressOf({ store, files }: World): Promise<readonly Write[]> {
  const entries = (await wholeLog(store)).filter(({ stream }) => !isExcluded(stream)).map(entryOf);
  const rootAt = (size: number) => Buffer.from(rootOf(entries.slice(0, size).map(leafHash))).toString('hex');
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const log = logFiles(files, NOTARY_ORIGIN);
  const head = await log.head();
  if (head === undefined) throw new Error('there is no head');
  expect(hex(head.root)).toBe(rootAt(head.size));
  const { checkpoint } = parseCheckpoint((await log.checkpoint()) ?? '');
  expect(hex(checkpoint.root)).toBe(rootAt(checkpoint.size));
  const claims = (await wholeLog(store)).filter(({ type }) => type === 'CheckpointClaimed');
  for (const { data } of claims) expect(data.root).toBe(rootAt(Number(data.size)));
  const sizes = claims.map(({ data }) => Number(data.size));
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  const file = (name: Write) => [...files.stored].find(([path]) => writeOf(path) === name)?.[1];
  const [bundle, tile, index] = [file('bundle'), file('tile'), file('index')];
  if (bundle) expect(parseEntryBundle(bundle)).toEqual(parseEntryBundle(entryBundle(entries.slice(0, 256))));
  if (tile) expect(hex(tile)).toBe(hex(Buffer.concat(entries.slice(0, 256).map(leafHash))));
  if (index) expect(Buffer.from(index).toString().trim().split('\n')).toHaveLength(256);
  // Nothing is published before it is in the head, and nothing is in the head before it is claimed.
  expect(checkpoint.size).toBeLessThanOrEqual(head.size);
  expect(head.size).toBeLessThanOrEqual(Math.max(...sizes));
  const isDone: { readonly [write in Write]: boolean } = {
    bundle: bundle !== undefined,
    index: index !== undefined,
    tile: tile !== undefined,
    claim: sizes.includes(GROWN),
    head: head.size === GROWN,
    checkpoint: checkpoint.size === GROWN,
  };
  return WRITES.filter((write) => isDone[write]);
}

/** Ends a process at the write, and lets the next one go on; gives what was stored in between, and what that one wrote. */
async function row(write: Write, moment: Moment) {
  const world = await grownLog();
  const ending = endingAt(world, write, moment);
  const second = notaryOf(ending.place);
  await eventually('it ends', async () => ending.isGone());
  await second.stop();
  const stored = await progressOf(world);
  const going = endingAt(world, undefined, moment);
  const third = notaryOf(going.place);
  await untilPublished(third, GROWN);
  await third.stop();
  return { write, stored, rest: going.writes, whole: await progressOf(world) };
}

const FULL = ['bundle', 'index', 'tile'] as const;
const whole = WRITES;

// A claimed tree is not claimed again, and what is in the head needs no full files any more. A published tree needs nothing.
test.each<[Moment, readonly Awaited<ReturnType<typeof row>>[]]>([
  [
    'not done',
    [
      { write: 'bundle', stored: [], rest: [...WRITES], whole },
      { write: 'index', stored: ['bundle'], rest: [...WRITES], whole },
      { write: 'tile', stored: ['bundle', 'index'], rest: [...WRITES], whole },
      { write: 'claim', stored: FULL, rest: [...WRITES], whole },
      { write: 'head', stored: [...FULL, 'claim'], rest: [...FULL, 'head', 'checkpoint'], whole },
      { write: 'checkpoint', stored: [...FULL, 'claim', 'head'], rest: ['head', 'checkpoint'], whole },
    ],
  ],
  [
    'done, not answered',
    [
      { write: 'bundle', stored: ['bundle'], rest: [...WRITES], whole },
      { write: 'index', stored: ['bundle', 'index'], rest: [...WRITES], whole },
      { write: 'tile', stored: FULL, rest: [...WRITES], whole },
      { write: 'claim', stored: [...FULL, 'claim'], rest: [...FULL, 'head', 'checkpoint'], whole },
      { write: 'head', stored: [...FULL, 'claim', 'head'], rest: ['head', 'checkpoint'], whole },
      { write: 'checkpoint', stored: WRITES, rest: [], whole },
    ],
  ],
])('a write that is %s: what came before is stored, nothing behind is, and the next process does the rest', async (moment, expected) => {
  expect(await Promise.all(WRITES.map((write) => row(write, moment)))).toEqual(expected);
});
