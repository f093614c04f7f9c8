// The read model of the changes of settings: who, when, from what, to what, and where in the log.
import { describe, expect, test } from 'vitest';
import { type SettingsChangeDocument, settingsChanges } from '../../../src/projections/settings-changes.ts';
import { settingsAtBirth, settingsView } from '../../../src/streams/distribution-settings.ts';
import { DistributionSettingsUpdated } from '../../../src/streams/token.ts';
import { addresses, ids, token, tokenCreated } from '../../support/domain-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { tokenId } = ids;
const createdAt = '2026-05-04T10:00:00.000Z';
const changedAt = '2026-05-04T11:00:00.000Z';
const created = happening(tokenId, tokenCreated, createdAt);
const changed = {
  ...happening(
    tokenId,
    DistributionSettingsUpdated({
      tokenId,
      from: { burnBasisPoints: 1_050, telegramGroupId: null },
      to: { burnBasisPoints: 29, telegramGroupId: '@levy' },
    }),
    changedAt,
  ),
  actor: addresses.creator,
};

const birth: SettingsChangeDocument = {
  tokenId,
  position: '00000000000000000001',
  changedAt: createdAt,
  changedBy: addresses.creator,
  before: null,
  after: settingsView(settingsAtBirth(token)),
};
const change: SettingsChangeDocument = {
  tokenId,
  position: '00000000000000000002',
  changedAt,
  changedBy: addresses.creator,
  before: { burnPercent: 10.5, telegramGroupId: null },
  after: { burnPercent: 0.29, telegramGroupId: '@levy' },
};

describe('the changes of settings', () => {
  const spec = projectionSpec(settingsChanges);

  test('tell both sides of each', () => {
    spec.given(created, changed).gives({ [`${tokenId}/0`]: birth, [`${tokenId}/1`]: change });
  });

  test('are listed by token, and shown without naming it again', () => {
    expect(settingsChanges.lists?.token?.(change)).toBe(tokenId);
    const { tokenId: _tokenId, ...entry } = change;
    expect(settingsChanges.views?.entry?.(change)).toEqual(entry);
  });
});
