/** Projection with one document per token: its distribution settings, for its creator. */
import { type SettingsView, settingsAtBirth, settingsView } from '../streams/distribution-settings.ts';
import { defineProjection } from './levy-projection.ts';

export type SettingsDocument = {
  readonly tokenId: string;
  readonly creator: string;
  readonly settings: SettingsView;
};

export const distributionSettings = defineProjection<SettingsDocument>({
  name: 'distribution_settings',
  version: 1,
  on: {
    TokenCreated: {
      key: (event) => event.data.token.tokenId,
      apply: (_none, { data: { creator, token } }) => ({
        tokenId: token.tokenId,
        creator,
        settings: settingsView(settingsAtBirth(token)),
      }),
    },
    TokenCreationReverted: {
      key: (event) => event.data.tokenId,
      apply: () => undefined,
    },
    DistributionSettingsUpdated: {
      key: (event) => event.data.tokenId,
      apply: (document, { data: { to } }) =>
        document && { ...document, settings: { ...document.settings, ...settingsView(to) } },
    },
  },
});
