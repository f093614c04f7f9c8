// What `levy check` shows: a line for each part, its obstacles below, how many there are, and the commands that take some away.
import { expect, test } from 'vitest';
import { reportText } from '../../../src/cli/levy/check-command.ts';

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
  obstacles: [
    { problem: 'there is no seed', command: 'openssl rand -hex 32' },
    { problem: 'there is no key' },
  ],
} as const;

test('where nothing is found, it says that the service can start', () => {
  expect(reportText({ parts: [PLAIN, HOLDS], holds: true })).toBe(
    [
      'configuration  holds',
      'log            holds: 3 events; it ends here',
      '',
      'Nothing keeps the service from starting.',
    ].join('\n'),
  );
});

test('obstacles stand below their part, and are counted; commands that help stand at the end', () => {
  expect(reportText({ parts: [HOLDS, MISSING], holds: false })).toBe(
    [
      'log      holds: 3 events; it ends here',
      'secrets  obstacles',
      '  - there is no seed',
      '  - there is no key',
      '',
      '2 obstacles keep the service from starting.',
      '',
      'What is missing is made by:',
      '  openssl rand -hex 32',
    ].join('\n'),
  );
});

test('one obstacle is one, and without a command none is announced', () => {
  const one = { ...MISSING, obstacles: [{ problem: 'there is no key' }] };
  expect(reportText({ parts: [one], holds: false })).toBe(
    ['secrets  obstacles', '  - there is no key', '', 'One obstacle keeps the service from starting.'].join(
      '\n',
    ),
  );
});
