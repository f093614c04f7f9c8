/** The equations of a run's page and its ledger among themselves: what was collected, divided, owed and paid. */
import type { Findings } from './finding.ts';
import type { BookedRecord, RunBooks } from './run-books.ts';

export function auditAmounts(run: RunBooks, findings: Findings): void {
  const { amounts, runId, records } = run;
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

  const ofHolders = records.filter(({ kind }) => kind === 'holder');
  findings.equal(what('the shares are those of the ledger'), sumOf(ofHolders, 'share'), shares);
  // Costs and the developer's part may be owed as well; debts are of the other asset.
  const ofAsset = records.filter(({ kind }) => kind !== 'debt');
  findings.equal(what('what was owed is what the ledger says'), sumOf(ofAsset, 'owedBefore'), amounts.owed);
  const paid = paidRecords(run);
  const paidTo = (kinds: readonly BookedRecord['kind'][]) =>
    records.reduce(
      (sum, { kind, planned }, index) => (kinds.includes(kind) && paid.has(index) ? sum + planned : sum),
      0n,
    );
  findings.equal(
    what('what was paid is what the batches paid'),
    paidTo(['costs', 'developer', 'holder']),
    amounts.paid,
  );
  findings.equal(what('debts were paid by the batches'), paidTo(['debt']), amounts.paidDebts);
  findings.equal(
    what('what is owed is what was owed and earned, less what was paid'),
    amounts.owed + amounts.shares + costs + developer - amounts.paid,
    amounts.owedAfter,
  );
}

/** The places of the records that a batch paid. */
function paidRecords({ batches }: RunBooks): ReadonlySet<number> {
  return new Set(batches.flatMap(({ payments }) => payments.map(({ record }) => record)));
}

function sumOf(records: readonly BookedRecord[], column: 'share' | 'owedBefore'): bigint {
  return records.reduce((sum, record) => sum + record[column], 0n);
}
