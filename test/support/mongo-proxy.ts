/**
 * Stands between the driver and a MongoDB server, knows where a command begins and ends, and can lose it, lose its answer,
 * answer it like a server that is primary no more, or keep everything back.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { BSON } from 'mongodb';
import type { Lifetime } from './lifetime.ts';

export type Treatment = 'pass' | 'lose the request' | 'lose the answer' | 'no primary';

export interface MongoProxy {
  /** The address, through the proxy, of a database of the server. */
  urlOf(database: string): string;
  /** Asked for each command; the number counts the writes. */
  treat(how: (write: number) => Treatment | Promise<Treatment>): void;
  /** Writes since `treat` was called. */
  writes(): number;
  /** Ends all connections and takes no new ones. */
  cut(): void;
  /** Keeps everything back that is sent by either side. */
  stall(): void;
  heal(): void;
}

const WRITES = new Set(['insert', 'update', 'delete', 'createIndexes', 'drop']);
const OP_MSG = 2013;
const HEADER = 16;
const NOT_WRITABLE_PRIMARY = {
  ok: 0,
  errmsg: 'not primary',
  code: 10_107,
  codeName: 'NotWritablePrimary',
  errorLabels: ['RetryableWriteError'],
};

export async function openMongoProxy(port: number, lifetime: Lifetime): Promise<MongoProxy> {
  let treatment: (write: number) => Treatment | Promise<Treatment> = () => 'pass';
  let writes = 0;
  let isCut = false;
  let isStalled = false;
  const pairs = new Set<{ readonly client: Socket; readonly server: Socket }>();

  const listener = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    const pair = { client, server };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    /** Set while the answer to what was passed on is to be lost. */
    let isAnswerLost = false;
    server.on('data', (data) => {
      if (isAnswerLost) end();
      else client.write(data);
    });
    void passOn(client, server, {
      loseAnswer: () => {
        isAnswerLost = true;
      },
      end,
    });
    if (isStalled) for (const socket of [client, server]) socket.pause();
  });

  async function passOn(
    client: Socket,
    server: Socket,
    { loseAnswer, end }: { readonly loseAnswer: () => void; readonly end: () => void },
  ): Promise<void> {
    let received = Buffer.alloc(0);
    try {
      for await (const data of client) {
        received = Buffer.concat([received, data]);
        while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
          const message = received.subarray(0, received.readInt32LE(0));
          received = received.subarray(message.length);
          const command = commandOf(message);
          const how = command !== undefined && WRITES.has(command) ? await treatment(writes++) : 'pass';
          if (how === 'lose the request') return end();
          if (how === 'lose the answer') loseAnswer();
          if (how === 'no primary') client.write(answerTo(message, NOT_WRITABLE_PRIMARY));
          else server.write(message);
        }
      }
    } catch {
      end();
    }
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: own } = listener.address() as AddressInfo;
  function endAll(): void {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  }
  lifetime.atTheEnd(async () => {
    endAll();
    listener.close();
  });
  return {
    // The server says that it listens elsewhere.
    urlOf: (database) => `mongodb://127.0.0.1:${own}/${database}?directConnection=true`,
    treat(how) {
      treatment = how;
      writes = 0;
    },
    writes: () => writes,
    cut() {
      isCut = true;
      endAll();
    },
    stall() {
      isStalled = true;
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.pause();
    },
    heal() {
      isCut = false;
      isStalled = false;
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.resume();
    },
  };
}

/** The first field of the message's document; undefined for what a driver sends before it knows the server. */
function commandOf(message: Buffer): string | undefined {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  // Flags, the kind of the section, the document's length and the field's type come before the name.
  const start = HEADER + 4 + 1 + 4 + 1;
  return message.toString('utf8', start, message.indexOf(0, start));
}

function answerTo(message: Buffer, document: BSON.Document): Buffer {
  const body = Buffer.from(BSON.serialize(document));
  const answer = Buffer.alloc(HEADER + 5 + body.length);
  answer.writeInt32LE(answer.length, 0);
  answer.writeInt32LE(message.readInt32LE(4), 8);
  answer.writeInt32LE(OP_MSG, 12);
  body.copy(answer, HEADER + 5);
  return answer;
}
