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
    const options = optionsOf(seed);
    const { closed, halted, findings, paidTwice } = await runParts(seed, options);
    for (const payment of paidTwice) wrong.push({ seed, why: `twice: ${payment}` });
    // Whoever runs on an older log cannot know what happened: to stop is right, and to pay anybody again is not.
    if (options.putBack === true) continue;
    if (halted !== undefined) wrong.push({ seed, why: `it halted: ${halted}` });
    else if (!closed) wrong.push({ seed, why: 'its runs did not end when the chain was calm again' });
    for (const { what, expected, found, account, signature } of findings)
      wrong.push({ seed, why: `${what}: ${expected}, not ${found} (${account}, ${signature})` });
  }
  return wrong;
}
