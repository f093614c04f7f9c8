/** Who signs, besides the creator, a draft whose transaction makes no account: its memo's own key, where no nonce shows what landed. */
import type { KeyPair, Keyring } from '../chain/keys.ts';
import type { Lifetime } from '../streams/draft-events.ts';

export function memoSigners(
  keyring: Keyring,
  transactionId: string,
  lifetime: Lifetime['kind'],
): readonly KeyPair[] {
  switch (lifetime) {
    case 'durable-nonce':
      return [];
    case 'recent-blockhash':
      return [keyring.draft(transactionId)];
  }
}
