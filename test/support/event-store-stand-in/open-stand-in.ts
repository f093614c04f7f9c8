/**
 * A stand-in for EventStoreDB, for machines that have none: the two calls that the adapter makes, over real HTTP/2, from
 * memory, with the faults that a test switches on. It keeps to what was measured of a real server, and proves nothing
 * about one: the suites against a real server stay beside it.
 */
import { readFileSync } from 'node:fs';
import messages, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type Call, type Method, startCallServer } from './calls.ts';
import { StandInLog, type StoredRecord } from './log.ts';
import {
  appendIn,
  CAUGHT_UP,
  CONFIRMATION,
  checkpointFrame,
  errorFrame,
  eventFrame,
  filterOf,
  isBackwards,
  NOT_FOUND,
  outcomeFrame,
} from './messages.ts';

export const UNKNOWN = 2;
export const UNAVAILABLE = 14;
const ABORTED = 10;

/** Faults of the next requests of a kind, one each, in order. */
interface Faults {
  /** Reads and subscriptions, at their begin: a gRPC code, or nothing at all is answered. */
  readonly reads: (number | 'silence')[];
  /**
   * Appends: the call ends with a code before or after the write, the answer names no outcome, the server refuses it
   * with an error of that name, or says nothing after the write.
   */
  readonly appends: (
    | { readonly code: number; readonly written: boolean }
    | { readonly refused: string }
    | 'unclear'
    | 'silence'
  )[];
}

interface Calls {
  read: number;
  append: number;
  /** Records that reads of the log were sent, but for subscriptions. */
  recordsSent: number;
  /** Called for each, with the stream's name where it is of one. */
  told: ((kind: 'stream' | 'absent' | 'log' | 'subscription' | 'append', stream: string) => void) | undefined;
}

export interface EventStoreStandIn {
  readonly port: number;
  readonly url: string;
  readonly faults: Faults;
  /** Exchanged by a test that puts back an older copy. */
  log: StandInLog;
  /** Calls of each kind so far. */
  readonly calls: Calls;
  /** Filtered reads of the log say nothing before. */
  scan: Promise<void>;
  /** Ends every subscription as for a consumer that is too slow. */
  dropSubscriptions(): void;
  /** Ends every call with a code. */
  endCalls(code: number): void;
  /** Ends every connection, and takes no more. */
  stop(): void;
}

export interface StandInOptions {
  readonly port?: number;
  readonly tls?: { readonly key: string; readonly certificate: string };
}

/** Records that a subscription is sent at once. */
const SENT_AT_ONCE = 256;

