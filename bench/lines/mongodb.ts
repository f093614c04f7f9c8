/** The read model in MongoDB, compared with its driver used as the driver's documentation shows, and with SQLite. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document as BsonDocument, Db, IndexDirection, Collection as Kept } from 'mongodb';
import { openMongo } from '../../src/adapters/mongodb/client.ts';
import { openReadModel } from '../../src/adapters/mongodb/read-model.ts';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import { startProjecting } from '../../src/app/projecting.ts';
import { loggerTo } from '../../src/kernel/ports/logger.ts';
import type { Document, DocumentChange } from '../../src/kernel/ports/read-model.ts';
import type { SharedReadModel } from '../../src/kernel/ports/shared-read-model.ts';
import { systemClock } from '../../src/kernel/runtime/clock.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { strictReader } from '../../src/kernel/runtime/event-reader.ts';
import { causeOf, createExecutor } from '../../src/kernel/runtime/execute.ts';
import { firstEventOf } from '../../src/kernel/runtime/log-source.ts';
import { createRemoteProjector } from '../../src/kernel/runtime/remote-projector.ts';
import { projections } from '../../src/projections/index.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { categoryOfType, streams } from '../../src/streams/index.ts';
import { token } from '../../src/streams/token.ts';
import { alternate, median, quantile } from '../measuring/alternate.ts';
import { startServer } from '../measuring/child.ts';
import { type Comparison, type Line, written } from '../measuring/line.ts';
import { startLoadGenerator } from '../measuring/load.ts';
import { EVENTS_A_FLOW, writeFlows } from '../measuring/many-flows.ts';
import {
  creationOf,
  fillTokens,
  ONE_HIDDEN_OF,
  tokensCreated,
  tokensUpdated,
  writeTokens,
} from '../measuring/many-tokens.ts';
import { type MongoServer, startMongoServer } from '../measuring/mongo-server.ts';
import { onLog, rebuildInto } from '../measuring/rebuilding.ts';
import { inTemporaryFolder } from '../measuring/temporary-folder.ts';
import type { LevyOptions } from '../servers/levy-options.ts';

const BATCH = 500;
const ROUNDS = 3;
const READ_ROUNDS = 5;
const LIMIT = 20;
const LOOKS = 200;
const SKIPS = 2;

/** Amount of work for a server. The ratios of the smaller size measure the same work on shorter lists. */
interface Size {
  readonly batches: number;
  readonly flows: number;
  readonly smallList: number;
  readonly waits: number;
  readonly listed: number;
}

const FULL: Size = { batches: 20, flows: 10_000, smallList: 10_000, waits: 500, listed: 1_000_000 };
/** For the servers that replace MongoDB: they write only some hundred documents per second. */
const SMALL: Size = { batches: 2, flows: 1_000, smallList: 2_000, waits: 200, listed: 20_000 };

const sizeFor = ({ kind }: MongoServer): Size => (kind === 'secantusdb' ? SMALL : FULL);

export const mongodb: Line = () =>
  inTemporaryFolder(async (folder) => {
    const server = await startMongoServer(folder);
    if ('leftOut' in server) return server;
    try {
      return [
        ...(await writes(server)),
        ...(await rebuilds(server, folder)),
        ...(await ownWrites(server, folder)),
        ...(await lists(server, folder)),
      ].map(on(server));
    } finally {
      await server.stop();
    }
  });

/** A separate benchmark, because creating so many tokens takes long. */
export const mongodbPages: Line = () =>
  inTemporaryFolder(async (folder) => {
    const server = await startMongoServer(folder);
    if ('leftOut' in server) return server;
    try {
      return (await pages(server)).map(on(server));
    } finally {
      await server.stop();
    }
  });

const on =
  ({ kind }: MongoServer) =>
  (comparison: Comparison): Comparison => ({ ...comparison, figures: `${comparison.figures} (${kind})` });

interface Opened {
  readonly readModel: SharedReadModel;
  readonly database: Db;
  close(): Promise<void>;
}

const logger = loggerTo((message, details) =>
  process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
);

let opened = 0;

/** Opens the read model in an unused database. */
async function openNew(server: MongoServer): Promise<Opened & { readonly url: string }> {
  opened += 1;
  const url = server.urlOf(`bench_${process.pid}_${opened}`);
  const { database, close } = await openMongo({ url });
  const readModel = await openReadModel({ database, logger });
  await readModel.startTerm(1);
  return {
    readModel,
    database,
    url,
    async close() {
      await readModel.close();
      await close();
    },
  };
}

interface BareRow {
  readonly _id: string;
  readonly p: string;
}

