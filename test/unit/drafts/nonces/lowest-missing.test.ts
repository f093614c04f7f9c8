// The accounts are opened in the order of their indexes, and none is left out.
import { expect, test } from 'vitest';
import { lowestMissing } from '../../../../src/drafts/nonces/nonce-opening.ts';

test('the lowest index that is missing comes next', () => {
  expect(lowestMissing(() => false)).toBe(0);
  expect(lowestMissing((index) => [0, 1, 3].includes(index))).toBe(2);
});
