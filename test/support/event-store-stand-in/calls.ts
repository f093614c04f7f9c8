/**
 * Calls of gRPC over bare HTTP/2, as many as the stand-in answers: a library's server takes several times the processor
 * time for each, and would be most of what a benchmark of the service measures.
 */
import {
  constants,
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';

/** A call as its method sees it. */
export interface Call {
  /** Messages, each in its frame. */
  write(frames: readonly Buffer[]): void;
  /** `code` of gRPC, 0 for success. What was written before is sent first. */
  end(code?: number, details?: string): void;
  /** Called once when the call is over, whichever side ended it. */
  whenOver(leave: () => void): void;
}

/** Begins a call; what it returns gets each message of the client. */
export type Method = (call: Call) => { message(bytes: Buffer): void; end?(): void };

export interface CallServer {
  readonly port: number;
  /** Ends every connection without a word, as a killed server does, and takes no more. */
  stop(): void;
}

const UNIMPLEMENTED = 12;
/** Like EventStoreDB, a call that its client does not release holds one of them permanently. */
const CALLS_A_CONNECTION = 100;
/** A flag, and the length. */
const PREFIX_BYTES = 5;

/** `methods` by path. Rejects when the port cannot be had. */
export async function startCallServer(
  methods: ReadonlyMap<string, Method>,
  options: { readonly port: number; readonly tls?: { readonly key: Buffer; readonly cert: Buffer } },
): Promise<CallServer> {
  const settings = { maxConcurrentStreams: CALLS_A_CONNECTION };
  const { tls } = options;
  const server = tls === undefined ? createServer({ settings }) : createSecureServer({ settings, ...tls });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const call = callOn(stream);
    const method = methods.get(String(headers[constants.HTTP2_HEADER_PATH]));
    if (method === undefined) call.end(UNIMPLEMENTED, 'the stand-in has no such call');
    else receive(stream, method(call));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function callOn(stream: ServerHttp2Stream): Call {
  let status = { code: 0, details: '' };
  let isEnding = false;
  // A client may end a call, or its connection, at any time.
  stream.on('error', () => undefined);
  stream.once('wantTrailers', () => {
    stream.sendTrailers({
      'grpc-status': String(status.code),
      ...(status.details === '' ? {} : { 'grpc-message': encodeURIComponent(status.details) }),
    });
  });
  const isOpen = () => !isEnding && !stream.destroyed && !stream.closed;
  function respond(): void {
    if (stream.headersSent) return;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true });
  }
  return {
    write(frames) {
      if (!isOpen() || frames.length === 0) return;
      respond();
      stream.write(Buffer.concat(frames));
    },
    end(code = 0, details = '') {
      if (!isOpen()) return;
      isEnding = true;
      status = { code, details };
      respond();
      stream.end();
    },
    whenOver: (leave) => void stream.once('close', leave),
  };
}

/** Parts of the stream end anywhere, also within a message or its prefix. */
function receive(stream: ServerHttp2Stream, { message, end }: ReturnType<Method>): void {
  let rest: Buffer = Buffer.alloc(0);
  stream.on('data', (part: Buffer) => {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    while (rest.length >= PREFIX_BYTES) {
      const next = PREFIX_BYTES + rest.readUInt32BE(1);
      if (rest.length < next) return;
      const bytes = rest.subarray(PREFIX_BYTES, next);
      rest = rest.subarray(next);
      message(bytes);
    }
  });
  stream.on('end', () => end?.());
}

/** Not compressed. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame.writeUInt8(0, 0);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}