/** The rows of the tokens, as the read model stores them. */
async function rowsOf(database: Db, of = tokens.name): Promise<Kept<BsonDocument & BareRow>> {
  const found = await database.listCollections().toArray();
  const name = found.map((each) => each.name).find((each) => new RegExp(`^${of}\\.v\\d+\\.\\d+$`).test(each));
  if (name === undefined) throw new Error('the read model keeps its rows under another name');
  return database.collection(name);
}

const batch = (number: number) => Array.from({ length: BATCH }, (_, index) => number * BATCH + index);

async function writes(server: MongoServer): Promise<readonly Comparison[]> {
  let rows: readonly BareRow[] = [];
  let indexes: readonly { readonly key: Readonly<Record<string, IndexDirection>> }[] = [];
  const { batches } = sizeFor(server);
  const count = BATCH * batches;
  const creating = await alternate(ROUNDS, {
    ours: async () => {
      const { readModel, database, close } = await openNew(server);
      await readModel.prepare([tokens]);
      const changes = Array.from({ length: batches }, (_, number) => tokensCreated(batch(number)));
      const seconds = await secondsOf(async () => {
        for (const each of changes) await commitTokens(readModel, each);
      });
      const kept = await rowsOf(database);
      rows = await kept.find().sort({ n: 1 }).toArray();
      const all = await kept.indexes();
      indexes = all.flatMap(({ name, key }) =>
        name === '_id_' ? [] : [{ key: Object.fromEntries(Object.entries(key)) }],
      );
      await close();
      return count / seconds;
    },
    bare: async () => {
      // Inserts the rows that the read model wrote, under the same indexes. In the first round the read model runs
      // first.
      const { database, close } = await openNew(server);
      const bare = database.collection<BareRow>('bare', journaled);
      await bare.createIndexes(indexes.map(({ key }) => ({ key })));
      const seconds = await secondsOf(async () => {
        await insertAll(bare, rows);
      });
      await close();
      return count / seconds;
    },
  });

  const { readModel, database, close } = await openNew(server);
  await readModel.prepare([tokens]);
  for (let number = 0; number < batches; number += 1)
    await commitTokens(readModel, tokensCreated(batch(number)));
  const bare = database.collection<BareRow>('bare', journaled);
  await bare.createIndexes(indexes.map(({ key }) => ({ key })));
  await insertAll(bare, rows);
  let at = 0;
  const updating = await alternate(ROUNDS, {
    ours: async () => {
      at += 1;
      const changes: (readonly DocumentChange[])[] = [];
      for (let number = 0; number < batches; number += 1)
        changes.push(await tokensUpdated(readModel, batch(number), at));
      const seconds = await secondsOf(async () => {
        for (const each of changes) await commitTokens(readModel, each);
      });
      return count / seconds;
    },
    bare: async () => {
      const stored = await bare.find().sort({ n: 1 }).toArray();
      const seconds = await secondsOf(async () => {
        for (let first = 0; first < count; first += BATCH)
          await bare.bulkWrite(
            stored.slice(first, first + BATCH).map((row) => ({
              replaceOne: { filter: { _id: row._id, p: row.p }, replacement: { ...row, p: `${row.p}1` } },
            })),
            { ordered: false },
          );
      });
      return count / seconds;
    },
  });
  await close();
  return [
    {
      what: `tokens created in commits of ${BATCH}: the read model / bare insertMany of the same rows under the same indexes`,
      ratio: creating.ratio('ours', 'bare'),
      target: { atLeast: 0.3 },
      figures: `${written(creating.medians.ours)}/s, ${written(creating.medians.bare)}/s`,
    },
    {
      what: `tokens updated in commits of ${BATCH}: the read model / bare bulkWrite of guarded replacements`,
      ratio: updating.ratio('ours', 'bare'),
      target: { atLeast: 0.5 },
      figures: `${written(updating.medians.ours)}/s, ${written(updating.medians.bare)}/s`,
    },
  ];
}

/** Commits a checkpoint as a projector does: without one, rows count as those of an interrupted commit. */
function commitTokens(readModel: SharedReadModel, changes: readonly DocumentChange[]): Promise<void> {
  const checkpoint = changes.at(-1)?.position ?? '';
  return readModel.commit([{ collection: tokens, changes, checkpoint }]);
}

async function insertAll(bare: Kept<BareRow>, rows: readonly BareRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += BATCH)
    await bare.insertMany(rows.slice(first, first + BATCH), { ordered: false });
}

const journaled = { writeConcern: { w: 'majority', journal: true } } as const;

