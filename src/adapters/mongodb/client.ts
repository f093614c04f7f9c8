/**
 * Connections to MongoDB: one client of the driver per address, shared by all ports. Reads from the primary; a write is
 * complete when a majority has it in its journal.
 */

import { type Db, MongoClient, type MongoClientOptions } from 'mongodb';
import { OperatorError, type StoreTrouble } from '../../kernel/ports/errors.ts';
import type { Logger } from '../../kernel/ports/logger.ts';
import type { ReadModelSettings } from '../../kernel/ports/technology.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import { sleep } from '../../kernel/runtime/sleep.ts';
import { type MeteredClient, meterClient } from './client-events.ts';
import { endCommandsOfClosedConnections } from './closed-connections.ts';
import { isAway, MongoUnusable, startError, troubleAtStart, troubleOf } from './errors.ts';

export type MongoSettings = Omit<ReadModelSettings, 'logger'>;

export interface OpenedMongo {
  readonly database: Db;
  /** Scheme, hosts and database, for messages. */
  readonly shown: string;
  /** Reason why no primary responds; undefined while a primary responds. */
  trouble(): StoreTrouble | undefined;
  /** Releases the client, which is closed with its last user. */
  close(): Promise<void>;
}

/** Milliseconds after which the server aborts a command; to be passed with every command. */
export const IN_TIME = { maxTimeMS: 5_000 } as const;

/** Each option replaces the option with the same name in the address; composite ones such as `writeConcern` would not. */
const OPTIONS: MongoClientOptions = {
  appName: 'levy',
  readPreference: 'primary',
  readConcernLevel: 'local',
  w: 'majority',
  journal: true,
  retryWrites: true,
  retryReads: true,
  maxPoolSize: 32,
  waitQueueTimeoutMS: 2_000,
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 15_000,
  heartbeatFrequencyMS: 2_000,
  // Undefined properties are absent, like in JSON.
  ignoreUndefined: true,
  monitorCommands: true,
};

/** Wire version of MongoDB 5.0. */
const OLDEST_WIRE_VERSION = 13;

interface Connection {
  readonly client: MongoClient;
  readonly trouble: () => StoreTrouble | undefined;
  readonly metered: MeteredClient;
  close(): Promise<void>;
}

interface Shared {
  readonly opening: Promise<Connection>;
  users: number;
}

const clients = new Map<string, Shared>();

/**
 * Rejects with `OperatorError` if the server rejects the user or is older than 5.0. Also if it does not respond, unless
 * `waiting` is set: then calls reject with `StoreUnavailable` until it responds.
 */
