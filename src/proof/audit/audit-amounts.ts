/** The equations of a run's page and its ledger among themselves: what was collected, divided, owed and paid. */
import type { Findings } from './finding.ts';
import { paidPlaces } from './paid-places.ts';
import type { BookedRecord, ReadRun } from './run-books.ts';

const PAID_PARTS = ['costs', 'developer', 'holders', 'holdersPaid'] as const;

export function auditAmounts(run: ReadRun, findings: Findings): void {
  const { amounts, runId } = run;
  if (amounts === undefined) return;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  const { kept, collected, burned, sold, keptAfter } = amounts;
  findings.equal(
    what('what was collected and kept is burned, sold or kept'),
    collected + kept,
    burned + sold + keptAfter,
  );
  const { proceeds, costs, developer, holders, dust, dustAfter, shares } = amounts;
  findings.equal(
    what('the proceeds are for costs, developer and holders'),
    // Where the token itself is paid nothing is sold for anything: what would be sold is paid out.
    run.asset === 'token' ? sold : proceeds,
    costs + developer + holders,
  );
  findings.equal(
    what("the holders' part and earlier dust are shares and dust"),
    holders + dust,
    shares + dustAfter,
  );

  const sums = sumsOf(run);
  findings.equal(what('the shares are those of the ledger'), sums.shares, shares);
  // Costs and the developer's part may be owed as well; debts are of the other asset.
  findings.equal(what('what was owed is what the ledger says'), sums.owed, amounts.owed);
  findings.equal(what('what was paid is what the batches paid'), sums.paid, amounts.paid);
  findings.equal(what('debts were paid by the batches'), sums.paidDebts, amounts.paidDebts);
  for (const part of PAID_PARTS)
    if (run.paidTo !== undefined)
      findings.equal(what(`what was paid is what the batches paid: ${part}`), sums[part], run.paidTo[part]);
  findings.equal(
    what('what is owed is what was owed and earned, less what was paid'),
    amounts.owed + amounts.shares + costs + developer - amounts.paid,
    amounts.owedAfter,
  );
}

function sumsOf({ records, batches }: ReadRun) {
  const places = paidPlaces(batches);
  const sums = { shares: 0n, owed: 0n, paid: 0n, paidDebts: 0n, costs: 0n, developer: 0n, holders: 0n };
  let holdersPaid = 0n;
  const add = ({ kind, share, owedBefore, planned }: BookedRecord, isPaid: boolean) => {
    if (kind === 'holder') sums.shares += share;
    if (kind !== 'debt') sums.owed += owedBefore;
    if (!isPaid) return;
    sums[kind === 'debt' ? 'paidDebts' : 'paid'] += planned;
    if (kind === 'holder') {
      sums.holders += planned;
      holdersPaid += 1n;
    } else if (kind !== 'debt') sums[kind] += planned;
  };
  let place = 0;
  for (const record of records) add(record, places.has(place++));
  return { ...sums, holdersPaid };
}
