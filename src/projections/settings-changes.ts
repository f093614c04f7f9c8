/**
 * Projection with one document per change of a token's settings, starting with its creation; folded in order, they give the
 * settings.
 */
import { type SettingsView, settingsAtBirth, settingsView } from '../streams/distribution-settings.ts';
import { defineProjection } from './levy-projection.ts';

export type SettingsChangeDocument = {
  readonly tokenId: string;
  readonly position: string;
  readonly changedAt: string;
  /** Wallet that made the change. */
  readonly changedBy: string;
  /** Previous values of the changed settings; null at the token's creation. */
  readonly before: Partial<SettingsView> | null;
  readonly after: Partial<SettingsView>;
};

/** Key of a change: the revision of its event in the token's stream. */
const keyOf = (tokenId: string, { revision }: { readonly revision: number }): string =>
  `${tokenId}/${revision}`;

export const settingsChanges = defineProjection<SettingsChangeDocument>({
  name: 'settings_changes',
  version: 1,
  indexes: {
    token: ({ tokenId, position }) => ({ values: [tokenId], place: position }),
  },
  lists: {
    token: (document) => document.tokenId,
  },
  views: {
    entry: changeEntry,
  },
  on: {
    TokenCreated: {
      key: (event) => keyOf(event.data.token.tokenId, event),
      apply: (_none, { data: { creator, token }, metadata, position }) => ({
        tokenId: token.tokenId,
        position,
        changedAt: metadata.occurredAt,
        changedBy: creator,
        before: null,
        after: settingsView(settingsAtBirth(token)),
      }),
    },
    DistributionSettingsUpdated: {
      key: (event) => keyOf(event.data.tokenId, event),
      apply: (_none, { data: { tokenId, from, to }, metadata, position }) => ({
        tokenId,
        position,
        changedAt: metadata.occurredAt,
        changedBy: metadata.actor,
        before: settingsView(from),
        after: settingsView(to),
      }),
    },
  },
});

export function changeEntry({ tokenId: _tokenId, ...entry }: SettingsChangeDocument) {
  return entry;
}
