/**
 * Connection to EventStoreDB. The official client finds the node, connects to it and authenticates calls. This adapter makes
 * its two calls on the client's stubs, because the client's higher-level calls are unsuitable:
 * - Its batch appends share one table among all clients of the process. So one client's error rejects all appends, and a late
 *   response then breaks a client permanently.
 * - Its reads cannot filter.
 * - Its subscriptions report that they have caught up before their buffered events are consumed.
 */
import { readFileSync } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import stubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import pTimeout from 'p-timeout';
import { OperatorError, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { errorMessage } from '../../kernel/runtime/error-message.ts';
import type { EventStoreDbAddress } from '../../operations/config/event-store-url.ts';

type Stubs = InstanceType<typeof stubs.StreamsClient>;
type ReadCall = ReturnType<Stubs['read']>;
export type BatchCall = ReturnType<Stubs['batchAppend']>;

export interface Connection {
  /** Reads from the leader only, so that all acknowledged events are included. A failed read must be started again. */
  read(request: ReadReq, signal?: AbortSignal): Promise<ReadCall>;
  batchAppend(): Promise<BatchCall>;
  /** Reports a call's error, so that the next call gets a fresh connection without the backoff of the failed one. */
  failed(error: unknown): void;
  close(): Promise<void>;
}

/** Timeout in milliseconds of finding a node and starting a call. */
const CALL_START_TIMEOUT = 5_000;
/** Minimum milliseconds between two new clients. */
const RENEWAL_PAUSE = 1_000;
/** Variants of the connection options: more than gRPC uses or caches at the same time. */
const VARIANTS = 50;
/** Milliseconds, except `gossipTimeout`, which is in seconds. */
const DISCOVERY = {
  nodePreference: 'leader',
  maxDiscoverAttempts: 3,
  discoveryInterval: 200,
  gossipTimeout: 2,
} as const;
const UNAVAILABLE = 14;

class StreamsClient extends EventStoreDBClient {
  read(request: ReadReq): Promise<ReadCall> {
    const begin = this.GRPCStreamCreator(stubs.StreamsClient, 'read', (client) =>
      client.read(
        request,
        ...this.callArguments({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY }),
      ),
    );
    return begin();
  }

  /** Calls any node, which forwards appends to the leader. */
  batchAppend(): Promise<BatchCall> {
    const begin = this.GRPCStreamCreator(stubs.StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    );
    return begin();
  }
}

/**
 * `purpose` separates connections: clients of a process with equal options share one connection, which carries at most 100
 * calls.
 */
export function openConnection(address: EventStoreDbAddress, purpose: 'calls' | 'subscriptions'): Connection {
  const open = new Set<{ cancel(): void }>();
  let variant = 0;
  const certificates = address.caFile === undefined ? undefined : certificatesIn(address.caFile);
  let client = newClient({ address, certificates, purpose, variant });
  let createdAt = performance.now();
  let closed = false;

  function renew(): void {
    if (closed || performance.now() - createdAt < RENEWAL_PAUSE) return;
    variant = (variant + 1) % VARIANTS;
    client = newClient({ address, certificates, purpose, variant });
    createdAt = performance.now();
  }

  async function begin<Call extends ReadCall | BatchCall>(
    call: (by: StreamsClient) => Promise<Call>,
    signal?: AbortSignal,
  ): Promise<Call> {
    if (closed) throw new EventStoreSilent('the event store is closed');
    let isLate = false;
    const beginning = call(client).then((begun) => {
      // An abandoned call has no other listener for its error.
      begun.on('error', () => undefined);
      if (isLate || closed) begun.cancel();
      open.add(begun);
      begun.once('close', () => open.delete(begun));
      return begun;
    });
    try {
      return await withTimeout(CALL_START_TIMEOUT, beginning, 'the event store cannot be reached', signal);
    } catch (error) {
      isLate = true;
      // The client caches the failure to find a node permanently.
      if (signal?.aborted !== true) renew();
      throw error;
    }
  }

  return {
    read: (request, signal) => begin((by) => by.read(request), signal),
    batchAppend: () => begin((by) => by.batchAppend()),
    failed(error) {
      if (codeOf(error) === UNAVAILABLE || error instanceof EventStoreSilent) renew();
    },
    async close() {
      closed = true;
      for (const call of open) call.cancel();
      await withTimeout(1_000, client.dispose(), 'closing timed out').catch(() => undefined);
    },
  };
}

/** gRPC code; undefined if the error is not a call's status. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/**
 * gRPC codes: cancelled by the server, unknown, deadline exceeded, aborted, unavailable. A server that is starting or
 * stopping also responds with `unknown`.
 */
const TRANSIENT = new Set([1, 2, 4, 10, UNAVAILABLE]);

/** True if the same call may succeed on a retry. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return false;
  if (TRANSIENT.has(code)) return true;
  // The client's next call goes to the new leader.
  const metadata = 'metadata' in error && error.metadata instanceof Object ? error.metadata : {};
  return (
    'get' in metadata &&
    typeof metadata.get === 'function' &&
    String(metadata.get('exception')) === 'not-leader'
  );
}

/** Rejects with `EventStoreSilent` on timeout or when the signal is aborted; the work continues. */
export function withTimeout<Result>(
  milliseconds: number,
  work: Promise<Result>,
  otherwise: string,
  signal?: AbortSignal,
): Promise<Result> {
  return pTimeout(work, {
    milliseconds,
    ...(signal && { signal }),
    fallback: () => {
      throw new EventStoreSilent(otherwise);
    },
  });
}

function newClient(options: {
  readonly address: EventStoreDbAddress;
  readonly certificates: Buffer | undefined;
  readonly purpose: 'calls' | 'subscriptions';
  readonly variant: number;
}): StreamsClient {
  const { address, certificates, purpose, variant } = options;
  const { nodes, discover, tls, user } = address;
  const endpoints = nodes.map(({ host, port }) => ({ address: host, port }));
  const [endpoint] = endpoints;
  if (endpoint === undefined) throw new Error('the address of EventStoreDB contains no host');
  const common = {
    keepAliveInterval: address.keepAliveInterval + (purpose === 'subscriptions' ? 1 : 0),
    // gRPC shares connections with equal options, and backs off after failures, up to two minutes. A difference of one
    // millisecond makes another connection, which is tried immediately.
    keepAliveTimeout: address.keepAliveTimeout + variant,
  };
  const credentials = {
    insecure: !tls,
    ...(certificates === undefined ? {} : { rootCertificate: certificates }),
  };
  const login = user && { username: user.name, password: user.password };
  return quietly(() => {
    if (discover)
      return new StreamsClient({ discover: endpoint, ...DISCOVERY, ...common }, credentials, login);
    if (endpoints.length > 1)
      return new StreamsClient({ endpoints, ...DISCOVERY, ...common }, credentials, login);
    return new StreamsClient({ endpoint, ...common }, credentials, login);
  });
}

function certificatesIn(caFile: string): Buffer {
  try {
    return readFileSync(caFile);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw new EventStoreUnreachable(`the certificates for EventStoreDB cannot be read: ${reason}`, { cause });
  }
}

/** Silences the client's console warning about a keep-alive below ten seconds, which is intentional. */
function quietly<Result>(make: () => Result): Result {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

/** The server did not respond in time, so the outcome of the call is unknown. */
export class EventStoreSilent extends StoreUnavailable {
  /** gRPC code of the last attempt, if it got a response. */
  readonly code: unknown;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  }
}

/** Error for a temporary failure whose retries are exhausted. */
export function silenceAfter(error: unknown): EventStoreSilent {
  const reason = errorMessage(error);
  return new EventStoreSilent(`the event store does not respond: ${reason}`, error);
}

/** The server did not respond at startup, or rejected the user. */
export class EventStoreUnreachable extends OperatorError {
  override readonly name = 'EventStoreUnreachable';
}
