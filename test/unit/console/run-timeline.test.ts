// How long a step took, in words.
import { expect, test } from 'vitest';
import { durationText } from '../../../console/src/format/times.ts';

test.each([
  [-5, '<0.1 s'],
  [99, '<0.1 s'],
  [420, '0.4 s'],
  [1_000, '1 s'],
  [59_400, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
  [97_200_000, '1 day 3 h'],
  [172_800_000, '2 days'],
])('%d milliseconds are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
