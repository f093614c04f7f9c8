/**
 * A run's ledger, computed anew: weights from what each held, shares from the weights, and payments from what is due; by the
 * settings that the run was bound to. docs/reference/ledger-files.md says what must hold.
 */
import { auditHolders, auditScan } from './audit-scan.ts';
import type { Findings } from './finding.ts';
import type { AllotmentOfRun, LedgerRecord } from './ledger-files.ts';
import type { ReadRun } from './run-books.ts';

const PLANNED = 0;

/** `before`: the root of the token's ledger before; undefined for its first. */
export function auditAllotment(run: ReadRun, before: string | undefined, findings: Findings): void {
  const { allotment, runId, amounts, pinned, scan } = run;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  if (scan !== undefined) auditScan(scan, what, findings);
  if (allotment === undefined) return;
  const { header } = allotment;
  const amountOf = (name: string) => amountIn(header[name]);
  findings.equal(what('the ledger is of the run'), runId, String(header.runId));
  findings.equal(
    what('the ledger names the one before it'),
    before ?? 'none',
    typeof header.previousRoot === 'string' ? header.previousRoot : 'none',
  );
  if (pinned !== undefined) {
    findings.equal(what('weights are computed as the settings say'), pinned.model, String(header.model));
    findings.equal(
      what('holders need what the settings say'),
      pinned.minimumHolding,
      amountOf('minimumHolding'),
    );
  }
  const divided = amountOf('divided');
  if (amounts !== undefined)
    findings.equal(
      what("what is divided is the holders' part and earlier dust"),
      amounts.holders + amounts.dust,
      divided,
    );
  auditRecords(allotment, divided, what, findings);
  auditScan(header.scan, what, findings);
  auditHolders(header.scan, allotment.records, what, findings);
  if (amounts === undefined) return;
  const sums = { costs: 0n, developer: 0n };
  for (const { kind, share } of allotment.records)
    if (kind === 'costs' || kind === 'developer') sums[kind] += share;
  findings.equal(what('the costs are those of the ledger'), amounts.costs, sums.costs);
  findings.equal(what("the developer's part is that of the ledger"), amounts.developer, sums.developer);
}

function auditRecords(
  { header, records }: AllotmentOfRun,
  divided: bigint,
  what: (rule: string) => string,
  findings: Findings,
): void {
  const isRoot = header.model === 'square-root';
  const [minimumHolding, leastShare, minimumPayout] = [
    amountIn(header.minimumHolding),
    amountIn(header.leastShare),
    amountIn(header.minimumPayout),
  ];
  const weightOf = ({ kind, basis }: LedgerRecord): bigint => {
    if (kind !== 'holder' || basis < minimumHolding) return 0n;
    return isRoot ? squareRoot(basis) : basis;
  };
  let sum = 0n;
  for (const record of records) sum += weightOf(record);
  findings.equal(what('the weights add up'), sum, amountIn(header.sumOfWeights));
  for (const record of records) {
    const { kind, share, basis, balance, owedBefore, planned, reason } = record;
    const due = owedBefore + share;
    if (kind === 'holder') {
      const part = sum === 0n ? 0n : (divided * weightOf(record)) / sum;
      const expected = part < leastShare ? 0n : part;
      if (share !== expected)
        findings.equal(what('a share is what the weight makes it'), expected, share, {
          account: record.owner,
        });
      if (basis > balance)
        findings.atLeast(what('nobody weighs more than they hold'), basis, balance, {
          account: record.owner,
        });
    } else if (kind === 'debt' && share !== 0n) {
      findings.equal(what('a debt has no share'), 0n, share, { account: record.owner });
    }
    const isPlanned = planned !== 0n;
    if (isPlanned && planned !== due)
      findings.equal(what('all that is due is paid, or nothing'), due, planned, { account: record.owner });
    if (isPlanned !== (reason === PLANNED))
      findings.equal(
        what('who is not paid has a reason'),
        isPlanned ? 'planned' : 'a reason',
        reason === PLANNED ? 'planned' : `the reason ${reason}`,
        { account: record.owner },
      );
    if (isPlanned && kind === 'holder' && due < minimumPayout)
      findings.atLeast(what('a payment is at least the smallest'), minimumPayout, due, {
        account: record.owner,
      });
  }
}

function amountIn(value: unknown): bigint {
  return typeof value === 'string' && /^\d{1,60}$/.test(value) ? BigInt(value) : -1n;
}

/** Rounded down. The root of a double is never too small for a basis, which has 64 bits; it may be rounded up. */
function squareRoot(value: bigint): bigint {
  const root = BigInt(Math.floor(Math.sqrt(Number(value))));
  return root * root > value ? root - 1n : root;
}
