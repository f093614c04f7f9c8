/**
 * Projection with one document per uploaded image, by its CID, and one per token draft that needs an image, by the draft's id:
 * while the draft is open, or after it has become a token.
 */
import { defineProjection } from './levy-projection.ts';

export type ImageDocument = {
  readonly cid: string;
  /** Draft that needs the image; null in the document of the image itself. */
  readonly transactionId: string | null;
};

const byDraft = (event: { readonly data: { readonly transactionId: string } }): string =>
  event.data.transactionId;
const over = { key: byDraft, apply: () => undefined };

export const images = defineProjection<ImageDocument>({
  name: 'images',
  version: 1,
  indexes: { use: ({ cid, transactionId }) => (transactionId === null ? [] : [cid]) },
  on: {
    ImageStored: {
      key: ({ data }) => data.cid,
      apply: (_known, { data: { cid } }) => ({ cid, transactionId: null }),
    },
    DraftIssued: {
      key: byDraft,
      apply: (_none, { data: { transactionId, subject } }) =>
        subject.kind === 'token-creation' ? { cid: subject.imageCid, transactionId } : undefined,
    },
    DraftSuperseded: over,
    DraftExpired: over,
    DraftCancelled: over,
    SubmissionFailed: over,
  },
});
