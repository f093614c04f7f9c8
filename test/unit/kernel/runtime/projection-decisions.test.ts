// Where the targets of a projection start follows from what the read model and the log have.
import { expect, test } from 'vitest';
import { START } from '../../../../src/kernel/ports/event-store.ts';
import { decidePlace } from '../../../../src/kernel/runtime/projection-target.ts';

const FOUND = { isKnown: true, sameUpTo: undefined, head: '7', checkpoint: '5', servedUpTo: undefined };

test.each<[string, Partial<Parameters<typeof decidePlace>[0]>, ReturnType<typeof decidePlace>]>([
  ['known documents go on', {}, { start: 'from', own: '5', former: undefined }],
  ['an older generation goes on beside', { servedUpTo: '6' }, { start: 'from', own: '5', former: '6' }],
  ['up to the head', { checkpoint: '7', servedUpTo: '7' }, { start: 'from', own: '7', former: '7' }],
  [
    'an older generation that handled nothing yet',
    { servedUpTo: START },
    { start: 'from', own: '5', former: START },
  ],
  ['another log', { isKnown: false }, { start: 'anew' }],
  ['documents of events beyond the head', { checkpoint: '8' }, { start: 'anew' }],
  ['an older generation beyond the head', { servedUpTo: '8' }, { start: 'anew' }],
  [
    'only so far as the log is the same',
    { sameUpTo: '3', servedUpTo: '6' },
    { start: 'from', own: '3', former: '3' },
  ],
  ['no further than they were', { sameUpTo: '6', servedUpTo: '7' }, { start: 'from', own: '5', former: '6' }],
])('placed are %s', (_name, change, expected) => {
  expect(decidePlace({ ...FOUND, ...change })).toEqual(expected);
});
