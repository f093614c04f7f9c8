/**
 * Limits connections: their number, the time for sending a request and for reading a response, and the bytes that wait
 * for clients. Node's timers limit requests and idle connections; this module closes the rest.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';

/** Maximum bytes of a path with its query. */
const URL_LIMIT = 8 * 1024;
/** Maximum bytes of all headers together. */
const HEADER_LIMIT = 16 * 1024;
/** Share of the request timeout in which the head must be received. */
const HEAD_SHARE = 1 / 3;
/** Maximum unanswered requests on a connection: all of them run concurrently, and their responses wait in memory. */
const PIPELINED = 8;
/** Milliseconds between two checks for overdue requests. */
const REQUESTS_CHECKED_EVERY = 1_000;
/** Milliseconds between two counts of the bytes that wait for clients. Between counts, the bytes can exceed the limit. */
const WAITING_COUNTED_EVERY = 100;
/** Minimum idle time in milliseconds before a connection is closed for a new one; a request may be in transit before. */
const PROTECTED = 1_000;
/** Milliseconds between two reports of the same kind. */
const REPORT_EVERY = 10_000;
/** Milliseconds until a refused connection is closed, so that the client can read the refusal. */
const LINGER = 2_000;

/** Durations in milliseconds. */
export interface ConnectionLimits {
  /** At the limit, a new connection replaces the one that has been idle longest; if none is idle, the new one is closed. */
  readonly maximum: number;
  /** Time in which a whole request must be received; its head within a third of it. */
  readonly requestTimeout: number;
  /** Time for which a connection stays open after a response. */
  readonly keepAliveTimeout: number;
  /** Longest time for which a client may read a response, or a chunk of a streamed one. */
  readonly answerTimeout: number;
  /**
   * Maximum bytes of responses that wait for clients, over all connections. Above it, the connection that has waited
   * longest is closed.
   */
  readonly answersBuffer: number;
}

export interface ConnectionObserver {
  /** The connection limit is reached. Called at most once in ten seconds. */
  full(): void;
  /** The limit of waiting bytes is reached. Called at most once in ten seconds. */
  overfull(): void;
  /** Called for each connection that is closed because its client did not read. */
  unread(reason: 'timeout' | 'limit'): void;
  /** Called once, with a function that returns how many bytes of responses wait for their clients. */
  watchWaiting(bytes: () => number): void;
}

/**
 * Closes a connection with too many unanswered requests: clients that use HTTP pipelining are rare, and send few
 * requests ahead.
 */
export function createHttpServer(
  handler: RequestListener,
  limits: ConnectionLimits,
  observer: ConnectionObserver,
): Server {
  const { requestTimeout, keepAliveTimeout } = limits;
  const headersTimeout = Math.ceil(requestTimeout * HEAD_SHARE);
  const server = createServer({
    maxHeaderSize: URL_LIMIT + HEADER_LIMIT,
    requestTimeout,
    headersTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: Math.min(REQUESTS_CHECKED_EVERY, headersTimeout),
    // Node would refuse the request without a problem document, and the host is not used.
    requireHostHeader: false,
  });
  /** Idle connections, longest idle first, with the start of their idleness. */
  const idle = new Map<Socket, number>();
  /** Connections with unanswered requests. */
  const busy = new Map<Socket, Set<ServerResponse>>();
  const full = seldom(observer.full);

  function makeRoom(): boolean {
    full();
    const [[longest, since] = []] = idle;
    if (longest === undefined || since === undefined || performance.now() - since < PROTECTED) return false;
    idle.delete(longest);
    longest.destroy();
    return true;
  }

  server.on('connection', (socket) => {
    if (idle.size + busy.size >= limits.maximum && !makeRoom()) {
      socket.destroy();
      return;
    }
    idle.set(socket, performance.now());
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const unanswered = busy.get(socket) ?? new Set();
    if (unanswered.size === PIPELINED || (unanswered.size === 0 && !idle.delete(socket))) {
      socket.destroy();
      return;
    }
    busy.set(socket, unanswered.add(response));
    response.once('close', () => {
      unanswered.delete(response);
      // The connection may close before the response.
      if (unanswered.size === 0 && busy.delete(socket)) idle.set(socket, performance.now());
    });
    handler(request, response);
  });
  // An unknown Expect header is ignored; Node would refuse the request without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  closeUnread(server, busy, limits, observer);
  closeUnusedToo(server, () => idle.keys());
  return server;
}

