/**
 * Limits connections: how many there are, how long each may take to send a request or to read its answer, how long it may stay idle, and
 * how much may wait for their clients. Node has timers for most of this; the code here closes the gaps they leave.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Rejection } from '../../kernel/runtime/rejection.ts';
import { rejection } from '../../streams/rejections.ts';
import { createWaitingBytes, type UnreadReason, type WaitingBytes } from './waiting-bytes.ts';

/** Bytes of a path with its query. */
const URL_LIMIT = 8 * 1024;
/** Bytes of all headers. */
const HEADER_LIMIT = 16 * 1024;
/** The share of the request's time that its head may take. */
const HEAD_SHARE = 1 / 3;
/** Milliseconds. Node waits this much longer than it announces, so that no client sends into a closing connection. */
const KEEP_ALIVE_BUFFER = 1_000;
/** Milliseconds between two checks for connections that take too long. */
const LONGEST_LOOK_EVERY = 1_000;
/** A connection that has been idle for less may have a request in transit. Milliseconds. */
const PROTECTED = 1_000;
/**
 * Requests of a connection that have arrived and are not answered: one is handled, the others wait for their turn. Node
 * accepts all that have arrived before anybody can stop it, and thousands fit into one read.
 */
const UNANSWERED = 256;
/** What Node keeps for a request, besides its head and body. */
const REQUEST_BYTES = 2 * 1024;
/** Node stops reading about there, until somebody takes the body. */
const BODY_BYTES = 64 * 1024;
/** Milliseconds between two reports of the same kind. */
const REPORT_EVERY = 10_000;
/** Milliseconds until a refused connection is closed, so that the client can read the refusal. */
const LINGER = 2_000;

/** Durations in milliseconds. */
export interface ConnectionLimits {
  /** At the limit, a new connection replaces the one that has been idle longest; if none is idle, the new one is closed. */
  readonly maximum: number;
  /** A whole request must arrive within it, and its head within a third of it. */
  readonly requestTimeout: number;
  /** How long a connection stays open after an answer. */
  readonly keepAliveTimeout: number;
  /** How long a client may take to read an answer, or a piece of one that is sent in pieces. */
  readonly answerTimeout: number;
  /** Bytes of answers that may wait for their clients, over all connections. Above it, the one that has waited longest is closed. */
  readonly answersBuffer: number;
}

export interface ConnectionObserver {
  /** The limit of connections is reached. Called at most once in ten seconds. */
  full(): void;
  /** The limit of bytes that wait is reached. Called at most once in ten seconds. */
  overfull(): void;
  /** Called for each connection that is closed because its client did not read. */
  unread(reason: UnreadReason): void;
  /** Called once, with the function that gives how many bytes of answers wait for their clients. */
  watchWaiting(bytes: () => number): void;
}

/** Handles the requests of a connection one after another: the next in a later turn of the event loop, when the client has read the answer before. */
export function createHttpServer(
  handler: RequestListener,
  limits: ConnectionLimits,
  observer: ConnectionObserver,
): Server {
  const { requestTimeout, keepAliveTimeout, answerTimeout } = limits;
  const headersTimeout = Math.ceil(requestTimeout * HEAD_SHARE);
  const lookEvery = Math.min(LONGEST_LOOK_EVERY, headersTimeout, answerTimeout);
  const overfull = seldom(observer.overfull);
  const waiting = createWaitingBytes({
    maximum: limits.answersBuffer,
    timeout: answerTimeout,
    closed(reason) {
      observer.unread(reason);
      if (reason === 'limit') overfull();
    },
  });
  const server = createServer(
    {
      maxHeaderSize: URL_LIMIT + HEADER_LIMIT,
      requestTimeout,
      headersTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: lookEvery,
      // Node would refuse without a problem document; see `requireOneHost`.
      requireHostHeader: false,
      ServerResponse: countedAnswer(waiting),
    },
    (request, response) => connections.admit(request, response, () => handler(request, response)),
  );
  // An unknown Expect header is ignored; Node would refuse it without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = boundConnections(server, {
    maximum: limits.maximum,
    longestIdle: keepAliveTimeout + KEEP_ALIVE_BUFFER + headersTimeout,
    lookEvery,
    full: seldom(observer.full),
    waiting,
  });
  observer.watchWaiting(waiting.total);
  return server;
}

/** `URI_TOO_LONG` or `HEADERS_TOO_LARGE`; undefined for a head that is short enough. */
export function refusalOfHead({ url = '', rawHeaders }: IncomingMessage): Rejection | undefined {
  if (url.length > URL_LIMIT) return uriTooLong();
  if (rawHeaders.reduce((sum, text) => sum + text.length, 0) > HEADER_LIMIT) return headersTooLarge();
  return undefined;
}

const REQUEST_LINE_START = /^[A-Z]+ /;

/** The refusal of input that is no complete request; undefined where nothing of one has arrived. */
export function refusalOf(
  error: Error & { readonly code?: string },
  { bytesRead }: Pick<Socket, 'bytesRead'>,
): Rejection | undefined {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      // Browsers open connections in advance, and would show the refusal in place of a page.
      if (bytesRead === 0) return undefined;
      return rejection('REQUEST_TIMED_OUT', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW': {
      // The packet begins the request, unless the network has cut the request into several.
      const packet = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : [];
      const text = Buffer.from(packet).toString('latin1');
      const [requestLine = ''] = text.split('\n', 1);
      const isLong = REQUEST_LINE_START.test(text) && requestLine.length > URL_LIMIT;
      return isLong ? uriTooLong() : headersTooLarge();
    }
    default:
      return rejection('VALIDATION_FAILED', 'The request cannot be read.');
  }
}

