/** Methods that no cluster has, for the operator of this chain. Their names cannot be confused with a cluster's. */
import { epochOf, SLOTS_PER_EPOCH } from './clock.ts';
import type { Methods } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { epochInfo } from './rpc-methods-cluster.ts';
import { optionalWholeNumber } from './rpc-params.ts';

const MAXIMUM_EPOCHS = 1_000;

export const operatorMethods: Methods = {
  /**
   * Moves to the first slot of a later epoch: the next one, unless a number is given. The slots before it are skipped,
   * as on a cluster whose leaders produce no blocks, so blockhashes, nonces and what is not final yet stay as they are.
   */
  levyAdvanceEpoch(chain, params) {
    const epochs = optionalWholeNumber(params[0], 'epochs') ?? 1;
    if (epochs < 1 || epochs > MAXIMUM_EPOCHS) {
      throw invalidParams(`Invalid params: the number of epochs is from 1 to ${MAXIMUM_EPOCHS}.`);
    }
    const rate = chain.clock.skippingTo((epochOf(chain.clock.slot()) + epochs) * SLOTS_PER_EPOCH);
    // Change memory only after the ledger: what happens in the new epoch must not later be found in the old one.
    chain.ledger.addSlotRate(rate);
    chain.clock.follow(rate);
    return epochInfo(chain, chain.clock.slot());
  },
};
