/** What one run leaves is what the next one begins with: kept, owed to each wallet in each asset, and not divided. */
import type { Findings } from './finding.ts';
import type { Asset, BookedAmounts, BookedRecord, RunBooks } from './run-books.ts';

const U64_MAX = 2n ** 64n - 1n;
const ASSETS = ['sol', 'token'] as const;

/** What runs take over from those before them. */
export interface CarriedSums {
  /** Base units. */
  readonly kept: bigint;
  readonly owed: { readonly [asset in Asset]: bigint };
  readonly dust: { readonly [asset in Asset]: bigint };
}

export const NOTHING_CARRIED: CarriedSums = {
  kept: 0n,
  owed: { sol: 0n, token: 0n },
  dust: { sol: 0n, token: 0n },
};

/** Checks what a closed run says that it took over, and gives what it leaves. An open run changes nothing. */
export function auditCarriedSums(before: CarriedSums, run: RunBooks, findings: Findings): CarriedSums {
  const { amounts, asset, runId } = run;
  if (amounts === undefined) return before;
  const what = (rule: string) => `run ${runId}: ${rule}`;
  findings.equal(what('it keeps what was kept before'), before.kept, amounts.kept);
  findings.equal(what('it divides what was not divided before'), before.dust[asset], amounts.dust);
  findings.equal(what('it owes what was owed before'), before.owed[asset], amounts.owed);
  return {
    kept: amounts.keptAfter,
    owed: owedAfter(before.owed, asset, amounts),
    dust: { ...before.dust, [asset]: amounts.dustAfter },
  };
}

function owedAfter(
  owed: CarriedSums['owed'],
  asset: Asset,
  { owedAfter: own, paidDebts }: BookedAmounts,
): CarriedSums['owed'] {
  return asset === 'sol'
    ? { sol: own, token: owed.token - paidDebts }
    : { sol: owed.sol - paidDebts, token: own };
}

/** The ledgers of two runs after each other, wallet by wallet; the reward token may have changed between them. */
export function auditCarriedOver(earlier: RunBooks, later: RunBooks, findings: Findings): void {
  const paid = new Set(earlier.batches.flatMap(({ payments }) => payments.map(({ record }) => record)));
  for (const asset of ASSETS) {
    const expected = new Map<string, { readonly owed: bigint; readonly paid: bigint }>();
    for (const [index, record] of earlier.records.entries()) {
      if (assetOf(record, earlier) !== asset) continue;
      const amount = paid.has(index) ? record.planned : 0n;
      const { owed, paid: before } = expected.get(record.owner) ?? { owed: 0n, paid: 0n };
      expected.set(record.owner, {
        owed: owed + record.owedBefore + record.share - amount,
        paid: before + record.paidBefore + amount,
      });
    }
    const found = new Map<string, { readonly owed: bigint; readonly paid: bigint }>();
    for (const record of later.records) {
      if (assetOf(record, later) !== asset) continue;
      const { owed, paid: before } = found.get(record.owner) ?? { owed: 0n, paid: 0n };
      found.set(record.owner, { owed: owed + record.owedBefore, paid: before + record.paidBefore });
    }
    for (const [account, { owed, paid: sum }] of expected) {
      const begun = found.get(account) ?? { owed: 0n, paid: 0n };
      findings.equal(
        `run ${later.runId}: it begins with what run ${earlier.runId} left owed`,
        owed,
        begun.owed,
        { account },
      );
      // Books of payments alone do not count what was paid before.
      if (earlier.amounts !== undefined)
        findings.equal(
          `run ${later.runId}: it has counted what was paid up to run ${earlier.runId}`,
          atMostU64(sum),
          atMostU64(begun.paid),
          { account },
        );
    }
    for (const [account, { owed }] of found)
      if (!expected.has(account))
        findings.equal(`run ${later.runId}: nobody is owed what no earlier run left`, 0n, owed, { account });
  }
}

/** The first run owes nobody anything yet. */
export function auditFirstRun({ runId, records }: RunBooks, findings: Findings): void {
  for (const { owner, owedBefore } of records)
    findings.equal(`run ${runId}: nobody is owed what no earlier run left`, 0n, owedBefore, {
      account: owner,
    });
}

function assetOf({ kind }: BookedRecord, { asset }: RunBooks): Asset {
  if (kind !== 'debt') return asset;
  return asset === 'sol' ? 'token' : 'sol';
}

/** A record holds 64 bits: a wallet may be paid the same tokens again and again. */
function atMostU64(amount: bigint): bigint {
  return amount > U64_MAX ? U64_MAX : amount;
}