export async function openMongo(settings: MongoSettings): Promise<OpenedMongo> {
  const { waiting, meter } = settings;
  const { url, user, caFile } = settings;
  const key = JSON.stringify([url, user, caFile, waiting !== undefined]);
  const shared = clients.get(key) ?? { opening: connect(settings), users: 0 };
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
      (connection) => connection.close(),
      () => undefined,
    );
  }

  try {
    const { client, trouble, metered } = await shared.opening;
    if (meter !== undefined) metered.add(meter);
    return { database: client.db(), shown: printableAddress(client), trouble, close: release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function connect(settings: MongoSettings): Promise<Connection> {
  const { waiting } = settings;
  const client = createClient(settings);
  endCommandsOfClosedConnections();
  const primaryTrouble = watchPrimary(client);
  const metered = meterClient(client);
  const end = () => client.close().finally(metered.stop);
  try {
    await greet(client);
    return { client, trouble: primaryTrouble, metered, close: end };
  } catch (error) {
    if (waiting === undefined || !isAway(error)) {
      await end();
      throw startError(error, printableAddress(client));
    }
    const awaited = awaitServer(client, { error, logger: waiting });
    return {
      client,
      metered,
      trouble: () => awaited.trouble() ?? primaryTrouble(),
      async close() {
        await awaited.stop();
        await end();
      },
    };
  }
}

/** Throws `OperatorError` for an address that the driver rejects; the message contains no part of user, password and hosts. */
export function createClient({ url, user, caFile }: MongoSettings): MongoClient {
  const namesUser = /^[^/]+\/\/[^/?]*@/.test(url);
  const namesCa = /[?&]tlsCAFile=/i.test(url);
  const isPlain = /[?&](tls|ssl)=false/i.test(url);
  let client: MongoClient;
  try {
    client = new MongoClient(url, {
      ...OPTIONS,
      ...(user && !namesUser && { auth: { username: user.name, password: user.password } }),
      ...(!isPlain && (namesCa || caFile !== undefined) && { tls: true }),
      ...(!isPlain && !namesCa && caFile !== undefined && { tlsCAFile: caFile }),
    });
  } catch (error) {
    throw new OperatorError(`the address of MongoDB is wrong: ${refusalOf(url, errorMessage(error))}`);
  }
  if (/[?&]tls(Insecure|AllowInvalid\w+)=true/i.test(url))
    throw new OperatorError(
      "the address of MongoDB disables certificate checks: remove that option, and set CA_FILE to the certificate of the server's authority",
    );
  const { dbName } = client.options;
  if (!/^[^/]+\/\/[^/]+\/[^/?]/.test(url))
    throw new OperatorError(
      'the address of MongoDB contains no database: append `/` and its name to the hosts',
    );
  if (!/^[\w-]{1,38}$/.test(dbName) || SYSTEM_DATABASES.has(dbName.toLowerCase()))
    throw new OperatorError(
      "the address of MongoDB must name a database of the service's own: 1 to 38 letters, digits, underscores and hyphens",
    );
  return client;
}

const SYSTEM_DATABASES = new Set(['admin', 'local', 'config']);

/** Replaces the driver's message if it may quote an unparsed part of the address, such as a password. */
function refusalOf(url: string, message: string): string {
  const [, before = ''] = /^[^/]*\/\/(.*@|[^/?]*)/s.exec(url) ?? [];
  const parts = before.split(/\W+/).filter((part) => part.length > 2);
  return /unable to parse/i.test(message) || parts.some((part) => message.includes(part))
    ? 'a user, password, host or port is invalid; in user and password, write %40 for "@", %3A for ":" and %2F for "/"'
    : message;
}

/** Scheme, hosts and database, without user and options. */
function printableAddress({ options: { srvHost, hosts, dbName } }: MongoClient): string {
  return srvHost === undefined
    ? `mongodb://${hosts.map(String).join(',')}/${dbName}`
    : `mongodb+srv://${srvHost}/${dbName}`;
}

async function greet(client: MongoClient): Promise<void> {
  await client.connect();
  const { maxWireVersion } = await client.db().command({ hello: 1, ...IN_TIME });
  if (typeof maxWireVersion !== 'number' || maxWireVersion < OLDEST_WIRE_VERSION)
    throw new MongoUnusable(
      `MongoDB at ${printableAddress(client)} is older than 5.0: upgrade it, preferably to 7.0 or 8.0`,
    );
}

/** Milliseconds between two attempts; longer after a rejection, which takes longer to correct. */
const TRY_AGAIN = 500;
const TRY_REFUSED_AGAIN = 5_000;

/**
 * Retries until the server responds. The driver's own monitors end when the first connection fails, so without these retries
 * every later call would fail as well.
 */
function awaitServer(
  client: MongoClient,
  { error: first, logger }: { readonly error: unknown; readonly logger: Logger },
): { readonly trouble: () => StoreTrouble | undefined; readonly stop: () => Promise<void> } {
  const place = printableAddress(client);
  const stopping = new AbortController();
  let trouble: StoreTrouble | undefined;

  function failed(error: unknown): void {
    const told = troubleAtStart(error, place);
    trouble = client.options.tls
      ? {
          ...told,
          whatToDo: `${told.whatToDo} The address requires TLS; a server without TLS never responds.`,
        }
      : told;
    const { reason, whatToDo } = trouble;
    const level = told.kind === 'not answering' ? 'warn' : 'error';
    logger[level]({ place, reason, whatToDo }, 'MongoDB is unavailable, retrying');
  }

  async function run(): Promise<void> {
    let pause = TRY_AGAIN;
    for (;;) {
      await sleep(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await greet(client);
        trouble = undefined;
        logger.info({ place }, 'MongoDB is available');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        failed(error);
        pause = isAway(error) ? TRY_AGAIN : TRY_REFUSED_AGAIN;
        // The connections to a server that is too old work, but nothing must be written to it.
        if (error instanceof MongoUnusable) return client.close();
      }
    }
  }

  failed(first);
  const running = run();
  return {
    trouble: () => trouble,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Reads the state of the driver's monitors, which search for a primary continuously without calls. */
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
          'Check the servers, their election and the network. The service continues automatically once a primary responds.',
      }
    );
  };
}
