/** Contract of the ReadModel port. An adapter's test file opens the read model and runs it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Position } from '../../src/kernel/ports/event-store.ts';
import {
  type Collection,
  type CollectionCommit,
  CollectionNotLive,
  type Document,
  type DocumentChange,
  type FindOptions,
  type Generation,
  type ReadModel,
} from '../../src/kernel/ports/read-model.ts';
import { createRandom } from '../support/faulty-chain/random.ts';

export interface OpenedReadModel {
  readonly readModel: ReadModel;
  /** Closes the read model and opens it again on what it wrote; the one given out before is of no use then. */
  reopen(): Promise<ReadModel>;
  dispose(): Promise<void>;
}

/** Optional features of an adapter. Tests of unsupported features are skipped and counted. */
export interface ReadModelAbilities {
  /** A commit is seen whole or not at all. */
  readonly atomicCommit: boolean;
  /** Number of documents in the large tests; lower for slow servers. */
  readonly many?: number;
  /** Number of the three seeds used by tests with random changes. */
  readonly seeds?: number;
}

/** The adapter opens on an empty place in every test. */
export function readModelContract(
  name: string,
  { atomicCommit, many = 5_000, seeds = 3 }: ReadModelAbilities,
  open: () => Promise<OpenedReadModel>,
): void {
  describe(`${name} keeps the contract of a read model`, () => {
    let opened: OpenedReadModel;
    let readModel: ReadModel;

    beforeEach(async () => {
      opened = await open();
      readModel = opened.readModel;
    });

    afterEach(() => opened.dispose());

    function testEachSeed(name: string, run: (seed: number) => Promise<void>): void {
      for (const seed of [1, 2, 3]) test.skipIf(seed > seeds)(`${name} (seed ${seed})`, () => run(seed));
    }

    async function goLive(...collections: readonly Collection[]): Promise<void> {
      await readModel.prepare(collections);
      for (const collection of collections) await readModel.goLive(collection);
    }

    const commit = (changes: readonly DocumentChange[], checkpoint?: Position) =>
      readModel.commit([
        { collection: things, changes, ...(checkpoint === undefined ? {} : { checkpoint }) },
      ]);

    const names = async (offset = 0, limit = 1_000) =>
      readModel.page(things, 'all', 'shown', { view: 'name', offset, limit }).then(namesOf);

    const behind = async (after: string, offset = 0, limit = 1_000) =>
      readModel.page(things, 'all', 'shown', { view: 'name', offset, limit, after }).then(namesOf);

    const matches = async (
      prefix: string,
      options: { limit?: number; offset?: number; matchLimit?: number; after?: string } = {},
    ) =>
      readModel
        .search(things, 'all', 'shown', {
          prefix,
          view: 'name',
          offset: 0,
          limit: 1_000,
          matchLimit: 1_000,
          ...options,
        })
        .then(namesOf);

    describe('documents', () => {
      beforeEach(() => goLive(things));

      test('are loaded with the position that wrote them, those that are there', async () => {
        await commit([thing('a', 1), thing('b', 2)]);
        const loaded = await readModel.load(things, ['b', 'missing', 'a']);
        expect(new Map(loaded)).toEqual(
          new Map([
            ['a', { position: at(1), document: thing('a', 1).document }],
            ['b', { position: at(2), document: thing('b', 2).document }],
          ]),
        );
        expect(await readModel.get(things, 'a')).toEqual(thing('a', 1).document);
        expect(await readModel.get(things, 'missing')).toBeUndefined();
      });

      test('come back as they were given', async () => {
        const document = {
          name: 'naïve 日本 😀 \u0000 \ud800',
          amount: '9007199254740993000000001',
          list: [0.1, null, { deep: true }],
        };
        await commit([{ key: 'a', position: at(1), document }]);
        expect(await readModel.get(things, 'a')).toEqual(document);
      });

      test('are replaced by a later position only', async () => {
        await commit([thing('a', 5, { name: 'five' })]);
        await commit([thing('a', 4, { name: 'four' })]);
        await commit([thing('a', 5, { name: 'five again' })]);
        expect(await readModel.get(things, 'a')).toMatchObject({ name: 'five' });
        await commit([thing('a', 6, { name: 'six' })]);
        expect(await readModel.get(things, 'a')).toMatchObject({ name: 'six' });
        expect(await matches('five')).toEqual({ items: [], total: 0 });
        expect(await names()).toEqual({ items: ['six'], total: 1 });
      });

      test('are changed more than once in a commit, one after the other', async () => {
        await commit([thing('a', 1, { name: 'one' }), thing('b', 2), thing('a', 3, { name: 'three' })]);
        expect(await names()).toEqual({ items: ['b', 'three'], total: 2 });
        expect((await readModel.load(things, ['a'])).get('a')?.position).toBe(at(3));
      });

      test('leave a tombstone when they are deleted, which an older change does not bring back', async () => {
        await commit([thing('a', 1), thing('b', 2)]);
        await commit([deleted('a', 3)]);
        await commit([thing('a', 1), thing('a', 2)]);
        expect((await readModel.load(things, ['a'])).get('a')).toEqual({
          position: at(3),
          document: undefined,
        });
        expect(await readModel.get(things, 'a')).toBeUndefined();
        expect(await names()).toEqual({ items: ['b'], total: 1 });
        expect(await matches('a')).toEqual({ items: [], total: 0 });
        expect(await readModel.find(things, 'color', 'red')).toHaveLength(1);
        await commit([thing('a', 4)]);
        expect(await readModel.get(things, 'a')).toBeDefined();
      });

      test('leave a tombstone also when they were never there', async () => {
        await commit([deleted('a', 3)]);
        await commit([thing('a', 2)]);
        expect(await readModel.get(things, 'a')).toBeUndefined();
        expect(await names()).toEqual({ items: [], total: 0 });
      });

      test('are as they are now, however often they were asked for before', async () => {
        const name = async (key: string) => (await readModel.get(things, key))?.name;
        expect([await name('a'), await name('a')]).toEqual([undefined, undefined]);
        await commit([thing('a', 1, { name: 'one' }), thing('b', 2)]);
        expect([await name('a'), await name('a'), await name('b')]).toEqual(['one', 'one', 'b']);
        await commit([thing('a', 3, { name: 'three' })]);
        expect([await name('a'), await name('b')]).toEqual(['three', 'b']);
        await commit([deleted('a', 4)]);
        expect([await name('a'), await name('a')]).toEqual([undefined, undefined]);
        await commit([thing('a', 5, { name: 'five' })]);
        expect(await name('a')).toBe('five');
        await readModel.renew(things, 'nothing');
        await readModel.goLive(things);
        expect([await name('a'), await name('b')]).toEqual([undefined, undefined]);
      });

      test('stay as they are whatever is done to what was handed out', async () => {
        const document = { name: 'a', deep: { list: [{ amount: '1' }] } };
        await commit([{ key: 'a', position: at(1), document }]);
        for (const found of [await readModel.get(things, 'a'), await readModel.get(things, 'a')]) {
          Reflect.set(found ?? {}, 'name', 'mine');
          const deep = found?.deep as typeof document.deep;
          Reflect.set(deep, 'list', []);
          Reflect.set(deep.list[0] ?? {}, 'amount', '2');
        }
        expect(await readModel.get(things, 'a')).toEqual(document);
      });

      test('are kept when the read model is opened again', async () => {
        await commit([thing('a', 1), thing('b', 2)], at(2));
        readModel = await opened.reopen();
        await readModel.prepare([things]);
        expect((await readModel.own(things)).isLive).toBe(true);
        expect((await readModel.own(things)).checkpoint).toBe(at(2));
        expect(await names()).toEqual({ items: ['b', 'a'], total: 2 });
        await commit([thing('c', 3)]);
        expect(await names()).toEqual({ items: ['c', 'b', 'a'], total: 3 });
      });
    });

    describe('entries', () => {
      beforeEach(() => goLive(things));

      const entries = async (after?: string, limit = 100) => {
        const generation = await readModel.own(things);
        return readModel.entries(things, { generation, after, limit });
      };

      test('give every document with its position and views, tombstones included, in the order of keys', async () => {
        await commit([thing('b', 1), thing('a', 2), thing('c', 3), deleted('c', 4), deleted('d', 5)]);
        expect(await entries()).toEqual([
          {
            key: 'a',
            position: at(2),
            document: thing('a', 2).document,
            views: { name: '{"name":"a"}', colors: '{"colors":["red"]}' },
          },
          {
            key: 'b',
            position: at(1),
            document: thing('b', 1).document,
            views: { name: '{"name":"b"}', colors: '{"colors":["red"]}' },
          },
          { key: 'c', position: at(4), document: undefined, views: {} },
          { key: 'd', position: at(5), document: undefined, views: {} },
        ]);
      });

      test('are given in parts, in the order of the bytes of their keys', async () => {
        const keys = ['A', 'Z', 'a', 'é', '\uffe6', '😀'];
        await commit([...keys].reverse().map((key, index) => thing(key, index + 1)));
        const found: string[] = [];
        for (let after: string | undefined; ; after = found.at(-1)) {
          const some = await entries(after, 2);
          if (some.length === 0) break;
          expect(some.length).toBeLessThanOrEqual(2);
          found.push(...some.map(({ key }) => key));
        }
        expect(found).toEqual(keys);
      });

      test('are those of the generation asked for', async () => {
        await commit([thing('a', 1)]);
        const generation = await readModel.own(things);
        await readModel.renew(things, 'live');
        expect(await entries()).toEqual([]);
        expect(await readModel.entries(things, { generation, limit: 9 })).toMatchObject([{ key: 'a' }]);
      });
    });

    describe('a commit', () => {
      beforeEach(() => goLive(things, others));

      test('writes all its collections, or nothing', async () => {
        await commit([thing('a', 1)], at(1));
        const broken: CollectionCommit = {
          collection: others,
          changes: [{ key: 'x', position: at(2), document: { explode: true } }],
        };
        const good = { collection: things, changes: [thing('a', 2, { name: 'new' })], checkpoint: at(2) };
        await expect(readModel.commit([good, broken])).rejects.toThrow('exploded');
        expect(await readModel.get(things, 'a')).toMatchObject({ name: 'a' });
        expect((await readModel.own(things)).checkpoint).toBe(at(1));
        expect(await names()).toEqual({ items: ['a'], total: 1 });
        await readModel.commit([good, { ...broken, changes: [{ ...thing('x', 2), document: {} }] }]);
        expect(await readModel.get(things, 'a')).toMatchObject({ name: 'new' });
        expect(await readModel.get(others, 'x')).toEqual({});
      });

      test('moves the checkpoint with its documents, and never back', async () => {
        expect((await readModel.own(things)).checkpoint).toBeUndefined();
        await commit([], '');
        expect((await readModel.own(things)).checkpoint).toBe('');
        await commit([thing('a', 7)], at(9));
        await commit([thing('b', 8)]);
        await commit([], at(3));
        expect((await readModel.own(things)).checkpoint).toBe(at(9));
        expect((await readModel.own(others)).checkpoint).toBeUndefined();
      });

      test.skipIf(!atomicCommit)('is seen whole, or not at all', async () => {
        const position = 1;
        const [one, other] = [thing('a', position), { ...thing('x', position), document: {} }];
        const writing = readModel.commit([
          { collection: things, changes: [one], checkpoint: at(position) },
          { collection: others, changes: [other], checkpoint: at(position) },
        ]);
        const seen = async () => [
          (await readModel.load(things, ['a'])).size,
          (await readModel.load(others, ['x'])).size,
        ];
        expect([
          [0, 0],
          [1, 1],
        ]).toContainEqual(await seen());
        await writing;
        expect(await seen()).toEqual([1, 1]);
      });
    });

    describe('find', () => {
      beforeEach(() => goLive(things));

      const found = async (value: string, options = {}) =>
        (await readModel.find(things, 'color', value, options)).map(({ name }) => name);

      test('gives documents in the order in which they were first written, or the newest first', async () => {
        await commit([thing('c', 1), thing('a', 2), thing('b', 3)]);
        await commit([thing('c', 4)]);
        expect(await found('red')).toEqual(['c', 'a', 'b']);
        expect(await found('red', { descending: true })).toEqual(['b', 'a', 'c']);
        expect(await found('red', { limit: 2 })).toEqual(['c', 'a']);
        expect(await found('red', { limit: 2, descending: true })).toEqual(['b', 'a']);
      });

      test('goes on behind a document, whatever became of it, in either order', async () => {
        await commit([thing('a', 1), thing('b', 2), thing('c', 3), thing('d', 4)]);
        expect(await found('red', { after: 'b' })).toEqual(['c', 'd']);
        expect(await found('red', { after: 'b', limit: 1 })).toEqual(['c']);
        expect(await found('red', { after: 'c', descending: true })).toEqual(['b', 'a']);
        expect(await found('red', { after: 'c', descending: true, limit: 1 })).toEqual(['b']);
        expect([await found('red', { after: 'd' }), await found('blue', { after: 'a' })]).toEqual([[], []]);
        await commit([deleted('b', 5), thing('c', 6, { colors: ['blue'] })]);
        expect(await found('red', { after: 'b' })).toEqual(['d']);
        expect(await found('red', { after: 'c', descending: true })).toEqual(['a']);
        expect(await found('red', { after: 'never' })).toEqual([]);
      });

      test('follows a document that changes its values', async () => {
        await commit([thing('a', 1, { colors: ['red', 'blue', 'red'] }), thing('b', 2)]);
        expect(await found('blue')).toEqual(['a']);
        await commit([thing('a', 3, { colors: ['blue', 'green'] })]);
        expect(await found('red')).toEqual(['b']);
        expect(await found('blue')).toEqual(['a']);
        expect(await found('green')).toEqual(['a']);
        await commit([thing('a', 4, { colors: [] })]);
        expect([await found('blue'), await found('green')]).toEqual([[], []]);
      });

      test('compares the whole value, with its case', async () => {
        await commit([thing('a', 1, { colors: ['Red', '', '日本'] })]);
        expect([await found('red'), await found('Re'), await found('nothing')]).toEqual([[], [], []]);
        expect([await found('Red'), await found(''), await found('日本')]).toEqual([['a'], ['a'], ['a']]);
      });
    });

    describe('count', () => {
      beforeEach(() => goLive(things));

      const counted = (value: string) => readModel.count(things, 'color', value);

      test('tells how many documents are found under a value, each once', async () => {
        expect(await counted('red')).toBe(0);
        await commit([thing('a', 1, { colors: ['red', 'blue', 'red'] }), thing('b', 2), thing('c', 3)]);
        expect([await counted('red'), await counted('blue'), await counted('Red')]).toEqual([3, 1, 0]);
        expect(await readModel.count(things, 'color', 'red', 2)).toBe(2);
        expect(await readModel.count(things, 'color', 'red', 4)).toBe(3);
        await commit([thing('a', 4, { colors: ['green'] }), deleted('b', 5)]);
        expect([await counted('red'), await counted('blue'), await counted('green')]).toEqual([1, 0, 1]);
      });
    });

    describe('find in an index with places', () => {
      beforeEach(() => goLive(things));

      const ordered = async (options: FindOptions = {}, value = 'red') =>
        (await readModel.find(things, 'weight', value, { limit: 1_000, ...options })).map(({ name }) => name);
      const heavy = (key: string, position: number, weight: string, changed: Partial<Thing> = {}) =>
        thing(key, position, { weight, ...changed });

      test('goes on behind a place, or behind a document there, whatever became of that', async () => {
        await commit([heavy('a', 1, '1'), heavy('b', 2, '2'), heavy('c', 3, '2'), heavy('d', 4, '3')]);
        expect(await ordered({ after: { place: '2' } })).toEqual(['d']);
        expect(await ordered({ after: { place: '2' }, descending: true })).toEqual(['a']);
        expect(await ordered({ after: { place: '15' } })).toEqual(['b', 'c', 'd']);
        expect(await ordered({ after: { place: '2', key: 'b' } })).toEqual(['c', 'd']);
        expect(await ordered({ after: { place: '2', key: 'b' }, limit: 1 })).toEqual(['c']);
        expect(await ordered({ after: { place: '2', key: 'c' }, descending: true })).toEqual(['b', 'a']);
        expect(await ordered({ after: { place: '2', key: 'c' }, descending: true, limit: 1 })).toEqual(['b']);
        // It may have gone elsewhere, or be no more: the place from which one goes on stays.
        await commit([heavy('b', 5, '9'), deleted('c', 6)]);
        expect(await ordered({ after: { place: '2', key: 'b' } })).toEqual(['d', 'b']);
        expect(await ordered({ after: { place: '2', key: 'c' }, descending: true })).toEqual(['a']);
        expect(await ordered({ after: { place: '2', key: 'never' } })).toEqual([]);
      });

      testEachSeed('pages agree with a plain list under random changes', async (seed) => {
        const random = createRandom(seed).next;
        const weights = new Map<string, string>();
        const written: string[] = [];
        let position = 0;
        for (let round = 0; round < 8; round += 1) {
          const changes = Array.from({ length: 60 }, (): DocumentChange => {
            position += 1;
            const key = `k${Math.floor(random() * 90)}`;
            if (!written.includes(key)) written.push(key);
            if (random() < 0.15) {
              weights.delete(key);
              return deleted(key, position);
            }
            const weight = String(Math.floor(random() * 12));
            weights.set(key, weight);
            return heavy(key, position, weight);
          });
          // In parts of both sizes: a few changes are written in another way than many.
          await commit(changes.slice(0, 40));
          for (const change of changes.slice(40)) await commit([change]);
          const sorted = written
            .filter((key) => weights.has(key))
            .map((key) => ({ key, place: weights.get(key) ?? '' }))
            .sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0));
          for (const descending of [false, true]) {
            const expected = descending ? sorted.toReversed() : sorted;
            const found: string[] = [];
            for (let after: FindOptions['after']; ; after = expected[found.length - 1]) {
              const some = await ordered({ limit: 7, descending, ...(after === undefined ? {} : { after }) });
              found.push(...some);
              if (some.length < 7) break;
            }
            expect(found).toEqual(expected.map(({ key }) => key));
          }
        }
      });
    });

    describe('page', () => {
      beforeEach(() => goLive(things));

      test('gives each view of the documents as its JSON text', async () => {
        await commit([thing('a', 1, { name: 'ä"b' })]);
        const options = { offset: 0, limit: 1 };
        const page = (view: string) => readModel.page(things, 'all', 'shown', { ...options, view });
        expect((await page('name')).items).toEqual(['{"name":"ä\\"b"}']);
        expect((await page('colors')).items).toEqual(['{"colors":["red"]}']);
      });

      test('knows nothing of a partition in which nothing ever was', async () => {
        const options = { view: 'name', offset: 0, limit: 10 };
        expect(await readModel.page(things, 'all', 'nobody', options)).toEqual({ items: [], total: 0 });
      });

      test('keeps partitions and lists apart', async () => {
        await commit([
          thing('a', 1, { owner: 'x' }),
          thing('b', 2, { owner: 'y' }),
          thing('c', 3, { owner: 'x', shown: false }),
        ]);
        const owned = (owner: string) =>
          readModel.page(things, 'byOwner', owner, { view: 'name', offset: 0, limit: 10 }).then(namesOf);
        expect(await owned('x')).toEqual({ items: ['c', 'a'], total: 2 });
        expect(await owned('y')).toEqual({ items: ['b'], total: 1 });
        expect(await names()).toEqual({ items: ['b', 'a'], total: 2 });
        await commit([thing('a', 4, { owner: 'y' })]);
        expect(await owned('x')).toEqual({ items: ['c'], total: 1 });
        expect(await owned('y')).toEqual({ items: ['a', 'b'], total: 2 });
      });

      test('goes on behind a document, whatever enters meanwhile, also where it has left', async () => {
        await commit(['a', 'b', 'c', 'd'].map((key, index) => thing(key, index + 1)));
        await commit([thing('never', 5, { shown: false }), thing('later', 6)]);
        expect(await behind('c')).toEqual({ items: ['b', 'a'], total: 5 });
        expect(await behind('c', 0, 1)).toEqual({ items: ['b'], total: 5 });
        expect(await behind('c', 1, 1)).toEqual({ items: ['a'], total: 5 });
        expect((await behind('a')).items).toEqual([]);
        await commit([thing('c', 7, { shown: false }), deleted('b', 8)]);
        expect(await behind('c')).toEqual({ items: ['a'], total: 3 });
        expect(await behind('b')).toEqual({ items: ['a'], total: 3 });
        expect((await behind('d')).items).toEqual(['a']);
        for (const stranger of ['never', 'nobody']) expect((await behind(stranger)).items).toEqual([]);
      });

      test('goes on behind a document in the partition that is asked for', async () => {
        await commit([
          thing('a', 1, { owner: 'y' }),
          thing('b', 2, { owner: 'x' }),
          thing('c', 3, { owner: 'x' }),
          thing('d', 4, { owner: 'y' }),
        ]);
        await commit([thing('d', 5, { owner: 'x' })]);
        const owned = (owner: string, after: string) =>
          readModel
            .page(things, 'byOwner', owner, { view: 'name', offset: 0, limit: 10, after })
            .then(namesOf);
        expect((await owned('x', 'd')).items).toEqual(['c', 'b']);
        expect((await owned('y', 'd')).items).toEqual(['a']);
        expect((await owned('y', 'c')).items).toEqual([]);
      });

      testEachSeed('agrees with a plain list under random changes', async (seed) => {
        const random = createRandom(seed).next;
        const order: string[] = [];
        const listed = new Set<string>();
        let position = 0;
        const first = Array.from({ length: many }, (_, n) => `first${n}`);
        for (const key of first) {
          order.push(key);
          listed.add(key);
        }
        await commit(first.map((key, n) => thing(key, n + 1)));
        position = first.length;
        for (let round = 0; round < 12; round += 1) {
          const changes: DocumentChange[] = [];
          for (let n = 0; n < many * 0.09; n += 1) {
            position += 1;
            // Whole stretches leave and return, so that some buckets are emptied and others stay full.
            const begin = Math.floor(random() * order.length);
            const known = order[Math.min(order.length - 1, begin + (n % 60))];
            const choice = random();
            if (choice < 0.55 || known === undefined) {
              const key = `t${position}`;
              order.push(key);
              listed.add(key);
              changes.push(thing(key, position));
            } else if (choice < 0.75) {
              listed.delete(known);
              changes.push(thing(known, position, { shown: false }));
            } else if (choice < 0.9) {
              listed.add(known);
              changes.push(thing(known, position));
            } else {
              listed.delete(known);
              changes.push(deleted(known, position));
            }
          }
          if (round % 4 === 3) {
            for (const key of order.slice((many / 50) * round, (many / 50) * round + many / 25)) {
              position += 1;
              listed.delete(key);
              changes.push(deleted(key, position));
            }
          }
          await commit(changes);
          const expected = order.filter((key) => listed.has(key)).reverse();
          const offsets = [0, 1, 63, 64, 65, expected.length - 1, Math.floor(random() * expected.length)];
          for (const offset of offsets) {
            const items = expected.slice(offset, offset + 70);
            expect(await names(offset, 70)).toEqual({ items, total: expected.length });
            const before = expected[offset - 1];
            if (before !== undefined) expect((await behind(before, 0, 70)).items).toEqual(items);
          }
        }
        const expected = order.filter((key) => listed.has(key)).reverse();
        for (let offset = 0; offset < expected.length; offset += many < 5_000 ? 29 : 7) {
          expect((await names(offset, 1)).items).toEqual([expected[offset]]);
        }
      });
    });

    describe('search', () => {
      beforeEach(() => goLive(things));

      test('finds documents by the beginning of a term, ignoring case, newest first', async () => {
        await commit([thing('Solar', 1), thing('moon', 2), thing('SOLO', 3), thing('console', 4)]);
        expect(await matches('sol')).toEqual({ items: ['SOLO', 'Solar'], total: 2 });
        expect(await matches('SOLA')).toEqual({ items: ['Solar'], total: 1 });
        expect(await matches('ole')).toEqual({ items: [], total: 0 });
        expect(await matches('')).toMatchObject({ total: 4 });
      });

      test('finds a document once, however many of its terms match', async () => {
        await commit([thing('a', 1, { name: 'sun sunny sunday' })]);
        expect(await matches('sun')).toEqual({ items: ['sun sunny sunday'], total: 1 });
      });

      test('takes wildcards for what they are', async () => {
        await commit([thing('100%', 1), thing('1000', 2), thing('a_b', 3), thing('axb', 4), thing('a*', 5)]);
        expect((await matches('100%')).items).toEqual(['100%']);
        expect((await matches('a_')).items).toEqual(['a_b']);
        expect((await matches('a*')).items).toEqual(['a*']);
        expect((await matches('%')).items).toEqual([]);
        expect((await matches("'")).items).toEqual([]);
      });

      test('finds text of any script, also beyond the first 65,536 characters', async () => {
        const odd = [
          'ÄPFEL',
          '日本酒',
          '😀😁',
          '😀\u{10ffff}',
          'x\ud7ff1',
          'x\ue0001',
          '\uffff-last',
          '\u{10ffff}',
        ];
        await commit(odd.map((name, index) => thing(`k${index}`, index + 1, { name })));
        expect((await matches('äp')).items).toEqual(['ÄPFEL']);
        expect((await matches('日本')).items).toEqual(['日本酒']);
        expect((await matches('😀')).items).toEqual(['😀\u{10ffff}', '😀😁']);
        expect((await matches('😀\u{10ffff}')).items).toEqual(['😀\u{10ffff}']);
        expect((await matches('x\ud7ff')).items).toEqual(['x\ud7ff1']);
        expect((await matches('\uffff')).items).toEqual(['\uffff-last']);
        expect((await matches('\u{10ffff}')).items).toEqual(['\u{10ffff}']);
        expect((await matches('\u0000')).items).toEqual([]);
      });

      test('finds letters however they are composed, in the document and in the question', async () => {
        const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301'];
        await commit([
          thing('composed', 1, { name: `${composed} one` }),
          thing('decomposed', 2, { name: `${decomposed} two` }),
          thing('ligature', 3, { name: '\ufb01nch' }),
          thing('wide', 4, { name: '\uff33\uff35\uff2e' }),
        ]);
        for (const spelling of [composed, decomposed, composed.toUpperCase(), decomposed.toUpperCase()]) {
          expect([spelling, (await matches(spelling)).items]).toEqual([
            spelling,
            [`${decomposed} two`, `${composed} one`],
          ]);
        }
        expect((await matches('fin')).items).toEqual(['\ufb01nch']);
        expect((await matches('sun')).items).toEqual(['\uff33\uff35\uff2e']);
      });

      test('finds only what stands in the partition', async () => {
        await commit([thing('sun', 1), thing('sunny', 2, { shown: false }), thing('sunday', 3)]);
        await commit([deleted('sunday', 4)]);
        expect(await matches('sun')).toEqual({ items: ['sun'], total: 1 });
        await commit([thing('sunny', 5)]);
        expect(await matches('sun')).toEqual({ items: ['sunny', 'sun'], total: 2 });
      });

      test('gives a stretch of the matches, and looks at no more of them than allowed', async () => {
        await commit(['d1', 'd3', 'd2', 'd5', 'd4'].map((key, index) => thing(key, index + 1)));
        expect(await matches('d', { offset: 1, limit: 2 })).toEqual({ items: ['d5', 'd2'], total: 5 });
        expect(await matches('d', { offset: 5 })).toEqual({ items: [], total: 5 });
        expect(await matches('d', { matchLimit: 3 })).toEqual({ items: ['d2', 'd3', 'd1'], total: 3 });
      });

      test('goes on behind a document, whatever enters meanwhile, also where it matches no more', async () => {
        await commit(['d1', 'd3', 'd2', 'd5', 'd4'].map((key, index) => thing(key, index + 1)));
        expect(await matches('d', { after: 'd5' })).toEqual({ items: ['d2', 'd3', 'd1'], total: 5 });
        expect(await matches('d', { after: 'd5', offset: 1, limit: 1 })).toEqual({ items: ['d3'], total: 5 });
        await commit([thing('d6', 6), thing('d5', 7, { shown: false }), thing('d2', 8, { name: 'e' })]);
        expect(await matches('d', { after: 'd5' })).toEqual({ items: ['d3', 'd1'], total: 4 });
        expect(await matches('d', { after: 'd2' })).toEqual({ items: ['d3', 'd1'], total: 4 });
        expect((await matches('d', { after: 'nobody' })).items).toEqual([]);
      });
    });

    describe('versions', () => {
      test('are not read before one has gone live', async () => {
        await readModel.prepare([things]);
        await commit([thing('a', 1)]);
        expect((await readModel.own(things)).isLive).toBe(false);
        await expect(readModel.get(things, 'a')).rejects.toThrow(CollectionNotLive);
        await expect(readModel.find(things, 'color', 'red')).rejects.toThrow(CollectionNotLive);
        await expect(readModel.count(things, 'color', 'red')).rejects.toThrow(CollectionNotLive);
        await expect(names()).rejects.toThrow(CollectionNotLive);
        await expect(matches('a')).rejects.toThrow(CollectionNotLive);
        expect((await readModel.load(things, ['a'])).size).toBe(1);
        await readModel.goLive(things);
        expect((await readModel.own(things)).isLive).toBe(true);
        expect(await names()).toEqual({ items: ['a'], total: 1 });
      });

      test('are read on by a process that knows only the next one', async () => {
        await goLive(things);
        await commit([thing('a', 1)]);
        readModel = await opened.reopen();
        const withMore: Collection<Thing> = {
          ...things,
          version: 2,
          indexes: { ...things.indexes, name: ({ name }) => [name] },
        };
        await readModel.prepare([withMore]);
        expect(await readModel.get(withMore, 'a')).toBeDefined();
        expect(await readModel.find(withMore, 'color', 'red')).toHaveLength(1);
        await expect(readModel.find(withMore, 'name', 'a')).rejects.toThrow(CollectionNotLive);
        await readModel.goLive(withMore);
        expect(await readModel.find(withMore, 'name', 'a')).toEqual([]);
      });

      test('must be prepared before they are used', async () => {
        await expect(commit([thing('a', 1)])).rejects.toThrow(/prepared/);
        await expect(readModel.goLive(things)).rejects.toThrow(/prepared/);
      });

      test('are prepared as often as one likes', async () => {
        await goLive(things);
        await commit([thing('a', 1)], at(1));
        await readModel.prepare([things]);
        await readModel.prepare([{ ...things }]);
        expect((await readModel.own({ ...things })).isLive).toBe(true);
        expect(await names()).toEqual({ items: ['a'], total: 1 });
      });
    });

    describe('another version, or another shape under the same one,', () => {
      const wider: Collection<Thing> = {
        ...things,
        indexes: { ...things.indexes, name: ({ name }) => [name] },
      };
      const shapes: readonly (readonly [string, Collection<Thing>])[] = [
        ['a later version', { ...things, version: 2 }],
        ['an index more', wider],
        ['an index less', { ...things, indexes: {} }],
        ['an index with places more', { ...things, indexes: { ...things.indexes, name: byName } }],
        ['an index with places less', withoutWeight],
        ['a list more', { ...things, lists: { ...things.lists, whole: () => 'all' } }],
        ['a list less', { ...things, lists: { all: ({ shown }) => (shown ? 'shown' : undefined) } }],
        ['a view more', { ...things, views: { ...things.views, owner: ({ owner }) => ({ owner }) } }],
        ['a view less', { ...things, views: { name: ({ name }) => ({ name }) } }],
        ['no terms', withoutTerms],
      ];
      const inView = { view: 'name', offset: 0, limit: 10 };

      test.each(shapes)('is filled beside, and left alone is what is read: %s', async (_what, reshaped) => {
        await goLive(things);
        await commit([thing('a', 1)], at(1));
        await readModel.prepare([reshaped]);
        expect((await readModel.own(reshaped)).checkpoint).toBeUndefined();
        expect((await readModel.load(reshaped, ['a'])).size).toBe(0);
        expect(await readModel.own(things)).toMatchObject({ isLive: true });
        expect(await readModel.own(reshaped)).toMatchObject({ isLive: false });
        await readModel.commit([{ collection: reshaped, changes: [thing('b', 1)], checkpoint: at(5) }]);
        expect(await readModel.get(reshaped, 'a')).toBeDefined();
        expect(await readModel.get(reshaped, 'b')).toBeUndefined();
        expect(await readModel.page(reshaped, 'all', 'shown', inView)).toMatchObject({ total: 1 });
        await commit([thing('c', 2)], at(2));
        expect(await names()).toEqual({ items: ['c', 'a'], total: 2 });

        await readModel.goLive(reshaped);
        expect((await readModel.own(reshaped)).isLive).toBe(true);
        expect(await readModel.get(reshaped, 'a')).toBeUndefined();
        expect(await readModel.page(reshaped, 'all', 'shown', inView)).toEqual({
          items: ['{"name":"b"}'],
          total: 1,
        });
        expect((await readModel.own(reshaped)).checkpoint).toBe(at(5));
        await expect(commit([thing('d', 3)])).rejects.toThrow(/prepared/);
      });

      test('has no index with places before it goes live, and then all in it', async () => {
        await goLive(withoutWeight);
        await readModel.commit([{ collection: withoutWeight, changes: [thing('a', 1)] }]);
        await readModel.prepare([things]);
        const ordered = () => readModel.find(things, 'weight', 'red', { limit: 9 });
        await expect(ordered()).rejects.toThrow(CollectionNotLive);
        // What was live is kept up by the definition that knows more.
        const served = await readModel.served(things);
        if (served === undefined) throw new Error('the former shape is read');
        await readModel.commit([{ collection: things, generation: served, changes: [thing('b', 2)] }]);
        expect(await readModel.find(things, 'color', 'red')).toMatchObject([{ name: 'a' }, { name: 'b' }]);
        await readModel.commit([{ collection: things, changes: [thing('a', 1), thing('b', 2)] }]);
        await readModel.goLive(things);
        expect(await ordered()).toMatchObject([{ name: 'a' }, { name: 'b' }]);
      });

      test('that was interrupted goes on where it was, when it comes again', async () => {
        await goLive(things);
        await commit([thing('a', 1)], at(1));
        await readModel.prepare([wider]);
        await readModel.commit([{ collection: wider, changes: [thing('a', 1)], checkpoint: at(1) }]);
        readModel = await opened.reopen();
        await readModel.prepare([wider]);
        expect(await readModel.own(wider)).toMatchObject({ isLive: false, checkpoint: at(1) });
        expect(await readModel.page(wider, 'all', 'shown', inView)).toMatchObject({ total: 1 });
        await readModel.commit([{ collection: wider, changes: [thing('b', 2)], checkpoint: at(2) }]);
        await readModel.goLive(wider);
        expect(await readModel.find(wider, 'name', 'b')).toHaveLength(1);
        readModel = await opened.reopen();
        await readModel.prepare([wider]);
        expect(await readModel.own(wider)).toMatchObject({ isLive: true, checkpoint: at(2) });
        expect(await readModel.page(wider, 'all', 'shown', inView)).toMatchObject({ total: 2 });
      });

      test('that was interrupted is forgotten when the old one goes live again, or one more does', async () => {
        await goLive(things);
        await commit([thing('a', 1)], at(1));
        await readModel.prepare([wider]);
        await readModel.commit([{ collection: wider, changes: [thing('x', 1)], checkpoint: at(1) }]);
        readModel = await opened.reopen();
        await goLive(things);
        expect(await names()).toEqual({ items: ['a'], total: 1 });
        await readModel.prepare([wider]);
        expect([(await readModel.own(wider)).checkpoint, (await readModel.load(wider, ['x'])).size]).toEqual([
          undefined,
          0,
        ]);

        readModel = await opened.reopen();
        await readModel.prepare([withoutTerms]);
        await readModel.commit([{ collection: withoutTerms, changes: [thing('y', 1)] }]);
        await readModel.goLive(withoutTerms);
        expect((await readModel.page(withoutTerms, 'all', 'shown', inView)).items).toEqual(['{"name":"y"}']);
        await readModel.prepare([things, wider]);
        for (const former of [things, wider]) {
          expect(await readModel.own(former)).toMatchObject({ isLive: false, checkpoint: undefined });
          expect((await readModel.load(former, ['a', 'x'])).size).toBe(0);
        }
      });
    });

    describe('a generation beside the one that is read', () => {
      const generationOf = ({ version, generation }: Generation) => ({ version, generation });
      const into = (generation: Generation, changes: readonly DocumentChange[], checkpoint?: Position) =>
        readModel.commit([
          { collection: things, generation, changes, ...(checkpoint === undefined ? {} : { checkpoint }) },
        ]);

      beforeEach(async () => {
        await goLive(things);
        await commit([thing('a', 1)], at(1));
      });

      test('is begun empty, under the same version and shape, and filled while the other is read and kept up', async () => {
        const former = await readModel.own(things);
        expect(await readModel.served(things)).toEqual(former);
        const next = await readModel.renew(things, 'live');
        expect(next).not.toEqual(former);
        expect([await readModel.own(things), await readModel.served(things)]).toMatchObject([
          next,
          generationOf(former),
        ]);
        expect((await readModel.own(things)).isLive).toBe(false);
        expect([
          (await readModel.own(things)).checkpoint,
          (await readModel.served(things))?.checkpoint,
        ]).toEqual([undefined, at(1)]);
        await into(next, [thing('b', 1)], at(3));
        await into(former, [thing('c', 2), thing('a', 3, { name: 'new' })], at(4));
        expect(await names()).toEqual({ items: ['c', 'new'], total: 2 });
        expect([...(await readModel.load(things, ['a', 'b', 'c'], former)).keys()]).toEqual(['a', 'c']);
        expect([...(await readModel.load(things, ['a', 'b', 'c'], next)).keys()]).toEqual(['b']);
        expect([...(await readModel.load(things, ['a', 'b', 'c'])).keys()]).toEqual(['b']);
        await readModel.goLive(things);
        expect(await readModel.served(things)).toMatchObject(next);
        expect(await names()).toEqual({ items: ['b'], total: 1 });
        expect((await readModel.own(things)).checkpoint).toBe(at(3));
        await expect(into(former, [thing('d', 5)])).rejects.toThrow(/no longer/);
        await expect(readModel.load(things, ['a'], former)).rejects.toThrow(/no longer/);
      });

      test('is emptied when it is begun once more before it went live', async () => {
        const former = await readModel.own(things);
        const next = await readModel.renew(things, 'live');
        await into(next, [thing('b', 1)], at(1));
        expect(await readModel.renew(things, 'live')).toEqual(next);
        expect([
          (await readModel.load(things, ['b'])).size,
          (await readModel.own(things)).checkpoint,
        ]).toEqual([0, undefined]);
        expect(await readModel.served(things)).toEqual(former);
      });

      test('of an older version is written by the newer definition, also where its places differ', async () => {
        const older = await readModel.own(things);
        const newer: Collection<Thing> = {
          ...things,
          version: 2,
          indexes: { ...things.indexes, color: ({ colors }) => (colors ?? []).map((color) => `${color}!`) },
        };
        await readModel.prepare([newer]);
        expect(await readModel.served(newer)).toEqual(older);
        const change = thing('a', 2, { colors: ['red', 'red!'] });
        await readModel.commit([{ collection: newer, generation: older, changes: [change] }]);
        expect(await readModel.get(newer, 'a')).toEqual(change.document);
        expect(await readModel.find(newer, 'color', 'red!!')).toHaveLength(1);
      });

      test('is not read by an older version', async () => {
        const newer: Collection<Thing> = { ...things, version: 2 };
        await readModel.prepare([newer]);
        await readModel.goLive(newer);
        await readModel.prepare([things]);
        expect(await readModel.served(things)).toBeUndefined();
        await expect(readModel.get(things, 'a')).rejects.toThrow(CollectionNotLive);
      });

      test('is removed with all others when nothing is kept, also for those who open it later', async () => {
        const newer: Collection<Thing> = { ...things, version: 2 };
        await readModel.prepare([newer]);
        await readModel.renew(newer, 'nothing');
        await expect(readModel.get(newer, 'a')).rejects.toThrow(CollectionNotLive);
        readModel = await opened.reopen();
        await readModel.prepare([newer, things]);
        expect(await readModel.served(newer)).toBeUndefined();
        expect((await readModel.load(things, ['a'])).size).toBe(0);
      });
    });

    describe('renew, keeping nothing,', () => {
      test('empties the collection, forgets its checkpoint and takes it out of use until it goes live again', async () => {
        await goLive(things, others);
        await commit([thing('a', 5), thing('b', 6, { shown: false }), deleted('c', 7)], at(7));
        await readModel.commit([{ collection: others, changes: [], checkpoint: at(7) }]);
        await readModel.renew(things, 'nothing');
        expect((await readModel.own(things)).checkpoint).toBeUndefined();
        expect((await readModel.load(things, ['a', 'b', 'c'])).size).toBe(0);
        await expect(readModel.get(things, 'a')).rejects.toThrow(CollectionNotLive);
        expect((await readModel.own(others)).checkpoint).toBe(at(7));
        await commit([thing('b', 1), thing('a', 2), thing('c', 3)]);
        await readModel.goLive(things);
        expect(await names()).toEqual({ items: ['c', 'a', 'b'], total: 3 });
      });
    });

    test('rejects every call after it was closed', async () => {
      await goLive(things);
      await readModel.close();
      await expect(readModel.get(things, 'a')).rejects.toThrow();
      await expect(commit([thing('a', 1)])).rejects.toThrow();
      await readModel.close();
    });
  });
}

