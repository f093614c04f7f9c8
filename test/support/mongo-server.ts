/**
 * Servers that speak MongoDB's protocol, for tests: one that is running, or one that the test starts, kills, stops and
 * restarts. `install-mongo-servers.sh` installs them; test/README.md lists the limits of each.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { freePort } from './free-port.ts';
import { type Lifetime, ofTheFile, ofTheTest } from './lifetime.ts';
import type { MongoKind } from './mongo-abilities.ts';
import { type MongoProgram, mongoCommand, mongoServers } from './mongo-programs.ts';
import { makeSecantusDbFiles } from './secantusdb-files.ts';
import { createServerProgram, type ServerProgram } from './server-program.ts';

export type { MongoKind };
export { mongoServers };

const runningUrl = process.env.TEST_MONGODB_URL;
export const hasMongo = runningUrl !== undefined || mongoServers.length > 0;
/** True if a test may kill the server. */
export const hasMongoServer = mongoServers.length > 0;
/** Servers on which the contract suites run, one after another. */
export const mongoKinds: readonly MongoKind[] = runningUrl === undefined ? mongoServers : ['url'];

/** Says once in a file how many of its tests are skipped, and why. */
export function tellOfSkippedMongo(count: number, has = hasMongoServer): void {
  if (has) return;
  console.warn(
    `SKIPPED: ${count} tests on MongoDB, because no server is there: run test/support/install-mongo-servers.sh, or see test/README.md`,
  );
}

export interface MongoServer extends ServerProgram {
  readonly kind: MongoKind;
  /** On 127.0.0.1, the same after every start. */
  readonly port: number;
  /** The address of a database. */
  urlOf(database: string): string;
  /** The address of a database that nobody has used. */
  newUrl(): string;
  /** A connection of the test's own to the database of an address, closed at the end. */
  database(url: string): Promise<Db>;
}

interface Started {
  readonly kind?: MongoProgram | undefined;
  /** Of the server's own command line. */
  readonly flags?: readonly string[];
  /** Where it keeps its data; a new folder unless one is given. */
  readonly folder?: string | undefined;
}

/** The kind most like MongoDB, unless another is wanted. */
export async function startMongoServer(
  { kind = mongoServers[0], flags: firstFlags = [], folder: parent }: Started = {},
  lifetime: Lifetime = ofTheTest,
): Promise<MongoServer> {
  if (kind === undefined) throw new Error('there is no server that speaks the protocol of MongoDB');
  const folder = join(parent ?? (await lifetime.folder()), 'db');
  await mkdir(folder);
  const port = await freePort();
  const server = createServerProgram(
    `the server (${kind})`,
    (flags = firstFlags) => run(kind ?? 'command', { port, folder, flags }),
    () => answers(`mongodb://127.0.0.1:${port}/?directConnection=true`),
  );
  lifetime.atTheEnd(server.kill);
  await server.start();
  const urlOf = (database: string) => `mongodb://127.0.0.1:${port}/${database}`;
  if (kind === 'secantusdb') await makeSecantusDbFiles(urlOf(''));
  return {
    ...server,
    kind,
    port,
    urlOf,
    newUrl: () => urlOf(newDatabaseName()),
    database: (url) => databaseAt(url, lifetime),
  };
}

function run(
  kind: MongoProgram,
  place: { readonly port: number; readonly folder: string; readonly flags: readonly string[] },
): ChildProcess {
  const { command, environment } = mongoCommand(kind, place);
  return spawn(command[0], command.slice(1), {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    cwd: place.folder,
    env: { ...process.env, ...environment },
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000, connectTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } finally {
    await client.close();
  }
}

async function databaseAt(url: string, lifetime: Lifetime): Promise<Db> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 5_000 });
  lifetime.atTheEnd(() => client.close());
  await client.connect();
  return client.db();
}

/** What a whole file of tests shares: every test takes a database of its own. */
export interface SharedMongo {
  /** The address of a database that nobody has used. */
  newUrl(): string;
  database(url: string): Promise<Db>;
}

/** A server for a whole file of tests: started if none runs, and ended with the file. */
export async function sharedMongo(kind: MongoKind | undefined = mongoKinds[0]): Promise<SharedMongo> {
  if (kind === 'url') return runningMongo(runningUrl ?? '');
  return startMongoServer({ kind }, ofTheFile);
}

function runningMongo(url: string): SharedMongo {
  return {
    newUrl() {
      // Not by URL, which takes one host only.
      const address = url.replace(/^([^:]+:\/\/[^/?]+)(\/[^?]*)?/, `$1/${newDatabaseName()}`);
      ofTheFile.atTheEnd(async () => {
        const client = new MongoClient(address);
        await client.db().dropDatabase();
        await client.close();
      });
      return address;
    },
    database: (of) => databaseAt(of, ofTheFile),
  };
}

function newDatabaseName(): string {
  return `levy_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}
