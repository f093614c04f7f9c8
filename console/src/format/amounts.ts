/** Amounts as text, computed exactly from base units without floats. */

/** Narrow no-break space, between groups of digits. */
const GAP = '\u202f';

export const SOL_DECIMALS = 9;

/** Unit and decimals of amounts in the asset: SOL, or the token itself. */
export function unitOfAsset(
  asset: 'sol' | 'token',
  { decimals, symbol }: { readonly decimals: number; readonly symbol: string },
): { readonly decimals: number; readonly unit: string } {
  return asset === 'sol' ? { decimals: SOL_DECIMALS, unit: 'SOL' } : { decimals, unit: symbol };
}

/** Asset in which a token pays its holders. */
export function assetOf({ rewardToken }: { readonly rewardToken: string }): 'sol' | 'token' {
  return rewardToken === 'SELF' ? 'token' : 'sol';
}

/** Exact amount without trailing zeros: `13,204.118 902 5`. */
export function exactAmount(units: string, decimals: number): string {
  const { whole, fraction } = partsOf(units, decimals);
  const groups = fraction.replace(/0+$/, '').replace(/(\d{3})(?=\d)/g, `$1${GAP}`);
  return grouped(whole) + (groups === '' ? '' : `.${groups}`);
}

const LARGE = [
  [13, 'T'],
  [10, 'B'],
  [7, 'M'],
] as const;

/** Short form: `999.65 M`, `412.558`, `0.012 21`. Cut off, never rounded up, so that no amount is overstated. */
export function shortAmount(
  units: string,
  decimals: number,
): { readonly figure: string; readonly scale: string } {
  const { whole, fraction } = partsOf(units, decimals);
  const large = LARGE.find(([digits]) => whole.length >= digits);
  if (large !== undefined) {
    const [digits, scale] = large;
    const shift = digits - 1;
    return {
      figure: joined(whole.slice(0, -shift), whole.slice(-shift).slice(0, 2)),
      scale,
    };
  }
  if (whole !== '0')
    return { figure: joined(whole, whole.length > 4 ? '' : fraction.slice(0, 3)), scale: '' };
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return { figure: joined(whole, fraction.slice(0, 3 * Math.ceil((zeros + 3) / 3))), scale: '' };
}

function joined(whole: string, fraction: string): string {
  const kept = fraction.replace(/0+$/, '').replace(/(\d{3})(?=\d)/g, `$1${GAP}`);
  return grouped(whole) + (kept === '' ? '' : `.${kept}`);
}

function partsOf(units: string, decimals: number): { readonly whole: string; readonly fraction: string } {
  const digits = units.padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return { whole: digits.slice(0, at), fraction: digits.slice(at) };
}

export function grouped(digits: string | number): string {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Percentage from the API, which has at most two decimals: `3.5 %`. */
export function percentText(percent: number): string {
  return `${percent}${GAP}%`;
}

/** Base units of a typed amount such as `1,000.5`; undefined if it is invalid or has too many decimals. */
export function unitsOf(typed: string, decimals: number): string | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(typed.trim().replaceAll(/[,_\s]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
}

/** Error of a typed percentage, if any. */
export function percentFault(typed: string, maximum = 100): string | undefined {
  return /^\d{1,3}(\.\d{1,2})?$/.test(typed.trim()) && Number(typed) <= maximum
    ? undefined
    : `Must be a number from 0 to ${maximum} with at most two decimals.`;
}

/** Largest balance of a token account, in base units. */
const U64_MAX = 2n ** 64n - 1n;

/** Error of a typed amount, if any. */
export function amountFault(typed: string, decimals: number): string | undefined {
  const units = unitsOf(typed, decimals);
  if (units === undefined)
    return decimals === 0 ? 'Must be a whole number.' : `Must be a number with at most ${decimals} decimals.`;
  return BigInt(units) > U64_MAX
    ? `Must be at most ${exactAmount(U64_MAX.toString(), decimals)}.`
    : undefined;
}