/**
 * Node does not count a connection as idle before its first request, so a closing server would wait for those that
 * browsers open in advance.
 */
function closeUnusedToo(server: Server, idle: () => Iterable<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of idle()) if (socket.bytesRead === 0) socket.destroy();
  };
}

/**
 * Closes connections whose clients do not read: those that have waited longer than the timeout, and the longest waiting
 * ones while all connections together exceed the limit of waiting bytes. Bytes that the operating system has not
 * accepted stay in our memory.
 */
function closeUnread(
  server: Server,
  busy: ReadonlyMap<Socket, ReadonlySet<ServerResponse>>,
  { answerTimeout, answersBuffer }: ConnectionLimits,
  observer: ConnectionObserver,
): void {
  /** Longest waiting connection first. */
  const waitingSince = new Map<Socket, number>();
  const overfull = seldom(observer.overfull);
  let total = 0;

  /** Pipelined responses buffer their own bytes until the earlier ones are sent. */
  function waitingOn(socket: Socket): number {
    let bytes = 0;
    for (const { writableLength } of busy.get(socket) ?? []) bytes += writableLength;
    return bytes;
  }

  function check(): void {
    const now = performance.now();
    total = 0;
    for (const socket of waitingSince.keys()) if (waitingOn(socket) === 0) waitingSince.delete(socket);
    for (const socket of busy.keys()) {
      const bytes = waitingOn(socket);
      total += bytes;
      if (bytes > 0 && !waitingSince.has(socket)) waitingSince.set(socket, now);
    }
    for (const [socket, since] of waitingSince) {
      const isOverdue = now - since > answerTimeout;
      if (!isOverdue && total <= answersBuffer) return;
      total -= waitingOn(socket);
      waitingSince.delete(socket);
      socket.destroy();
      observer.unread(isOverdue ? 'timeout' : 'limit');
      if (!isOverdue) overfull();
    }
  }

  // The timeout applies to each chunk of a streamed response.
  server.on('connection', (socket) => socket.on('drain', () => waitingSince.delete(socket)));
  server.once('listening', () => {
    const checking = setInterval(check, WAITING_COUNTED_EVERY).unref();
    server.once('close', () => clearInterval(checking));
  });
  observer.watchWaiting(() => total);
}

/** Returns `URI_TOO_LONG` or `HEADERS_TOO_LARGE`; undefined for a valid head. */
export function refusalOfHead({ url = '', rawHeaders }: IncomingMessage): Rejection | undefined {
  if (url.length > URL_LIMIT) return uriTooLongRejection();
  if (rawHeaders.reduce((sum, text) => sum + text.length, 0) > HEADER_LIMIT)
    return headersTooLargeRejection();
  return undefined;
}

/** Returns the refusal of an incomplete request; undefined if no byte of a request was received. */
export function refusalOf(
  error: Error & { readonly code?: string },
  { bytesRead }: Pick<Socket, 'bytesRead'>,
): Rejection | undefined {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      // Browsers open connections in advance, and would show the refusal instead of a page.
      if (bytesRead === 0) return undefined;
      return rejection('REQUEST_TIMED_OUT', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLargeRejection();
    default:
      return rejection('VALIDATION_FAILED', 'The request is not valid HTTP.');
  }
}

function uriTooLongRejection(): Rejection {
  return rejection('URI_TOO_LONG', `A path with its query may have at most ${URL_LIMIT} bytes.`);
}

function headersTooLargeRejection(): Rejection {
  return rejection('HEADERS_TOO_LARGE', `The headers together may have at most ${HEADER_LIMIT} bytes.`);
}

/** Closes a connection after its last response, even if the client never closes its side. */
export function endSoon(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  setTimeout(() => socket.destroy(), LINGER).unref();
}

function seldom(report: () => void): () => void {
  let reported = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - reported < REPORT_EVERY) return;
    reported = now;
    report();
  };
}
