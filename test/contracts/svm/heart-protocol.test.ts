// Till chain and meter on a chain that loses, delays, doubles, forks and lies: each is paid once. And each of the rules is
// needed: without it somebody is paid twice, or what is booked is not what happened.
import { describe, expect, test } from 'vitest';
import { type HeartOptions, runHeart } from '../../support/faulty-chain/heart-run.ts';
import { type Rules, THE_RULES } from '../../support/faulty-chain/reference-driver.ts';

const seeds = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

async function allClosed(all: readonly number[], options: Omit<HeartOptions, 'rules'>): Promise<unknown> {
  const wrong = [];
  for (const seed of all) {
    const { differences, closed } = await runHeart(seed, { ...options, rules: THE_RULES });
    if (!closed || differences.length > 0) wrong.push({ seed, closed, differences });
  }
  return wrong;
}

describe('payments by till chain and meter', () => {
  test('are made once each, and every run ends', async () => {
    expect(await allClosed(seeds(0, 10), {})).toEqual([]);
  });

  test('are made once each by two engines on one log', async () => {
    expect(await allClosed(seeds(100, 104), { engines: 2 })).toEqual([]);
  });

  test('are repeated exactly by their seed', async () => {
    const [one, other] = [await runHeart(7, { rules: THE_RULES }), await runHeart(7, { rules: THE_RULES })];
    expect(other).toEqual(one);
  });
});

/** The first difference of this kind in any of the seeds. */
async function differenceOf(broken: Partial<Rules>, rule: string) {
  for (const seed of seeds(0, 40)) {
    const { differences } = await runHeart(seed, { rules: { ...THE_RULES, ...broken } });
    const found = differences.find((difference) => difference.startsWith(rule));
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('somebody is paid twice or wrongly', () => {
  test.each<[string, Partial<Rules>, string]>([
    ['without the guard', { guard: false }, 'not booked'],
    ['where payments are signed at `confirmed`', { readAt: 'confirmed' }, 'not booked'],
    ['where one delegate is approved twice', { delegateApprovedOnce: false }, 'not booked'],
    [
      "where a till's address does not commit to what the link does",
      { tillsCommitToContent: false },
      'burned',
    ],
  ])('%s', async (_how, broken, rule) => {
    expect(await differenceOf(broken, rule)).toBeDefined();
  });
});
