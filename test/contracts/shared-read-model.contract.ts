/** Additional contract of read models that several processes share. An adapter's test file runs it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Collection,
  CollectionNotLive,
  type Document,
  type DocumentChange,
} from '../../src/kernel/ports/read-model.ts';
import {
  NewerVersionLive,
  type SharedReadModel,
  WriterReplaced,
} from '../../src/kernel/ports/shared-read-model.ts';
import { eventually } from '../support/eventually.ts';

export interface SharedPlace {
  /** Opens it as another process does: only stored data are shared. */
  open(): Promise<SharedReadModel>;
  dispose(): Promise<void>;
}

/** The place is empty in every test. */
export function sharedReadModelContract(name: string, openPlace: () => Promise<SharedPlace>): void {
  describe(`${name} keeps the contract of a shared read model`, () => {
    let place: SharedPlace;
    let writer: SharedReadModel;
    let reader: SharedReadModel;

    beforeEach(async () => {
      place = await openPlace();
      writer = await place.open();
      reader = await place.open();
      await writer.startTerm(1);
    });

    afterEach(() => place.dispose());

    async function goLive(collection: Collection, changes: readonly DocumentChange[]): Promise<void> {
      await writer.prepare([collection]);
      await writer.commit([{ collection, changes, checkpoint: changes.at(-1)?.position ?? '' }]);
      await writer.goLive(collection);
    }

    const write = (by: SharedReadModel, ...changes: readonly DocumentChange[]) =>
      by.commit([{ collection: notes, changes, checkpoint: changes.at(-1)?.position ?? '' }]);

    const listed = async (by: SharedReadModel, of: Collection = notes) =>
      (await by.page(of, 'all', 'every', { view: 'text', offset: 0, limit: 100 })).items;

    test('a process without a term creates nothing and writes nothing', async () => {
      await reader.prepare([notes]);
      await expect(reader.own(notes)).rejects.toThrow(/prepared/);
      await expect(reader.get(notes, 'a')).rejects.toThrow(CollectionNotLive);
      const writes = [
        () => write(reader, note('a', 1)),
        () => reader.renew(notes, 'nothing'),
        () => reader.renew(notes, 'live'),
        () => reader.goLive(notes),
        () => reader.writeStatus({}),
      ];
      for (const attempt of writes) await expect(attempt()).rejects.toThrow(WriterReplaced);
      await writer.prepare([notes]);
      expect((await writer.load(notes, ['a'])).size).toBe(0);
    });

    test('what one process writes, others read, also what goes live or is emptied later', async () => {
      await reader.prepare([notes]);
      await goLive(notes, [note('a', 1), note('b', 2)]);
      await eventually('the reader sees what went live', async () => {
        expect(await listed(reader)).toEqual(['{"text":"b 2"}', '{"text":"a 1"}']);
        return true;
      });
      await write(writer, note('a', 3), note('c', 4));
      expect(await reader.get(notes, 'a')).toEqual({ text: 'a 3' });
      expect((await reader.own(notes)).checkpoint).toBe(at(4));
      expect(await reader.load(notes, ['c', 'nothing'])).toEqual(await writer.load(notes, ['c', 'nothing']));
      expect(await reader.find(notes, 'text', 'c 4')).toEqual([{ text: 'c 4' }]);

      await writer.renew(notes, 'nothing');
      await eventually('the reader sees that it was emptied', async () => {
        await expect(reader.get(notes, 'a')).rejects.toThrow(CollectionNotLive);
        return true;
      });
      await goLive(notes, [note('d', 5)]);
      await eventually('the reader sees the new filling', async () => {
        expect(await listed(reader)).toEqual(['{"text":"d 5"}']);
        return true;
      });
      expect((await reader.own(notes)).isLive).toBe(true);
      expect(await reader.served(notes)).toEqual(await writer.served(notes));
    });

    test('progress shows checkpoints and builds of one moment, and queries that follow read those builds', async () => {
      await reader.prepare([notes]);
      expect((await reader.progress([notes])).served.size).toBe(0);
      await goLive(notes, [note('a', 1)]);
      const other: Collection = { ...notes, name: 'others' };
      await goLive(other, [note('a', 1)]);
      await writer.commit([
        { collection: notes, changes: [note('b', 2)] },
        { collection: notes, changes: [], checkpoint: at(2) },
        { collection: other, changes: [], checkpoint: at(2) },
      ]);
      await writer.writeStatus({ is: 'well' });
      const { status, served } = await reader.progress([notes, other]);
      expect(status).toEqual({ is: 'well' });
      expect([...served].map(([name, { checkpoint }]) => [name, checkpoint])).toEqual([
        ['notes', at(2)],
        ['others', at(2)],
      ]);
      expect(await listed(reader)).toHaveLength(2);
      await writer.renew(notes, 'nothing');
      expect([...(await reader.progress([notes, other])).served.keys()]).toEqual(['others']);
      await expect(reader.get(notes, 'a')).rejects.toThrow(CollectionNotLive);
    });

    test('a new version is filled beside, and takes the place of the old one for all', async () => {
      await goLive(notes, [note('a', 1)]);
      const next: Collection = { ...notes, version: 2 };
      await reader.prepare([next]);
      await writer.prepare([next]);
      await writer.commit([{ collection: next, changes: [note('b', 2)] }]);
      expect(await listed(reader, next)).toEqual(['{"text":"a 1"}']);
      await writer.goLive(next);
      await eventually('the reader sees the new version', async () => {
        expect(await listed(reader, next)).toEqual(['{"text":"b 2"}']);
        return true;
      });
    });

    test('an older version does not take the place of a newer one', async () => {
      const next: Collection = { ...notes, version: 2 };
      await goLive(next, [note('a', 1)]);
      const older = await place.open();
      await older.startTerm(2);
      await older.prepare([notes]);
      await older.commit([{ collection: notes, changes: [note('b', 2)] }]);
      await expect(older.goLive(notes)).rejects.toThrow(NewerVersionLive);
      await expect(older.renew(notes, 'nothing')).rejects.toThrow(NewerVersionLive);
      await reader.prepare([next]);
      expect(await listed(reader, next)).toEqual(['{"text":"a 1"}']);
    });

    test('a writer of a higher term replaces the former, whose writes change nothing any more', async () => {
      await goLive(notes, [note('a', 1)]);
      const later = await place.open();
      await later.startTerm(7);
      await later.prepare([notes]);
      const attempts = [
        () => write(writer, note('a', 2), note('b', 3)),
        () => writer.renew(notes, 'nothing'),
        () => writer.renew(notes, 'live'),
        () => writer.writeStatus({ of: 'former' }),
        () => writer.startTerm(6),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toThrow(WriterReplaced);
      const next: Collection = { ...notes, version: 2 };
      await writer.prepare([next]);
      await expect(writer.own(next)).rejects.toThrow(/prepared/);
      expect(await listed(later)).toEqual(['{"text":"a 1"}']);
      expect((await later.own(notes)).checkpoint).toBe(at(1));
      expect((await later.progress([notes])).status).toBeUndefined();
      await write(later, note('b', 2));
      expect(await listed(later)).toEqual(['{"text":"b 2"}', '{"text":"a 1"}']);
      await writer.startTerm(8);
      await writer.prepare([notes]);
      await write(writer, note('c', 3));
      expect(await listed(writer)).toHaveLength(3);
      await expect(write(later, note('d', 4))).rejects.toThrow(WriterReplaced);
    });

    test('a term can begin again, by the same process or another', async () => {
      await goLive(notes, [note('a', 1)]);
      await writer.startTerm(1);
      await write(writer, note('b', 2));
      const other = await place.open();
      await other.startTerm(1);
      await other.prepare([notes]);
      await write(other, note('c', 3));
      expect(await listed(other)).toHaveLength(3);
    });

    test('two writers of one term that write the same leave what one leaves', async () => {
      await goLive(notes, []);
      const other = await place.open();
      await other.startTerm(1);
      await other.prepare([notes]);
      const changes = Array.from({ length: 12 }, (_, index) => note(`k${index % 7}`, index + 1));
      const insist = async (by: SharedReadModel) => {
        for (let first = 0; first < changes.length; first += 3) {
          await eventually('the part is written', async () => {
            await write(by, ...changes.slice(first, first + 3));
            return true;
          });
        }
      };
      await Promise.all([insist(writer), insist(other)]);
      expect(await listed(writer)).toEqual(
        [6, 5, 4, 3, 2, 1, 0].map((n) => `{"text":"k${n} ${n < 5 ? n + 8 : n + 1}"}`),
      );
    });

    test('the latest status is read by all', async () => {
      const statusNow = async () => (await reader.progress([])).status;
      expect(await statusNow()).toBeUndefined();
      await writer.writeStatus({ at: '1', odd: { 'a.b': '$x', text: 'naïve \u0000 \ud800' } });
      expect(await statusNow()).toEqual({ at: '1', odd: { 'a.b': '$x', text: 'naïve \u0000 \ud800' } });
      await Promise.all([2, 3, 4, 5].map((n) => writer.writeStatus({ at: String(n) })));
      expect(await statusNow()).toEqual({ at: '5' });
      const later = await place.open();
      await later.startTerm(2);
      expect(await statusNow()).toEqual({ at: '5' });
      await later.writeStatus({ at: '6' });
      expect(await statusNow()).toEqual({ at: '6' });
    });
  });
}

interface Note extends Document {
  readonly text: string;
}

const notes: Collection<Note> = {
  name: 'notes',
  version: 1,
  indexes: { text: ({ text }) => [text] },
  lists: { all: () => 'every' },
  views: { text: ({ text }) => ({ text }) },
};

function at(position: number): string {
  return String(position).padStart(20, '0');
}

function note(key: string, position: number): DocumentChange {
  return { key, position: at(position), document: { text: `${key} ${position}` } };
}
