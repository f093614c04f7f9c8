/**
 * The connections to MongoDB: one client of the driver for each address, whatever number of ports are at it. It reads from
 * the primary, and a write is done when a majority has it in its journal.
 */
import { readFile } from 'node:fs/promises';
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { type MongoDbAddress, parseMongoDbUrl } from '../../config/mongodb-url.ts';
import { NotAllowed } from '../../config/value-kinds.ts';
import type { ClientMeter } from '../../ports/client-meter.ts';
import { OperatorError } from '../../ports/operator-error.ts';
import type { StoreTrouble } from '../../ports/store-unavailable.ts';
import { type MeteredClient, meterClient } from './client-events.ts';
import { MongoUnusable, startError, troubleOf } from './errors.ts';

export interface MongoSettings {
  readonly url: string;
  /** Set when the address does not contain them. */
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** File with the certificates of the authorities, when the address does not name it. */
  readonly caFile?: string | undefined;
  readonly meter?: ClientMeter | undefined;
}

export interface OpenedMongo {
  readonly database: Db;
  /** For messages: scheme, hosts and database. */
  readonly shown: string;
  /** Why no primary answers; undefined while one does. */
  trouble(): StoreTrouble | undefined;
  /** The connections end with the last port that uses them. */
  close(): Promise<void>;
}

/** To be given with every command: the server stops what takes longer. Milliseconds. */
export const IN_TIME = { maxTimeMS: 5_000 } as const;

const OPTIONS: MongoClientOptions = {
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
  retryWrites: true,
  retryReads: true,
  maxPoolSize: 32,
  minPoolSize: 2,
  waitQueueTimeoutMS: 2_000,
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 15_000,
  heartbeatFrequencyMS: 2_000,
  // An undefined property is a property that nobody set, as in JSON.
  ignoreUndefined: true,
  monitorCommands: true,
};

/** Of MongoDB 5.0. */
const OLDEST_WIRE_VERSION = 13;

interface Shared {
  readonly opening: Promise<{
    readonly client: MongoClient;
    readonly trouble: () => StoreTrouble | undefined;
    readonly metered: MeteredClient;
  }>;
  users: number;
}

const clients = new Map<string, Shared>();

/** Rejects with `OperatorError` when the server does not answer, refuses the user, or is older than 5.0. */
export async function openMongo(settings: MongoSettings): Promise<OpenedMongo> {
  const address = addressOf(settings);
  const key = JSON.stringify(address);
  const shared = clients.get(key) ?? { opening: connect(address), users: 0 };
  clients.set(key, shared);
  shared.users += 1;

  let isOpen = true;
  async function release(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    shared.users -= 1;
    if (shared.users > 0) return;
    if (clients.get(key) === shared) clients.delete(key);
    await shared.opening.then(
      ({ client, metered }) => client.close().finally(metered.stop),
      () => undefined,
    );
  }

  try {
    const { client, trouble, metered } = await shared.opening;
    if (settings.meter !== undefined) metered.add(settings.meter);
    return { database: client.db(address.database), shown: address.shown, trouble, close: release };
  } catch (error) {
    await release();
    throw startError(error, address.shown);
  }
}

function addressOf({ url, user, caFile }: MongoSettings): MongoDbAddress {
  try {
    const parsed = parseMongoDbUrl(url);
    return { ...parsed, user: parsed.user ?? user, caFile: parsed.caFile ?? caFile };
  } catch (error) {
    if (error instanceof NotAllowed)
      throw new OperatorError(`the address of MongoDB is wrong: ${error.message}`);
    throw error;
  }
}

async function connect(address: MongoDbAddress): Promise<Awaited<Shared['opening']>> {
  if (
    address.caFile !== undefined &&
    address.options.some(([name, value]) => name === 'tls' && value === 'false')
  )
    throw new MongoUnusable(
      `the address ${address.shown} says tls=false, but a file names whom to trust: remove one of them`,
    );
  const ca = address.caFile === undefined ? undefined : await certificatesIn(address.caFile);
  const client = new MongoClient(driverUrl(address), {
    ...OPTIONS,
    ...(ca === undefined ? {} : { ca, tls: true }),
    ...(address.options.some(([name]) => name === 'appName') ? {} : { appName: 'levy' }),
  });
  const trouble = watchPrimary(client);
  const metered = meterClient(client);
  try {
    const { maxWireVersion } = await client.db(address.database).command({ hello: 1, ...IN_TIME });
    if (typeof maxWireVersion !== 'number' || maxWireVersion < OLDEST_WIRE_VERSION)
      throw new MongoUnusable(
        `MongoDB at ${address.shown} is older than 5.0: upgrade it, best to 7.0 or 8.0`,
      );
    return { client, trouble, metered };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** With the user's name and password, so that the driver's own rules say in which database the user is. */
function driverUrl({ srv, hosts, database, user, options }: MongoDbAddress): string {
  const login =
    user === undefined ? '' : `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`;
  const query = options.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `mongodb${srv ? '+srv' : ''}://${login}${hosts}/${database}${query === '' ? '' : `?${query}`}`;
}

async function certificatesIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MongoUnusable(`the certificates for MongoDB cannot be read: ${reason}`, { cause });
  }
}

/** The driver's monitors look for a primary all the time, so that nobody has to call to find out. */
function watchPrimary(client: MongoClient): () => StoreTrouble | undefined {
  let hasPrimary = true;
  let failure: unknown;
  client.on('serverHeartbeatFailed', (event) => {
    failure = event.failure;
  });
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    hasPrimary = [...newDescription.servers.values()].some(({ isWritable }) => isWritable);
  });
  return () => {
    if (hasPrimary) return undefined;
    const known = troubleOf(failure);
    return (
      known ?? {
        kind: 'not answering',
        where: 'MongoDB',
        reason: 'no primary is known',
        whatToDo:
          'Check the servers, their election and the network. It goes on by itself once a primary answers.',
      }
    );
  };
}
