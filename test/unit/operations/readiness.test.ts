/** When a part counts as one that works. */
import { describe, expect, test } from 'vitest';
import {
  createReadiness,
  loopWorks,
  watched,
  watchedUndecodable,
} from '../../../src/operations/readiness.ts';
import { readinessAnswer } from '../../../src/views/readiness-view.ts';

const MINUTE = 60_000;
const since = '2026-05-04T10:00:00.000Z';
const lastSuccess = since;
const bodyOf = ({ body }: { readonly body: string }) => JSON.parse(body);
const later = (milliseconds: number) => new Date(Date.parse(lastSuccess) + milliseconds);

describe('a loop', () => {
  test('does not work when its first run never ends', () => {
    const status = { since, lastSuccess: undefined, error: undefined, pause: 0 };
    expect(loopWorks(status, later(MINUTE))).toBe(true);
    expect(loopWorks(status, later(3 * MINUTE))).toBe(false);
  });

  test('does not work while its latest run failed', () => {
    expect(loopWorks({ since, lastSuccess, error: 'it fails', pause: 300 }, later(0))).toBe(false);
    expect(loopWorks({ since, lastSuccess: undefined, error: 'it fails', pause: 0 }, later(0))).toBe(false);
  });
});

describe('readiness', () => {
  test('tells of the others when a part fails or does not answer', async () => {
    const look = createReadiness(
      { now: () => new Date(since) },
      [
        watched('well', () => ({ ok: true, details: {} })),
        watched('silent', () => new Promise(() => {})),
        watched('failing', () => Promise.reject(new RangeError('it fails'))),
      ],
      10,
    );
    expect(bodyOf(await look()).checks).toEqual([
      { name: 'well', ok: true },
      { name: 'silent', ok: false, error: 'no response' },
      { name: 'failing', ok: false, error: 'RangeError' },
    ]);
  });

  test('is checked once for all concurrent callers, and again only after a while', async () => {
    let time = since;
    let checks = 0;
    const look = createReadiness({ now: () => new Date(time) }, [
      watched('counted', async () => {
        checks += 1;
        return { ok: true, details: { checks } };
      }),
    ]);
    const answers = await Promise.all(Array.from({ length: 100 }, look));
    expect(new Set(answers).size).toBe(1);
    time = later(99).toISOString();
    expect(await look()).toBe(answers[0]);
    expect(checks).toBe(1);
    time = later(100).toISOString();
    expect(bodyOf(await look()).checks).toEqual([{ name: 'counted', ok: true, checks: 2 }]);
  });
});

test.each([
  '14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED ::1:2113',
  'getaddrinfo ENOTFOUND mongo',
  'connection 5 to mongo-1.internal timed out',
  'Server selection timed out: {"mongo-1:27017":"down"}',
  'the chain node at rpc-node does not respond',
  'the node at https://rpc.example/key=secret answered 500',
  'nats: permissions violation for subscription at localhost',
  "EACCES: permission denied, open '/var/lib/levy/images/x'",
  'write EPIPE [fe80::1]:4222',
])('the message of a driver is not shown to anybody: %s', (message) => {
  const details = { error: message, reason: message, state: 'failed' };
  const [check] = bodyOf(readinessAnswer([{ name: 'loop', ok: false, details }])).checks;
  expect(check).toEqual({
    name: 'loop',
    ok: false,
    error: 'failed; see the log of the service',
    reason: 'failed; see the log of the service',
    state: 'failed',
  });
});

test.each([
  "the node's slot has not changed for 75 s",
  'the store does not answer. Its last answer was at 2026-05-04T10:00:00.000Z',
  'submissions are overdue: the chain node does not show their outcome',
  'ENOSPC: no space left on device, write',
  'levy.example/log was restored from a backup of 2026-05-04T10:00:00.000Z: set LOG_ORIGIN',
  'the balance is below 50000000 lamports: no run is opened; open runs continue',
])('a message that names no place is shown: %s', (message) => {
  const [check] = bodyOf(
    readinessAnswer([{ name: 'chain', ok: false, details: { reason: message } }]),
  ).checks;
  expect(check.reason).toBe(message);
});

test('what does not work of many leaves calls where they are, and is said; anything else sends them elsewhere', () => {
  const part = (ok: boolean, isPartial?: true) => ({
    name: 'part',
    ok,
    ...(isPartial && { isPartial }),
    details: { tokenId: 'one' },
  });
  const answered = (...checks: readonly ReturnType<typeof part>[]) => {
    const { status, body } = readinessAnswer(checks);
    return [status, bodyOf({ body }).status];
  };
  expect(answered(part(true), part(true, true))).toEqual([200, 'ready']);
  expect(answered(part(true), part(false, true))).toEqual([200, 'degraded']);
  expect(answered(part(false), part(false, true))).toEqual([503, 'not ready']);
  expect(bodyOf(readinessAnswer([part(false, true)])).checks).toEqual([
    { name: 'part', ok: false, tokenId: 'one' },
  ]);
});

test('an event that cannot be decoded leaves the service serving, since it stops its own stream only', async () => {
  const event = {
    eventId: 'an id',
    stream: 'token-1',
    revision: 3,
    position: '9',
    eventType: 'TokenPainted',
    problem: 'its type is unknown',
    isNewer: false,
    since: '2026-11-24T10:00:00.000Z',
  };
  const of = (found: readonly (typeof event)[]) => watchedUndecodable({ undecodable: () => found }).check();
  const answer = readinessAnswer(await of([event]));
  expect([answer.status, bodyOf(answer).status]).toEqual([200, 'degraded']);
  expect(await of([event])).toMatchObject([
    {
      ok: false,
      details: { eventId: 'an id', stream: 'token-1', revision: 3, error: 'its type is unknown' },
    },
  ]);
  expect(await of([])).toMatchObject([{ ok: true }]);
  expect(await of(Array.from({ length: 12 }, () => event))).toHaveLength(10);
});
