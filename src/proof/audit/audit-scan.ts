/**
 * Whether the holders that a run counted add up to the token's supply. Nobody can mint, and no withdrawal lies between the two
 * readings of the mint: so the supply does not rise, and what is withheld in the mint does not fall.
 */
import type { Findings } from './finding.ts';

/** Checks the figures of a scan in a ledger or in the log; nothing of them is believed. */
export function auditScan(scan: unknown, what: (rule: string) => string, findings: Findings): void {
  const { balances, withheld, mint, slack } = Object(scan) as { readonly [name: string]: unknown };
  const [before, after] = (Array.isArray(mint) ? mint : []).map((reading: unknown) => {
    const { slot, supply, withheld: inMint } = Object(reading) as { readonly [name: string]: unknown };
    return { slot: amountIn(slot), supply: amountIn(supply), withheld: amountIn(inMint) };
  });
  const sums = [balances, withheld, slack].map(amountIn);
  const [held = -1n, inAccounts = -1n, open = -1n] = sums;
  if (before === undefined || after === undefined || sums.some((sum) => sum < 0n)) {
    findings.add({
      what: what('a scan says what it adds up to'),
      expected: 'balances, withheld tax, slack and two readings of the mint',
      found: JSON.stringify(scan ?? null).slice(0, 200),
    });
    return;
  }
  const found = held + inAccounts;
  findings.atLeast(what('the mint is read behind the scan'), before.slot, after.slot);
  findings.atLeast(what('the accounts of a scan are no fewer'), after.supply - after.withheld, found);
  findings.atLeast(what('the accounts of a scan are no more'), found, before.supply - before.withheld);
  findings.equal(
    what('what a scan leaves open is what was burned and harvested meanwhile'),
    before.supply - before.withheld - (after.supply - after.withheld),
    open,
  );
}

/** What the holders of a ledger have is what the scan has found. */
export function auditHolders(
  scan: unknown,
  holders: Iterable<{ readonly kind: string; readonly balance: bigint }>,
  what: (rule: string) => string,
  findings: Findings,
): void {
  let sum = 0n;
  for (const { kind, balance } of holders) if (kind === 'holder') sum += balance;
  const { balances } = Object(scan) as { readonly balances?: unknown };
  findings.equal(what('the holders of the ledger have what the scan has found'), amountIn(balances), sum);
}

function amountIn(value: unknown): bigint {
  return typeof value === 'string' && /^\d{1,60}$/.test(value) ? BigInt(value) : -1n;
}
