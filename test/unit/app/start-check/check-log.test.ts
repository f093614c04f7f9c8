// What a check of a start says of the log and of the read models that were made from it, by what is recorded.
import { describe, expect, test } from 'vitest';
import { checkLog, checkReadModelFile, lookInto } from '../../../../src/app/start-check/check-log.ts';
import { tellOrigin } from '../../../../src/app/start-check/check-shared-read-models.ts';
import { reportOn, type ShowProgress } from '../../../../src/app/start-check/obstacle.ts';
import type { EventStore, EventToAppend } from '../../../../src/kernel/ports/event-store.ts';
import type { LogReader } from '../../../../src/kernel/ports/log-reader.ts';
import { createEventCodec } from '../../../../src/kernel/runtime/event-codec.ts';
import { randomId } from '../../../../src/kernel/runtime/ids.ts';
import { readLog } from '../../../../src/kernel/runtime/read-log.ts';
import { ServiceInitialized, service } from '../../../../src/streams/service.ts';
import { temporaryEventStore } from '../../../support/temporary-event-store.ts';

const OWN = { seedFingerprint: 'a'.repeat(64), genesisHash: '1'.repeat(32) };
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

describe('read models that processes share', () => {
  async function told(given: Parameters<typeof tellOrigin>[0]) {
    const { remarks, obstacles } = await reportOn('read models', async (findings) =>
      tellOrigin(given, findings),
    );
    return [...remarks, ...obstacles.map(({ problem }) => problem)];
  }

  test.each([
    [
      'nobody has written them',
      { madeFrom: undefined, isBegun: true, own: undefined },
      'empty: the process with the role projector fills them',
    ],
    [
      'the log could not be read',
      { madeFrom: 'one', isBegun: undefined, own: undefined },
      'not compared with the log, which could not be read',
    ],
    ['they are of this log', { madeFrom: 'one', isBegun: true, own: 'one' }, 'made from this log'],
  ])('are no obstacle where %s', async (_what, given, remark) => {
    expect(await told(given)).toEqual([remark]);
  });

  test.each([
    ['another log', { madeFrom: 'one', isBegun: true, own: 'two' }],
    ['a log, and this one is empty', { madeFrom: 'one', isBegun: false, own: undefined }],
  ])('are an obstacle where they were made from %s', async (_what, given) => {
    expect(await told(given)).toEqual([
      'The read models at READ_MODEL_URL were made from another event log, and nothing of them was changed. Name the database that belongs to the log at EVENT_STORE_URL, or an empty one.',
    ]);
  });
});

describe('files that are not there', () => {
  const ignore = () => undefined;
  const eventStore = { url: 'sqlite:/none/levy.db', isEmbedded: true, lacksUser: false };

  test('are no obstacle to a first start: it begins the log', async () => {
    let facts: unknown;
    const { remarks, obstacles } = await reportOn('log', async (findings) => {
      facts = await checkLog({ eventStore, isDeep: false }, {}, findings, ignore);
    });
    expect([facts, remarks, obstacles]).toEqual([
      { isBegun: false, begunWith: undefined },
      ['no log yet: the first start begins it in /none/levy.db'],
      [],
    ]);
  });

  test.each([
    ['sqlite:/none/levy.db', 'in the file of the log: checked with it'],
    ['sqlite:/none/read.db', 'none yet: the start fills them from the log, in /none/read.db'],
  ])('are no obstacle for read models: %s', async (url, remark) => {
    const { remarks, obstacles } = await reportOn('read models', (findings) =>
      checkReadModelFile({ eventStore, readModel: { url } }, findings, ignore),
    );
    expect([remarks, obstacles]).toEqual([[remark], []]);
  });
});
