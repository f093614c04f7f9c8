// A subscriber of the bus that handles each event exactly once, however often it is killed: it counts events by type in a
// SQLite file. Run it with: node --import tsx examples/subscriber.ts NATS_URL FILE
//
// The bus delivers at least once. What makes it once is that the position is remembered in the transaction of the effect: an
// event that was handled and not acknowledged comes again, and is recognised by its position. That works because events come in order,
// one after the other (max_ack_pending: 1). To handle several at a time, remember their ids instead.
import Database from 'libsql';
import { AckPolicy, connect, nanos } from 'nats';

const STREAM = process.env.PUBLISHER_STREAM ?? 'LEVY';
const DURABLE = 'counting';
/** Longer than it takes to handle an event: unacknowledged events are delivered again after it. Milliseconds. */
const ACK_WAIT = 2_000;

interface Event {
  readonly type: string;
  readonly position: string;
}

function openCounts(file: string) {
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
  database.exec('CREATE TABLE IF NOT EXISTS counts (type TEXT PRIMARY KEY, count INTEGER NOT NULL)');
  database.exec(
    'CREATE TABLE IF NOT EXISTS handled (one INTEGER PRIMARY KEY CHECK (one = 1), position TEXT NOT NULL)',
  );
  const remember = database.prepare(
    'INSERT INTO handled VALUES (1, ?) ON CONFLICT DO UPDATE SET position = excluded.position WHERE position < excluded.position',
  );
  const count = database.prepare(
    'INSERT INTO counts VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
  );

  /** Returns true for a new event. When it returns, both changes are on the disk, or neither is. */
  const handle = database.transaction((event: Event): boolean => {
    if (remember.run(event.position).changes === 0) return false;
    count.run(event.type);
    return true;
  });
  return { handle, close: () => database.close() };
}

/** The library wants user and password apart from the address. */
function addressOf(url: string) {
  const { host, username, password } = new URL(url);
  if (username === '') return { servers: host };
  return { servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

async function main([url, file]: readonly string[]): Promise<void> {
  if (url === undefined || file === undefined) throw new Error('usage: subscriber.ts NATS_URL FILE');
  const counts = openCounts(file);
  const connection = await connect({ ...addressOf(url), name: 'counting', maxReconnectAttempts: -1 });
  const manager = await connection.jetstreamManager();
  await manager.consumers.add(STREAM, {
    durable_name: DURABLE,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT),
    max_ack_pending: 1,
  });
  const consumer = await connection.jetstream().consumers.get(STREAM, DURABLE);
  const messages = await consumer.consume();
  const stop = () => void messages.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);

  for await (const message of messages) {
    const event = message.json<Event>();
    const isNew = counts.handle(event);
    process.stdout.write(`${isNew ? 'handled' : 'came again'} ${event.position} ${event.type}\n`);
    message.ack();
  }
  await connection.drain();
  counts.close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
