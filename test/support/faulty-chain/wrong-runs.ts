/** The seeds whose runs ended badly, with all that is needed to see why. */
import { type PartsRunOptions, runParts } from './parts-run.ts';

export interface WrongRun {
  readonly seed: number;
  readonly why: string;
}

export async function wrongRuns(
  seeds: readonly number[],
  optionsOf: (seed: number) => PartsRunOptions,
): Promise<readonly WrongRun[]> {
  const wrong: WrongRun[] = [];
  for (const seed of seeds) {
    const { closed, halted, findings } = await runParts(seed, optionsOf(seed));
    if (halted !== undefined) wrong.push({ seed, why: `it halted: ${halted}` });
    else if (!closed) wrong.push({ seed, why: 'its runs did not end when the chain was calm again' });
    for (const { what, expected, found, account, signature } of findings)
      wrong.push({ seed, why: `${what}: ${expected}, not ${found} (${account}, ${signature})` });
  }
  return wrong;
}
