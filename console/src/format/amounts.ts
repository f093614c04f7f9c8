/** Amounts as text: exact, from base units, and never by floats. */

/** As wide as a space between groups, and never a line's end. */
const GAP = '\u202f';

/** A SOL has 10^9 lamports. */
export const SOL_DECIMALS = 9;

/** `13,204.118 902 5`: every digit that counts. */
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

/** What a glance needs: `999.65 M`, `412.558`, `0.012 21`. Cut off, never rounded up: nobody is shown more than there is. */
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

/** `3.5` as the API has it, a number with at most two decimals. */
export function percentText(percent: number): string {
  return `${percent}${GAP}%`;
}

/** Base units of what a person types, such as `1,000.5`; undefined for what is no amount, or has too many decimals. */
export function unitsOf(typed: string, decimals: number): string | undefined {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(typed.trim().replaceAll(/[,_\s]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) return undefined;
  return BigInt(whole + fraction.padEnd(decimals, '0')).toString();
}

/** What is wrong with a typed number of percent. */
export function percentFault(typed: string): string | undefined {
  return /^\d{1,3}(\.\d{1,2})?$/.test(typed.trim())
    ? undefined
    : 'Must be a number with at most two decimals.';
}

/** What is wrong with a typed amount. */
export function amountFault(typed: string, decimals: number): string | undefined {
  return unitsOf(typed, decimals) === undefined
    ? `Must be a number with at most ${decimals} decimals.`
    : undefined;
}

/** The tax of a transfer as the chain withholds it: rounded up to a base unit. */
export function taxOf(units: string, percent: number): string {
  const basisPoints = BigInt(Math.round(percent * 100));
  return ((BigInt(units) * basisPoints + 9_999n) / 10_000n).toString();
}
