/** The seeds whose runs ended badly, with all that is needed to see why. */
import { type EngineRunOptions, runEngine } from './engine-run.ts';

export interface WrongRun {
  readonly seed: number;
  readonly why: string;
}

const RUNS = 2;

export async function wrongRuns(
  seeds: readonly number[],
  optionsOf: (seed: number) => EngineRunOptions,
): Promise<readonly WrongRun[]> {
  const wrong: WrongRun[] = [];
  for (const seed of seeds) {
    const options = optionsOf(seed);
    const { closed, halted, findings, unchecked, paidTwice, wasPutBack, told } = await runEngine(
      seed,
      options,
    ).catch((error: unknown) => {
      throw new Error(`seed ${seed} broke off`, { cause: error });
    });
    for (const payment of paidTwice) wrong.push({ seed, why: `twice: ${payment}` });
    // Whoever runs on an older log cannot know what happened: to stop is right, and to pay anybody again is not.
    if (halted !== undefined && wasPutBack) continue;
    if (halted !== undefined) wrong.push({ seed, why: `it halted: ${halted}` });
    else if (closed !== RUNS) wrong.push({ seed, why: `${closed} runs closed after ${told.calls} calls` });
    for (const { what, expected, found, account, signature } of findings)
      wrong.push({ seed, why: `${what}: ${expected}, not ${found} (${account}, ${signature})` });
    for (const { what, why } of unchecked) wrong.push({ seed, why: `${what}: ${why}` });
  }
  return wrong;
}
