/**
 * Audits two runs of as many holders as the first argument says, each paid in the first and owed nothing in the second.
 * Prints what was found, and the bytes in memory for each holder.
 */
import { hash } from 'node:crypto';
import { auditAllotment } from '../../src/proof/audit/audit-allotment.ts';
import { auditAmounts } from '../../src/proof/audit/audit-amounts.ts';
import { auditCarriedOver, auditFirstRun } from '../../src/proof/audit/audit-carried-over.ts';
import { bookedBatches } from '../../src/proof/audit/booked-batches.ts';
import { createFindings } from '../../src/proof/audit/finding.ts';
import { readAllotment } from '../../src/proof/audit/ledger-files.ts';

const holders = Number(process.argv[2]);
const [RECORD, HOLDER, PLANNED, BATCH] = [82, 2, 0, 61];
const SHARE = 1_000n;

function ledgerOf(runId, previousRoot, paidBefore) {
  const sum = (BigInt(holders) * SHARE).toString();
  const header = Buffer.from(
    JSON.stringify({
      format: 'levy-allotment-1',
      runId,
      asset: 'sol',
      scan: {
        balances: sum,
        withheld: '0',
        mint: [
          { slot: '1', supply: sum, withheld: '0' },
          { slot: '2', supply: sum, withheld: '0' },
        ],
        slack: '0',
        inOneAnswer: true,
      },
      records: holders,
      previousRoot,
      model: 'proportional',
      minimumHolding: '0',
      leastShare: '0',
      minimumPayout: '0',
      divided: sum,
      sumOfWeights: sum,
    }),
  );
  const file = Buffer.alloc(4 + header.length + holders * RECORD);
  file.writeUInt32LE(header.length);
  header.copy(file, 4);
  for (let index = 0, at = 4 + header.length; index < holders; index++, at += RECORD) {
    file.writeUInt32BE(index, at);
    file[at + 32] = HOLDER;
    file[at + 33] = PLANNED;
    const amounts = [SHARE, SHARE, SHARE, 0n, SHARE, paidBefore];
    for (const [place, amount] of amounts.entries()) file.writeBigUInt64LE(amount, at + 34 + 8 * place);
  }
  const allotment = readAllotment(hash('sha256', file, 'hex'), file);
  const stretches = Array.from({ length: Math.ceil(holders / BATCH) }, (_, batch) => ({
    asset: 'sol',
    pot: 'pot',
    from: batch * BATCH,
    to: Math.min(holders, (batch + 1) * BATCH),
    without: [],
    signature: `${runId} ${batch}`,
  }));
  const total = BigInt(sum);
  const nothing = { kept: 0n, collected: 0n, burned: 0n, sold: 0n, keptAfter: 0n, costs: 0n, developer: 0n };
  const amounts = { ...nothing, dust: 0n, dustAfter: 0n, owed: 0n, owedAfter: 0n, paidDebts: 0n };
  return {
    runId,
    asset: 'sol',
    amounts: { ...amounts, proceeds: total, holders: total, shares: total, planned: total, paid: total },
    pots: [],
    allotment,
    records: allotment.records,
    batches: bookedBatches(allotment, stretches),
    pinned: { model: 'proportional', minimumHolding: 0n },
  };
}

const used = () => {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};
const before = used();
const findings = createFindings();
const first = ledgerOf('first', null, 0n);
const second = ledgerOf('second', first.allotment.root, SHARE);
for (const [run, root] of [
  [first, undefined],
  [second, first.allotment.root],
]) {
  auditAmounts(run, findings);
  auditAllotment(run, root, findings);
}
auditFirstRun(first, findings);
auditCarriedOver(first, second, findings);
const bytes = (used() - before) / holders;
console.log(
  JSON.stringify({ findings: findings.list.slice(0, 3), bytes, runs: [first.runId, second.runId] }),
);
