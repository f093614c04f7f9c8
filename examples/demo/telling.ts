/** Output of the demo: numbered steps with a few lines each. */

let step = 0;

export function tell(what: string, ...lines: readonly string[]): void {
  step += 1;
  process.stdout.write(`\n${step}. ${what}\n${lines.map((line) => `   ${line}\n`).join('')}`);
}

/** Ends the demo if the condition is false. */
export function hold(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`check failed: ${claim}`);
}

/** Lamports as SOL, with all nine decimals. */
export function sol(lamports: bigint): string {
  const digits = lamports.toString().padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9)} SOL`;
}

/** Base units of the demo's token, which has six decimals. */
export function sun(units: bigint): string {
  const digits = units.toString().padStart(7, '0');
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${digits.slice(-6)} SUN`;
}
