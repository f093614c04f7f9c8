import { expect, test } from 'vitest';
import { endOfPrefix } from '../../../../src/adapters/sqlite/end-of-prefix.ts';

test.each([
  ['ab', 'ac'],
  ['a\ud7ff', 'a\ue000'],
  ['a\u{10ffff}', 'b'],
  ['\u{1f600}', '\u{1f601}'],
  ['\u{10ffff}\u{10ffff}', undefined],
  ['', undefined],
])('texts that begin with %j end before %j', (prefix, end) => {
  expect(endOfPrefix(prefix)).toBe(end);
});
