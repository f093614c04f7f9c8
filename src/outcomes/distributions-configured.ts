/** A creator changed how a token's tax is distributed: what was promised to holders. The chat group is private to the creator. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { SettingsView, someSettingsView } from '../streams/distribution-settings.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsConfigured = defineOutcome({
  name: 'distributions.configured',
  summary:
    "The settings of a token's distribution changed; `settings` holds the new value of each that did. The creator's chat group " +
    'is never told.',
  of: 'DistributionSettingsUpdated',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    settings: Type.Partial(Type.Omit(SettingsView, ['telegramGroupId'])),
  }),
  subject: ({ data }) => data.tokenId,
  hiddenWith: ({ data }) => data.tokenId,
  // The public need not know that something private has changed.
  concernsPublic: ({ data: { to } }) => Object.keys(to).some((name) => name !== 'telegramGroupId'),
  tell({ data: { tokenId, to } }) {
    const { telegramGroupId: _private, ...settings } = someSettingsView(to);
    return { tokenId, settings };
  },
});
