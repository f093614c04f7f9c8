// What a part of a start check reports: obstacles keep the service from starting, remarks do not, and a failed look is an obstacle.
import { expect, test } from 'vitest';
import { notChecked, reportOn } from '../../../../src/app/start-check/obstacle.ts';

test('a part without obstacles holds, with what was remarked', async () => {
  expect(
    await reportOn('log', async ({ remark }) => {
      remark('3 events');
    }),
  ).toEqual({ part: 'log', outcome: 'holds', remarks: ['3 events'], obstacles: [] });
});

test('obstacles are told in their order, each with the command that takes it away where there is one', async () => {
  const { outcome, obstacles } = await reportOn('secrets', async ({ obstacle }) => {
    obstacle('there is no seed', 'openssl rand -hex 32');
    obstacle('there is no key');
  });
  expect(outcome).toBe('obstacles');
  expect(obstacles).toEqual([
    { problem: 'there is no seed', command: 'openssl rand -hex 32' },
    { problem: 'there is no key' },
  ]);
});

test('a look that fails is an obstacle, and the next one is made all the same', async () => {
  const seen: unknown[] = [];
  const { outcome, obstacles } = await reportOn('files', async ({ attempt }) => {
    seen.push(await attempt(() => Promise.reject(new Error('the folder is gone'))));
    seen.push(await attempt(async () => 'found'));
  });
  expect(seen).toEqual([undefined, 'found']);
  expect([outcome, obstacles]).toEqual(['obstacles', [{ problem: 'the folder is gone' }]]);
});

test('a part whose own look fails reports that, with what it had found by then', async () => {
  const report = await reportOn('chain', async ({ remark }) => {
    remark('genesis 7');
    throw new Error('the node is away');
  });
  expect(report).toEqual({
    part: 'chain',
    outcome: 'obstacles',
    remarks: ['genesis 7'],
    obstacles: [{ problem: 'the node is away' }],
  });
});

test('a part that cannot be checked says because of what', () => {
  expect(notChecked('chain', 'CHAIN_URL is wrong')).toEqual({
    part: 'chain',
    outcome: 'not checked',
    remarks: ['CHAIN_URL is wrong'],
    obstacles: [],
  });
});
