import { expect, test } from 'vitest';
import { createLeaseStatus } from '../../../../src/kernel/leases/lease-status.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';

const now = () => '2026-01-01T00:00:00.000Z';

function status() {
  const reports: string[] = [];
  const board = createLeaseStatus({
    name: 'settler',
    now,
    logger: loggerTo((message) => reports.push(message)),
  });
  return { ...board, reports };
}

test('a failure is reported once, and its recovery once', () => {
  const { trouble, current, reports } = status();
  trouble('lease', new Error('no answer'));
  trouble('lease', new Error('still none'));
  expect(current().error).toBe('still none');
  trouble('lease', undefined);
  trouble('lease', undefined);
  expect(current().error).toBeUndefined();
  expect(reports).toEqual(['lease failed, retrying', 'lease recovered']);
});

test('what fails in the work is shown before what fails in the lease', () => {
  const { trouble, leaveWorkToOthers, leaseFails, current } = status();
  trouble('work', 'no nonce');
  expect(leaseFails()).toBe(false);
  trouble('lease', 'no answer');
  expect(leaseFails()).toBe(true);
  expect(current().error).toBe('no nonce');
  leaveWorkToOthers();
  expect(current().error).toBe('no answer');
});

test('work that is left to others is not reported as recovered', () => {
  const { trouble, leaveWorkToOthers, current, reports } = status();
  trouble('work', 'no nonce');
  leaveWorkToOthers();
  expect(current().error).toBeUndefined();
  expect(reports).toEqual(['work failed, retrying']);
});

test('a released lease has no holder', () => {
  const { show, current } = status();
  const tenure = { name: 'settler', holder: 'id', label: 'host 1', term: 3, ttl: 1_000 };
  show({ ...tenure, isReleased: false });
  expect(current()).toMatchObject({ holder: { id: 'id', label: 'host 1' }, term: 3 });
  show({ ...tenure, isReleased: true });
  expect(current()).toMatchObject({ holder: undefined, term: undefined });
});