function uriTooLong(): Rejection {
  return rejection('URI_TOO_LONG', `A path with its query may have ${URL_LIMIT} bytes.`);
}

function headersTooLarge(): Rejection {
  return rejection('HEADERS_TOO_LARGE', `The headers may have ${HEADER_LIMIT} bytes in all.`);
}

/** HTTP/1.1 requires one Host header: of two, a proxy may go by the other. Throws `VALIDATION_FAILED`. */
export function requireOneHost({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0') {
    throw rejection('VALIDATION_FAILED', 'The request must have a Host header.');
  }
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) throw rejection('VALIDATION_FAILED', 'The request must have only one Host header.');
}

/** Closes a connection after its last answer, also when the client never closes its side. */
export function endSoon(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** What the operating system does not take stays in our memory, so each write is counted. */
function countedAnswer(waiting: WaitingBytes): typeof ServerResponse {
  return class CountedAnswer<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {
    override write(...written: readonly unknown[]): boolean {
      const wantsMore: boolean = Reflect.apply(super.write, this, written);
      if (this.socket !== null) waiting.wrote(this.socket, isEventStream(this));
      return wantsMore;
    }

    override end(...written: readonly unknown[]): this {
      Reflect.apply(super.end, this, written);
      if (this.socket !== null) waiting.count(this.socket);
      return this;
    }
  };
}

/** Its writer limits how long an event may wait; what waits of any other answer is one piece of it. */
function isEventStream(response: ServerResponse): boolean {
  const type = response.getHeader('content-type');
  return typeof type === 'string' && type.startsWith('text/event-stream');
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

interface Turns {
  readonly requests: { readonly handle: () => void; readonly bytes: number }[];
  /** All bytes of the requests that wait. */
  bytes: number;
}

function boundConnections(
  server: Server,
  options: {
    readonly maximum: number;
    readonly longestIdle: number;
    readonly lookEvery: number;
    readonly full: () => void;
    readonly waiting: WaitingBytes;
  },
): {
  /** Handles the request when its turn has come. Closes a connection with too many unanswered requests. */
  admit(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
} {
  const { maximum, longestIdle, lookEvery, full, waiting } = options;
  /** The unanswered requests of each connection. The first is being handled. */
  const unanswered = new Map<Socket, Turns>();
  /** When each idle connection became idle; the longest idle comes first. */
  const idleSince = new Map<Socket, number>();

  function makeRoom(): boolean {
    const now = performance.now();
    full();
    const [[longest, since] = []] = idleSince;
    if (longest === undefined || since === undefined || now - since < PROTECTED) return false;
    forget(longest);
    longest.destroy();
    return true;
  }

  function forget(socket: Socket): void {
    unanswered.delete(socket);
    idleSince.delete(socket);
  }

  server.on('connection', (socket) => {
    if (unanswered.size >= maximum && !makeRoom()) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, { requests: [], bytes: 0 });
    idleSince.set(socket, performance.now());
    socket.on('drain', () => waiting.count(socket));
    socket.once('close', () => {
      forget(socket);
      waiting.count(socket);
      waiting.queued(socket, 0);
    });
  });

  // Node's timers ignore line ends before a request, so a client that sends one now and then would never time out.
  const look = () => {
    waiting.closeOverdue();
    const latest = performance.now() - longestIdle;
    for (const [socket, since] of idleSince) {
      if (since > latest) return;
      socket.destroy();
    }
  };
  server.once('listening', () => {
    const looking = setInterval(look, lookEvery).unref();
    server.once('close', () => clearInterval(looking));
  });

  return {
    admit(request, response, handle) {
      const { socket } = request;
      const turns = unanswered.get(socket);
      // The connection is closing; the request arrived together with others.
      if (turns === undefined) return;
      if (turns.requests.length >= UNANSWERED) {
        forget(socket);
        socket.destroy();
        return;
      }
      idleSince.delete(socket);
      response.once('close', () => {
        waiting.count(socket);
        turns.requests.shift();
        // The connection may close before the answer.
        if (unanswered.get(socket) !== turns) return;
        const [next] = turns.requests;
        if (next === undefined) return void idleSince.set(socket, performance.now());
        turns.bytes -= next.bytes;
        waiting.queued(socket, turns.bytes);
        // Other connections get their turn first: a pipeline of hundreds must not keep the event loop from them.
        setImmediate(next.handle);
      });
      const isFirst = turns.requests.length === 0;
      const bytes = isFirst ? 0 : bytesOf(request);
      turns.requests.push({ handle, bytes });
      turns.bytes += bytes;
      // An answer waits in memory until it is read: the next request waits as what it is, which is smaller.
      if (isFirst) handle();
      else waiting.queued(socket, turns.bytes);
    },
  };
}

function bytesOf({ url = '', rawHeaders, headers }: IncomingMessage): number {
  const head = rawHeaders.reduce((sum, text) => sum + text.length, url.length);
  const body = Math.min(Number(headers['content-length'] ?? 0) || 0, BODY_BYTES);
  return REQUEST_BYTES + head + body;
}
