// Drafts of every purpose end on a recent blockhash as well.
import { expect, test } from 'vitest';
import { behaviourOf } from '../../../../src/drafts/purposes/index.ts';
import { purposes } from '../../../../src/streams/purposes/index.ts';
import { ids } from '../../../support/domain-examples.ts';
import { KEYRING } from '../../../support/run-examples.ts';

// Only the history of a key that signs a single draft shows that the draft has not landed. Without such a key it would be
// followed forever.
test.each(
  purposes.map(({ kind }) => kind),
)('the first key that signs a draft for %s on a blockhash signs no other', (kind) => {
  const [one, other] = [ids.transactionId, ids.otherTransactionId].map(
    (transactionId) => behaviourOf(kind).signers(KEYRING, transactionId, 'recent-blockhash')[0]?.address,
  );
  expect(one).toBeDefined();
  expect(one).not.toBe(other);
});
