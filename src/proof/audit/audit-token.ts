/**
 * Checks a token's distribution from the chain: its till chain, every run's payments and every equation. Believes the
 * chain alone, and shares no code with the engine that it checks. Two ledgers at a time are in memory, as the bytes of
 * their files: under 250 bytes for each record of the larger runs, however many runs there are.
 */
import { auditAllotment } from './audit-allotment.ts';
import { auditAmounts } from './audit-amounts.ts';
import { auditAnnouncedRoot } from './audit-announced-root.ts';
import {
  auditCarriedOver,
  auditCarriedSums,
  auditFirstRun,
  type CarriedSums,
  NOTHING_CARRIED,
} from './audit-carried-over.ts';
import { auditCollected } from './audit-collected.ts';
import { auditPayees } from './audit-payees.ts';
import { createPotsAudit } from './audit-pots.ts';
import { auditTills } from './audit-tills.ts';
import { type AuditedChain, createChainHistory } from './chain-history.ts';
import { createFindings, type Finding, type Findings } from './finding.ts';
import type { ReadRun, RunBooks, TokenBooks, UnreadBooks } from './run-books.ts';

/** Nothing wrong: an empty list. Throws `HistoryIncomplete` where the node cannot show everything. */
export async function auditToken(
  books: TokenBooks<ReadRun>,
  chain: AuditedChain,
): Promise<readonly Finding[]> {
  const findings = createFindings();
  await auditBooks({ ...books, read: async (index) => books.runs[index] ?? NO_RUN }, chain, findings);
  return findings.list;
}

const NO_RUN: RunBooks = { runId: '', asset: 'sol', amounts: undefined, pots: [], records: [], batches: [] };

/** Tells what it finds as it goes. Throws `HistoryIncomplete`, and `LedgerFileInvalid` from reading a ledger. */
export async function auditBooks(books: UnreadBooks, chain: AuditedChain, findings: Findings): Promise<void> {
  const history = createChainHistory(chain);
  await auditTills(books, history, findings);
  const auditPots = createPotsAudit(books, history, findings);
  let carried: CarriedSums = NOTHING_CARRIED;
  let earlier: ReadRun | undefined;
  let root: string | undefined;
  for (const index of books.runs.keys()) {
    const run = await books.read(index);
    auditAmounts(run, findings);
    auditAllotment(run, root, findings);
    await auditPayees(run, chain, findings);
    await auditAnnouncedRoot(run, history, findings);
    await auditCollected({ token: books, run, carried, history, chain }, findings);
    if (earlier === undefined) auditFirstRun(run, findings);
    else auditCarriedOver(earlier, run, findings);
    carried = auditCarriedSums(carried, run, findings);
    await auditPots(run);
    earlier = run;
    root = run.allotment?.root ?? root;
  }
}