async function rebuilds(server: MongoServer, folder: string): Promise<readonly Comparison[]> {
  const { flows } = sizeFor(server);
  const log = join(folder, 'log.db');
  await onLog(log, (store) => writeFlows(store, flows));
  let round = 0;
  const { medians, ratio } = await alternate(1, {
    mongodb: async () => {
      const { readModel, close } = await openNew(server);
      const { wall } = await onLog(log, (store) => rebuildInto(readModel, store, 'shared'));
      await close();
      return wall;
    },
    sqlite: async () => {
      round += 1;
      const database = openSqliteDatabase(join(folder, `documents-${round}.db`));
      const readModel = createSqliteReadModel(database);
      const { wall } = await onLog(log, (store) => rebuildInto(readModel, store));
      await database.close();
      return wall;
    },
  });
  return [
    {
      what: `${(flows * EVENTS_A_FLOW).toLocaleString('en-US')} events into all read models: in MongoDB / in SQLite`,
      ratio: ratio('mongodb', 'sqlite'),
      target: { atLeast: 0.15 },
      figures: `${written(medians.mongodb)} events/s, ${written(medians.sqlite)} events/s`,
    },
  ];
}

/** One process writes the read models; another waits until they include the latest append. */
async function ownWrites(server: MongoServer, folder: string): Promise<readonly Comparison[]> {
  const { waits } = sizeFor(server);
  const writer = await openNew(server);
  const reader = await openMongo({ url: writer.url });
  const ending = new AbortController();
  const times = await onLog(join(folder, 'own-writes.db'), async (store) => {
    await writeFlows(store, 10);
    const codec = createEventCodec(streams);
    const common = {
      projections,
      store,
      categoryOfType,
      logger,
      reader: strictReader(codec),
      clock: systemClock,
      // No rebuild is requested in this benchmark.
      following: { listen: () => () => undefined },
    };
    const term = { name: 'projector', number: 1, isHeld: () => true, signal: ending.signal };
    const following = { listen: () => () => undefined };
    const projecting = await startProjecting(
      { ...common, following, shared: writer.readModel, release: 'bench' },
      term,
    );
    const followed = createRemoteProjector({
      projections,
      readModel: await openReadModel({ database: reader.database, logger }),
      firstEvent: async () => (await firstEventOf(store))?.id,
      requestRebuild: async () => 0,
      logger,
    });
    await followed.start();
    if (!(await followed.whenBuilt(60_000))) throw new Error('the read models were not built in time');
    const executor = createExecutor(store, codec, systemClock);
    const found: number[] = [];
    for (let write = 0; write < waits; write += 1) {
      const created = creationOf(FULL.listed + write);
      const { position = '' } = await executor.execute(
        token,
        created.data.token.tokenId,
        causeOf('bench'),
        () => [created],
      );
      found.push(await secondsOf(() => followed.waitFor(position, 10_000)));
    }
    await followed.stop();
    await projecting.stop();
    return found.toSorted((one, other) => one - other);
  });
  await reader.close();
  await writer.close();
  const milliseconds = (share: number) => quantile(times, share) * 1_000;
  return [
    {
      what: 'milliseconds until another process shows a write, p99',
      ratio: milliseconds(0.99),
      target: { atMost: 100 },
      figures: `p50 ${written(milliseconds(0.5))} ms, p99 ${written(milliseconds(0.99))} ms of ${waits} waits, both in one process here`,
    },
  ];
}

/** `GET /tokens` as a caller receives it. */
async function lists(server: MongoServer, folder: string): Promise<readonly Comparison[]> {
  const [onSqlite, onMongo] = [join(folder, 'on-sqlite'), join(folder, 'on-mongo')];
  const { smallList } = sizeFor(server);
  for (const each of [onSqlite, onMongo]) await mkdir(each);
  await writeTokens(onSqlite, smallList);
  const { readModel, url, close } = await openNew(server);
  await fillTokens(readModel, { count: smallList });
  // A server that syncs each index needs longer for all of them than the time limit of a start.
  await readModel.prepare(projections);
  await close();
  const program = new URL('../servers/levy.ts', import.meta.url);
  const started: { stop(): Promise<unknown> }[] = [];
  const start = async (options: LevyOptions) => {
    const server = await startServer(program, options);
    started.push(server);
    return server;
  };
  try {
    const sqlite = await start({ folder: onSqlite });
    const mongo = await start({ folder: onMongo, readModelUrl: url });
    const load = startLoadGenerator();
    started.push(load);
    const paths = Array.from(
      { length: smallList / LIMIT },
      (_, page) => `/tokens?page=${page + 1}&limit=${LIMIT}`,
    );
    const rateOf = (of: string) => async () => {
      const { rate } = await load.run({
        url: of,
        method: 'GET',
        paths,
        connections: 16,
        warmUpMilliseconds: 300,
        milliseconds: 1_500,
      });
      return rate;
    };
    const { medians, ratio } = await alternate(READ_ROUNDS, {
      mongodb: rateOf(mongo.url),
      sqlite: rateOf(sqlite.url),
    });
    return [
      {
        what: `GET /tokens, ${paths.length} different pages, 16 connections: on MongoDB / on SQLite`,
        ratio: ratio('mongodb', 'sqlite'),
        target: { atLeast: 0.25 },
        figures: `${written(medians.mongodb)}/s, ${written(medians.sqlite)}/s`,
      },
    ];
  } finally {
    await Promise.all(started.map((each) => each.stop()));
  }
}

