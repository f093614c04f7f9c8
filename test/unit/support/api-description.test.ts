// The check that journeys rely on: it lets through what is described, and nothing else.
import { describe, expect, test } from 'vitest';
import { type ReceivedAnswer, undescribed } from '../../support/api-description.ts';

const headers = (more: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a', ...more });
const problemHeaders = headers({ 'content-type': 'application/problem+json; charset=utf-8' });

const health: ReceivedAnswer = {
  method: 'GET',
  path: '/health',
  status: 200,
  headers: headers(),
  body: { status: 'ok' },
};

function refusal(status: number, code: string, more: object = {}): ReceivedAnswer {
  const sentence = 'Token not found.';
  return {
    method: 'GET',
    path: '/tokens/x',
    status,
    headers: problemHeaders,
    body: {
      type: `/docs/errors/${code}`,
      title: 'Token not found',
      status,
      detail: sentence,
      instance: '/tokens/x',
      code,
      error: sentence,
      requestId: 'a',
      ...more,
    },
  };
}

describe('an answer', () => {
  test('that is described is fine, also to HEAD and without a body', () => {
    expect(undescribed(health)).toBeUndefined();
    expect(undescribed({ ...health, method: 'HEAD', body: undefined })).toBeUndefined();
  });

  test('of another form is not', () => {
    expect(undescribed({ ...health, body: { status: 'well' } })).toContain('/status');
    expect(undescribed({ ...health, body: {} })).toContain('required');
    expect(undescribed({ ...health, body: undefined })).toContain('must be object');
  });

  test('with a member that nobody described is not, however deep it is', () => {
    expect(undescribed({ ...health, body: { status: 'ok', uptime: 1 } })).toContain('uptime');
    const list = { tokens: [{ name: 'a', symbol: 'A', secret: 'b' }], pagination: {} };
    expect(undescribed({ ...health, path: '/tokens', body: list })).toBeDefined();
    const open = { ...health, path: '/ready', body: { status: 'ready', checks: [] } };
    expect(undescribed(open)).toBeUndefined();
    const check = { name: 'store', ok: true, milliseconds: 1 };
    expect(undescribed({ ...open, body: { status: 'ready', checks: [check] } })).toBeUndefined();
    expect(undescribed({ ...open, body: { status: 'ready', checks: [], more: 1 } })).toContain('more');
  });

  test('with another status is not', () => {
    expect(undescribed({ ...health, status: 201 })).toBe('its status is not described for GET /health');
    expect(undescribed({ ...health, status: 500 })).toBe('its status is not described for GET /health');
  });

  test('of another type is not', () => {
    const asText = { ...health, headers: headers({ 'content-type': 'text/plain' }) };
    expect(undescribed(asText)).toBe('its media type text/plain is not described');
  });

  test('without a header that it must have, or with one that nobody described, is not', () => {
    const nameless = headers();
    nameless.delete('x-request-id');
    expect(undescribed({ ...health, headers: nameless })).toBe('it has no header x-request-id');
    expect(undescribed({ ...health, headers: headers({ 'x-secret': '1' }) })).toContain('x-secret');
    expect(undescribed({ ...health, headers: headers({ ratelimit: '1' }) })).toContain('ratelimit');
    const list = { tokens: [], pagination: { total: 0, page: 1, limit: 20, totalPages: 0 }, next: null };
    const limited = { ...health, path: '/tokens', body: list };
    expect(undescribed({ ...limited, headers: headers({ 'x-ratelimit-limit': '100' }) })).toBeUndefined();
    expect(undescribed({ ...limited, headers: headers({ 'x-ratelimit-limit': 'many' }) })).toContain(
      'no number',
    );
  });
});

describe('a refusal', () => {
  test('with a code that its route may give is fine', () => {
    expect(undescribed(refusal(404, 'TOKEN_NOT_FOUND'))).toBeUndefined();
    const details = [{ path: ['tokens', '0'], message: 'is missing' }];
    expect(undescribed(refusal(400, 'VALIDATION_FAILED', { details }))).toBeUndefined();
  });

  test('with a code of other routes, or of another status, is not', () => {
    expect(undescribed(refusal(404, 'IMAGE_NOT_FOUND'))).toContain('/code');
    expect(undescribed(refusal(400, 'TOKEN_NOT_FOUND'))).toContain('/code');
    expect(undescribed(refusal(404, 'TOKEN_NOT_FOUND', { status: 400 }))).toContain('/status');
  });

  test('with more than a problem has is not', () => {
    expect(undescribed(refusal(404, 'TOKEN_NOT_FOUND', { stack: 'at' }))).toContain('stack');
    const details = [{ path: [], message: 'is missing', value: 'x' }];
    expect(undescribed(refusal(400, 'VALIDATION_FAILED', { details }))).toContain('value');
  });
});

describe('where no route is', () => {
  const nowhere = { ...refusal(404, 'ROUTE_NOT_FOUND'), path: '/nowhere' };

  test('a refusal is fine, and anything else is not', () => {
    expect(undescribed(nowhere)).toBeUndefined();
    expect(undescribed({ ...nowhere, method: 'PATCH', path: '/health' })).toBeUndefined();
    expect(undescribed({ ...health, path: '/nowhere' })).toBe('its route is not described');
    expect(undescribed({ ...nowhere, body: { message: 'Not found' } })).toContain('not as described');
  });

  test('operators’ routes may be absent', () => {
    const absent = { ...refusal(404, 'ROUTE_NOT_FOUND'), path: '/operator/tokens' };
    expect(undescribed(absent)).toBeUndefined();
    expect(undescribed({ ...absent, path: '/tokens' })).toBe('its status is not described for GET /tokens');
  });

  test('the page of the reference may be', () => {
    expect(undescribed({ ...health, path: '/docs', body: undefined })).toBeUndefined();
  });
});
