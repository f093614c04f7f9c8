/** Confirms that the chain refuses a recipient before the payment is put off: by more than one answer, and by both nodes. */
import type { Chain } from '../../kernel/ports/chain.ts';
import { isConfirmed, PUT_OFF } from '../absences.ts';
import { silenceIn } from '../node-silence.ts';
import type { Paying, PayingParts } from './paying.ts';

/** `undecided`: the nodes are to be asked again. `doubtful`: only the chain can say, by a transaction that is sent. */
export type RefusalWord = 'confirmed' | 'undecided' | 'doubtful';

/** A refusal that simulations show. */
export async function confirmSimulated(
  { witness, clock }: Pick<PayingParts, 'witness' | 'clock'>,
  { absences }: Pick<Paying, 'absences'>,
  refused: {
    readonly name: string;
    readonly error: string;
    readonly slot: bigint;
    readonly wire: Uint8Array;
  },
): Promise<RefusalWord> {
  const { name, error, slot, wire } = refused;
  if (!isConfirmed(absences, name, { slot, at: clock.now().getTime(), verdict: error }, PUT_OFF))
    return 'undecided';
  absences.delete(name);
  if (witness === undefined) return 'confirmed';
  const seen = await heard(() => witness.simulate(wire, { anyBlockhash: true, atLeastSlot: slot }));
  return seen?.error === error ? 'confirmed' : 'doubtful';
}

/** A refusal with which a transaction landed: `undecided` until it is finalized, with its error, at both nodes. */
export async function confirmLanded(
  { chain, witness }: Pick<PayingParts, 'chain' | 'witness'>,
  { signature, error }: { readonly signature: string; readonly error: string },
): Promise<Exclude<RefusalWord, 'doubtful'>> {
  const isShown = async (node: Pick<Chain, 'transaction'>) =>
    (await heard(() => node.transaction(signature, 'finalized')))?.error === error;
  return (await isShown(chain)) && (witness === undefined || (await isShown(witness)))
    ? 'confirmed'
    : 'undecided';
}

/** Undefined from a node that does not answer. */
async function heard<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    silenceIn(error);
    return undefined;
  }
}
