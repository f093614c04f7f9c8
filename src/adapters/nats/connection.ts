/**
 * Connects to NATS, and translates errors of the library and the server into the port's errors. The library must not
 * reconnect: it would resend queued messages, but the publisher must read the bus's state again first.
 */
import { readFile } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import { addAbortSignal } from 'node:stream';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  ErrorCode,
  type NatsConnection,
  NatsError,
} from 'nats';
import pTimeout from 'p-timeout';
import { PublisherRefused, PublisherUnavailable } from '../../kernel/ports/publisher.ts';
import type { NatsAddress } from '../../operations/config/nats-address.ts';

export interface NatsConnectionOptions {
  readonly address: NatsAddress;
  /** A `.creds` file, read again for every connection so that it can be replaced. */
  readonly credentialsFile?: string | undefined;
  /** PEM certificates of the authorities that sign the servers' certificates. If set, connections are encrypted. */
  readonly caFile?: string | undefined;
  /** Timeout in milliseconds of connecting to each server, and of each call of JetStream's API. */
  readonly timeout: number;
}

/** Milliseconds between two pings; the connection counts as lost after two pings without a response. */
const PING_INTERVAL = 10_000;

/**
 * Rejects with `PublisherUnavailable` if no server accepts the connection (rejected credentials may be corrected on the
 * server), and with `PublisherRefused` if a file cannot be read. Messages contain no secrets.
 */
export async function connectToNats(
  options: NatsConnectionOptions,
  signal: AbortSignal,
): Promise<NatsConnection> {
  const { address, credentialsFile, caFile, timeout } = options;
  const { servers, tls, credentials } = address;
  const file = credentialsFile === undefined ? undefined : await contentOf(credentialsFile);
  const ca = caFile === undefined ? undefined : await contentOf(caFile);
  const greeting = await respondingServers(servers, timeout, signal);
  if (greeting.length === 0)
    throw new PublisherUnavailable(`no connection: ${servers.join(', ')} cannot be reached`);
  const settings: ConnectionOptions = {
    servers: greeting,
    name: 'levy',
    reconnect: false,
    // Otherwise each publication would create an Error in advance, for its stack.
    noAsyncTraces: true,
    maxPingOut: 2,
    pingInterval: PING_INTERVAL,
    timeout,
    ...(tls || ca !== undefined ? { tls: ca === undefined ? {} : { ca: ca.toString() } } : {}),
    ...(file === undefined ? {} : { authenticator: credsAuthenticator(file) }),
    ...credentials,
  };
  const connecting = connect(settings);
  try {
    return await pTimeout(connecting, { milliseconds: Number.POSITIVE_INFINITY, signal });
  } catch (error) {
    if (signal.aborted) {
      // The attempt cannot be cancelled, but its connection can be closed.
      connecting.then(
        (connection) => connection.close(),
        () => undefined,
      );
      throw new PublisherUnavailable('the connection attempt was cancelled');
    }
    if (error instanceof NatsError && error.code === ErrorCode.BadCreds)
      throw new PublisherRefused(
        `the file ${credentialsFile} contains no credentials: it must contain a JWT and a key`,
      );
    throw new PublisherUnavailable(`no connection: ${reasonOf(error)}`);
  }
}

/**
 * Servers that greet a new connection. The library would never close its socket to a frozen server, and would open another
 * one with every attempt.
 */
async function respondingServers(
  servers: readonly string[],
  timeout: number,
  signal: AbortSignal,
): Promise<string[]> {
  const greets = await Promise.all(servers.map((server) => greetsIn(server, timeout, signal)));
  return servers.filter((_server, index) => greets[index]);
}

async function greetsIn(server: string, timeout: number, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`);
  const socket = dial({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
  addAbortSignal(AbortSignal.any([signal, AbortSignal.timeout(timeout)]), socket);
  try {
    // Leaving the loop destroys the socket.
    for await (const _greeting of socket) return true;
  } catch {
    // The server is unreachable or too slow.
  }
  return false;
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new PublisherRefused(`the file ${file} cannot be read (${code})`);
  }
}

/** Checks that the bus accepts this service and has JetStream; rejects with the errors of publishing. Changes nothing. */
export async function probeNats(options: NatsConnectionOptions): Promise<void> {
  const connection = await connectToNats(options, AbortSignal.timeout(2 * options.timeout));
  try {
    await connection.jetstreamManager({ timeout: options.timeout });
  } catch (error) {
    throw new PublisherUnavailable(`JetStream does not respond: ${reasonOf(error)}`);
  } finally {
    await connection.close();
  }
}

/** Rejection that an operator must correct; undefined for other errors. */
export function refusalIn(error: unknown, stream: string): PublisherRefused | undefined {
  if (error instanceof PublisherRefused) return error;
  if (!(error instanceof NatsError)) return undefined;
  const { permissionContext: denied } = error;
  if (denied !== undefined)
    return new PublisherRefused(
      `the server does not allow this user to ${denied.operation} to ${denied.subject}`,
    );
  if (codeOf(error) === undefined) return undefined;
  return new PublisherRefused(`JetStream rejected a request for ${stream}: ${reasonOf(error)}`);
}

export function unavailable(error: unknown): PublisherUnavailable {
  if (error instanceof PublisherUnavailable) return error;
  return new PublisherUnavailable(
    error === undefined ? 'the connection was closed' : `the bus does not respond: ${reasonOf(error)}`,
  );
}

/** Code of a JetStream error; undefined for other errors. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}

/** Message of the library or the server; neither quotes its input. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (!(error instanceof NatsError)) return error.message || error.name;
  const { api_error: refusal, chainedError } = error;
  if (error.code === ErrorCode.NoResponders && refusal === undefined)
    return 'no service on the server responds (503)';
  if (refusal !== undefined) return `${refusal.description} (${refusal.err_code ?? refusal.code})`;
  return chainedError?.message ? `${error.message}, ${chainedError.message}` : error.message;
}
