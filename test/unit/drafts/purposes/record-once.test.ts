// What a draft was for is recorded only at the revision at which it was looked for and not found.
import { expect, test } from 'vitest';
import { decideOnce } from '../../../../src/drafts/purposes/record-once.ts';

test('an event is recorded where nothing came since it was looked for; deciding again on the result gives nothing', () => {
  const decide = (state: number) => ({ type: 'Counted', data: { count: state + 1 } });
  expect(decideOnce(1, { isAsRead: true, decide })).toEqual([{ type: 'Counted', data: { count: 2 } }]);
  expect(decideOnce(2, { isAsRead: false, decide })).toEqual([]);
});
