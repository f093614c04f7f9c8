// The read model of images: which were uploaded, and which are in use by drafts that live and by what has become of them.
import { describe, expect, test } from 'vitest';
import { images } from '../../../src/projections/images.ts';
import { DraftIssued } from '../../../src/streams/draft-events.ts';
import { ImageStored } from '../../../src/streams/image-upload.ts';
import {
  addresses,
  draftIssued,
  ids,
  issuedDraft,
  submissionAccepted,
  submissionFailed,
  submissionFinalized,
  token,
} from '../../support/domain-examples.ts';
import { turnsOf } from '../../support/draft-examples.ts';
import { projectionSpec } from '../../support/projection-spec.ts';
import { happening } from '../../support/recorded-events.ts';

const { transactionId, otherTransactionId } = ids;
const { expired, cancelled, superseded } = turnsOf();

describe('images', () => {
  const spec = projectionSpec(images);
  const issued = happening(transactionId, draftIssued);
  const use = { [transactionId]: { cid: token.imageCid, transactionId } };

  test('has the image of a draft from its issue on, and for good once it has landed', () => {
    spec.given(issued).gives(use);
    spec
      .given(
        issued,
        happening(transactionId, submissionAccepted),
        happening(transactionId, submissionFinalized),
      )
      .gives(use);
  });

  test.each([
    ['expired', [expired]],
    ['was cancelled', [cancelled]],
    ['was superseded', [superseded]],
    ['was submitted and failed', [submissionAccepted, submissionFailed]],
  ])('forgets a draft that %s', (_how, events) => {
    spec.given(issued, ...events.map((event) => happening(transactionId, event))).gives({});
  });

  test('keeps an image that another draft uses', () => {
    const other = DraftIssued({ ...issuedDraft, transactionId: otherTransactionId });
    spec
      .given(issued, happening(otherTransactionId, other), happening(transactionId, expired))
      .gives({ [otherTransactionId]: { cid: token.imageCid, transactionId: otherTransactionId } });
  });

  test('has an image once, however often it was uploaded: that is no use of it', () => {
    const { imageCid: cid } = token;
    expect(images.indexes?.use?.({ cid, transactionId: null })).toEqual([]);
    expect(images.indexes?.use?.({ cid, transactionId })).toEqual([cid]);
    const uploads = [addresses.creator, addresses.otherCreator].map((uploader) =>
      happening(uploader, ImageStored({ cid, uploader, byteLength: 1 })),
    );
    spec.given(...uploads).gives({ [cid]: { cid, transactionId: null } });
  });

  test('does not count what is no creation', () => {
    const { tokenId, mintAddress } = token;
    const subject = {
      kind: 'transfer-fee-change',
      tokenId,
      mintAddress,
      transferFeeBasisPoints: 1,
    } as const;
    spec.given(happening(transactionId, DraftIssued({ ...issuedDraft, subject }))).gives({});
  });
});
