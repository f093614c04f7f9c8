// What a check of a start says of the log and of the read models that were made from it, by what is recorded.

import { describe, expect, test } from 'vitest';
import { checkLog, checkReadModelFile, lookInto } from '../../../../src/app/start-check/check-log.ts';
import { reportOn, type ShowProgress } from '../../../../src/app/start-check/obstacle.ts';
import { FORMAT, StoreInUse } from '../../../../src/kernel/ports/errors.ts';
import type { EventStore, EventToAppend } from '../../../../src/kernel/ports/event-store.ts';
import type { LogReader } from '../../../../src/kernel/ports/log-reader.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { readLog } from '../../../../src/kernel/runtime/read-log.ts';
import { ServiceInitialized, service } from '../../../../src/streams/service.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const OWN = { format: FORMAT, seedFingerprint: 'a'.repeat(64), genesisHash: '1'.repeat(32) };
const begun = (): EventToAppend =>
  createEventCodec([service]).encode('service', randomId(), ServiceInitialized(OWN), {
    commandId: randomId(),
    inputHash: '',
    correlationId: randomId(),
    causationId: randomId(),
    actor: 'service',
    occurredAt: '2026-05-04T10:00:00.000Z',
  });
const happened = (): EventToAppend => ({ id: randomId(), type: 'Happened', data: {}, metadata: {} });

const readerOf = (store: EventStore): LogReader => ({
  events: (options) => readLog(store, options),
  stream: (name, from) => store.read(name, from),
  head: () => store.head(),
  extentOf: store.extentOf,
  close: () => store.close(),
});

async function looked(
  log: readonly (readonly [stream: string, ...events: EventToAppend[]])[],
  { isDeep = true, progress = () => undefined }: { isDeep?: boolean; progress?: ShowProgress } = {},
) {
  const store = await temporaryEventStore();
  for (const [stream, ...events] of log) await store.append(stream, 'none', events);
  let facts: unknown;
  const { remarks, obstacles } = await reportOn('log', async (findings) => {
    facts = await lookInto(readerOf(store), findings, isDeep ? progress : undefined);
  });
  return { facts, remarks, obstacles: obstacles.map(({ problem }) => problem) };
}

describe('the log', () => {
  test('that is empty is begun by the first start', async () => {
    expect(await looked([])).toEqual({
      facts: { isBegun: false, begunWith: undefined },
      remarks: ['an empty log: the first start begins it'],
      obstacles: [],
    });
  });

  test('that was begun tells with what, and where it ends', async () => {
    const { facts, remarks, obstacles } = await looked([['service-levy', begun()]]);
    expect(facts).toEqual({ isBegun: true, begunWith: OWN });
    expect(remarks).toEqual([
      expect.stringMatching(/^it ends at position 0+1$/),
      'every event can be decoded',
    ]);
    expect(obstacles).toEqual([]);
  });

  test('on a server is not read whole without --deep', async () => {
    const { remarks, obstacles } = await looked(
      [
        ['service-levy', begun()],
        ['token-1', happened()],
      ],
      { isDeep: false },
    );
    expect(remarks[1]).toBe('its events were not decoded: levy check --deep does it');
    expect(obstacles).toEqual([]);
  });

  test('of something else is an obstacle', async () => {
    const { facts, obstacles } = await looked([['token-1', happened()]]);
    expect(facts).toEqual({ isBegun: undefined, begunWith: undefined });
    expect(obstacles).toEqual([
      'the log holds events but was not begun by this service: point EVENT_STORE_URL (or EVENT_STORE_PREFIX) at another',
    ]);
  });

  test.each([
    ['ten are named', 10, []],
    ['more than ten are counted', 12, ['2 more events cannot be decoded']],
  ])('with events that cannot be decoded names them: %s', async (_what, count, counted) => {
    const strangers = Array.from({ length: count }, (_, index) => [`token-${index}`, happened()] as const);
    const { remarks, obstacles } = await looked([['service-levy', begun()], ...strangers]);
    expect(obstacles).toHaveLength(10 + counted.length);
    expect(obstacles[0]).toMatch(
      /^the event \S+ \(Happened, revision 0 of token-0\) cannot be decoded: .+ What to do: docs\/how-to\/operate\/give-up-an-event\.md$/,
    );
    expect(obstacles.slice(10)).toEqual(counted);
    expect(remarks).toHaveLength(1);
  });

  test('with an event of a newer release names the remedy for that', async () => {
    const event = begun();
    const newer = { ...event, metadata: { ...event.metadata, schemaVersion: 99 } };
    const { obstacles } = await looked([
      ['service-levy', begun()],
      ['service-other', newer],
    ]);
    expect(obstacles).toEqual([
      expect.stringMatching(/cannot be decoded: .*Use the release that wrote it, or a later one$/),
    ]);
  });

  test('that is long tells how far its events are read', async () => {
    const strangers = Array.from({ length: 1_000 }, happened);
    const told: (readonly [number, number])[] = [];
    await looked(
      [
        ['service-levy', begun()],
        ['token-1', ...strangers],
      ],
      {
        progress: (...far) => void told.push(far),
      },
    );
    expect(told).toEqual([[1_000, 1_001]]);
  });
});

