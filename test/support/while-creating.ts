/** Faults while creators work; afterwards every response they received is checked. */
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
    try {
      await creators.goOn(BEFORE);
      await trouble(creators);
      await creators.goOn(AFTER);
    } finally {
      await creators.stop();
    }
  } catch (error) {
    const cause = apis.flatMap((api) => errorsIn(api.written())).join('\n');
    throw new Error(`${error instanceof Error ? error.message : error}; the processes logged:\n${cause}`, {
      cause: error,
    });
  }
  expect(await system.audit(apis)).toEqual([]);
  expect(brokenPromises(creators.made, await system.events())).toEqual([]);
}

/** The last lines of errors that a process logged. */
function errorsIn(written: string): readonly string[] {
  return written
    .split('\n')
    .filter((line) => line.includes('"level":50') || line.includes('"level":60'))
    .slice(-10);
}
