// Outcomes of a message that was sent for sequence 7 of the stream.
import { ErrorCode, NatsError } from 'nats';
import { expect, test } from 'vitest';
import { problemOf, requireAt } from '../../../../src/adapters/nats/publisher.ts';
import {
  PublisherOvertaken,
  PublisherRefused,
  PublisherUnavailable,
} from '../../../../src/kernel/ports/publisher.ts';

test('a message at its sequence of the stream is stored', () => {
  expect(() => requireAt({ stream: 'LEVY', seq: 7 }, 7, 'LEVY')).not.toThrow();
});

test.each([
  ['at another sequence was stored before', { stream: 'LEVY', seq: 3 }, PublisherOvertaken],
  ['in another stream is in the wrong one', { stream: 'OTHER', seq: 7 }, PublisherRefused],
])('a message that is acknowledged %s', (_what, ack, kind) => {
  expect(() => requireAt(ack, 7, 'LEVY')).toThrow(kind);
});

function refused(error: object): NatsError {
  const found = new NatsError('refused', ErrorCode.Unknown);
  found.api_error = { code: 400, err_code: 0, description: 'refused', ...error };
  return found;
}

test.each<[string, unknown, new () => Error]>([
  ['another last sequence', refused({ err_code: 10_071 }), PublisherOvertaken],
  ['another last id', refused({ err_code: 10_070 }), PublisherOvertaken],
  ['an error with a code', refused({ err_code: 10_054 }), PublisherRefused],
  ['an error without one', refused({ err_code: undefined }), PublisherUnavailable],
  ['no acknowledgement', NatsError.errorForCode(ErrorCode.JetStreamInvalidAck), PublisherUnavailable],
  ['no answer in time', NatsError.errorForCode(ErrorCode.Timeout), PublisherUnavailable],
  ['nobody who takes the subjects', NatsError.errorForCode(ErrorCode.NoResponders), PublisherUnavailable],
  ['no JSON', new SyntaxError('no JSON'), PublisherUnavailable],
])('%s is a problem', (_what, error, kind) => {
  expect(problemOf(error, 'LEVY')).toBeInstanceOf(kind);
});
