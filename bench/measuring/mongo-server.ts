/**
 * MongoDB server of a benchmark, configured as for the tests: a running server, a command that starts one, or an
 * installed one.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { freePort } from '../../test/support/free-port.ts';
import { mongoCommand, mongoServers } from '../../test/support/mongo-programs.ts';
import type { LeftOut } from './line.ts';
import { startProgram } from './server-program.ts';

export interface MongoServer {
  /** Kind of the server, for the figures. */
  readonly kind: string;
  /** Address of a database. */
  urlOf(database: string): string;
  database(name: string): Db;
  /** Drops the databases if the server was already running. */
  stop(): Promise<void>;
}

/** If the server is started here, its data are in the folder. */
export async function startMongoServer(folder: string): Promise<MongoServer | LeftOut> {
  const { TEST_MONGODB_URL: running } = process.env;
  if (running) return connected('as at TEST_MONGODB_URL', running, async () => {});
  const [kind] = mongoServers;
  if (kind === undefined)
    return {
      leftOut: 'no MongoDB is available: set TEST_MONGODB_URL, or run test/support/install-mongo-servers.sh',
    };
  const port = await freePort();
  const data = join(folder, 'mongo');
  await mkdir(data);
  const { command, environment } = mongoCommand(kind, { port, folder: data, flags: [] });
  const url = `mongodb://127.0.0.1:${port}/`;
  const program = await startProgram(command, () => answers(url), { cwd: data, environment });
  return connected(kind, url, program.stop);
}

async function answers(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } finally {
    await client.close();
  }
}

async function connected(kind: string, url: string, stop: () => Promise<void>): Promise<MongoServer> {
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const used = new Set<string>();
  return {
    kind,
    urlOf(name) {
      used.add(name);
      // A URL allows one host only.
      return url.replace(/^([^:]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/${name}`);
    },
    database(name) {
      used.add(name);
      return client.db(name);
    },
    async stop() {
      for (const name of used) await client.db(name).dropDatabase();
      await client.close();
      await stop();
    },
  };
}
