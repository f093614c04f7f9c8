/**
 * Connects to NATS, and puts the errors of the library and of the server into the port's words. The library must not
 * reconnect: it would resend what waits, and after a new connection the publisher reads the bus's state again.
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
  /** A `.creds` file, read for every connection so that it can be replaced. */
  readonly credentialsFile?: string | undefined;
  /** Certificates (PEM) of the authorities that sign the servers' certificates. With it, connections are encrypted. */
  readonly caFile?: string | undefined;
  /** Milliseconds for each server's whole greeting, and for each call of JetStream's API. */
  readonly timeout: number;
}

/** Milliseconds between two pings; after two without an answer the connection counts as lost. */
const PING_INTERVAL = 10_000;

/**
 * Rejects with `PublisherUnavailable` when no server accepts it (the server may correct refused credentials), and
 * with `PublisherRefused` when a file cannot be read. The messages hold no secrets.
 */
export async function connectToNats(
  options: NatsConnectionOptions,
  signal: AbortSignal,
): Promise<NatsConnection> {
  const { address, credentialsFile, caFile, timeout } = options;
  const { servers, tls, credentials } = address;
  const file = credentialsFile === undefined ? undefined : await contentOf(credentialsFile);
  const ca = caFile === undefined ? undefined : await contentOf(caFile);
  const greeting = await thoseThatGreet(servers, timeout, signal);
  if (greeting.length === 0)
    throw new PublisherUnavailable(`no connection: ${servers.join(', ')} cannot be reached`);
  const settings: ConnectionOptions = {
    servers: greeting,
    name: 'levy',
    reconnect: false,
    // Each publication would make an Error in advance, for its stack.
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
      throw new PublisherUnavailable('the connection was given up');
    }
    if (error instanceof NatsError && error.code === ErrorCode.BadCreds)
      throw new PublisherRefused(
        `the file ${credentialsFile} holds no credentials: a JWT and a key are wanted`,
      );
    throw new PublisherUnavailable(`no connection: ${reasonOf(error)}`);
  }
}

/**
 * The servers that greet a new connection. The library must not wait for the others: it would never close the socket to
 * a frozen server, and would open another one with every attempt.
 */
async function thoseThatGreet(
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
    // It cannot be reached, or not in time.
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

/** Checks that a bus accepts this service and has JetStream; rejects with what publishing would reject with. Changes nothing. */
export async function probeNats(options: NatsConnectionOptions): Promise<void> {
  const connection = await connectToNats(options, AbortSignal.timeout(2 * options.timeout));
  try {
    await connection.jetstreamManager({ timeout: options.timeout });
  } catch (error) {
    throw new PublisherUnavailable(`JetStream does not answer: ${reasonOf(error)}`);
  } finally {
    await connection.close();
  }
}

/** The refusal that an operator has to correct; undefined for other errors. */
export function refusalIn(error: unknown, stream: string): PublisherRefused | undefined {
  if (error instanceof PublisherRefused) return error;
  if (!(error instanceof NatsError)) return undefined;
  const { permissionContext: denied } = error;
  if (denied !== undefined)
    return new PublisherRefused(
      `the server does not allow this user to ${denied.operation} to ${denied.subject}`,
    );
  if (codeOf(error) === undefined) return undefined;
  return new PublisherRefused(`JetStream refuses what is needed for ${stream}: ${reasonOf(error)}`);
}

export function unavailable(error: unknown): PublisherUnavailable {
  if (error instanceof PublisherUnavailable) return error;
  return new PublisherUnavailable(
    error === undefined ? 'the connection was closed' : `the bus does not answer: ${reasonOf(error)}`,
  );
}

/** The code of a JetStream error; undefined for any other error. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}

/** The library's or server's text for an error; neither repeats its input. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (!(error instanceof NatsError)) return error.message || error.name;
  const { api_error: refusal, chainedError } = error;
  if (error.code === ErrorCode.NoResponders && refusal === undefined)
    return 'nothing on the server takes what it is sent (503)';
  if (refusal !== undefined) return `${refusal.description} (${refusal.err_code ?? refusal.code})`;
  return chainedError?.message ? `${error.message}, ${chainedError.message}` : error.message;
}
