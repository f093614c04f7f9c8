// Output of `levy check`: a line for each part, its obstacles below, how many there are.
import { expect, test } from 'vitest';
import { reportLines } from '../../../src/levy/check-command.ts';

const HOLDS = {
  part: 'log',
  outcome: 'holds',
  remarks: ['3 events', 'it ends here'],
  obstacles: [],
} as const;
const PLAIN = { part: 'configuration', outcome: 'holds', remarks: [], obstacles: [] } as const;
const MISSING = {
  part: 'secrets',
  outcome: 'obstacles',
  remarks: [],
  obstacles: [{ problem: 'there is no seed' }, { problem: 'there is no key' }],
} as const;

test('where nothing is found, it says that the service can start', () => {
  expect(reportLines({ parts: [PLAIN, HOLDS], holds: true })).toEqual([
    'configuration  holds',
    'log            holds: 3 events; it ends here',
    '',
    'The service can start.',
  ]);
});

test('obstacles stand below their part, and are counted', () => {
  expect(reportLines({ parts: [HOLDS, MISSING], holds: false })).toEqual([
    'log      holds: 3 events; it ends here',
    'secrets  obstacles',
    '  - there is no seed',
    '  - there is no key',
    '',
    '2 obstacles prevent startup.',
  ]);
});

test('one obstacle is one', () => {
  const one = { ...MISSING, obstacles: [{ problem: 'there is no key' }] };
  expect(reportLines({ parts: [one], holds: false })).toEqual([
    'secrets  obstacles',
    '  - there is no key',
    '',
    'One obstacle prevents startup.',
  ]);
});
