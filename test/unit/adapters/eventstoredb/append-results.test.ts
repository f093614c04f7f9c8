// What the server's answer says of an append: written, in conflict, refused for good, or unknown.
import { createRequire } from 'node:module';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { expect, test } from 'vitest';
import { AppendRefused, failureIn, resultOf } from '../../../../src/adapters/eventstoredb/append-results.ts';

const protobuf = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const { Any } = protobuf('google-protobuf/google/protobuf/any_pb.js');
const { Empty } = protobuf('google-protobuf/google/protobuf/empty_pb.js');

const { BatchAppendResp } = messages;

function failure(kind: string, bytes: Uint8Array = new Uint8Array(0)) {
  const details = new Any();
  details.pack(bytes, kind);
  return new BatchAppendResp().setError(new status.Status().setMessage('why').setDetails(details));
}

function conflict(revision: string | undefined) {
  const wrong = new shared.WrongExpectedVersion();
  if (revision === undefined) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentStreamRevision(revision);
  return failure('event_store.client.WrongExpectedVersion', wrong.serializeBinary());
}

test('a success has the last revision, and its position as text, where the server still knows it', () => {
  const success = new BatchAppendResp.Success().setCurrentRevision('7');
  const answer = new BatchAppendResp().setSuccess(success);
  expect(resultOf(answer)).toEqual({ outcome: 'appended', revision: 7, position: undefined });
  success.setPosition(new shared.AllStreamPosition().setCommitPosition('123').setPreparePosition('123'));
  expect(resultOf(answer)).toEqual({
    outcome: 'appended',
    revision: 7,
    position: '00000000000000000123',
  });
});

test('a conflict has the revision at which the stream is, or that there is none', () => {
  expect(resultOf(conflict('4'))).toEqual({ outcome: 'conflict', actual: 4 });
  expect(resultOf(conflict('0'))).toEqual({ outcome: 'conflict', actual: 0 });
  expect(resultOf(conflict(undefined))).toEqual({ outcome: 'conflict', actual: 'none' });
});

test.each([
  'AccessDenied',
  'StreamDeleted',
  'MaximumAppendSizeExceeded',
  'BadRequest',
  'InvalidTransaction',
])('%s is a refusal for good', (kind) => {
  expect(() => resultOf(failure(`event_store.client.${kind}`))).toThrow(AppendRefused);
  expect(() => resultOf(failure(`event_store.client.${kind}`))).toThrow(kind);
});

test('after any other error, and after an empty answer, the outcome is unknown', () => {
  expect(resultOf(failure('event_store.client.Timeout'))).toBeUndefined();
  expect(resultOf(new BatchAppendResp())).toBeUndefined();
  expect(failureIn(failure('event_store.client.Timeout'))).toBe('the event store failed: why');
  expect(failureIn(new BatchAppendResp())).toBe('the event store failed: unknown');
});
