/**
 * A stand-in for EventStoreDB, for machines that have none: the two calls that the adapter makes, over real gRPC, from
 * memory, with the faults that a test switches on. It keeps to what was measured of a real server, and proves nothing
 * about one: the suites against a real server stay beside it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import stubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  type StatusObject,
} from '@grpc/grpc-js';
import { type Lifetime, ofTheTest } from '../lifetime.ts';
import { type Expected, type Outcome, StandInLog, type StoredRecord } from './log.ts';

const protobuf = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const any = protobuf('google-protobuf/google/protobuf/any_pb.js');
const empty = protobuf('google-protobuf/google/protobuf/empty_pb.js');

export const UNKNOWN = 2;
export const UNAVAILABLE = 14;
const ABORTED = 10;

type ReadCall = ServerWritableStream<ReadReq, InstanceType<typeof messages.ReadResp>>;
type AppendCall = ServerDuplexStream<BatchAppendReq, InstanceType<typeof messages.BatchAppendResp>>;

/** What becomes of the next requests of a kind; in order, one each. */
export interface Faults {
  /** Reads and subscriptions, at their begin: a gRPC code, or nothing at all is answered. */
  readonly reads: (number | 'silence')[];
  /**
   * Appends: the call ends with a code before or after the write, the answer names no outcome, the server refuses this
   * user, or says nothing after the write.
   */
  readonly appends: (
    | { readonly code: number; readonly written: boolean }
    | 'unclear'
    | 'access-denied'
    | 'silence'
  )[];
}

export interface EventStoreStandIn {
  readonly port: number;
  readonly url: string;
  readonly faults: Faults;
  /** Exchanged by a test that puts back an older copy. */
  log: StandInLog;
  /** Calls of each kind so far. */
  readonly calls: { read: number; append: number };
  /** Ends every subscription as for a consumer that is too slow. */
  dropSubscriptions(): void;
  /** Ends every call with a code. */
  endCalls(code: number): void;
  /** Ends every connection, and takes no more. Called at the end of the lifetime, too. */
  stop(): void;
}

