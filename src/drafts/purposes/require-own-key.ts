/** Refuses a purpose whose drafts could never end. */
import { createKeyring } from '../../chain/keys.ts';
import type { PurposeBehaviour } from './purpose-behaviour.ts';

/** Any seed and any two drafts: only the addresses are compared. */
const KEYRING = createKeyring(new Uint8Array(32));
const DRAFTS = ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'] as const;

/**
 * On a recent blockhash nothing but the history of a key that signs one draft only tells that the draft has not landed: without
 * such a key it would be followed for ever, and each look at it would fail.
 */
export function requireOwnKey({ kind, signers }: Pick<PurposeBehaviour, 'kind' | 'signers'>): void {
  const [one, other] = DRAFTS.map((transactionId) => signers(KEYRING, transactionId, 'recent-blockhash')[0]);
  if (one !== undefined && one.address !== other?.address) return;
  throw new Error(
    `drafts for "${kind}" would never end on a recent blockhash: ` +
      `${one === undefined ? 'no key of the service signs them' : 'the first key that signs them signs others too'}. ` +
      'The first of its signers must be derived from the transactionId.',
  );
}
