/** Answers MongoDB's protocol as a test wants it, for what no server that can be had does: an old release, a full disk. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import { type Lifetime, ofTheTest } from './lifetime.ts';

const OP_REPLY = 1;
const OP_QUERY = 2_004;
const OP_MSG = 2_013;
const HEADER = 16;

/**
 * `answer` is what it adds to `{ok: 1}`, or to the greeting of a server of its own; undefined cuts the connection. Returns the
 * port on 127.0.0.1.
 */
export async function openMongoAnswers(
  answer: (command: BSON.Document) => BSON.Document | undefined,
  lifetime: Lifetime = ofTheTest,
  port = 0,
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0);
        const written = answerTo(received.subarray(0, size), answer);
        if (written === undefined) return void socket.destroy();
        socket.write(written);
        received = received.subarray(size);
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  lifetime.atTheEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a port was asked for');
  return address.port;
}

function answerTo(
  message: Buffer,
  answer: (command: BSON.Document) => BSON.Document | undefined,
): Buffer | undefined {
  const code = message.readInt32LE(12);
  const command = code === OP_QUERY ? commandOfQuery(message) : commandOf(message);
  const given = answer(command);
  if (given === undefined) return undefined;
  const isGreeting = 'hello' in command || 'ismaster' in command || 'isMaster' in command;
  const greeting = {
    isWritablePrimary: true,
    ismaster: true,
    helloOk: true,
    minWireVersion: 0,
    maxWireVersion: 21,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
  };
  const body = BSON.serialize({ ...(isGreeting ? greeting : {}), ok: 1, ...given });
  const before = code === OP_QUERY ? Buffer.alloc(20) : Buffer.alloc(5);
  if (code === OP_QUERY) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + before.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(code === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, before, body]);
}

/** Flags and the first section, which is the command. */
function commandOf(message: Buffer): BSON.Document {
  const begin = HEADER + 5;
  return BSON.deserialize(message.subarray(begin, begin + message.readInt32LE(begin)));
}

function commandOfQuery(message: Buffer): BSON.Document {
  const begin = message.indexOf(0, HEADER + 4) + 1 + 8;
  return BSON.deserialize(message.subarray(begin, begin + message.readInt32LE(begin)));
}
