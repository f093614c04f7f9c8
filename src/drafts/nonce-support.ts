/**
 * Detects whether an external chain supports durable nonces, by simulating the creation of a nonce account for an address with
 * enough lamports. A simulation checks no signatures and changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { addressOf } from 'levy-solana-wire';
import { NONCE_ACCOUNT_SIZE, nonceCreationSimulation, showsNonces } from '../chain/durable-nonce.ts';
import type { Chain } from '../kernel/ports/chain.ts';

/** Error for `durable-nonce` on a chain without durable nonces. */
export const NO_NONCES =
  'This chain has no durable nonces, on which DRAFT_LIFETIME_KIND=durable-nonce puts drafts. Set ' +
  'DRAFT_LIFETIME_KIND=recent-blockhash: docs/how-to/operate/run-without-durable-nonces.md says what changes.';

/**
 * Undefined where the chain does not show it: neither the fee payer nor the validator that makes blocks now has the rent of a
 * nonce account. `feePayer`: undefined where its key is not known.
 */
export async function hasNonces(
  chain: Pick<Chain, 'rentExemption' | 'simulate' | 'slotLeader'>,
  feePayer: string | undefined,
): Promise<boolean | undefined> {
  const lamports = await chain.rentExemption(NONCE_ACCOUNT_SIZE);
  // Addresses that nobody has.
  const [nonceAccount, authority] = [addressOf(randomBytes(32)), addressOf(randomBytes(32))];
  const simulated = async (payer: string) => {
    const wire = nonceCreationSimulation({ payer, nonceAccount, authority, lamports });
    return showsNonces((await chain.simulate(wire, { anyBlockhash: true })).error);
  };
  const shown = feePayer === undefined ? undefined : await simulated(feePayer);
  return shown ?? simulated(await chain.slotLeader());
}