export async function startEventStoreStandIn(
  options: {
    readonly lifetime?: Lifetime;
    readonly port?: number;
    readonly tls?: { readonly key: string; readonly certificate: string };
  } = {},
): Promise<EventStoreStandIn> {
  const { lifetime = ofTheTest, tls } = options;
  const open = new Set<ReadCall | AppendCall>();
  const subscriptions = new Set<ReadCall>();
  const server = new Server();
  server.addService(stubs.StreamsService as never, {
    read: (call: ReadCall) => read(call),
    batchAppend: (call: AppendCall) => appendAll(call),
  });
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { private_key: readFileSync(tls.key), cert_chain: readFileSync(tls.certificate) },
        ]);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  lifetime.atTheEnd(async () => server.forceShutdown());

  const standIn: EventStoreStandIn = {
    port,
    url: `esdb://127.0.0.1:${port}?tls=${tls !== undefined}`,
    faults: { reads: [], appends: [] },
    log: new StandInLog(),
    calls: { read: 0, append: 0 },
    dropSubscriptions() {
      for (const call of subscriptions) end(call, ABORTED, 'too slow');
    },
    endCalls(code) {
      for (const call of open) end(call, code, 'the test ends this call');
    },
    stop: () => server.forceShutdown(),
  };

  function end(call: ReadCall | AppendCall, code: number, details: string): void {
    call.emit('error', { code, details } satisfies Partial<StatusObject>);
  }

  function track(call: ReadCall | AppendCall): void {
    open.add(call);
    const leave = () => void open.delete(call);
    call.on('cancelled', leave);
    call.on('close', leave);
    call.on('error', leave);
  }

  function read(call: ReadCall): void {
    track(call);
    standIn.calls.read += 1;
    const fault = standIn.faults.reads.shift();
    if (fault === 'silence') return;
    if (fault !== undefined) {
      end(call, fault, 'a fault of the test');
      return;
    }
    const asked = call.request.getOptions();
    if (asked === undefined) {
      end(call, UNKNOWN, 'no options');
      return;
    }
    if (asked.hasStream()) readStream(call, asked);
    else if (asked.hasSubscription()) subscribe(call, asked);
    else readAll(call, asked);
  }

  function readStream(call: ReadCall, asked: ReadReq.Options): void {
    const of = asked.getStream();
    const name = Buffer.from(of?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const records = standIn.log.stream(name);
    if (records.length === 0) {
      const missing = new messages.ReadResp.StreamNotFound();
      call.write(new messages.ReadResp().setStreamNotFound(missing));
      call.end();
      return;
    }
    const from = of?.hasRevision() ? Number(of.getRevision()) : undefined;
    const chosen = isBackwards(asked)
      ? records.filter(({ revision }) => from === undefined || revision <= from).toReversed()
      : records.filter(({ revision }) => revision >= (from ?? 0));
    for (const record of chosen.slice(0, Number(asked.getCount()))) call.write(answerOf(record));
    call.end();
  }

  /** Undefined after an answer that the place is none. */
  function placeOf(call: ReadCall, asked: ReadReq.Options): bigint | 'start' | 'end' | undefined {
    const all = asked.getAll();
    if (all?.hasStart()) return 'start';
    if (all?.hasEnd()) return 'end';
    const place = BigInt(all?.getPosition()?.getCommitPosition() ?? '0');
    const last = standIn.log.records.at(-1)?.position ?? -1n;
    // Behind the end nothing is found; between two records the server fails.
    if (place > last || standIn.log.records.some(({ position }) => position === place)) return place;
    end(call, UNKNOWN, 'Exception was thrown by handler.');
    return undefined;
  }

  function readAll(call: ReadCall, asked: ReadReq.Options): void {
    const place = placeOf(call, asked);
    if (place === undefined) return;
    const { records } = standIn.log;
    const chosen = isBackwards(asked)
      ? records
          .filter(({ position }) => place === 'end' || (place !== 'start' && position < place))
          .toReversed()
      : records.filter(({ position }) => place === 'start' || (place !== 'end' && position >= place));
    const wanted = chosen.filter(filterOf(asked)).slice(0, Number(asked.getCount()));
    for (const record of wanted) call.write(answerOf(record));
    call.end();
  }

  function subscribe(call: ReadCall, asked: ReadReq.Options): void {
    const place = placeOf(call, asked);
    if (place === undefined) return;
    const isWanted = filterOf(asked);
    const filter = asked.getFilter();
    const window = (filter?.getMax() ?? 32) * (filter?.getCheckpointintervalmultiplier() ?? 1);
    const { log } = standIn;
    // The first record at or after the place is skipped, whichever it is.
    let next =
      place === 'start'
        ? 0
        : place === 'end'
          ? log.records.length
          : log.records.findIndex(({ position }) => position >= place) + 1;
    if (next === 0 && place !== 'start') next = log.records.length;
    let scanned = 0;
    const confirmation = new messages.ReadResp.SubscriptionConfirmation().setSubscriptionId('stand-in');
    call.write(new messages.ReadResp().setConfirmation(confirmation));
    const go = () => {
      for (; next < log.records.length; next += 1) {
        const record = log.records[next];
        if (record === undefined) break;
        if (isWanted(record)) call.write(answerOf(record));
        scanned += 1;
        if (scanned % window === 0 && next < log.records.length - 1)
          call.write(checkpointAt(record.position));
      }
    };
    go();
    call.write(new messages.ReadResp().setCaughtUp(new messages.ReadResp.CaughtUp()));
    subscriptions.add(call);
    log.waiting.add(go);
    const leave = () => {
      subscriptions.delete(call);
      log.waiting.delete(go);
    };
    call.on('cancelled', leave);
    call.on('error', leave);
  }

  function appendAll(call: AppendCall): void {
    track(call);
    call.on('data', (request: BatchAppendReq) => append(call, request));
    call.on('end', () => call.end());
  }

  function append(call: AppendCall, request: BatchAppendReq): void {
    standIn.calls.append += 1;
    const fault = standIn.faults.appends.shift();
    if (typeof fault === 'object' && !fault.written) {
      end(call, fault.code, 'a fault of the test');
      return;
    }
    const answer = new messages.BatchAppendResp();
    answer.setCorrelationId(request.getCorrelationId());
    if (fault === 'unclear' || fault === 'access-denied') {
      const details = new any.Any();
      const [kind, type] =
        fault === 'unclear' ? [new shared.Unknown(), 'Unknown'] : [new shared.AccessDenied(), 'AccessDenied'];
      details.pack(kind.serializeBinary(), `event_store.client.${type}`);
      call.write(answer.setError(new status.Status().setMessage(type).setDetails(details)));
      return;
    }
    const outcome = write(request);
    if (typeof fault === 'object') {
      end(call, fault.code, 'a fault of the test');
      return;
    }
    if (fault === 'silence') return;
    call.write(withOutcome(answer, outcome));
  }

  function write(request: BatchAppendReq): Outcome {
    const options = request.getOptions();
    const name = Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    const expected: Expected = options?.hasNoStream()
      ? 'none'
      : options?.hasAny()
        ? 'any'
        : Number(options?.getStreamPosition());
    const events = request.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString().toLowerCase() ?? '',
      type: message.getMetadataMap().get('type') ?? '',
      data: Buffer.from(message.getData_asU8()),
      metadata: Buffer.from(message.getCustomMetadata_asU8()),
    }));
    return standIn.log.write(name, expected, events);
  }

  return standIn;
}

