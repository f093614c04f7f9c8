/**
 * Bounds what a connection may cost: how many there are, how long each may take to send a request or to take its answer,
 * and how long it may be there for nothing. Node has timers for most of that; the gaps that they leave are closed here.
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
/** Of the time for a request, what its head may take. */
const HEAD_SHARE = 1 / 3;
/** Milliseconds. Node waits for so much longer than it says, so that nobody sends into a connection that is just closing. */
const KEEP_ALIVE_BUFFER = 1_000;
/** Milliseconds between two looks at who takes too long. */
const LONGEST_LOOK_EVERY = 1_000;
/** A connection that has been idle for less may have a request on its way. Milliseconds. */
const PROTECTED = 1_000;
/**
 * Requests that one connection may have under way. Node takes all that have come before it sees that nobody reads the
 * answers: thousands fit into what it reads at once.
 */
const UNDER_WAY = 32;
/** Milliseconds between two reports that there are too many. */
const REPORT_EVERY = 10_000;
/** Milliseconds until a connection that was refused is closed, so that the refusal can be read. */
const LINGER = 2_000;

/** Durations in milliseconds. */
export interface ConnectionLimits {
  /** Beyond it, the connection that has been idle for longest gives way to a new one; if none has, the new one is closed. */
  readonly maximum: number;
  /** A whole request must have arrived by then, and its head within a third of that. */
  readonly requestTimeout: number;
  /** How long a connection is kept after an answer. */
  readonly keepAliveTimeout: number;
  /** An answer must have been taken by then, once it is complete. */
  readonly answerTimeout: number;
}

/** `full` is told, now and then, while there are too many connections. */
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
      // Node would refuse without a word; see `requireHost`.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!connections.admit(request.socket, response)) return;
      cutOffWhoDoesNotRead(response, limits.answerTimeout);
      handler(request, response);
    },
  );
  // What we do not know we need not expect: Node would refuse that without a word too.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const connections = boundConnections(server, {
    maximum: limits.maximum,
    longestIdle: keepAliveTimeout + KEEP_ALIVE_BUFFER + headersTimeout,
    lookEvery,
    full,
  });
  return server;
}

/** HTTP/1.1 wants it named. Throws `VALIDATION_FAILED`. */
export function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion === '1.0') return;
  throw rejection('VALIDATION_FAILED', 'The request must have a Host header.');
}

/** Closes a connection after its last answer, also when the other side never does. */
export function endSoon(socket: Socket, lastWords: string): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** What the operating system does not take for a caller who does not read stays in our memory. */
function cutOffWhoDoesNotRead(response: ServerResponse, answerTimeout: number): void {
  // All that is to be sent has been handed over by then; mostly it is gone already.
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
  /** Whether the request may be carried out; a connection that has too many under way is cut off. */
  admit(socket: Socket, response: ServerResponse): boolean;
} {
  const { maximum, longestIdle, lookEvery, full } = options;
  /** How many requests each connection has under way. */
  const underWay = new Map<Socket, number>();
  /** Since when a connection has had none; who has been idle for longest comes first. */
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

  // Line ends before a request are no part of it: whoever sends one now and then is never late for Node.
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
      // It is being closed, and the request came with others.
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
        // The connection may be gone before the answer is.
        if (now === undefined) return;
        underWay.set(socket, now - 1);
        if (now === 1) idleSince.set(socket, performance.now());
      });
      return true;
    },
  };
}
