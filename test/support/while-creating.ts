/** Trouble while creators are at work; once it is over, everybody is held to what was told. */
import { expect } from 'vitest';
import { brokenPromises, type SteadyCreators, startCreators } from './steady-creators.ts';
import type { Machine, SystemOn } from './whole-system.ts';

/** Tokens that are made before the trouble, and after it. */
const BEFORE = 1;
const AFTER = 3;

/** `apis`: all processes that answer calls, each of which is called in its turn. */
export async function whileCreating(
  system: SystemOn,
  apis: readonly Machine[],
  trouble: (creators: SteadyCreators) => Promise<void>,
  { count = 3 }: { readonly count?: number } = {},
): Promise<void> {
  const urls = apis.map(({ url }) => url);
  const creators = startCreators({ urls, chainUrl: system.chainUrl, count });
  try {
    await creators.goOn(BEFORE);
    await trouble(creators);
    await creators.goOn(AFTER);
  } finally {
    await creators.stop();
  }
  expect(await system.audit(apis)).toEqual([]);
  expect(brokenPromises(creators.made, await system.events())).toEqual([]);
}
