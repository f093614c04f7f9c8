// Within an append's transaction each projection is written or leaves by itself; the append stands.
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import { silentLogger } from '../../../../src/kernel/ports/logger.ts';
import type { CollectionCommit, ReadModel } from '../../../../src/kernel/ports/read-model.ts';
import type { SynchronousReadModel } from '../../../../src/kernel/ports/shared-transaction.ts';
import { StoreUnavailable } from '../../../../src/kernel/ports/store-unavailable.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import { EventUndecodable, type Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { createInlineProjections } from '../../../../src/kernel/runtime/inline-projections.ts';
import { newTarget, type Target } from '../../../../src/kernel/runtime/projection-target.ts';
import { newProjectorWork } from '../../../../src/kernel/runtime/projector-work.ts';

const fold = { key: () => 'a', apply: (document: object | undefined) => ({ ...document, seen: true }) };
const projectionOf = (name: string, types: readonly string[] = ['Counted']): Projection => ({
  name,
  version: 2,
  on: Object.fromEntries(types.map((type) => [type, fold])),
});

let positions = 0;
function event(type = 'Counted'): RecordedEvent {
  positions += 1;
  const position = String(positions).padStart(6, '0');
  return { id: position, stream: 'counter-a', revision: 0, position, type, data: {}, metadata: {} };
}
const events = (count: number, type?: string) => Array.from({ length: count }, () => event(type));

interface Given {
  readonly projections?: readonly Projection[];
  /** Which projection's documents cannot be read. */
  readonly broken?: { readonly name: string; readonly version?: number; readonly error: Error };
  readonly undecodable?: boolean;
  readonly isSynchronous?: boolean;
}

function open({
  projections = [projectionOf('one')],
  broken,
  undecodable,
  isSynchronous = true,
}: Given = {}) {
  const written: (readonly CollectionCommit[])[] = [];
  const failed: [string, unknown][] = [];
  const reading: Target[] = [];
  let undone = 0;
  const synchronous: SynchronousReadModel = {
    loadNow(collection, _keys, generation) {
      if (broken?.name === collection.name && (broken.version ?? 2) === generation?.version)
        throw broken.error;
      return new Map();
    },
    commitNow: (commits) => void written.push(commits),
    attempt(work) {
      try {
        work();
      } catch (error) {
        undone += 1;
        throw error;
      }
    },
  };
  const work = newProjectorWork({
    projections,
    categoryOfType: new Map([
      ['Counted', 'counter'],
      ['Painted', 'wall'],
    ]),
    readModel: {} as ReadModel,
    store: {} as never,
    reader: {} as never,
    logger: silentLogger,
  });
  for (const kept of work.all) {
    const generation = { version: 2, generation: 1 };
    kept.own = newTarget({ projection: kept.projection, generation, categories: [], isServed: true });
    kept.own.inline = true;
  }
  const inline = createInlineProjections(work, {
    synchronous: isSynchronous ? synchronous : undefined,
    reader: {
      readNow(stored) {
        if (undecodable && stored.type === 'Counted') throw damaged(stored);
        return stored as unknown as Recorded;
      },
    },
    trouble: { fail: (target, error) => void failed.push([target.projection.name, error]) },
    beginReading: (group) => void reading.push(...group),
  });
  const own = (name: string) => {
    const target = work.all.find(({ projection }) => projection.name === name)?.own;
    if (target === undefined) throw new Error(`there is no ${name}`);
    return target;
  };
  return { work, inline, written, failed, reading, own, undone: () => undone };
}

function damaged({ id, stream, revision, position, type }: RecordedEvent): EventUndecodable {
  return new EventUndecodable({
    eventId: id,
    stream,
    revision,
    position,
    eventType: type,
    problem: 'damaged',
    isNewer: false,
  });
}

const named = (commits: readonly CollectionCommit[] | undefined) =>
  commits?.map(({ collection, changes, checkpoint }) => [collection.name, changes.length, checkpoint]);

