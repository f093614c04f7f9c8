/** Encodes requests to EventStoreDB, and decodes responses into the port's events, positions and revisions. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import type { CheckedEvent } from '../../kernel/ports/append-rules.ts';
import {
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  START,
} from '../../kernel/ports/event-store.ts';
import { readStoredJson } from '../../kernel/ports/stored-json.ts';

const POSITION_DIGITS = 20;
const POSITION = /^[0-9]{20}$/;
const MAX_POSITION = 2n ** 63n - 1n;
/** Maximum count, in the protocol's text form of integers. */
const EVERYTHING = String(Number.MAX_SAFE_INTEGER);
/** Records that the server examines per search window, matching or not. */
const SEARCH_WINDOW = 1_000;
/** Search windows between two checkpoints of a subscription. */
const CHECKPOINT_WINDOWS = 10;

const { Options } = messages.ReadReq;

/** Reads the events of a stream from a revision on. */
export function streamRequest(stream: string, from: number): ReadReq {
  const of = new Options.StreamOptions().setStreamIdentifier(identifierOf(stream)).setRevision(String(from));
  return requestOf(new Options().setStream(of).setCount(EVERYTHING).setNoFilter(new shared.Empty()));
}

/**
 * Reads the events of a stream from a revision (or its end, if undefined) to its beginning. `from` must not be beyond the
 * last revision: the server's response to that is untested.
 */
export function streamBackwardsRequest(
  stream: string,
  from: number | undefined,
  count = EVERYTHING,
): ReadReq {
  const of = new Options.StreamOptions().setStreamIdentifier(identifierOf(stream));
  if (from === undefined) of.setEnd(new shared.Empty());
  else of.setRevision(String(from));
  const options = new Options().setStream(of).setCount(count).setNoFilter(new shared.Empty());
  return requestOf(options.setReadDirection(Options.ReadDirection.BACKWARDS));
}

/** Reads records of the whole database, or only of streams with one of the `prefixes`. Inclusive when reading forwards. */
export function logRequest(
  from: Position | 'end',
  direction: 'forwards' | 'backwards',
  options: { readonly count?: number; readonly prefixes?: readonly string[] },
): ReadReq {
  const { count, prefixes } = options;
  const wanted = placed(from).setCount(count === undefined ? EVERYTHING : String(count));
  if (direction === 'backwards') wanted.setReadDirection(Options.ReadDirection.BACKWARDS);
  return requestOf(filtered(wanted, prefixes));
}

/** Subscribes exclusive of `after`. */
export function subscriptionRequest(after: Position, prefixes: readonly string[]): ReadReq {
  const wanted = placed(after).setSubscription(new Options.SubscriptionOptions());
  return requestOf(filtered(wanted, prefixes));
}

/** `correlation` is an integer from 1. */
export function appendRequest(
  stream: string,
  expected: ExpectedRevision | 'any',
  events: readonly Pick<CheckedEvent, 'event' | 'data' | 'metadata'>[],
): (correlation: number) => BatchAppendReq {
  const options = new messages.BatchAppendReq.Options().setStreamIdentifier(identifierOf(stream));
  if (expected === 'none') options.setNoStream(new shared.Empty());
  else if (expected === 'any') options.setAny(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const proposed = events.map(({ event, data, metadata }) => {
    const message = new messages.BatchAppendReq.ProposedMessage()
      .setId(new shared.UUID().setString(event.id))
      .setData(Buffer.from(data))
      .setCustomMetadata(Buffer.from(metadata));
    message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
    return message;
  });
  return (correlation) => {
    const id = new shared.UUID.Structured()
      .setMostSignificantBits('0')
      .setLeastSignificantBits(String(correlation));
    return new messages.BatchAppendReq()
      .setCorrelationId(new shared.UUID().setStructured(id))
      .setOptions(options)
      .setProposedMessagesList(proposed)
      .setIsFinal(true);
  };
}

/** Position 0 is before the first event. */
export function positionText(commit: string): Position {
  return commit.padStart(POSITION_DIGITS, '0');
}

/** True if an event can have this position. */
export function isPosition(text: string): boolean {
  return POSITION.test(text) && BigInt(text) <= MAX_POSITION;
}

/** @throws TypeError if this cannot be a position of this store. */
export function requirePosition(position: Position): void {
  if (position !== START && !isPosition(position)) {
    throw new TypeError(`"${position}" is not a position of this event store`);
  }
}

export function revisionNumber(revision: string): number {
  const found = Number(revision);
  if (!Number.isSafeInteger(found)) throw new Error(`the revision ${revision} is too large`);
  return found;
}

export type StoredRecord = ReadResp.ReadEvent.RecordedEvent;

export function positionOf(record: StoredRecord): Position {
  return positionText(record.getCommitPosition());
}

/** True for an event of this log; false for other logs' events and for markers of the database. */
export function belongsToLog(record: StoredRecord, prefix: string): boolean {
  return nameOf(record).startsWith(prefix) && !typeOf(record).startsWith('$');
}

/** Stream name without the prefix; undefined if the record does not belong to this log. */
function streamOf(record: StoredRecord, prefix: string): string | undefined {
  return belongsToLog(record, prefix) ? nameOf(record).slice(prefix.length) : undefined;
}

export function idOf(record: StoredRecord): string {
  return record.getId()?.getString() ?? '';
}

/** Undefined if the record does not belong to this log. Other programs' records need not be JSON. */
export function eventOf(record: StoredRecord, prefix: string): RecordedEvent | undefined {
  const stream = streamOf(record, prefix);
  if (stream === undefined) return undefined;
  const metadata = record.getCustomMetadata_asU8();
  return {
    id: idOf(record),
    type: typeOf(record),
    ...readStoredJson(record.getData_asU8(), metadata.length === 0 ? '{}' : metadata),
    stream,
    revision: revisionNumber(record.getStreamRevision()),
    position: positionOf(record),
  };
}

function nameOf(record: StoredRecord): string {
  return Buffer.from(record.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
}

function typeOf(record: StoredRecord): string {
  return record.getMetadataMap().get('type') ?? '';
}

function requestOf(options: ReadReq.Options): ReadReq {
  const asText = new Options.UUIDOption().setString(new shared.Empty());
  return new messages.ReadReq().setOptions(options.setUuidOption(asText));
}

function placed(from: Position | 'end'): ReadReq.Options {
  const all = new Options.AllOptions();
  if (from === START) all.setStart(new shared.Empty());
  else if (from === 'end') all.setEnd(new shared.Empty());
  else {
    const commit = BigInt(from).toString();
    all.setPosition(new Options.Position().setCommitPosition(commit).setPreparePosition(commit));
  }
  return new Options().setAll(all);
}

function filtered(options: ReadReq.Options, prefixes: readonly string[] | undefined): ReadReq.Options {
  if (prefixes === undefined) return options.setNoFilter(new shared.Empty());
  const expression = new Options.FilterOptions.Expression().setPrefixList([...prefixes]);
  return options.setFilter(
    new Options.FilterOptions()
      .setStreamIdentifier(expression)
      .setMax(SEARCH_WINDOW)
      .setCheckpointintervalmultiplier(CHECKPOINT_WINDOWS),
  );
}

function identifierOf(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
}
