/** Split of the tax in percent, computed in hundredths so that the shares sum to exactly 100. */

export interface Split {
  readonly burned: number;
  readonly developer: number;
  readonly holders: number;
}

export function splitOf(burnPercent: number, developerFeePercent: number): Split {
  const [burned, developer] = [burnPercent, developerFeePercent].map((percent) => Math.round(percent * 100));
  const rest = 10_000 - (burned ?? 0) - (developer ?? 0);
  return { burned: (burned ?? 0) / 100, developer: (developer ?? 0) / 100, holders: Math.max(0, rest) / 100 };
}
