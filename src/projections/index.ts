/** Every projection of the service: one line each. */
import type { Projection } from '../runtime/define-projection.ts';
import { distributionSettings } from './distribution-settings.ts';
import { nonceAccounts } from './nonce-accounts.ts';
import { revokedSessions } from './revoked-sessions.ts';
import { settingsChanges } from './settings-changes.ts';
import { tokens } from './tokens.ts';
import { transactions } from './transactions.ts';

export const projections: readonly Projection[] = [
  distributionSettings,
  nonceAccounts,
  revokedSessions,
  settingsChanges,
  tokens,
  transactions,
];