/**
 * Document with the length of a token's card. It lacks the other values by which a token is found, because with them the test
 * servers need an hour.
 */
const cards = {
  name: 'cards',
  version: 1,
  lists: { all: (card: Document) => (card.hidden === true ? undefined : '') },
  views: { card: ({ name = null, text = null }: Document) => ({ name, text }) },
};
const CARDS_A_COMMIT = 1_000;

async function fillCards(readModel: SharedReadModel, count: number): Promise<void> {
  await readModel.prepare([cards]);
  const positionOf = (number: number) => String(number + 1).padStart(20, '0');
  const text = 'A token as there are many, described in a sentence or two. '.repeat(8);
  for (let first = 0; first < count; first += CARDS_A_COMMIT) {
    const numbers = Array.from({ length: CARDS_A_COMMIT }, (_, index) => first + index);
    const commitCards = async (of: readonly number[], hidden: boolean, at: number) => {
      const changes = of.map((number) => ({
        key: `card-${number}`,
        position: positionOf(number + at),
        document: { name: `Token ${number}`, text, hidden },
      }));
      const checkpoint = changes.at(-1)?.position ?? '';
      await readModel.commit([{ collection: cards, changes, checkpoint }]);
    };
    await commitCards(numbers, false, first);
    // Documents enter the list before they leave it, as in a log.
    const left = numbers.filter((number) => number % ONE_HIDDEN_OF === 0);
    await commitCards(left, true, first + CARDS_A_COMMIT);
  }
  await readModel.goLive(cards);
}

async function pages(server: MongoServer): Promise<readonly Comparison[]> {
  const { listed } = sizeFor(server);
  const deep = (listed * 0.8) / LIMIT;
  const { readModel, database, close } = await openNew(server);
  const start = performance.now();
  await fillCards(readModel, listed);
  const filled = (performance.now() - start) / 1_000;
  const rows = await rowsOf(database, cards.name);
  const page = (number: number) =>
    readModel.page(cards, 'all', '', { view: 'card', offset: (number - 1) * LIMIT, limit: LIMIT });
  const [last] = await rows
    .find({ 'l.all.p': '' }, { projection: { _id: 1 } })
    .sort({ 'l.all.r': 1 })
    .skip(listed / 10)
    .limit(1)
    .toArray();
  const behind = () =>
    readModel.page(cards, 'all', '', { view: 'card', offset: 0, limit: LIMIT, after: String(last?._id) });
  const looks = (count: number, look: (number: number) => Promise<unknown>) => async () => {
    const times: number[] = [];
    for (let number = 0; number < count; number += 1) times.push(await secondsOf(() => look(number)));
    return median(times);
  };
  const { medians, ratio } = await alternate(READ_ROUNDS, {
    first: looks(LOOKS, (number) => page(1 + number)),
    behind: looks(LOOKS, behind),
    deep: looks(SKIPS, (number) => page(deep + number)),
    skipped: looks(SKIPS, (number) =>
      rows
        .find({ 'l.all.p': '' }, { projection: { 'v.card': 1 } })
        .sort({ 'l.all.r': -1 })
        .skip((deep + number) * LIMIT)
        .limit(LIMIT)
        .toArray(),
    ),
  });
  await close();
  const microseconds = (seconds: number) => `${written(seconds * 1e6)} us`;
  return [
    {
      what: `a page after one of the first cards / page 1 and later, of ${listed} cards of which one in ${ONE_HIDDEN_OF} is hidden`,
      ratio: ratio('behind', 'first'),
      target: { atMost: 1.5 },
      figures: `${microseconds(medians.behind)}, ${microseconds(medians.first)}; written in ${written(filled)} s`,
    },
    {
      what: `page ${deep} and later, by steps over keys / the driver's skip`,
      ratio: ratio('deep', 'skipped'),
      // The servers that replace MongoDB read rows where MongoDB reads keys, and they find rows twice.
      target: { atMost: 2 },
      figures: `${microseconds(medians.deep)}, ${microseconds(medians.skipped)}`,
    },
  ];
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
