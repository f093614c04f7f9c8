/** A run of a token's distribution was opened: from now on its settings are pinned. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { RewardAsset } from '../streams/distribution.ts';
import { Address, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

export const distributionsStarted = defineOutcome({
  name: 'distributions.started',
  summary: "A run of a token's distribution began; `GET /distribution/{tokenId}/runs/{runId}` shows it.",
  of: 'RunOpened',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    runId: Uuid,
    /** The token's runs are counted from 1. */
    number: Type.Integer({ minimum: 1, examples: [42] }),
    /** What it pays. */
    asset: RewardAsset,
    dueAt: Timestamp,
    /** An operator asked for it before it was due. */
    requested: Type.Boolean(),
  }),
  subject: ({ data }) => data.runId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, mint, runId, number, asset, dueAt, requested } }) => ({
    tokenId,
    mintAddress: mint,
    runId,
    number,
    asset,
    dueAt,
    requested,
  }),
});
