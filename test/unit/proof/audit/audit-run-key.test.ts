// What the keys of runs were lent is looked for on the chain, and every way to lose it is found.
import { expect, test } from 'vitest';
import { auditRunKey } from '../../../../src/proof/audit/audit-run-key.ts';
import type { TriedTransaction } from '../../../../src/proof/audit/chain-history.ts';
import type { Action } from '../../../../src/proof/audit/decode-actions.ts';
import { createFindings } from '../../../../src/proof/audit/finding.ts';

const token = { wallet: 'wallet', distributor: 'distributor' };

const moved = (from: string, to: string, amount: bigint): Action => ({ kind: 'lamports', from, to, amount });
const past = (signers: readonly string[], ...actions: readonly Action[]): TriedTransaction => ({
  signature: 'signature',
  slot: 1,
  payer: signers[0] ?? '',
  signers,
  actions,
  fee: 0n,
  failed: false,
});
const loan = past(['distributor', 'wallet'], moved('distributor', 'key', 1_000n));
const paid = (fee: bigint, failed = false): TriedTransaction => ({ ...past(['key']), fee, failed });

async function rulesBroken(
  transactions: readonly TriedTransaction[],
  { left = 0n }: { readonly left?: bigint } = {},
): Promise<readonly string[]> {
  const findings = createFindings();
  const account = left === 0n ? undefined : { owner: 'system', lamports: left, data: new Uint8Array() };
  const audit = await auditRunKey('1', 'key', { account: async () => account });
  for (const transaction of transactions) audit.saw(transaction, token, findings);
  audit.end(findings);
  return findings.list.map(({ what }) => what);
}

test('what was lent went into fees, came back, or is still there', async () => {
  const back = past(['key'], moved('key', 'distributor', 900n));
  expect(await rulesBroken([loan, paid(60n), paid(40n, true), back])).toEqual([]);
  expect(await rulesBroken([loan, paid(50n)], { left: 950n })).toEqual([]);
  expect(await rulesBroken([])).toEqual([]);
});

test('what a stranger gave it comes back as well, and nothing is wrong with that', async () => {
  const given = past(['stranger'], moved('stranger', 'key', 70n));
  const back = past(['key'], moved('key', 'distributor', 970n));
  expect(await rulesBroken([loan, given, paid(100n), back])).toEqual([]);
});

test('lamports that are gone are missed', async () => {
  expect(await rulesBroken([loan, paid(99n)], { left: 900n })).toEqual([
    "run 1: what a run's key was lent is there, came back or was paid as fees",
  ]);
});

test('a key that pays somebody else is found', async () => {
  const elsewhere = past(['key'], moved('key', 'stranger', 900n));
  expect(await rulesBroken([loan, paid(100n), elsewhere])).toEqual([
    "run 1: a run's key gives lamports back, and to nobody else",
  ]);
});

test('a loan outside the till chain is found', async () => {
  const unlinked = past(['distributor'], moved('distributor', 'key', 1_000n));
  expect(await rulesBroken([unlinked], { left: 1_000n })).toEqual([
    "run 1: a run's key is lent lamports by links",
  ]);
});
