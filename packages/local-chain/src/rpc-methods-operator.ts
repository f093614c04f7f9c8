/**
 * Methods for the operator of this chain, which clusters do not have. The prefix prevents conflicts with a cluster's
 * methods.
 */
import { epochOf, SLOTS_PER_EPOCH } from './clock.ts';
import type { Methods } from './rpc-context.ts';
import { invalidParams } from './rpc-error.ts';
import { epochInfo } from './rpc-methods-cluster.ts';
import { optionalWholeNumber } from './rpc-params.ts';

const MAXIMUM_EPOCHS = 1_000;

export const operatorMethods: Methods = {
  /**
   * Moves to the first slot of a later epoch: the next one, or the given number of epochs ahead. The slots in between
   * are skipped, as on a cluster whose leaders produce no blocks, so blockhashes, nonces and finality do not change.
   */
  levyAdvanceEpoch(chain, params) {
    const epochs = optionalWholeNumber(params[0], 'epochs') ?? 1;
    if (epochs < 1 || epochs > MAXIMUM_EPOCHS) {
      throw invalidParams(`Invalid params: the number of epochs must be from 1 to ${MAXIMUM_EPOCHS}.`);
    }
    const rate = chain.clock.skippingTo((epochOf(chain.clock.slot()) + epochs) * SLOTS_PER_EPOCH);
    // Memory changes only after the ledger: transactions of the new epoch must not be loaded later into the old one.
    chain.ledger.addSlotRate(rate);
    chain.clock.follow(rate);
    return epochInfo(chain, chain.clock.slot());
  },
};
