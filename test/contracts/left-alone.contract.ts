/** What stores of files named by their content promise about those that nobody has used since a moment. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';

/** Everything has been left alone since then. */
export const WHENEVER = new Date(8_640_000_000_000_000);
/** Milliseconds: more than the clocks of file systems are coarse. */
const TICK = 20;

/** A moment between what was done before and what is done after it. */
export async function moment(): Promise<Date> {
  await setTimeout(TICK);
  const now = new Date();
  await setTimeout(TICK);
  return now;
}

interface Keeper {
  leftAlone(since: Date): AsyncIterable<string>;
  keep(name: string): Promise<boolean>;
  remove(name: string, leftAloneSince: Date): Promise<boolean>;
  has(name: string): Promise<boolean>;
}

export interface LeftAlone {
  /** Of the test that runs, and another one at the same place. */
  store(): Keeper;
  another(): Promise<Keeper & { close(): Promise<void> }>;
  /** Puts files of random bytes; resolves with their names, sorted. */
  putSome(count: number): Promise<readonly string[]>;
  /** How often two processes race for one file. */
  readonly races: number;
}

export async function listedIn(store: Keeper, since: Date): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of store.leftAlone(since)) names.push(name);
  return names.sort();
}

/** Tests for the `describe` of a store. */
export function leftAloneContract({ store, another, putSome, races }: LeftAlone): void {
  test('lists what has been left alone since a moment, each once, and nothing else', async () => {
    expect(await listedIn(store(), WHENEVER)).toEqual([]);
    const before = await putSome(30);
    const then = await moment();
    const after = await putSome(3);
    expect(await listedIn(store(), then)).toEqual(before);
    expect(await listedIn(store(), WHENEVER)).toEqual([...before, ...after].sort());
    expect(await listedIn(store(), new Date(0))).toEqual([]);
  });

  test('may be changed while it is listed', async () => {
    const put = await putSome(20);
    const removed: string[] = [];
    for await (const name of store().leftAlone(WHENEVER)) {
      await putSome(1);
      if (await store().remove(name, WHENEVER)) removed.push(name);
    }
    expect(removed).toEqual(expect.arrayContaining([...put]));
  });

  test('removes only what has been left alone for long enough, and says whether it did', async () => {
    const [name = ''] = await putSome(1);
    const long = await moment();
    expect(await store().remove(name, new Date(0))).toBe(false);
    expect(await store().has(name)).toBe(true);
    expect(await store().remove(name, long)).toBe(true);
    expect(await store().remove(name, long)).toBe(false);
    expect(await store().keep(name)).toBe(false);
  });

  test('of keeping and removing at once one comes first: what was kept is there, what is gone was not kept', async () => {
    const put = await putSome(50);
    const then = await moment();
    const outcomes = await Promise.all(
      put.map(async (name, index) => {
        const steps = [() => store().keep(name), () => store().remove(name, then)];
        if (index % 2 === 1) steps.reverse();
        const done = await Promise.all(steps.map((step) => step()));
        return index % 2 === 1 ? done.toReversed() : done;
      }),
    );
    for (const [index, [isKept, isRemoved]] of outcomes.entries()) {
      expect(isKept, 'one of the two').not.toBe(isRemoved);
      expect(await store().has(put[index] ?? '')).toBe(isKept);
    }
  });

  test('it does not matter which of two processes keeps and which removes', async () => {
    const other = await another();
    const put = await putSome(races);
    const then = await moment();
    for (const [index, name] of put.entries()) {
      const steps = [() => other.keep(name), () => store().remove(name, then)];
      if (index % 2 === 1) steps.reverse();
      const outcomes = await Promise.all(steps.map((step) => step()));
      const [isKept, isRemoved] = index % 2 === 1 ? outcomes.toReversed() : outcomes;
      expect(isKept, 'one of the two').not.toBe(isRemoved);
      expect(await other.has(name)).toBe(isKept);
    }
    await other.close();
  });
}
