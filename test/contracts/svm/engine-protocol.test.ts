// The whole engine on the faulty chain: every run closes, everybody is paid once, and the audit finds nothing.
import { describe, expect, test } from 'vitest';
import { runEngine } from '../../support/faulty-chain/engine-run.ts';
import { CALM } from '../../support/faulty-chain/weather.ts';

const STEPS = ['RunOpened', 'LinksLanded', 'DistributionHalted', 'RunSkipped', 'RunClosed'];

describe('a run on a chain without faults', () => {
  test.each([
    ['in SOL that a desk pays', 'sol'],
    ['in the token itself', 'token'],
  ] as const)('%s is closed, with books that the chain bears out', async (_how, asset) => {
    const { findings, halted, paidTwice, distribution, runs } = await runEngine(1, {
      weather: CALM,
      assets: [asset, asset],
    });
    expect({ findings, halted, paidTwice }).toEqual({ findings: [], halted: undefined, paidTwice: [] });
    const events = distribution.filter(({ type }) => STEPS.includes(type));
    const purposes = events.map(({ type, data }) => ('purpose' in data ? `${type} ${data.purpose}` : type));
    expect(purposes).toEqual([
      'RunOpened',
      'LinksLanded begin',
      ...(purposes.includes('LinksLanded split') ? ['LinksLanded split'] : []),
      'LinksLanded open',
      'LinksLanded close',
      'RunClosed',
      'RunOpened',
      ...(purposes.includes('LinksLanded split') ? ['LinksLanded split'] : []),
      'LinksLanded open',
      'LinksLanded close',
      'RunClosed',
    ]);
    const settled = runs[0]?.flatMap((event) => (event.type === 'BatchesSettled' ? event.data.batches : []));
    expect(settled?.length).toBeGreaterThan(2);
  });
});
