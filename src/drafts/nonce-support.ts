/**
 * Detects whether an external chain supports durable nonces by simulating the creation of a nonce account, paid by an address
 * with sufficient lamports. A simulation does not check signatures and changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { addressOf } from 'levy-solana-wire';
import { NONCE_ACCOUNT_SIZE, nonceCreationSimulation, showsNonces } from '../chain/durable-nonce.ts';
import type { Chain } from '../kernel/ports/chain.ts';

export const NO_NONCES =
  'This chain has no durable nonces, which DRAFT_LIFETIME_KIND=durable-nonce requires. Set ' +
  'DRAFT_LIFETIME_KIND=recent-blockhash: docs/how-to/operate/run-without-durable-nonces.md explains the effects.';

/**
 * Undefined if neither the fee payer nor the current slot leader has the rent of a nonce account. `feePayer`: undefined if its
 * key is not configured.
 */
export async function hasNonces(
  chain: Pick<Chain, 'rentExemption' | 'simulate' | 'slotLeader'>,
  feePayer: string | undefined,
): Promise<boolean | undefined> {
  const lamports = await chain.rentExemption(NONCE_ACCOUNT_SIZE);
  // Random addresses without accounts.
  const [nonceAccount, authority] = [addressOf(randomBytes(32)), addressOf(randomBytes(32))];
  const simulated = async (payer: string) => {
    const wire = nonceCreationSimulation({ payer, nonceAccount, authority, lamports });
    return showsNonces((await chain.simulate(wire, { anyBlockhash: true })).error);
  };
  const shown = feePayer === undefined ? undefined : await simulated(feePayer);
  return shown ?? simulated(await chain.slotLeader());
}
