/**
 * Checks a token's distribution from the chain: its till chain, every run's payments and every equation. Believes the
 * chain alone, and shares no code with the engine that it checks.
 */
import { auditAmounts } from './audit-amounts.ts';
import {
  auditCarriedOver,
  auditCarriedSums,
  auditFirstRun,
  type CarriedSums,
  NOTHING_CARRIED,
} from './audit-carried-over.ts';
import { auditCollected } from './audit-collected.ts';
import { auditPots } from './audit-pots.ts';
import { auditTills } from './audit-tills.ts';
import { type AuditedChain, createChainHistory } from './chain-history.ts';
import { createFindings, type Finding } from './finding.ts';
import type { TokenBooks } from './run-books.ts';

/** Nothing wrong: an empty list. Throws `HistoryIncomplete` where the node cannot show everything. */
export async function auditToken(books: TokenBooks, chain: AuditedChain): Promise<readonly Finding[]> {
  const findings = createFindings();
  const history = createChainHistory(chain);
  await auditTills(books, history, findings);
  let carried: CarriedSums = NOTHING_CARRIED;
  for (const [index, run] of books.runs.entries()) {
    auditAmounts(run, findings);
    await auditCollected({ token: books, run, carried, history, chain }, findings);
    const earlier = books.runs[index - 1];
    if (earlier === undefined) auditFirstRun(run, findings);
    else auditCarriedOver(earlier, run, findings);
    carried = auditCarriedSums(carried, run, findings);
  }
  await auditPots(books, history, findings);
  return findings.list;
}
