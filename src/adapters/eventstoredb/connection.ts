/**
 * The connection to EventStoreDB: its client finds the node, dials it and signs calls; the adapter makes its two calls
 * on the client's own stubs. The client's higher-level calls are not used: its batch appends share one table among all
 * clients of the process, so one client's error rejects everybody's appends and a late answer then breaks a client
 * permanently; its reads cannot filter; its subscriptions report catching up before their buffered events are consumed.
 */
import { readFileSync } from 'node:fs';
import { EventStoreDBClient } from '@eventstore/db-client';
import stubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import pTimeout from 'p-timeout';
import { OperatorError, StoreUnavailable } from '../../kernel/ports/errors.ts';
import { messageOf } from '../../kernel/runtime/message-of.ts';
import type { EventStoreDbAddress } from '../../operations/config/event-store-url.ts';

type Stubs = InstanceType<typeof stubs.StreamsClient>;
type ReadCall = ReturnType<Stubs['read']>;
export type BatchCall = ReturnType<Stubs['batchAppend']>;

export interface Connection {
  /** Asks the leader only, so that every acknowledged event is included. A failed read must be started again. */
  read(request: ReadReq, signal?: AbortSignal): Promise<ReadCall>;
  batchAppend(): Promise<BatchCall>;
  /** Reports a call's error, so that the next call gets a connection that does not wait out an old failure. */
  failed(error: unknown): void;
  /** Ends every call. */
  close(): Promise<void>;
}

/** Timeout for finding a node and starting a call. Milliseconds. */
const BEGIN_PATIENCE = 5_000;
/** The least time between two new clients. Milliseconds. */
const RENEWAL_PAUSE = 1_000;
/** Variants of a connection: more than can be in use or remembered at once. */
const VARIANTS = 50;
/** Milliseconds, but for `gossipTimeout`, which is in seconds. */
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

  /** Asks any node: it forwards appends to the leader. */
  batchAppend(): Promise<BatchCall> {
    const begin = this.GRPCStreamCreator(stubs.StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    );
    return begin();
  }
}

/**
 * `purpose` keeps connections apart: clients of a process with equal options share one connection, which carries
 * at most 100 calls.
 */
export function openConnection(address: EventStoreDbAddress, purpose: 'calls' | 'subscriptions'): Connection {
  const open = new Set<{ cancel(): void }>();
  let variant = 0;
  const certificates = address.caFile === undefined ? undefined : certificatesIn(address.caFile);
  let client = newClient({ address, certificates, purpose, variant });
  let madeAt = performance.now();
  let closed = false;

  function renew(): void {
    if (closed || performance.now() - madeAt < RENEWAL_PAUSE) return;
    variant = (variant + 1) % VARIANTS;
    client = newClient({ address, certificates, purpose, variant });
    madeAt = performance.now();
  }

  async function begin<Call extends ReadCall | BatchCall>(
    call: (by: StreamsClient) => Promise<Call>,
    signal?: AbortSignal,
  ): Promise<Call> {
    if (closed) throw new EventStoreSilent('the event store is closed');
    let isLate = false;
    const beginning = call(client).then((begun) => {
      // After a call is abandoned, nobody listens for its end.
      begun.on('error', () => undefined);
      if (isLate || closed) begun.cancel();
      open.add(begun);
      begun.once('close', () => open.delete(begun));
      return begun;
    });
    try {
      return await within(BEGIN_PATIENCE, beginning, 'the event store cannot be reached', signal);
    } catch (error) {
      isLate = true;
      // Such a client would never forget that no node was found.
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
      await within(1_000, client.dispose(), 'closing takes long').catch(() => undefined);
    },
  };
}

/** The gRPC code; undefined if the error is not a call's answer. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

/**
 * gRPC codes: cancelled by the server, unknown, deadline exceeded, aborted, unavailable. Unknown says nothing: a server
 * that is starting or stopping answers so, too.
 */
const PASSING = new Set([1, 2, 4, 10, UNAVAILABLE]);

/** True if the same call may succeed on a retry. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return false;
  if (PASSING.has(code)) return true;
  // The client follows by itself: its next call goes to the new leader.
  const metadata = 'metadata' in error && error.metadata instanceof Object ? error.metadata : {};
  return (
    'get' in metadata &&
    typeof metadata.get === 'function' &&
    String(metadata.get('exception')) === 'not-leader'
  );
}

/** Rejects with `EventStoreSilent` on timeout, and when the signal is aborted; the work goes on. */
export function within<Result>(
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
  if (endpoint === undefined) throw new Error('the address names no host');
  const common = {
    keepAliveInterval: address.keepAliveInterval + (purpose === 'subscriptions' ? 1 : 0),
    // gRPC shares connections of equal options, and lets one that failed wait longer each time, up to two minutes. A
    // millisecond of difference makes another, which is tried at once.
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
    const reason = messageOf(cause);
    throw new EventStoreUnreachable(`the certificates for EventStoreDB cannot be read: ${reason}`, { cause });
  }
}

/** Silences the client's console warning about a keep-alive below ten seconds, which is chosen on purpose. */
function quietly<Result>(make: () => Result): Result {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

/** The server did not answer, or not in time. Whether it did the work is unknown. */
export class EventStoreSilent extends StoreUnavailable {
  /** The gRPC code of the last try, where there was an answer. */
  readonly code: unknown;

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  }
}

/** The error of a call that may succeed later: it was tried again, in vain. */
export function silenceAfter(error: unknown): EventStoreSilent {
  const reason = messageOf(error);
  return new EventStoreSilent(`the event store does not answer: ${reason}`, error);
}

/** The start failed: the server does not answer, or refuses the user. */
export class EventStoreUnreachable extends OperatorError {
  override readonly name = 'EventStoreUnreachable';
}