type Machine = NonNullable<Parameters<typeof checkLog>[4]>;

const FILE = '/srv/levy.db';
const IN_FILE = { url: `sqlite:${FILE}`, isEmbedded: true, lacksUser: false };
const ON_SERVER = { url: 'esdb://db', isEmbedded: false, lacksUser: false };
const SOUND = { events: 0, findings: [] };
const ignore = () => undefined;

/** A machine on which nothing is there, and nothing can be opened. */
const EMPTY: Machine = {
  holdsLog: () => false,
  holdsSomething: () => false,
  checkDatabase: () => Promise.reject(new Error('a file was checked')),
  open: () => Promise.reject(new Error('a log was opened')),
};
const withFile = (
  checkDatabase: Machine['checkDatabase'] = async () => SOUND,
  open: Machine['open'] = EMPTY.open,
): Machine => ({ ...EMPTY, holdsLog: (path) => path === FILE, checkDatabase, open });

describe('where the log is', () => {
  async function checked(
    machine: Partial<Machine>,
    {
      eventStore = IN_FILE,
      isDeep = false,
      progress = ignore,
    }: {
      readonly eventStore?: typeof IN_FILE;
      readonly isDeep?: boolean;
      readonly progress?: ShowProgress;
    } = {},
  ) {
    let facts: unknown;
    const { remarks, obstacles } = await reportOn('log', async (findings) => {
      const values = { eventStore, imageStore: { url: 'file:/srv/images' }, isDeep };
      facts = await checkLog(values, {}, findings, progress, { ...EMPTY, ...machine });
    });
    return { facts, remarks, obstacles: obstacles.map(({ problem }) => problem) };
  }
  async function begunLog() {
    const store = await temporaryEventStore();
    await store.append('service-levy', 'none', [begun()]);
    let isClosed = false;
    return {
      open: async () => ({
        ...readerOf(store),
        close: async () => {
          isClosed = true;
        },
      }),
      isClosed: () => isClosed,
    };
  }
  const NOT_BEGUN = { isBegun: false, begunWith: undefined };
  const NOT_KNOWN = { isBegun: undefined, begunWith: undefined };

  test('a file that is not there is no obstacle to a first start: it begins the log', async () => {
    expect(await checked({})).toEqual({
      facts: NOT_BEGUN,
      remarks: [`no log yet: the first start begins it in ${FILE}`],
      obstacles: [],
    });
  });

  test('a file that is not there where a service was before is lost, and is not begun anew', async () => {
    const { facts, remarks, obstacles } = await checked({ holdsSomething: () => true });
    expect([facts, remarks]).toEqual([NOT_KNOWN, []]);
    expect(obstacles).toEqual([
      expect.stringMatching(/^There is no event log \/srv\/levy\.db, but files of a service that had one: /),
    ]);
  });

  test('a file that is sound is read whole, without --deep', async () => {
    const { open, isClosed } = await begunLog();
    const { facts, remarks, obstacles } = await checked(
      withFile(async () => ({ events: 1_234, findings: [] }), open),
    );
    expect(facts).toEqual({ isBegun: true, begunWith: OWN });
    expect(remarks).toEqual([
      `1,234 events in ${FILE}`,
      expect.stringMatching(/^it ends at position/),
      'every event can be decoded',
    ]);
    expect(obstacles).toEqual([]);
    expect(isClosed()).toBe(true);
  });

  test.each([
    [false, 'its events were not decoded: levy check --deep does it'],
    [true, 'every event can be decoded'],
  ])('on a server no file is looked for, and events are read with --deep: %s', async (isDeep, remark) => {
    const { open } = await begunLog();
    const { facts, remarks, obstacles } = await checked({ open }, { eventStore: ON_SERVER, isDeep });
    expect(facts).toEqual({ isBegun: true, begunWith: OWN });
    expect(remarks).toEqual([expect.stringMatching(/^it ends at position/), remark]);
    expect(obstacles).toEqual([]);
  });

  test('a server that cannot be reached is an obstacle, and nothing is known of the log', async () => {
    expect(
      await checked(
        { open: () => Promise.reject(new Error('the server is away')) },
        { eventStore: ON_SERVER },
      ),
    ).toEqual({ facts: NOT_KNOWN, remarks: [], obstacles: ['the server is away'] });
  });

  test('a file that is damaged is not opened; each damage is named with its place and its remedy', async () => {
    const findings = [
      { part: 'file', reason: 'page 3 is torn' },
      { part: 'log', position: 7, reason: 'its data were changed' },
    ] as const;
    const guide = 'docs/how-to/operate/mend-a-damaged-log.md';
    expect(await checked(withFile(async () => ({ events: 0, findings })))).toEqual({
      facts: NOT_KNOWN,
      remarks: [],
      obstacles: [
        `${FILE} is damaged, in the file: page 3 is torn. Restore a backup: ${guide}`,
        `${FILE} is damaged, in the log at position 7: its data were changed. Restore a backup: ${guide}`,
      ],
    });
  });

  test('a file that a service has open is not opened: its own answer says how it is', async () => {
    expect(await checked(withFile(() => Promise.reject(new StoreInUse(FILE))))).toEqual({
      facts: NOT_KNOWN,
      remarks: [],
      obstacles: [
        `${FILE} is in use: a service runs on it, and a second start would be refused. Its own GET /ready says how it is; stop it to check the file`,
      ],
    });
  });

  test('a file that cannot be checked is an obstacle with the reason', async () => {
    const { obstacles } = await checked(withFile(() => Promise.reject(new Error('the disk is gone'))));
    expect(obstacles).toEqual(['the disk is gone']);
  });

  test('of a file it tells how far its log is checked, not how far its pages and read models are', async () => {
    const told: (readonly (number | undefined)[])[] = [];
    const { open } = await begunLog();
    const machine = withFile(async (_path, { progress } = {}) => {
      progress?.({ part: 'file', done: 1, of: 1 });
      progress?.({ part: 'log', done: 2, of: 8 });
      progress?.({ part: 'read models', done: 3, of: 9 });
      return SOUND;
    }, open);
    await checked(machine, { progress: (...far) => void told.push(far) });
    expect(told).toEqual([[2, 8]]);
  });
});

describe('read models in SQLite', () => {
  async function checked(url: string, machine: Machine) {
    const { remarks, obstacles } = await reportOn('read models', (findings) =>
      checkReadModelFile({ readModel: { url } }, findings, ignore, machine),
    );
    return { remarks, obstacles: obstacles.map(({ problem }) => problem) };
  }

  test('are no obstacle where there are none yet', async () => {
    expect(await checked('sqlite:/srv/read.db', EMPTY)).toEqual({
      remarks: ['none yet: the start fills them from the log, in /srv/read.db'],
      obstacles: [],
    });
  });

  test('of their own are checked; whatever is damaged in them, the next start fills them anew', async () => {
    const machine = {
      ...EMPTY,
      holdsLog: () => true,
      checkDatabase: async (path: string) => ({
        events: 0,
        findings: [{ part: 'file', reason: `${path} is torn` } as const],
      }),
    };
    expect(await checked('sqlite:/srv/read.db', machine)).toEqual({
      remarks: [],
      obstacles: [
        '/srv/read.db is damaged, in the file: /srv/read.db is torn. Remove it and the "-wal" file beside it: the next start fills it anew from the log',
      ],
    });
  });
});
