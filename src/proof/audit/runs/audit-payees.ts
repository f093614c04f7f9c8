/**
 * Checks that every payee of a run can spend, by the accounts at the payees' addresses. Reads a hundred accounts per call, so
 * it makes fewer calls than the check of the run's transactions.
 */

import { PROGRAM_OWNERS, RESERVED_PROGRAMS, RESERVED_SYSVARS, SYSVAR_OWNER } from 'levy-solana-wire';
import pLimit from 'p-limit';
import type { AllotmentReader } from '../../../distribution/ledger/allotment-file.ts';
import type { AuditedChain } from '../chain/landed-transactions.ts';
import type { Findings, Place } from '../finding.ts';

const ACCOUNTS_PER_CALL = 100;
const CONCURRENT_CALLS = 4;
const RESERVED: ReadonlySet<string> = new Set([...RESERVED_PROGRAMS, ...RESERVED_SYSVARS]);

export async function auditPayees(
  ledger: AllotmentReader,
  chain: Pick<AuditedChain, 'accountsAt'>,
  findings: Findings,
  place: Place,
): Promise<void> {
  const limit = pLimit(CONCURRENT_CALLS);
  const { records } = ledger.header;
  const pages = Array.from({ length: Math.ceil(records / ACCOUNTS_PER_CALL) }, (_, page) =>
    limit(async () => {
      const rows = await ledger.records(page * ACCOUNTS_PER_CALL, ACCOUNTS_PER_CALL);
      // The distributor receives the costs.
      const paid = rows.filter(({ record: { kind, planned } }) => planned > 0n && kind !== 'costs');
      if (paid.length === 0) return;
      const owners = paid.map(({ record }) => record.owner);
      const { accounts } = await chain.accountsAt(owners, 'finalized', { maxData: 0 });
      for (const [index, account] of owners.entries()) {
        const found = unspendable(account, accounts[index]?.owner);
        if (found === undefined) continue;
        findings.add({
          what: 'every recipient can spend the payment',
          expected: 'a wallet, or an account that its program can spend',
          found,
          ...place,
          account,
        });
      }
    }),
  );
  await Promise.all(pages);
}

function unspendable(address: string, owner: string | undefined): string | undefined {
  if (RESERVED.has(address)) return 'an address of the runtime';
  if (owner === SYSVAR_OWNER) return 'a sysvar';
  return owner !== undefined && PROGRAM_OWNERS.includes(owner) ? `a program: ${owner} owns it` : undefined;
}
