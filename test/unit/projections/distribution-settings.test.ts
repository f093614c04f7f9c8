// The read model of settings: as a token was born with them, and as they were changed.
import { describe, test } from 'vitest';
import {
  distributionSettings,
  type SettingsDocument,
} from '../../../src/projections/distribution-settings.ts';
import { settingsAtBirth, settingsView } from '../../../src/streams/distribution-settings.ts';
import { DistributionSettingsUpdated, TokenCreationReverted } from '../../../src/streams/token.ts';
import { addresses, ids, token, tokenCreated } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId, transactionId } = ids;
const created = happening(tokenId, tokenCreated);
const reverted = happening(tokenId, TokenCreationReverted({ tokenId, transactionId }));
const changed = happening(
  tokenId,
  DistributionSettingsUpdated({
    tokenId,
    from: { burnBasisPoints: 1_050, distributionEnabled: true },
    to: { burnBasisPoints: 29, distributionEnabled: false },
  }),
);
const changedAgain = happening(
  tokenId,
  DistributionSettingsUpdated({
    tokenId,
    from: { burnBasisPoints: 29, telegramGroupId: null },
    to: { burnBasisPoints: 0, telegramGroupId: '@levy' },
  }),
);

const document: SettingsDocument = {
  tokenId,
  creator: addresses.creator,
  settings: settingsView(settingsAtBirth(token)),
};

const withSettings = (settings: Partial<SettingsDocument['settings']>): SettingsDocument => ({
  ...document,
  settings: { ...document.settings, ...settings },
});

describe('distribution settings', () => {
  const spec = projectionSpec(distributionSettings);

  test('follow every change', () => {
    spec
      .given(created, changed)
      .gives({ [tokenId]: withSettings({ burnPercent: 0.29, distributionEnabled: false }) });
    spec.given(created, changed, changedAgain).gives({
      [tokenId]: withSettings({ burnPercent: 0, distributionEnabled: false, telegramGroupId: '@levy' }),
    });
  });

  test('are of no token that a fork took back, and begin anew if it lands after all', () => {
    spec.given(created, changed, reverted).gives({});
    spec.given(created, changed, reverted, created).gives({ [tokenId]: document });
    spec.given(changed).gives({});
  });
});
