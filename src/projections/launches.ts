/** Projection with one document per final launch; the launch status combines it with the pool watcher's figures. */
import type { Launch } from '../streams/purposes/token-launch.ts';
import { defineProjection } from './levy-projection.ts';

export type LaunchDocument = {
  readonly tokenId: string;
  readonly creator: string;
  readonly launch: Launch;
  readonly launchedAt: string;
  readonly completed: {
    readonly at: string;
    /** Square root of lamports per base unit, Q64.64, of the first finalized price at or above the target. */
    readonly sqrtPrice: string;
  } | null;
};

export const launches = defineProjection<LaunchDocument>({
  name: 'launches',
  version: 1,
  indexes: {
    mint: ({ launch }) => [launch.mintAddress],
    state: ({ completed }) => [completed === null ? 'active' : 'completed'],
  },
  on: {
    LaunchStarted: {
      key: ({ data }) => data.launch.tokenId,
      apply: (_none, { data: { creator, launch, startedAt } }) => ({
        tokenId: launch.tokenId,
        creator,
        launch,
        launchedAt: startedAt,
        completed: null,
      }),
    },
    LaunchCompleted: {
      key: ({ data }) => data.tokenId,
      apply: (document, { data: { sqrtPrice }, metadata: { occurredAt } }) =>
        document && { ...document, completed: { at: occurredAt, sqrtPrice } },
    },
  },
});
