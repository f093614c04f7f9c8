import { expect, test } from 'vitest';
import { createLogger } from '../../../src/app/logger.ts';
import { loggerTo } from '../../../src/kernel/ports/logger.ts';

function logging() {
  let now = 0;
  const lines: object[] = [];
  const log = loggerTo((message, fields, level) => lines.push({ level, message, ...fields }));
  const logger = createLogger(log, () => now).child({ part: 'settler' });
  return { lines, logger, passes: (milliseconds: number) => (now += milliseconds) };
}

test('a warning is logged once a minute, with how often it came in between', () => {
  const { lines, logger, passes } = logging();
  for (let count = 0; count < 3; count += 1) logger.warn({ pool: 'a' }, 'pool unreadable');
  passes(59_999);
  logger.warn({ pool: 'a' }, 'pool unreadable');
  expect(lines).toEqual([{ level: 'warn', message: 'pool unreadable', part: 'settler', pool: 'a' }]);
  passes(1);
  logger.warn({ pool: 'a' }, 'pool unreadable');
  expect(lines.slice(1)).toEqual([
    { level: 'warn', message: 'pool unreadable', part: 'settler', pool: 'a', repeated: 3 },
  ]);
});

test('other fields and other parts are other lines', () => {
  const { lines, logger } = logging();
  logger.error({ pool: 'a' }, 'pool unreadable');
  logger.error({ pool: 'b' }, 'pool unreadable');
  logger.child({ part: 'observer' }).error({ pool: 'a' }, 'pool unreadable');
  expect(lines).toMatchObject([
    { part: 'settler', pool: 'a' },
    { part: 'settler', pool: 'b' },
    { part: 'observer', pool: 'a' },
  ]);
});

test('entries with a code repeat each other whatever else they say', () => {
  const { lines, logger, passes } = logging();
  for (const tokenId of ['a', 'b', 'c']) logger.warn({ tokenId, code: 'unconfirmed' }, 'distribution waits');
  logger.warn({ tokenId: 'a', code: 'halted' }, 'distribution waits');
  passes(60_000);
  logger.warn({ tokenId: 'd', code: 'unconfirmed' }, 'distribution waits');
  expect(lines).toMatchObject([
    { tokenId: 'a', code: 'unconfirmed' },
    { tokenId: 'a', code: 'halted' },
    { tokenId: 'd', code: 'unconfirmed', repeated: 2 },
  ]);
});

test('what is usual is logged every time', () => {
  const { lines, logger } = logging();
  logger.info({}, 'lease taken');
  logger.info({}, 'lease taken');
  logger.debug({}, 'looked');
  expect(lines).toMatchObject([{ level: 'info' }, { level: 'info' }, { level: 'debug' }]);
});

test('a thousand lines are remembered: the one that came longest ago is logged again', () => {
  const { lines, logger } = logging();
  logger.warn({ of: 0 }, 'failed');
  for (let of = 1; of <= 1_000; of += 1) logger.warn({ of }, 'failed');
  logger.warn({ of: 0 }, 'failed');
  logger.warn({ of: 1_000 }, 'failed');
  expect(lines).toHaveLength(1_002);
});