describe('an append', () => {
  test('is projected with its checkpoint, in one commit for all that fold it', () => {
    const { inline, written, own, work } = open({
      projections: [projectionOf('one'), projectionOf('other'), projectionOf('walls', ['Painted'])],
    });
    const [counted] = events(1);
    inline.apply(counted === undefined ? [] : [counted]);
    expect(written.map(named)).toEqual([
      [
        ['one', 1, counted?.position],
        ['other', 1, counted?.position],
      ],
    ]);
    expect(work.head).toBe(counted?.position);
    expect(['one', 'walls'].map((name) => own(name).position)).toEqual([
      counted?.position,
      counted?.position,
    ]);
  });

  test('that nobody folds writes nothing, but for a checkpoint after a thousand events', () => {
    const { inline, written, work } = open();
    inline.apply(events(999, 'Painted'));
    expect(written).toEqual([]);
    inline.apply(events(1, 'Painted'));
    expect(written.map(named)).toEqual([[['one', 0, work.head]]]);
    inline.apply(events(999, 'Painted'));
    expect(written).toHaveLength(1);
  });

  test('only moves the head where a subscription brings the events', () => {
    const { inline, written, work, own } = open({ isSynchronous: false });
    inline.apply(events(2));
    expect(written).toEqual([]);
    expect(work.head > own('one').position).toBe(true);
  });

  test('is not projected into documents whose successor takes their place, nor by what reads the log', () => {
    const { inline, written, own } = open({ projections: [projectionOf('one'), projectionOf('other')] });
    own('one').retired = true;
    own('other').inline = false;
    inline.apply(events(1));
    expect(written).toEqual([]);
    expect(own('one').position).toBe('');
  });
});

describe('a projection', () => {
  test('that cannot fold the append stops, and the others are written', () => {
    const error = new Error('not thirteen');
    const { inline, written, failed, reading } = open({
      projections: [projectionOf('one'), projectionOf('other')],
      broken: { name: 'one', error },
    });
    inline.apply(events(1));
    expect(failed).toEqual([['one', error]]);
    expect(reading).toEqual([]);
    expect(named(written[0])?.map(([name]) => name)).toEqual(['other']);
  });

  test('that cannot decode the append leaves the appends, and waits for it by reading the log', () => {
    const { inline, failed, reading, own } = open({ undecodable: true });
    inline.apply(events(1));
    expect(failed).toEqual([]);
    expect(reading).toEqual([own('one')]);
    expect(own('one')).toMatchObject({ inline: false, position: '' });
  });

  test('stops when the whole append could not be projected, if it folds an event of it', () => {
    const { inline, failed, own } = open({
      projections: [projectionOf('one'), projectionOf('walls', ['Painted']), projectionOf('reading')],
    });
    own('reading').inline = false;
    const error = new Error('cannot write');
    inline.failed(error, [event(), event('Closed')]);
    expect(failed).toEqual([['one', error]]);
  });
});

describe('an older generation', () => {
  function withFormer(given: Given) {
    const scene = open(given);
    const [kept] = scene.work.all;
    if (kept === undefined) throw new Error('there is a projection');
    const { projection } = kept;
    const generation = { version: 1, generation: 1 };
    kept.former = newTarget({ projection, generation, categories: [], isServed: true });
    kept.former.inline = true;
    return scene;
  }

  test('is written by itself, beside its successor', () => {
    const { inline, written } = withFormer({});
    inline.apply(events(1));
    expect(written.map((commits) => commits.map(({ generation }) => generation?.version))).toEqual([
      [1],
      [2],
    ]);
  });

  test('that cannot be written is undone alone', () => {
    const error = new Error('a document of old');
    const { inline, written, failed, undone } = withFormer({ broken: { name: 'one', version: 1, error } });
    inline.apply(events(1));
    expect(failed).toEqual([['one', error]]);
    expect(undone()).toBe(1);
    expect(written.map((commits) => commits.map(({ generation }) => generation?.version))).toEqual([[2]]);
  });

  test('is not at fault when the whole transaction is lost', () => {
    const error = new StoreUnavailable('the disk is full');
    const { inline, failed } = withFormer({ broken: { name: 'one', version: 1, error } });
    expect(() => inline.apply(events(1))).toThrow(error);
    expect(failed).toEqual([]);
  });
});