interface Thing extends Document {
  readonly name: string;
  readonly colors: readonly string[];
  readonly owner: string;
  readonly weight: string;
  readonly shown: boolean;
}

const things: Collection<Thing> = {
  name: 'things',
  version: 1,
  indexes: {
    color: ({ colors }) => colors ?? [],
    weight: ({ colors, weight }) => ({ values: colors ?? [], place: weight ?? '' }),
  },
  terms: ({ name }) => [name, ...name.split(' ')],
  lists: {
    all: ({ shown }) => (shown ? 'shown' : undefined),
    byOwner: ({ owner }) => owner,
  },
  views: { name: ({ name }) => ({ name }), colors: ({ colors }) => ({ colors }) },
};

const { terms: _terms, ...withoutTerms } = things;
const withoutWeight: Collection<Thing> = { ...things, indexes: { color: ({ colors }) => colors ?? [] } };
const byName = ({ name }: Thing) => ({ values: [''], place: name });

const others: Collection = {
  name: 'others',
  version: 1,
  views: {
    plain: (document) => {
      if (document.explode) throw new Error('exploded');
      return document;
    },
  },
};

function at(position: number): Position {
  return String(position).padStart(20, '0');
}

function thing(key: string, position: number, changed: Partial<Thing> = {}): DocumentChange {
  return {
    key,
    position: at(position),
    document: { name: key, colors: ['red'], owner: 'someone', weight: '', shown: true, ...changed },
  };
}

function deleted(key: string, position: number): DocumentChange {
  return { key, position: at(position), document: undefined };
}

function namesOf({ items, total }: { readonly items: readonly string[]; readonly total: number }) {
  return { items: items.map((text): unknown => JSON.parse(text).name), total };
}