function isBackwards(asked: ReadReq.Options): boolean {
  return asked.getReadDirection() === messages.ReadReq.Options.ReadDirection.BACKWARDS;
}

function filterOf(asked: ReadReq.Options): (record: StoredRecord) => boolean {
  const prefixes = asked.getFilter()?.getStreamIdentifier()?.getPrefixList();
  return ({ stream }) => prefixes === undefined || prefixes.some((prefix) => stream.startsWith(prefix));
}

function answerOf({ id, type, data, metadata, stream, revision, position }: StoredRecord) {
  const record = new messages.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(String(revision))
    .setCommitPosition(String(position))
    .setPreparePosition(String(position))
    .setData(data)
    .setCustomMetadata(metadata);
  record.getMetadataMap().set('type', type).set('content-type', 'application/json');
  const event = new messages.ReadResp.ReadEvent().setEvent(record).setCommitPosition(String(position));
  return new messages.ReadResp().setEvent(event);
}

function checkpointAt(position: bigint) {
  const place = String(position);
  const checkpoint = new messages.ReadResp.Checkpoint().setCommitPosition(place).setPreparePosition(place);
  return new messages.ReadResp().setCheckpoint(checkpoint);
}

function withOutcome(answer: InstanceType<typeof messages.BatchAppendResp>, outcome: Outcome) {
  if (outcome.kind === 'success') {
    const success = new messages.BatchAppendResp.Success().setCurrentRevision(String(outcome.revision));
    if (outcome.position === undefined) success.setNoPosition(new empty.Empty());
    else {
      const place = String(outcome.position);
      success.setPosition(new shared.AllStreamPosition().setCommitPosition(place).setPreparePosition(place));
    }
    return answer.setSuccess(success);
  }
  const details = new any.Any();
  if (outcome.kind === 'too-large') {
    details.pack(
      new shared.MaximumAppendSizeExceeded().serializeBinary(),
      'event_store.client.MaximumAppendSizeExceeded',
    );
  } else {
    const wrong = new shared.WrongExpectedVersion();
    if (outcome.actual === undefined) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(outcome.actual));
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  }
  return answer.setError(new status.Status().setMessage(outcome.kind).setDetails(details));
}
