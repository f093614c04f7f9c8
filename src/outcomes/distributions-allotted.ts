/** A run has decided who gets how much: the ledger can be checked before anything is paid. */
import { Type } from '@sinclair/typebox';
import { Uuid } from '../kernel/runtime/ids.ts';
import { RewardAsset, Sha256 } from '../streams/distribution.ts';
import { Address, Amount, Timestamp } from '../streams/values.ts';
import { defineOutcome } from './define-outcome.ts';

const Payments = Type.Object({
  count: Type.Integer({ minimum: 0, examples: [1_000] }),
  /** Lamports, or base units of the token. */
  sum: Amount,
});

export const distributionsAllotted = defineOutcome({
  name: 'distributions.allotted',
  summary: 'A run has decided and recorded who gets how much. Nothing is paid before `payAfter`.',
  of: 'RunAllotted',
  audience: 'public',
  data: Type.Object({
    tokenId: Uuid,
    mintAddress: Address,
    runId: Uuid,
    asset: RewardAsset,
    /** The SHA-256 of the allotment file, which `GET /files/{sha256}` gives. */
    ledger: Sha256,
    /** The root of the Merkle tree over its records. */
    root: Sha256,
    records: Type.Integer({ minimum: 0, examples: [1_200] }),
    /** Debts in the other asset are paid by the same run. */
    payments: Type.Object({ sol: Payments, token: Payments }),
    payAfter: Timestamp,
  }),
  subject: ({ data }) => data.runId,
  hiddenWith: ({ data }) => data.tokenId,
  tell: ({ data: { tokenId, mint, runId, asset, ledger, root, records, payments, payAfter } }) => ({
    tokenId,
    mintAddress: mint,
    runId,
    asset,
    ledger,
    root,
    records,
    payments,
    payAfter,
  }),
});
