/** Signs a recorded link with what holds today, unless the chain would refuse it, and sends it. */
import { reserveOf } from '../../chain/reserve.ts';
import { TOKEN_ACCOUNT_SIZE } from '../../chain/wrapped-sol-instructions.ts';
import type { RecordedLink } from '../../streams/distribution.ts';
import { type Wait, waitFor } from '../../streams/distribution-wait.ts';
import { waits } from '../decision.ts';
import { linkInstructions } from '../once/till-chain.ts';
import { explainRefusal } from '../sending/explain-refusal.ts';
import { type Failures, recordFailure } from '../sending/failures.ts';
import type { SignedTransaction } from '../sending/sender.ts';
import { readTaxedMint } from '../sending/tax-now.ts';
import { linkOf, signersOf } from './link-content.ts';
import type { TillsShown } from './look-at-tills.ts';
import type { DrivenTill, TillDriverParts, TillProgress } from './till-progress.ts';

/** Whether what was signed may still land. What failed stays failed: another signature may not. */
export async function isAlive(
  { chain, now }: Pick<TillDriverParts, 'chain' | 'now'>,
  { signature, lastValidBlockHeight }: SignedTransaction,
  failed: { readonly failures: Failures; readonly till: string },
): Promise<boolean> {
  const [status] = await chain.statuses([signature]);
  if (status?.error !== undefined) {
    recordFailure(failed.failures, failed.till, { signature, error: status.error, at: now() });
    return false;
  }
  return (await chain.tip('confirmed')).blockHeight <= lastValidBlockHeight;
}

/** Signed by the tax, the rents and the fees of the latest slot; `current`: the till that the link spends. */
export async function signLink(
  driven: DrivenTill,
  link: RecordedLink,
  latest: TillsShown,
  current: string | undefined,
): Promise<TillProgress> {
  const { parts, token, memory } = driven;
  const { chain, sender, venueOf, delegates } = parts;
  const { now: tax } = await readTaxedMint(chain, token.mint, { atLeastSlot: latest.slot });
  const rent = await chain.rentExemption(TOKEN_ACCOUNT_SIZE);
  const payer = token.distributor.address;
  await sender.price([payer, token.wallet.address]);
  const spent = latest.accountOf(current ?? '');
  const instructions = linkInstructions(linkOf(link, token, { tax, rent }), payer, {
    today: rent,
    ofPrevious: reserveOf(spent),
  });
  const simulation = await sender.simulate(instructions, payer, { atLeastSlot: latest.slot });
  if (simulation.error !== undefined) {
    const why = explainRefusal(simulation.error, {
      instructions,
      distributor: payer,
      tokens: token.tokens,
      what: `link ${link.number}`,
    });
    return { outcome: 'refused', link, why };
  }
  const keys = signersOf(link, token, delegates, venueOf);
  const fresh = await sender.sign(
    instructions,
    keys,
    simulation.unitsConsumed,
    await chain.recentBlockhash(),
  );
  memory.links.set(link.till, fresh);
  await sender.send(fresh);
  return waits(underWay(link));
}

export function underWay({ number }: Pick<RecordedLink, 'number'>): Wait {
  return waitFor('finality', `The link that makes till ${number} is on its way to being final.`);
}
