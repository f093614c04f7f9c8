// Till chain and meter on a chain that loses, delays, doubles, forks and lies: each is paid once. And each of the rules is
// needed: without it somebody is paid twice, or what is booked is not what happened.
import { describe, expect, test } from 'vitest';
import { auditedHeart, type HeartOptions } from '../../support/faulty-chain/heart-run.ts';
import { type Rules, THE_RULES } from '../../support/faulty-chain/reference-driver.ts';

const seeds = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

async function allClosed(all: readonly number[], options: Omit<HeartOptions, 'rules'>): Promise<unknown> {
  const wrong = [];
  for (const seed of all) {
    const { findings, closed } = await auditedHeart(seed, { ...options, rules: THE_RULES });
    if (!closed || findings.length > 0) wrong.push({ seed, closed, findings });
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
    const [one, other] = [
      await auditedHeart(7, { rules: THE_RULES }),
      await auditedHeart(7, { rules: THE_RULES }),
    ];
    expect(other.told).toEqual(one.told);
    expect(other.books).toEqual(one.books);
  });
});

/** The first finding of this kind in any of the seeds. */
async function findingOf(broken: Partial<Rules>, rule: string) {
  for (const seed of seeds(0, 40)) {
    const { findings } = await auditedHeart(seed, { rules: { ...THE_RULES, ...broken } });
    const found = findings.find(({ what }) => what.includes(rule));
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('somebody is paid twice or wrongly, and the audit says so', () => {
  test.each<[string, Partial<Rules>, string]>([
    ['without the guard', { guard: false }, 'every payment on the chain is in the ledger'],
    [
      'where payments are signed at `confirmed`',
      { readAt: 'confirmed' },
      'every payment on the chain is in the ledger',
    ],
    [
      'where one delegate is approved twice',
      { delegateApprovedOnce: false },
      'every payment on the chain is in the ledger',
    ],
    [
      "where a till's address does not commit to what the link does",
      { tillsCommitToContent: false },
      'a link burns what the books say',
    ],
  ])('%s', async (_how, broken, rule) => {
    expect(await findingOf(broken, rule)).toBeDefined();
  });
});
