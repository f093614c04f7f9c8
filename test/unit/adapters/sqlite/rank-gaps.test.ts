// The k-th listed rank is found through counts of those that are missing, as a plain search finds it.
import { expect, test } from 'vitest';
import { descend, type NodeAt } from '../../../../src/adapters/sqlite/rank-gaps.ts';

/** Counts as the tree has them. */
function nodesOf(missing: ReadonlySet<number>): NodeAt {
  return (height, first) => {
    const size = 64 ** height;
    const begin = Math.floor(first / (size * 64)) * size * 64;
    const counts = Array<number>(64).fill(0);
    for (const rank of missing) {
      const child = Math.floor((rank - begin) / size);
      if (rank >= begin && child < 64) counts[child] = (counts[child] ?? 0) + 1;
    }
    return counts.some((count) => count > 0) ? counts : undefined;
  };
}

/** The rank to which a descent leads: so many listed ranks further. */
function rankFor(missing: ReadonlySet<number>, next: number, before: number): number {
  const { first, left } = descend(nodesOf(missing), next, before);
  let rank = first;
  for (let passed = 0; ; rank += 1) {
    if (missing.has(rank)) continue;
    if (passed === left) return rank;
    passed += 1;
  }
}

test.each([
  ['nothing', new Set<number>(), 10],
  ['some of the first 64', new Set([0, 3, 63]), 64],
  ['whole nodes', new Set(Array.from({ length: 200 }, (_, at) => at + 60)), 400],
  ['the first and the last', new Set([0, 4_999]), 5_000],
  ['every third', new Set(Array.from({ length: 2_000 }, (_, at) => at * 3)), 6_000],
])('where there is missing: %s', (_what, missing, next) => {
  const listed = Array.from({ length: next }, (_, rank) => rank).filter((rank) => !missing.has(rank));
  const step = Math.max(1, Math.floor(listed.length / 97));
  for (let before = 0; before < listed.length; before += step) {
    expect(rankFor(missing, next, before)).toBe(listed[before]);
  }
  expect(rankFor(missing, next, listed.length - 1)).toBe(listed.at(-1));
});

test('no more than the 64 ranks around the wanted one are left to look through', () => {
  const missing = new Set(Array.from({ length: 300_000 }, (_, at) => at * 2));
  const counts: NodeAt = (height) => Array<number>(64).fill(64 ** height / 2);
  for (const before of [0, 1, 31, 32, 150_000, 299_999]) {
    const { first, left } = descend(counts, 600_000, before);
    expect(left).toBeLessThan(64);
    expect(first + 2 * left + 1).toBe(before * 2 + 1);
    expect(missing.has(first + 2 * left + 1)).toBe(false);
  }
});
