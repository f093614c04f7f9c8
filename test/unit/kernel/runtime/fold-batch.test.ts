// A batch is folded for each projection by itself: one that cannot fold it holds up no other.
import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../../src/kernel/ports/errors.ts';
import type { RecordedEvent } from '../../../../src/kernel/ports/event-store.ts';
import type { Projection } from '../../../../src/kernel/runtime/define-projection.ts';
import { EventUndecodable, type Recorded } from '../../../../src/kernel/runtime/event-codec.ts';
import { newTarget, type Target } from '../../../../src/kernel/runtime/projection-target.ts';
import { type FoldParts, foldBatch } from '../../../../src/kernel/runtime/reading.ts';

const event = (revision: number, type = 'Counted'): RecordedEvent => ({
  id: `event ${revision}`,
  stream: 'counter-a',
  revision,
  position: String(revision),
  type,
  data: {},
  metadata: { occurredAt: `at ${revision}` },
});

function target(name: string, folded: readonly string[] = ['Counted'], position = '0'): Target {
  const fold = { key: () => 'a', apply: (document: object | undefined) => ({ ...document, [name]: true }) };
  const projection: Projection = {
    name,
    version: 1,
    on: Object.fromEntries(folded.map((type) => [type, fold])),
  };
  return newTarget(
    { projection, generation: { version: 1, generation: 1 }, categories: [], isServed: true },
    position,
  );
}

/** `damaged` cannot be decoded, until an operator quarantines it. `away`: the documents of which projection. */
function parts(
  given: { damaged?: number; quarantined?: number; away?: string; broken?: readonly string[] } = {},
) {
  const left: string[] = [];
  const undecodable = (stored: RecordedEvent) =>
    new EventUndecodable({
      eventId: stored.id,
      stream: stored.stream,
      revision: stored.revision,
      position: stored.position,
      eventType: stored.type,
      problem: 'damaged',
      isNewer: false,
    });
  let isQuarantined = false;
  const readNow = (stored: RecordedEvent) => {
    if (stored.revision === given.damaged) throw undecodable(stored);
    if (stored.revision === given.quarantined && !isQuarantined) throw undecodable(stored);
    return stored.revision === given.quarantined ? undefined : (stored as unknown as Recorded);
  };
  let members = 2;
  const found: FoldParts & { readonly left: readonly string[]; alone(): void } = {
    left,
    alone: () => {
      members = 1;
    },
    reader: {
      // As the reader does: it first reads the quarantine where an event cannot be decoded.
      async read(stored) {
        try {
          return readNow(stored);
        } catch {
          isQuarantined = true;
          return readNow(stored);
        }
      },
      mayBecome: (stored, isWanted) => isWanted(stored.type),
    },
    readModel: {
      async load({ name }) {
        if (name === given.away) throw new StoreUnavailable('the read model does not answer');
        if (given.broken?.includes(name)) throw new Error(`${name} is broken`);
        return new Map();
      },
    },
    isRemote: false,
    isAlone: () => members === 1,
    leaveAlone({ projection }) {
      left.push(projection.name);
      members -= 1;
    },
  };
  return found;
}

const EVENTS = [event(1), event(2, 'Painted'), event(3)];

describe('a batch', () => {
  test('is folded from where each projection stands, with the moment of its last event', async () => {
    const one = target('one');
    const ahead = target('ahead', ['Counted'], '3');
    ahead.lastEventAt = 'earlier';
    const { folded, passed, undecodable } = await foldBatch([one, ahead], EVENTS, parts());
    expect(folded.get(one)).toMatchObject({
      commit: {
        changes: [
          { key: 'a', position: '1' },
          { key: 'a', position: '3' },
        ],
      },
      lastEventAt: 'at 3',
    });
    expect(folded.get(ahead)).toMatchObject({ commit: { changes: [] }, lastEventAt: 'earlier' });
    expect({ passed, undecodable }).toEqual({ passed: EVENTS, undecodable: undefined });
  });

  test('that one of several cannot fold is folded for the others, and that one goes on alone', async () => {
    const [one, other] = [target('one'), target('other')];
    const broken = parts({ broken: ['one'] });
    const { folded } = await foldBatch([one, other], EVENTS, broken);
    expect(broken.left).toEqual(['one']);
    expect([...folded.keys()]).toEqual([other]);
  });

  test('that the only one cannot fold fails', async () => {
    const broken = parts({ broken: ['one', 'other'] });
    await expect(foldBatch([target('one'), target('other')], EVENTS, broken)).rejects.toThrow(
      'other is broken',
    );
    expect(broken.left).toEqual(['one']);
  });

  test('fails for all while the store is away, which is no fault of one of them', async () => {
    const away = parts({ away: 'one' });
    await expect(foldBatch([target('one'), target('other')], EVENTS, away)).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
    expect(away.left).toEqual([]);
  });
});

/** How often others came to run meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

test('a large batch lets others run while it is decoded and folded, and a small one takes no time of the loop', async () => {
  const large = Array.from({ length: 1_100 }, (_, index) => event(index + 1));
  expect(await turnsDuring(() => foldBatch([target('one')], large, parts()))).toBeGreaterThanOrEqual(3);
  expect(await turnsDuring(() => foldBatch([target('one')], large.slice(0, 512), parts()))).toBe(0);
});

describe('an event that cannot be decoded', () => {
  test('ends the batch before it for a projection that is alone', async () => {
    const one = target('one');
    const damaged = parts({ damaged: 3 });
    damaged.alone();
    const { folded, passed, undecodable } = await foldBatch([one], EVENTS, damaged);
    expect(passed).toEqual(EVENTS.slice(0, 2));
    expect(undecodable?.event).toMatchObject({ revision: 3 });
    expect(folded.get(one)).toMatchObject({ commit: { changes: [{ position: '1' }] }, lastEventAt: 'at 1' });
  });

  test('holds up only those that fold its type', async () => {
    const painted = target('painted', ['Painted']);
    const damaged = parts({ damaged: 3 });
    const { folded, passed } = await foldBatch([target('counted'), painted], EVENTS, damaged);
    expect(damaged.left).toEqual(['counted']);
    expect([...folded.keys()]).toEqual([painted]);
    expect(passed).toEqual(EVENTS);
  });

  test('is skipped once an operator has quarantined it, which is looked up', async () => {
    const one = target('one');
    const { folded, undecodable } = await foldBatch([one], EVENTS, parts({ quarantined: 1 }));
    expect(undecodable).toBeUndefined();
    expect(folded.get(one)).toMatchObject({ commit: { changes: [{ position: '3' }] } });
  });
});
