/** The chain dates a run's ledger: the transaction that opens its pots carries the ledger's root, before the first payment. */
import type { ChainHistory } from './chain-history.ts';
import type { Findings } from './finding.ts';
import type { ReadRun } from './run-books.ts';

export async function auditAnnouncedRoot(
  { runId, allotment, pots, steps }: ReadRun,
  history: ChainHistory,
  findings: Findings,
): Promise<void> {
  const [opening] = steps?.open ?? [];
  if (allotment === undefined || steps === undefined || pots.length === 0) return;
  const announced = opening === undefined ? undefined : await history.transaction(opening);
  const memo = announced?.actions.find((action) => action.kind === 'memo');
  findings.equal(
    `run ${runId}: the chain was told the ledger's root before anything was paid`,
    `levy:${runId}:${allotment.root}`,
    memo?.kind === 'memo' ? memo.text : 'no memo',
    opening === undefined ? {} : { signature: opening },
  );
}
