// Pages are kept until their collection is written, and one look at its registration serves all who ask meanwhile.
import { describe, expect, test } from 'vitest';
import { keepPages } from '../../../../src/adapters/mongodb/kept-pages.ts';

/** A collection that is read as a server would answer, and counts what it is asked. */
function collection() {
  const state = { stamp: 'a 1' as string | undefined, item: 'first', looks: 0, reads: 0 };
  const held: (() => void)[] = [];
  let holds = false;
  const kept = keepPages(async () => {
    state.looks += 1;
    const { stamp } = state;
    if (holds) await new Promise<void>((resolve) => held.push(resolve));
    return stamp;
  });
  const ask = async () => {
    const page = await kept.page('tokens', 'all 0 20', async () => {
      state.reads += 1;
      return { items: [state.item], total: 1 };
    });
    return page.items[0];
  };
  return {
    state,
    ask,
    hold: () => {
      holds = true;
    },
    /** Lets the looks that are under way, and those to come, be answered. */
    letGo: () => {
      holds = false;
      for (const go of held.splice(0)) go();
    },
    /** As a writer does: an intent, the rows, and the intent taken out. */
    write(item: string, number: number) {
      state.item = item;
      state.stamp = `a ${number}`;
    },
  };
}

/** The first page is read before anything is known of the registration. */
async function warmed() {
  const found = collection();
  await found.ask();
  await found.ask();
  found.state.looks = 0;
  found.state.reads = 0;
  return found;
}

describe('a page', () => {
  test('is read once while its collection stays as it is', async () => {
    const { ask, state } = await warmed();
    for (let time = 0; time < 10; time += 1) expect(await ask()).toBe('first');
    expect(state.reads).toBe(0);
  });

  test('costs all who ask at the same time two looks at the registration', async () => {
    const { ask, state } = await warmed();
    await Promise.all(Array.from({ length: 100 }, ask));
    expect(state).toMatchObject({ looks: 2, reads: 0 });
  });

  test('is read again as soon as its collection was written', async () => {
    const { ask, write } = await warmed();
    write('second', 3);
    expect(await ask()).toBe('second');
    expect(await ask()).toBe('second');
  });

  test('is not kept while the collection is being written', async () => {
    const { ask, state } = await warmed();
    state.stamp = undefined;
    state.item = 'half written';
    expect(await ask()).toBe('half written');
    state.item = 'written';
    expect(await ask()).toBe('written');
    state.stamp = 'a 3';
    expect(await ask()).toBe('written');
  });

  test('that was read while a writer began is not served after it has ended', async () => {
    const { ask, state } = await warmed();
    state.item = 'half written';
    state.stamp = undefined;
    await ask();
    state.item = 'written';
    state.stamp = 'a 4';
    expect(await ask()).toBe('written');
    expect(await ask()).toBe('written');
  });

  test('is not vouched for by a look that began before it was asked for', async () => {
    const { ask, state, hold, letGo, write } = await warmed();
    hold();
    const early = ask();
    await Promise.resolve();
    expect(state.looks).toBe(1);
    write('second', 3);
    const late = ask();
    letGo();
    expect(await early).toBe('first');
    expect(await late).toBe('second');
  });

  test('of a writer of the same number, but another run, is read again', async () => {
    const { ask, state } = await warmed();
    state.item = 'of another writer';
    state.stamp = 'b 1';
    expect(await ask()).toBe('of another writer');
  });
});

test('a registration that cannot be read is told to who asks for a kept page, and asked for again the next time', async () => {
  let isAway = false;
  const kept = keepPages(async () => {
    if (isAway) throw new Error('the server is away');
    return 'a 1';
  });
  const ask = () => kept.page('tokens', 'all', async () => ({ items: ['one'], total: 1 }));
  await ask();
  await ask();
  isAway = true;
  await expect(ask()).rejects.toThrow('the server is away');
  isAway = false;
  expect(await ask()).toEqual({ items: ['one'], total: 1 });
});
