/** Changes the distribution settings of a token, for its creator only. Equal values record nothing. */

import { Type } from '@sinclair/typebox';
import type { DraftServices } from '../drafts/services.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { entityTagOf, requireMatch } from '../kernel/runtime/entity-tag.ts';
import { SettingsView, settingsChange, settingsView } from '../streams/distribution-settings.ts';
import { DistributionSettingsUpdated, ownedToken, type TokenState, token } from '../streams/token.ts';
import { requireCreator, TokenReference, tokenIdOf } from '../views/token-access.ts';
import {
  requirePayable,
  requireSharesWithin100,
  unpayableReasons,
  walletsOfDeveloperPart,
} from './developer-wallets.ts';
import { requireSplitWithin100, requireSupportedReward } from './distribution-input.ts';
import { readSettingsInput, SettingsInput } from './settings-input.ts';

interface SettingsFacts {
  readonly ifMatch: string | undefined;
  /** Reasons why wallets in the body cannot be paid. */
  readonly unpayable: ReadonlyMap<string, string>;
}

export const updateSettings = commandsFor<DraftServices>()({
  name: 'UpdateSettings',
  summary: "Change a token's distribution settings",
  description:
    'Changes the fields that are sent, and returns all of them. Equal values record nothing. If several clients may ' +
    'change the settings, send the `ETag` of the last read as `If-Match`: then no unseen change is ' +
    'overwritten.',
  route: { method: 'PATCH', url: '/distribution/:tokenId/settings', auth: 'wallet', limit: 'settings' },
  input: { params: Type.Object({ tokenId: TokenReference }), body: SettingsInput },
  output: SettingsView,
  rejections: [
    'TOKEN_NOT_FOUND',
    'NOT_TOKEN_CREATOR',
    'PRECONDITION_FAILED',
    'INVALID_ADDRESS',
    'REWARD_TOKEN_UNSUPPORTED',
    'SPLIT_EXCEEDS_100',
    'CONCURRENT_CHANGE',
  ],
  stream: token,
  streamId: ({ params }) => tokenIdOf(params.tokenId),
  // Concurrent changes run in the order in which they were received.
  lockOf: ({ params }) => `settings/${tokenIdOf(params.tokenId)}`,
  prepare: async ({ body }, { services, call }): Promise<SettingsFacts> => ({
    ifMatch: call.ifMatch,
    unpayable: await unpayableReasons(services, walletsOfDeveloperPart(body)),
  }),
  decide(state, { params, body }, { ifMatch, unpayable }, caller) {
    const { settings } = requireCreator(ownedToken(state), caller);
    // Compared here, after the check of the creator, so that other callers cannot test guesses, and on the state that is changed.
    requireMatch(ifMatch, entityTagOf(settingsView(settings)));
    const change = settingsChange(settings, readSettingsInput(body));
    if (change === undefined) return [];
    // Older tokens may have an unsupported reward token; their other settings can still be changed.
    if (change.to.rewardToken !== undefined)
      requireSupportedReward(change.to.rewardToken, state?.created.token.mintAddress);
    requirePayable(walletsOfDeveloperPart(change.to), unpayable, state?.created.token);
    requireSplitWithin100({ ...settings, ...change.to });
    requireSharesWithin100({ ...settings, ...change.to });
    return [DistributionSettingsUpdated({ tokenId: tokenIdOf(params.tokenId), ...change })];
  },
  respond: shown,
  entityTag: (state) => entityTagOf(shown(state)),
});

/** Includes tokens that a fork has removed since, so that a repeated call gets its first response again. */
function shown(state: TokenState): SettingsView {
  if (state === undefined) throw new Error('the token is missing after UpdateSettings');
  return settingsView(state.settings);
}
