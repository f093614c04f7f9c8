import { describe, expect, test } from 'vitest';
import {
  natsAddress,
  natsStreamName,
  subjectPrefix,
} from '../../../../src/operations/config/nats-address.ts';
import { NotAllowed } from '../../../../src/operations/config/value-kinds.ts';
import { configurationRefusal } from '../../../support/configuration-refusal.ts';

describe('the address of NATS', () => {
  test.each([
    ['nats://127.0.0.1', { servers: ['127.0.0.1:4222'], tls: false, credentials: {} }],
    ['NATS://bus.example:4333/', { servers: ['bus.example:4333'], tls: false, credentials: {} }],
    ['tls://bus.example', { servers: ['bus.example:4222'], tls: true, credentials: {} }],
    ['nats://[::1]:4222', { servers: ['[::1]:4222'], tls: false, credentials: {} }],
    ['nats://t0ken@bus', { servers: ['bus:4222'], tls: false, credentials: { token: 't0ken' } }],
    [
      'nats://levy:p%40ss%25@bus',
      { servers: ['bus:4222'], tls: false, credentials: { user: 'levy', pass: 'p@ss%' } },
    ],
    [
      'tls://levy:pass@one:1, tls://two:2,tls://levy:pass@three:3',
      { servers: ['one:1', 'two:2', 'three:3'], tls: true, credentials: { user: 'levy', pass: 'pass' } },
    ],
  ])('%s is understood', (text, expected) => {
    expect(natsAddress.parse(text)).toEqual(expected);
  });

  test.each([
    'bus.example:4222',
    'http://bus.example',
    'nats://',
    'nats://bus:99999',
    'nats://bus/stream',
    'nats://:pass@bus',
    'nats://p%zz@bus',
    'nats://one,two',
    'nats://one,tls://two',
    'nats://a:b@one,nats://a:c@two',
  ])('%s is refused', (text) => {
    expect(() => natsAddress.parse(text)).toThrow(NotAllowed);
  });

  test('is never shown, for it may hold a password', () => {
    const error = configurationRefusal({
      PUBLISHER_URL: 'nats://levy:s3cret@bus/path',
      PUBLISHER_CREDENTIALS_FILE: '{s3cret',
    });
    expect(error.problems.map(({ variable }) => variable)).toEqual([
      'PUBLISHER_URL',
      'PUBLISHER_CREDENTIALS_FILE',
    ]);
    expect(String(error) + JSON.stringify(error)).not.toContain('s3cret');
  });
});

test.each(['levy.', 'a.b-c.d_e.'])('subjects may begin with %s', (text) => {
  expect(subjectPrefix.parse(text)).toBe(text);
});

test.each(['levy', '.', 'levy..', 'a.*.', '$KV.'])('subjects may not begin with %s', (text) => {
  expect(() => subjectPrefix.parse(text)).toThrow(NotAllowed);
});

test.each(['', 'a.b', 'a b', 'a*', 'a>', 'x'.repeat(65)])('no stream is called "%s"', (text) => {
  expect(() => natsStreamName.parse(text)).toThrow(NotAllowed);
});
