/** View of the owners that a creator excludes from the distribution, and of the allow-listed program accounts. */
import { type Static, Type } from '@sinclair/typebox';
import { type DistributionOwnersState, MAX_LISTED_OWNERS } from '../streams/distribution-owners.ts';
import { Address, orNull, Timestamp } from '../streams/value-types.ts';

const lists = {
  excludedOwners: Type.Array(Address, {
    description: 'Owners without a share. Existing debts to them are still paid.',
  }),
  allowedOwners: Type.Array(Address, {
    description: 'Program accounts, such as vaults, that are paid like wallets.',
  }),
};

export const OwnersView = Type.Object(
  {
    ...lists,
    listedAt: orNull(Timestamp, { description: 'Null if the lists were never set.' }),
    validFrom: orNull(Timestamp, {
      description: 'Time from which runs use the lists: one whole interval after the change.',
    }),
    before: Type.Object(lists, { description: 'Lists in force until `validFrom`.' }),
  },
  {
    title: 'DistributionOwners',
    description: `At most ${MAX_LISTED_OWNERS} owners on both lists together.`,
    examples: [
      {
        excludedOwners: ['67aUmvMbgSSnoJVKRifu2SbxdaxJ7rX5tt8MHUbKLGLj'],
        allowedOwners: [],
        listedAt: '2026-11-21T12:00:42.000Z',
        validFrom: '2026-11-21T13:00:42.000Z',
        before: { excludedOwners: [], allowedOwners: [] },
      },
    ],
  },
);

export type OwnersView = Static<typeof OwnersView>;

const NOBODY = { excludedOwners: [], allowedOwners: [] };

export function ownersView(state: DistributionOwnersState): OwnersView {
  const latest = state.at(-1);
  if (latest === undefined) return { ...NOBODY, listedAt: null, validFrom: null, before: NOBODY };
  const { excludedOwners, allowedOwners, listedAt, validFrom } = latest;
  const before = state.at(-2);
  return {
    excludedOwners,
    allowedOwners,
    listedAt,
    validFrom,
    before:
      before === undefined
        ? NOBODY
        : { excludedOwners: before.excludedOwners, allowedOwners: before.allowedOwners },
  };
}
