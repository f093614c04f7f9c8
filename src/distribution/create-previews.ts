/** Says what a run of a token would do now: looks and decides as the run's steps do, and records and sends nothing. */
import { distribution } from '../streams/distribution.ts';
import { distributionOwners, ownersAt } from '../streams/distribution-owners.ts';
import { rejection } from '../streams/rejections.ts';
import { rewardAsset } from '../streams/reward-asset.ts';
import { type TokenState, token as tokenStream } from '../streams/token.ts';
import { type DecidedAllotment, decideAllotment } from './allotting/allot-run.ts';
import { createPayeeLooks } from './allotting/look-at-payees.ts';
import { distributedToken } from './distributed-token.ts';
import type { EngineParts } from './engine-parts.ts';
import { ledgerRefusal } from './ledger/ledger-refusal.ts';
import { REASONS } from './ledger/record.ts';
import { createPreviewScans, type YoungScan } from './preview-scans.ts';
import type { DistributionPreview, DistributionPreviews } from './previews.ts';
import { estimateRun, refusalOf } from './run/estimate-run.ts';
import { rehearsedAmounts, rehearseRun } from './run/rehearse-run.ts';
import { runToAllot } from './run/steps/allot.ts';
import { serviceTerms } from './run/steps/consider.ts';
import { readTaxedMint } from './sending/tax-now.ts';
import { slotReached } from './slot-reached.ts';

type PreviewParts = Omit<EngineParts, 'prices' | 'counts' | 'suitability' | 'witness' | 'witnessSaid'>;

/** No run has it. */
const NO_RUN = '00000000-0000-4000-8000-000000000000';

export function createPreviews(parts: PreviewParts): DistributionPreviews {
  const scans = createPreviewScans(parts);
  return {
    async of(tokenId) {
      const { state: created } = await parts.executor.load(tokenStream, tokenId);
      if (created === undefined) throw rejection('TOKEN_NOT_FOUND', 'There is no token with this id.');
      const { state } = await parts.executor.load(distribution, tokenId);
      if (rewardAsset(created.settings, created.created.token.mintAddress) === undefined)
        throw rejection('REWARD_TOKEN_UNSUPPORTED', `Nothing is paid in ${created.settings.rewardToken}.`);
      const scan = await scans.of(created.created.token.mintAddress, slotReached(state));
      return previewOf(parts, tokenId, created, scan);
    },
  };
}

async function previewOf(
  parts: PreviewParts,
  tokenId: string,
  created: NonNullable<TokenState>,
  { at, slots, found, owners: scanned, sums }: YoungScan,
): Promise<DistributionPreview> {
  const { executor, chain, clock, keyring } = parts;
  const { mintAddress: mint, decimals, walletId } = created.created.token;
  const { state } = await executor.load(distribution, tokenId);
  const { state: lists } = await executor.load(distributionOwners, tokenId);
  const asset = rewardAsset(created.settings, mint) ?? 'sol';
  const token = distributedToken(keyring, { tokenId, mint, decimals, walletId });
  const estimate = await estimateRun(parts, { token, state, created, asset, found });
  const owners = { scanned, slots, sums, looks: createPayeeLooks() };
  const now = clock.now();
  const tax = await readTaxedMint(chain, mint);
  const view = rehearseRun(
    { tokenId, state },
    {
      token,
      run: {
        runId: NO_RUN,
        created,
        owners: ownersAt(lists, now.toISOString()),
        tax,
        asset,
        terms: serviceTerms(parts),
      },
      found: { slots, accounts: found.accounts, owners: scanned.count, sums },
      owners,
      estimate,
      now,
    },
  );
  const decided = await runToAllot({ parts, view, memory: { owners } })
    .then((run) => decideAllotment(parts, run))
    .catch(refused);
  const payments = decided.sums.payments()[asset];
  const withheld = found.withheld() + BigInt(sums.mint[1].withheld);
  return {
    scan: {
      at: new Date(at).toISOString(),
      slots: [slots[0].toString(), slots[1].toString()],
      accounts: found.accounts,
      owners: scanned.count,
      withheld: withheld.toString(),
    },
    asset,
    amounts: {
      ...rehearsedAmounts(view, asset),
      dustAfter: decided.allotted.dust.toString(),
      shares: decided.allotted.sumOfShares.toString(),
      planned: payments.sum,
    },
    payments: payments.count,
    owners: countedByReason(decided),
    skipped: refusalOf(parts, state, asset, estimate, false) ?? null,
  };
}

function countedByReason({ count, columns }: DecidedAllotment): DistributionPreview['owners'] {
  const counts = new Map<string, number>();
  for (let index = 0; index < count; index++) {
    const reason = REASONS[columns.reasons[index] ?? 0] ?? 'planned';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, each]) => ({ reason, count: each }));
}

function refused(error: unknown): never {
  throw ledgerRefusal(error) ?? error;
}
