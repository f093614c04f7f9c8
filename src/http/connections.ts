/**
 * Limits connections: how many there are, how long each may take to send a request or to read its answer, and how long it may stay idle.
 * Node has timers for most of this; the code here closes the gaps they leave.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { rejection } from '../streams/rejections.ts';

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
 * Requests in progress per connection. Node accepts all requests that have arrived before it notices that nobody reads the
 * answers, and thousands fit into one read.
 */
const UNDER_WAY = 32;
/** Milliseconds between two reports that the limit is reached. */
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
  /** How long a client may take to read a complete answer. */
  readonly answerTimeout: number;
}

/** `full` is called when the limit is reached, at most once in ten seconds. */
export function createHttpServer(
  handler: RequestListener,
  limits: ConnectionLimits,
  full: () => void,
): Server {
  const { requestTimeout, keepAliveTimeout } = limits;
  const headersTimeout = Math.ceil(requestTimeout * HEAD_SHARE);
  const lookEvery = Math.min(LONGEST_LOOK_EVERY, headersTimeout);
  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT,
      requestTimeout,
      headersTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: lookEvery,
      // Node would refuse without a problem document; see `requireHost`.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!connections.admit(request.socket, response)) return;
      closeUnlessRead(response, limits.answerTimeout);
      handler(request, response);
    },
  );
  // An unknown Expect header is ignored; Node would refuse it without a problem document.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = boundConnections(server, {
    maximum: limits.maximum,
    longestIdle: keepAliveTimeout + KEEP_ALIVE_BUFFER + headersTimeout,
    lookEvery,
    full,
  });
  return server;
}

/** HTTP/1.1 requires a Host header. Throws `VALIDATION_FAILED`. */
export function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw rejection('VALIDATION_FAILED', 'The request must have a Host header.');
}

/** Closes a connection after its last answer, also when the client never closes its side. */
export function endSoon(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** If a client does not read, what the operating system does not buffer stays in our memory. */
function closeUnlessRead(response: ServerResponse, answerTimeout: number): void {
  // By then the whole answer has been handed to the socket; mostly it is sent already.
  response.once('prefinish', () => {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    const timer = setTimeout(() => socket.destroy(), answerTimeout).unref();
    response.once('close', () => clearTimeout(timer));
  });
}

function boundConnections(
  server: Server,
  options: {
    readonly maximum: number;
    readonly longestIdle: number;
    readonly lookEvery: number;
    readonly full: () => void;
  },
): {
  /** Whether to handle the request. Closes a connection with too many requests in progress. */
  admit(socket: Socket, response: ServerResponse): boolean;
} {
  const { maximum, longestIdle, lookEvery, full } = options;
  /** Requests in progress per connection. */
  const underWay = new Map<Socket, number>();
  /** When each idle connection became idle; the longest idle comes first. */
  const idleSince = new Map<Socket, number>();
  let reported = Number.NEGATIVE_INFINITY;

  function makeRoom(): boolean {
    const now = performance.now();
    if (now - reported >= REPORT_EVERY) {
      reported = now;
      full();
    }
    const [[longest, since] = []] = idleSince;
    if (longest === undefined || since === undefined || now - since < PROTECTED) return false;
    forget(longest);
    longest.destroy();
    return true;
  }

  function forget(socket: Socket): void {
    underWay.delete(socket);
    idleSince.delete(socket);
  }

  server.on('connection', (socket) => {
    if (underWay.size >= maximum && !makeRoom()) {
      socket.destroy();
      return;
    }
    underWay.set(socket, 0);
    idleSince.set(socket, performance.now());
    socket.once('close', () => forget(socket));
  });

  // Node's timers ignore line ends before a request, so a client that sends one now and then would never time out.
  const look = () => {
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
    admit(socket, response) {
      const before = underWay.get(socket);
      // The connection is closing; the request arrived together with others.
      if (before === undefined) return false;
      if (before >= UNDER_WAY) {
        forget(socket);
        socket.destroy();
        return false;
      }
      underWay.set(socket, before + 1);
      idleSince.delete(socket);
      response.once('close', () => {
        const now = underWay.get(socket);
        // The connection may close before the answer.
        if (now === undefined) return;
        underWay.set(socket, now - 1);
        if (now === 1) idleSince.set(socket, performance.now());
      });
      return true;
    },
  };
}
