/** Responses of the EventStoreDB stand-in, in frames as they are sent. */
import { createRequire } from 'node:module';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { frameOf } from './calls.ts';
import type { Appended, Expected, Outcome, StoredRecord } from './log.ts';

const protobuf = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const any = protobuf('google-protobuf/google/protobuf/any_pb.js');
const empty = protobuf('google-protobuf/google/protobuf/empty_pb.js');

/** A record is sent to many, and never changes. */
const frames = new WeakMap<StoredRecord, Buffer>();

export function eventFrame(stored: StoredRecord): Buffer {
  const known = frames.get(stored);
  if (known !== undefined) return known;
  const { id, type, data, metadata, stream, revision, position } = stored;
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
  const frame = answer(new messages.ReadResp().setEvent(event));
  frames.set(stored, frame);
  return frame;
}

export function checkpointFrame(position: bigint): Buffer {
  const place = String(position);
  const checkpoint = new messages.ReadResp.Checkpoint().setCommitPosition(place).setPreparePosition(place);
  return answer(new messages.ReadResp().setCheckpoint(checkpoint));
}

const confirmation = new messages.ReadResp.SubscriptionConfirmation().setSubscriptionId('stand-in');
export const CONFIRMATION = answer(new messages.ReadResp().setConfirmation(confirmation));
export const CAUGHT_UP = answer(new messages.ReadResp().setCaughtUp(new messages.ReadResp.CaughtUp()));
export const NOT_FOUND = answer(
  new messages.ReadResp().setStreamNotFound(new messages.ReadResp.StreamNotFound()),
);

/** `name` of an error of appends; `bytes` of its message. */
export function errorFrame(
  request: BatchAppendReq,
  name: string,
  bytes: Uint8Array = new Uint8Array(),
): Buffer {
  const details = new any.Any();
  details.pack(bytes, `event_store.client.${name}`);
  const error = new status.Status().setMessage(name).setDetails(details);
  return answer(answerTo(request).setError(error));
}

export function outcomeFrame(request: BatchAppendReq, outcome: Outcome): Buffer {
  if (outcome.kind === 'too-large') return errorFrame(request, 'MaximumAppendSizeExceeded');
  if (outcome.kind === 'wrong-version') {
    const wrong = new shared.WrongExpectedVersion();
    if (outcome.actual === undefined) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(outcome.actual));
    return errorFrame(request, 'WrongExpectedVersion', wrong.serializeBinary());
  }
  const success = new messages.BatchAppendResp.Success().setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) success.setNoPosition(new empty.Empty());
  else {
    const place = String(outcome.position);
    success.setPosition(new shared.AllStreamPosition().setCommitPosition(place).setPreparePosition(place));
  }
  return answer(answerTo(request).setSuccess(success));
}

export interface ProposedAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Appended[];
}

export function appendIn(request: BatchAppendReq): ProposedAppend {
  const options = request.getOptions();
  return {
    stream: Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    expected: options?.hasNoStream()
      ? 'none'
      : options?.hasAny()
        ? 'any'
        : Number(options?.getStreamPosition()),
    events: request.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString().toLowerCase() ?? '',
      type: message.getMetadataMap().get('type') ?? '',
      data: Buffer.from(message.getData_asU8()),
      metadata: Buffer.from(message.getCustomMetadata_asU8()),
    })),
  };
}

export function isBackwards(asked: ReadReq.Options): boolean {
  return asked.getReadDirection() === messages.ReadReq.Options.ReadDirection.BACKWARDS;
}

export function filterOf(asked: ReadReq.Options): (record: StoredRecord) => boolean {
  const prefixes = asked.getFilter()?.getStreamIdentifier()?.getPrefixList();
  return ({ stream }) => prefixes === undefined || prefixes.some((prefix) => stream.startsWith(prefix));
}

function answerTo(request: BatchAppendReq) {
  return new messages.BatchAppendResp().setCorrelationId(request.getCorrelationId());
}

function answer(message: { serializeBinary(): Uint8Array }): Buffer {
  return frameOf(message.serializeBinary());
}
