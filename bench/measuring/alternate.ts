/**
 * Alternates the sides of a comparison over several rounds, so that other work of the machine affects all of them.
 */

export interface Alternation<Side extends string> {
  /** Median of each side's results. */
  readonly medians: Readonly<Record<Side, number>>;
  /** Median of the ratios `of / to`, each taken within one round. */
  ratio(of: Side, to: Side): number;
}

export async function alternate<Side extends string>(
  rounds: number,
  sides: Readonly<Record<Side, () => number | Promise<number>>>,
): Promise<Alternation<Side>> {
  return compare(await inTurns(rounds, sides));
}

/** Runs every side once a round, alternately forwards and backwards. */
export async function inTurns<Side extends string, Result>(
  rounds: number,
  sides: Readonly<Record<Side, () => Result | Promise<Result>>>,
): Promise<ReadonlyMap<Side, readonly Result[]>> {
  const names = Object.keys(sides) as Side[];
  const results = new Map<Side, Result[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results.get(name)?.push(await sides[name]());
    }
  }
  return results;
}

export function compare<Side extends string>(
  results: ReadonlyMap<Side, readonly number[]>,
): Alternation<Side> {
  const of = (name: Side) => results.get(name) ?? [];
  return {
    medians: Object.fromEntries([...results].map(([name, values]) => [name, median(values)])) as Record<
      Side,
      number
    >,
    ratio: (above, below) =>
      median(of(above).map((value, round) => value / (of(below)[round] ?? Number.NaN))),
  };
}

/** NaN without values. */
export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Expects values in ascending order; NaN without values. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  const place = Math.min(ascending.length - 1, Math.floor(ascending.length * share));
  return ascending[place] ?? Number.NaN;
}

/** Calls per second of synchronous work, over at least this time. */
export function ratePerSecond(milliseconds: number, work: () => void): number {
  const start = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    work();
    calls += 1;
    elapsed = performance.now() - start;
  }
  return (calls * 1_000) / elapsed;
}

/** Calls per second of asynchronous work, one call at a time. */
export async function asyncRatePerSecond(
  milliseconds: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const start = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    await work();
    calls += 1;
    elapsed = performance.now() - start;
  }
  return (calls * 1_000) / elapsed;
}
