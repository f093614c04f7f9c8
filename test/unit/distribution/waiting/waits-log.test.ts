// One line for each cause in a minute, with how many it stands for.
import { expect, test } from 'vitest';
import { createWaitsLog } from '../../../../src/distribution/distributor.ts';
import { loggerTo } from '../../../../src/kernel/ports/logger.ts';

function logged() {
  const lines: object[] = [];
  const log = createWaitsLog(loggerTo((message, fields) => lines.push({ message, ...fields })));
  return { log, lines };
}

const WAITS = 'distribution waits';

test('the first line of a cause is logged at once, and those of its minute after it as one, with their number', () => {
  const { log, lines } = logged();
  for (let n = 0; n < 5_000; n += 1) log.warn(WAITS, { tokenId: `${n}`, code: 'chain-unavailable' }, 1_000);
  log.flush(60_999);
  expect(lines).toEqual([{ message: WAITS, tokenId: '0', code: 'chain-unavailable' }]);
  log.flush(61_000);
  expect(lines.slice(1)).toEqual([
    { message: WAITS, tokenId: '4999', code: 'chain-unavailable', count: 4_999 },
  ]);
  log.warn(WAITS, { tokenId: 'again', code: 'chain-unavailable' }, 62_000);
  log.flush(120_999);
  expect(lines).toHaveLength(2);
  log.flush(121_000);
  // One alone is as it was given.
  expect(lines.slice(2)).toEqual([{ message: WAITS, tokenId: 'again', code: 'chain-unavailable' }]);
});

test('another code, and the end of a wait, are other causes', () => {
  const { log, lines } = logged();
  log.warn(WAITS, { tokenId: 'a', code: 'chain-unavailable' }, 0);
  log.warn(WAITS, { tokenId: 'b', code: 'unconfirmed' }, 0);
  log.warn('distribution goes on', { tokenId: 'a', code: 'chain-unavailable' }, 0);
  expect(lines).toHaveLength(3);
});

test('a cause that was quiet for a minute is logged at once again', () => {
  const { log, lines } = logged();
  for (const minute of [0, 60_000, 120_000]) {
    log.flush(minute);
    log.warn(WAITS, { tokenId: 'a', code: 'halted' }, minute);
  }
  expect(lines).toHaveLength(3);
});

test('what was held back is logged at the end, and when the clock was set back', () => {
  const { log, lines } = logged();
  for (const tokenId of ['a', 'b']) log.warn(WAITS, { tokenId, code: 'halted' }, 100_000);
  log.flush(0);
  expect(lines).toHaveLength(2);
  log.warn(WAITS, { tokenId: 'c', code: 'halted' }, 1);
  log.end();
  log.end();
  expect(lines.map((line) => Reflect.get(line, 'tokenId'))).toEqual(['a', 'b', 'c']);
});
