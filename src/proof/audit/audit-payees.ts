/**
 * Who is paid by a run, by the accounts that the chain shows at their addresses: nobody who can never spend it. A run asks for
 * the owners of as many accounts as it pays, a hundred in a call; its transactions are more calls than that.
 */
import { PROGRAM_OWNERS, RESERVED_PROGRAMS, RESERVED_SYSVARS, SYSVAR_OWNER } from 'levy-solana-wire';
import type { AuditedChain } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { ReadRun } from './run-books.ts';

const ACCOUNTS_PER_CALL = 100;
const CALLS_AT_ONCE = 4;

const RESERVED: ReadonlySet<string> = new Set([...RESERVED_PROGRAMS, ...RESERVED_SYSVARS]);

export async function auditPayees(
  { runId, allotment }: ReadRun,
  chain: Pick<AuditedChain, 'accountsAt'>,
  findings: Findings,
): Promise<void> {
  if (allotment === undefined) return;
  let pages: string[][] = [[]];

  async function look(): Promise<void> {
    await Promise.all(pages.filter(({ length }) => length > 0).map(lookAt));
    pages = [[]];
  }

  async function lookAt(page: readonly string[]): Promise<void> {
    const { accounts } = await chain.accountsAt(page, 'finalized', { mostData: 0 });
    for (const [index, account] of page.entries()) {
      const found = unspendable(account, accounts[index]?.owner);
      if (found === undefined) continue;
      findings.add({
        what: `run ${runId}: nobody is paid who can never spend it`,
        expected: 'a wallet, or an account whose program lets somebody spend it',
        found,
        account,
      });
    }
  }

  for (const { kind, owner, planned } of allotment.records) {
    // Costs are paid to the distributor.
    if (planned === 0n || kind === 'costs') continue;
    pages.at(-1)?.push(owner);
    if (pages.at(-1)?.length !== ACCOUNTS_PER_CALL) continue;
    if (pages.length === CALLS_AT_ONCE) await look();
    else pages.push([]);
  }
  await look();
}

function unspendable(address: string, owner: string | undefined): string | undefined {
  if (RESERVED.has(address)) return 'an address of the runtime';
  if (owner === SYSVAR_OWNER) return 'a sysvar';
  return owner !== undefined && PROGRAM_OWNERS.includes(owner) ? `a program: ${owner} owns it` : undefined;
}
