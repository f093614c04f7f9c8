// What the server's answer says of a message that was sent for sequence 7 of the stream.
import { headers } from 'nats';
import { expect, test } from 'vitest';
import { problemOf } from '../../../../src/adapters/nats/publish-answers.ts';
import {
  PublisherOvertaken,
  PublisherRefused,
  PublisherUnavailable,
} from '../../../../src/kernel/ports/publisher.ts';

function problem(body: unknown, code?: number) {
  const json = <T>() => {
    if (body instanceof Error) throw body;
    return body as T;
  };
  return problemOf(
    { json, ...(code === undefined ? {} : { headers: headers(code, 'No Responders') }) },
    7,
    'LEVY',
  );
}

test('a message at its sequence of the stream is stored', () => {
  expect(problem({ stream: 'LEVY', seq: 7 })).toBeUndefined();
});

test.each([
  ['a duplicate elsewhere', { stream: 'LEVY', seq: 3, duplicate: true }, PublisherOvertaken],
  ['another last sequence', { error: { err_code: 10_071 } }, PublisherOvertaken],
  ['another last id', { error: { err_code: 10_070 } }, PublisherOvertaken],
  ['another stream', { stream: 'OTHER', seq: 7 }, PublisherRefused],
  ['an error with a code', { error: { err_code: 10_054, description: 'too large' } }, PublisherRefused],
  ['an error without one', { error: { description: 'busy' } }, PublisherUnavailable],
  ['no acknowledgement', 'hello', PublisherUnavailable],
  ['no JSON', new Error('no JSON'), PublisherUnavailable],
])('%s is a problem', (_what, body, kind) => {
  expect(problem(body)).toBeInstanceOf(kind);
});

test('nobody takes the subjects', () => {
  expect(problem({ stream: 'LEVY', seq: 7 }, 503)).toBeInstanceOf(PublisherUnavailable);
});
