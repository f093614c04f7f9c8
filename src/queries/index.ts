/** List of all queries of the service. */

import type { AnyQuery } from '../kernel/runtime/define-query.ts';
import type { UsedServices } from '../kernel/runtime/services.ts';
import { createChallenge } from './create-challenge.ts';
import { createTestTransfer } from './create-test-transfer.ts';
import { getAsyncApiDocument } from './get-async-api-document.ts';
import { getConfig } from './get-config.ts';
import { getDistributionFile } from './get-distribution-file.ts';
import { getHealth } from './get-health.ts';
import { getHolder } from './get-holder.ts';
import { getImage } from './get-image.ts';
import { getLaunchStatus } from './get-launch-status.ts';
import {
  getLogCheckpoint,
  getLogKey,
  getLogTile,
  getLogTileOfFourParts,
  getLogTileOfThreeParts,
  getLogTileOfTwoParts,
} from './get-log-files.ts';
import { getMetrics } from './get-metrics.ts';
import { getOpenApiDocument } from './get-open-api-document.ts';
import { getOverview } from './get-overview.ts';
import { getOwners } from './get-owners.ts';
import { getPartnerTotals } from './get-partner-totals.ts';
import { getPartnerUsage } from './get-partner-usage.ts';
import { getPayment } from './get-payment.ts';
import { getPaymentProof } from './get-payment-proof.ts';
import { getReadiness } from './get-readiness.ts';
import { getRun } from './get-run.ts';
import { getSeries } from './get-series.ts';
import { getSettings } from './get-settings.ts';
import { getSigningKeys } from './get-signing-keys.ts';
import { getStreamState } from './get-stream-state.ts';
import { getTax } from './get-tax.ts';
import { getToken } from './get-token.ts';
import { getTokenMetadata } from './get-token-metadata.ts';
import { getTotals } from './get-totals.ts';
import { getTransaction } from './get-transaction.ts';
import { getTransferQuote } from './get-transfer-quote.ts';
import { listBatches } from './list-batches.ts';
import { listDistributions } from './list-distributions.ts';
import { listDrafts } from './list-drafts.ts';
import { listEvents } from './list-events.ts';
import { listFeatured } from './list-featured.ts';
import { listHiddenTokens } from './list-hidden-tokens.ts';
import { listHolders } from './list-holders.ts';
import { listNonceAccounts } from './list-nonce-accounts.ts';
import { listOwnTokens } from './list-own-tokens.ts';
import { listPartnerTokens } from './list-partner-tokens.ts';
import { listPartners } from './list-partners.ts';
import { listPayments } from './list-payments.ts';
import { listProjections } from './list-projections.ts';
import { listQuarantinedEvents } from './list-quarantined-events.ts';
import { listRuns } from './list-runs.ts';
import { listSettingsChanges } from './list-settings-changes.ts';
import { listSubmissions } from './list-submissions.ts';
import { listTokens } from './list-tokens.ts';
import { listTransactions } from './list-transactions.ts';
import { listUndecodableEvents } from './list-undecodable-events.ts';
import { listWalletShares } from './list-wallet-shares.ts';
import { previewRun } from './preview-run.ts';
import { readLogPage } from './read-log.ts';
import { rebuildProjection } from './rebuild-projection.ts';
import { requestTestLamports } from './request-test-lamports.ts';
import { streamEvents } from './stream-events.ts';
import { submitTestTransfer } from './submit-test-transfer.ts';
import { takeBackup } from './take-backup.ts';

const all = [
  createChallenge,
  createTestTransfer,
  getAsyncApiDocument,
  getConfig,
  getDistributionFile,
  getHealth,
  getHolder,
  getImage,
  getLaunchStatus,
  getLogCheckpoint,
  getLogKey,
  getLogTile,
  getLogTileOfTwoParts,
  getLogTileOfThreeParts,
  getLogTileOfFourParts,
  getMetrics,
  getOpenApiDocument,
  getOverview,
  getOwners,
  getPartnerTotals,
  getPartnerUsage,
  getPayment,
  getPaymentProof,
  getReadiness,
  getRun,
  getSeries,
  getSettings,
  getSigningKeys,
  getStreamState,
  getTax,
  getToken,
  getTokenMetadata,
  getTotals,
  getTransaction,
  getTransferQuote,
  requestTestLamports,
  listBatches,
  listDistributions,
  listDrafts,
  listEvents,
  listFeatured,
  listHiddenTokens,
  listHolders,
  listNonceAccounts,
  listOwnTokens,
  listPartners,
  listPartnerTokens,
  listPayments,
  listProjections,
  listQuarantinedEvents,
  listRuns,
  listSettingsChanges,
  listSubmissions,
  listTokens,
  listTransactions,
  listUndecodableEvents,
  listWalletShares,
  previewRun,
  readLogPage,
  rebuildProjection,
  streamEvents,
  submitTestTransfer,
  takeBackup,
] as const satisfies readonly AnyQuery<never>[];

/** Union of the services that the queries use. */
export type QueryServices = UsedServices<typeof all>;

export const queries: readonly AnyQuery<QueryServices>[] = all;
