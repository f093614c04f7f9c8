/** Which answer becomes of which error: every rejection its status, and of everything else nothing that tells our insides. */
import { describe, expect, test } from 'vitest';
import { ChainAnswerInvalid, ChainUnavailable } from '../../../../src/kernel/ports/chain.ts';
import { CollectionNotLive } from '../../../../src/kernel/ports/read-model.ts';
import { Rejection } from '../../../../src/kernel/runtime/rejection.ts';
import { problemOf, rejectionOf, STATUS_OF_KIND } from '../../../../src/server/http/problems.ts';
import { REJECTION_CODES, type RejectionCode, rejection } from '../../../../src/streams/rejections.ts';

const request = { url: '/tokens?page=1', id: 'request-1' };
const codes = Object.keys(REJECTION_CODES) as RejectionCode[];

function frameworkError(code: string, statusCode: number): Error {
  return Object.assign(new Error('text of the framework'), { code, statusCode });
}

describe('a rejection', () => {
  test.each(codes)('%s becomes a whole problem', (code) => {
    const { kind, title } = REJECTION_CODES[code];
    const sentence = 'This was wrong; do that.';
    expect(problemOf(rejection(code, sentence), request)).toStrictEqual({
      type: `/docs/errors/${code}`,
      title,
      status: STATUS_OF_KIND[kind],
      detail: sentence,
      instance: '/tokens',
      code,
      error: sentence,
      requestId: 'request-1',
    });
  });

  test('shows its details where it has some', () => {
    const details = [{ path: ['name'], message: 'is too long' }];
    expect(problemOf(rejection('VALIDATION_FAILED', 'No.', { details }), request).details).toBe(details);
  });

  test('is what it is', () => {
    const refused = rejection('TOKEN_NOT_FOUND', 'There is none.');
    expect(rejectionOf(refused)).toBe(refused);
  });
});

describe('another error', () => {
  test.each([
    [new ChainUnavailable('socket hang up'), 503, 'CHAIN_UNAVAILABLE', true],
    [new CollectionNotLive('the list is being built'), 503, 'STORE_UNAVAILABLE', true],
    [new ChainAnswerInvalid('<html>'), 502, 'CHAIN_UNAVAILABLE', false],
  ])('of a port is told as what it means: %s', (error, status, code, retry) => {
    const refused = rejectionOf(error);
    expect(refused).toBeInstanceOf(Rejection);
    if (refused === undefined) return;
    expect(problemOf(refused, request)).toMatchObject({ status, code });
    expect(refused.retryAfterSeconds !== undefined).toBe(retry);
    expect(refused.message).not.toContain('html');
    expect(refused.message).not.toContain('socket');
  });

  test.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['FST_INVALID_MULTIPART_CONTENT_TYPE', 406, 'UNSUPPORTED_MEDIA_TYPE'],
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'BODY_TOO_LARGE'],
    ['FST_ERR_BAD_URL', 400, 'VALIDATION_FAILED'],
    ['FST_ERR_ANYTHING_NEW', 499, 'VALIDATION_FAILED'],
  ])('of the framework, %s (%i), is told as %s, in our own words', (frameworkCode, statusCode, code) => {
    const refused = rejectionOf(frameworkError(frameworkCode, statusCode));
    expect(refused?.code).toBe(code);
    expect(refused?.message).not.toContain('framework');
  });

  test.each([
    new Error('no such column: secret'),
    frameworkError('FST_ERR_SEND_INSIDE_ONERR', 500),
    Object.assign(new Error('disk full'), { code: 'ENOSPC' }),
    'a text',
    undefined,
  ])('that nobody foresaw is none of the caller: %s', (error) => {
    expect(rejectionOf(error)).toBeUndefined();
  });
});
