/** List of all projections of the service. */
import type { Projection } from '../kernel/runtime/define-projection.ts';
import { distributionDays } from './distribution-days.ts';
import { distributionOwners } from './distribution-owners.ts';
import { distributionRuns } from './distribution-runs.ts';
import { distributionSettings } from './distribution-settings.ts';
import { distributionSwitch } from './distribution-switch.ts';
import { distributionTotals } from './distribution-totals.ts';
import { distributions } from './distributions.ts';
import { featuredList } from './featured-list.ts';
import { hiddenTokens } from './hidden-tokens.ts';
import { images } from './images.ts';
import { launches } from './launches.ts';
import { nonceAccounts } from './nonce-accounts.ts';
import { partnerTotals } from './partner-totals.ts';
import { partners } from './partners.ts';
import { revokedSessions } from './revoked-sessions.ts';
import { settingsChanges } from './settings-changes.ts';
import { tokens } from './tokens.ts';
import { transactions } from './transactions.ts';
import { walletShares } from './wallet-shares.ts';

/** Projections derived from events alone. */
export const projections: readonly Projection[] = [
  distributionDays,
  distributionOwners,
  distributionRuns,
  distributionSettings,
  distributionSwitch,
  distributions,
  distributionTotals,
  featuredList,
  hiddenTokens,
  images,
  launches,
  nonceAccounts,
  partners,
  partnerTotals,
  revokedSessions,
  settingsChanges,
  tokens,
  transactions,
];

/** Projections derived from ledger files that events name; a log alone is not sufficient. */
const fileProjections: readonly Projection[] = [walletShares];

/** Projections of a running service. */
export const allProjections: readonly Projection[] = [...projections, ...fileProjections];
