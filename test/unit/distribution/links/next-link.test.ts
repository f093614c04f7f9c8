// Which recorded link is brought onto the chain next.
import { describe, expect, test } from 'vitest';
import { hasLandedWhole, nextLink } from '../../../../src/distribution/links/till-driver.ts';
import type { RecordedLink } from '../../../../src/streams/distribution.ts';

const link = (till: string, previous: string | null, number = 1): RecordedLink => ({
  number,
  previous,
  till,
  actions: [],
});
const [first, second, third] = [link('a', null, 0), link('b', 'a'), link('c', 'b', 2)];
/** Another content for the till that `second` would make. */
const instead = link('B', 'a');
const till = { number: 0, address: 'a', slot: '10', lamports: '0' };
const shown = (...tills: readonly string[]) => ({
  isTill: (address: string) => tills.includes(address),
  markerExists: tills.includes('marker'),
});

describe('the next link', () => {
  test.each<
    readonly [
      what: string,
      state: Parameters<typeof nextLink>[0],
      tills: readonly string[],
      link: RecordedLink,
      current: string | undefined,
    ]
  >([
    [
      'is the first of all while neither a till nor the marker is there',
      { pending: [first] },
      [],
      first,
      undefined,
    ],
    ['spends the till that was seen last', { till, pending: [second, third] }, ['a', 'marker'], second, 'a'],
    [
      'spends what a link that is not final yet has made',
      { till, pending: [second, third] },
      ['b', 'marker'],
      third,
      'b',
    ],
    [
      'of two contents for one till is the one recorded last',
      { till, pending: [second, instead] },
      ['a', 'marker'],
      instead,
      'a',
    ],
    [
      'builds on the content that landed',
      { till, pending: [second, instead, third] },
      ['b', 'marker'],
      third,
      'b',
    ],
  ])('%s', (_what, state, tills, expected, current) => {
    expect(nextLink(state, shown(...tills))).toEqual({ link: expected, current });
  });

  test('is not chosen while the token’s marker is there, and none of its tills is shown', () => {
    expect(nextLink({ pending: [first] }, shown('marker'))).toMatchObject({
      kind: 'wait',
      waiting: { for: { code: 'chain-unavailable' } },
    });
  });

  test('does not exist where no link spends the till that is there: what made it becomes final', () => {
    expect(nextLink({ till, pending: [second] }, shown('b', 'marker'))).toMatchObject({
      kind: 'wait',
      waiting: { for: { code: 'finality' } },
    });
    // Another content of the same number was signed as well, and does not build on what landed.
    expect(nextLink({ till, pending: [instead, link('c', 'b', 2)] }, shown('B'))).toMatchObject({
      waiting: { for: { code: 'finality' } },
    });
  });
});

test('links have landed whole when no recorded link builds on the last of them', () => {
  expect(hasLandedWhole([], [second])).toBe(false);
  expect(hasLandedWhole([second], [second])).toBe(true);
  expect(hasLandedWhole([second], [second, third])).toBe(false);
  expect(hasLandedWhole([second, third], [second, third])).toBe(true);
  expect(hasLandedWhole([instead], [second, instead, third])).toBe(true);
});
