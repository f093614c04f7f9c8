/**
 * Child process of `subscribers.ts`: sockets to `GET /events`, and a comparison of each subscriber's events with
 * those of the first. Works on sockets, like the load generator.
 */
import { connect, type Socket } from 'node:net';
import type { Progress, SubscribersJob, SubscribersOrder, SubscribersReport } from './subscribers.ts';

const PROGRESS_EVERY = 5;
/** Milliseconds for which a reconnecting subscriber keeps a connection; random for each connection. */
const KEPT = { shortest: 50, longest: 250 };
const HEAD_END = Buffer.from('\r\n\r\n');
const EVENT_END = Buffer.from('\n\n');
const ID = Buffer.from('id: ');
const CHECKPOINT = Buffer.from('\nevent: levy.checkpoint\n');
const NOTHING: Buffer = Buffer.alloc(0);

/** Ids received by the first subscriber. All others must receive the same. */
const ids: string[] = [];
let deliveries = 0;
let bytes = 0;
let reconnections = 0;
let areRestless = false;

interface Subscriber {
  readonly told: number;
  /** Disconnects, and reconnects after the last received event. */
  reconnect(): void;
}

process.on('message', (order: SubscribersOrder) => {
  if (order === 'lose connections') areRestless = true;
  else if (order === 'keep connections') areRestless = false;
  else if (order === 'tell ids') report({ kind: 'ids', ids });
  else subscribeAll(order);
});
process.once('disconnect', () => process.exit(0));

function report(what: SubscribersReport): void {
  process.send?.(what);
}

function fail(reason: string): never {
  report({ kind: 'failed', reason });
  throw new Error(reason);
}

function subscribeAll({ url, count, restless: some }: SubscribersJob): void {
  let waiting = count;
  const joined = () => {
    waiting -= 1;
    if (waiting > 0) return;
    report({ kind: 'ready' });
    setInterval(() => report({ kind: 'progress', progress: progress() }), PROGRESS_EVERY);
    restless.forEach(loseNowAndThen);
  };
  const subscribers = Array.from({ length: count }, () => subscribe(url, joined));
  const restless = subscribers.slice(0, some);
  const steady = subscribers.slice(some);

  function progress(): Progress {
    const told = steady.reduce((least, subscriber) => Math.min(least, subscriber.told), Number.MAX_VALUE);
    const isLevel = restless.every((subscriber) => subscriber.told >= told);
    return { told, deliveries, bytes, reconnections, isLevel };
  }
}

function loseNowAndThen(subscriber: Subscriber, number: number): void {
  let times = number;
  const next = () => {
    times += 1;
    setTimeout(lose, KEPT.shortest + ((times * 37) % (KEPT.longest - KEPT.shortest)));
  };
  const lose = () => {
    if (areRestless) {
      subscriber.reconnect();
      reconnections += 1;
    }
    next();
  };
  next();
}

/** `joined` is called at the first event: the checkpoint that marks the subscriber as live. */
function subscribe(url: string, joined: () => void): Subscriber {
  const { hostname, port, host } = new URL(url);
  let lastEventId: string | undefined;
  let told = 0;
  let socket = open();

  function open(): Socket {
    const opened = connect(Number(port), hostname);
    const resume = lastEventId === undefined ? '' : `last-event-id: ${lastEventId}\r\n`;
    let isHead = true;
    let rest = NOTHING;
    opened.setNoDelay(true);
    opened.write(`GET /events HTTP/1.1\r\nhost: ${host}\r\n${resume}\r\n`);
    opened.once('error', (error) => fail(error.message));
    opened.on('data', (chunk: Buffer) => {
      if (opened.destroyed) return;
      bytes += chunk.length;
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (isHead) {
        const end = rest.indexOf(HEAD_END);
        if (end === -1) return;
        const head = rest.toString('latin1', 0, end);
        if (!head.startsWith('HTTP/1.1 200')) fail(`a subscriber was refused: ${head}`);
        isHead = false;
        rest = rest.subarray(end + HEAD_END.length);
      }
      rest = rest.subarray(readEvents(rest));
    });
    opened.once('close', () => {
      if (opened === socket) fail('the server cut a subscriber off');
    });
    return opened;
  }

  /** Offset after the last complete event. */
  function readEvents(text: Buffer): number {
    let start = 0;
    for (;;) {
      const end = text.indexOf(EVENT_END, start);
      if (end === -1) return start;
      // `retry` and heartbeats are lines of the block that follows.
      const id = text.indexOf(ID, start);
      if (id !== -1 && id < end) readEvent(text, id);
      start = end + EVENT_END.length;
    }
  }

  function readEvent(text: Buffer, start: number): void {
    const from = start + ID.length;
    const to = text.indexOf('\n', from);
    const id = text.toString('latin1', from, to);
    const isFirst = lastEventId === undefined;
    lastEventId = id;
    const isCheckpoint = isAt(text, to, CHECKPOINT);
    if (isFirst) joined();
    if (isCheckpoint) return;
    if (told === ids.length) ids.push(id);
    else if (ids[told] !== id) fail(`a subscriber was told ${id} where another was told ${ids[told]}`);
    told += 1;
    deliveries += 1;
  }

  return {
    get told() {
      return told;
    },
    reconnect() {
      const lost = socket;
      socket = open();
      lost.destroy();
    },
  };
}

function isAt(text: Buffer, place: number, words: Buffer): boolean {
  return text.subarray(place, place + words.length).equals(words);
}