export async function openEventStoreStandIn({ port = 0, tls }: StandInOptions): Promise<EventStoreStandIn> {
  const open = new Set<Call>();
  const subscriptions = new Set<Call>();
  const methods = new Map<string, Method>([
    [
      '/event_store.client.streams.Streams/Read',
      tracked((call) => ({ message: (bytes) => read(call, bytes) })),
    ],
    [
      '/event_store.client.streams.Streams/BatchAppend',
      tracked((call) => ({ message: (bytes) => append(call, bytes), end: () => call.end() })),
    ],
  ]);
  const server = await startCallServer(methods, {
    port,
    ...(tls && { tls: { key: readFileSync(tls.key), cert: readFileSync(tls.certificate) } }),
  });

  const standIn: EventStoreStandIn = {
    port: server.port,
    url: `esdb://127.0.0.1:${server.port}?tls=${tls !== undefined}`,
    faults: { reads: [], appends: [] },
    log: new StandInLog(),
    calls: { read: 0, append: 0, recordsSent: 0, told: undefined },
    scan: Promise.resolve(),
    dropSubscriptions() {
      for (const call of subscriptions) call.end(ABORTED, 'too slow');
    },
    endCalls(code) {
      for (const call of open) call.end(code, 'the test ends this call');
    },
    stop: server.stop,
  };

  function tracked(method: Method): Method {
    return (call) => {
      open.add(call);
      call.whenOver(() => void open.delete(call));
      return method(call);
    };
  }

  function read(call: Call, bytes: Buffer): void {
    standIn.calls.read += 1;
    const fault = standIn.faults.reads.shift();
    const asked = messages.ReadReq.deserializeBinary(bytes).getOptions();
    if (fault === 'silence') return;
    if (fault !== undefined) call.end(fault, 'a fault of the test');
    else if (asked === undefined) call.end(UNKNOWN, 'no options');
    else if (asked.hasStream()) readStream(call, asked);
    else readLog(call, asked);
  }

  function readLog(call: Call, asked: ReadReq.Options): void {
    standIn.calls.told?.(asked.hasSubscription() ? 'subscription' : 'log', '');
    const place = placeOf(asked);
    if (place === undefined) call.end(UNKNOWN, 'Exception was thrown by handler.');
    else if (asked.hasSubscription()) subscribe(call, asked, place);
    else if (asked.hasFilter()) void standIn.scan.then(() => readAll(call, asked, place));
    else readAll(call, asked, place);
  }

  function readStream(call: Call, asked: ReadReq.Options): void {
    const of = asked.getStream();
    const name = Buffer.from(of?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const records = standIn.log.stream(name);
    const [first] = records;
    standIn.calls.told?.(first === undefined ? 'absent' : 'stream', name);
    if (first === undefined) {
      call.write([NOT_FOUND]);
      call.end();
      return;
    }
    const count = Number(asked.getCount());
    const revision = of?.hasRevision() ? Number(of.getRevision()) : undefined;
    if (isBackwards(asked) && revision !== undefined && revision > (records.at(-1)?.revision ?? 0)) {
      call.end(UNKNOWN, 'what a server answers to this was not measured');
      return;
    }
    if (isBackwards(asked)) {
      const end = revision === undefined ? records.length : Math.max(0, revision - first.revision + 1);
      call.write(
        records
          .slice(Math.max(0, end - count), end)
          .toReversed()
          .map(eventFrame),
      );
    } else {
      const start = Math.max(0, (revision ?? 0) - first.revision);
      call.write(records.slice(start, start + count).map(eventFrame));
    }
    call.end();
  }

  /** Undefined for a place that is none: between two records the server fails, behind the end nothing is found. */
  function placeOf(asked: ReadReq.Options): Place | undefined {
    const { records } = standIn.log;
    const all = asked.getAll();
    if (all?.hasStart()) return { index: 0, isStart: true };
    if (all?.hasEnd()) return { index: records.length, isStart: false };
    const position = BigInt(all?.getPosition()?.getCommitPosition() ?? '0');
    const index = standIn.log.indexAt(position);
    const found = records[index];
    return found === undefined || found.position === position ? { index, isStart: false } : undefined;
  }

  function readAll(call: Call, asked: ReadReq.Options, { index }: Place): void {
    const isWanted = filterOf(asked);
    const count = Number(asked.getCount());
    const wanted: StoredRecord[] = [];
    const { records } = standIn.log;
    const step = isBackwards(asked) ? -1 : 1;
    for (let at = step < 0 ? index - 1 : index; wanted.length < count; at += step) {
      const record = records[at];
      if (record === undefined) break;
      if (isWanted(record)) wanted.push(record);
    }
    standIn.calls.recordsSent += wanted.length;
    call.write(wanted.map(eventFrame));
    call.end();
  }

  function subscribe(call: Call, asked: ReadReq.Options, { index, isStart }: Place): void {
    const isWanted = filterOf(asked);
    const filter = asked.getFilter();
    const window = (filter?.getMax() ?? 32) * (filter?.getCheckpointintervalmultiplier() ?? 1);
    const { log } = standIn;
    // The first record at or after the place is skipped, whichever it is.
    let next = isStart ? 0 : Math.min(index + 1, log.records.length);
    let scanned = 0;
    call.write([CONFIRMATION]);
    const go = () => {
      let frames: Buffer[] = [];
      for (; next < log.records.length; next += 1) {
        const record = log.records[next];
        if (record === undefined) break;
        if (isWanted(record)) frames.push(eventFrame(record));
        scanned += 1;
        if (scanned % window === 0 && next < log.records.length - 1)
          frames.push(checkpointFrame(record.position));
        if (frames.length < SENT_AT_ONCE) continue;
        call.write(frames);
        frames = [];
      }
      call.write(frames);
    };
    go();
    call.write([CAUGHT_UP]);
    subscriptions.add(call);
    log.waiting.add(go);
    call.whenOver(() => {
      subscriptions.delete(call);
      log.waiting.delete(go);
    });
  }

  function append(call: Call, bytes: Buffer): void {
    standIn.calls.append += 1;
    const request = messages.BatchAppendReq.deserializeBinary(bytes);
    const { stream, expected, events } = appendIn(request);
    standIn.calls.told?.('append', stream);
    const fault = standIn.faults.appends.shift();
    if (fault === 'unclear') {
      call.write([errorFrame(request, 'Unknown')]);
    } else if (typeof fault === 'object' && 'refused' in fault) {
      call.write([errorFrame(request, fault.refused)]);
    } else if (typeof fault === 'object') {
      if (fault.written) standIn.log.write(stream, expected, events);
      call.end(fault.code, 'a fault of the test');
    } else {
      const outcome = standIn.log.write(stream, expected, events);
      if (fault !== 'silence') call.write([outcomeFrame(request, outcome)]);
    }
  }

  return standIn;
}

/** In the log's records, which grow meanwhile. */
interface Place {
  readonly index: number;
  readonly isStart: boolean;
}
