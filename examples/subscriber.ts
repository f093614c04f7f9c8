// A subscriber of the bus that handles each event exactly once, however often it is killed: it counts events by type in a
// SQLite file. Run it with: node --import tsx examples/subscriber.ts NATS_URL FILE
//
// The bus delivers at least once. Repetitions have no effect, because the position is stored in the transaction of the effect:
// an event that was handled but not acknowledged is delivered again, and recognized by its position. This requires that events
// are delivered in order and one at a time (max_ack_pending: 1). To handle several concurrently, store their ids instead.
import Database from 'libsql';
import { AckPolicy, connect, nanos } from 'nats';

const STREAM = process.env.PUBLISHER_STREAM ?? 'LEVY';
const DURABLE = 'counting';
/** Milliseconds after which an unacknowledged event is delivered again; longer than handling an event takes. */
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

  /** Returns true for a new event. When it returns, both changes are on disk, or neither. */
  const handle = database.transaction((event: Event): boolean => {
    if (remember.run(event.position).changes === 0) return false;
    count.run(event.type);
    return true;
  });
  return { handle, close: () => database.close() };
}

/** Separates user and password from the address, as the library requires. */
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
    process.stdout.write(`${isNew ? 'handled' : 'repeated'} ${event.position} ${event.type}\n`);
    message.ack();
  }
  await connection.drain();
  counts.close();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
