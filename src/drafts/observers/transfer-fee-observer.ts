/**
 * Records changes of adjustable transfer fees from the chain: those that creators make without us, and pending rates
 * once they become valid. Goes through all such tokens in rounds, one batch at a time.
 */

import { readMint } from '../../chain/token-accounts.ts';
import {
  hasChanged,
  type ObservedRates,
  ratesAt,
  sameRates,
  type TransferFeeRates,
} from '../../chain/transfer-fees.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import { causeOf, type Executor } from '../../kernel/runtime/execute.ts';
import { tokens } from '../../projections/tokens.ts';
import {
  type TokenEvent,
  type TokenState,
  TransferFeeChanged,
  TransferFeeChangeLanded,
  token,
} from '../../streams/token.ts';

/** Read from the read model at a time. */
const TOKENS_PER_STRETCH = 1_000;

export function createTransferFeeObserver({
  executor,
  readModel,
  chain,
}: {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
}) {
  /** The last token of the stretch before; undefined at the beginning of a round. */
  let after: string | undefined;

  async function record(seen: TaxView, observed: ObservedRates): Promise<void> {
    const { tokenId } = seen;
    await executor.execute(token, tokenId, causeOf('transfer-fee-observer'), (state) =>
      tellObserved(state, tokenId, { seen: seen.rates, observed }),
    );
  }

  return {
    /** Handles the next batch; says whether it ended a round. Rejects when the chain or the store does not answer. */
    async observe() {
      const { items } = await readModel.page(tokens, 'adjustable', '', {
        view: 'tax',
        offset: 0,
        limit: TOKENS_PER_STRETCH,
        after,
      });
      const known = items.map((item): TaxView => JSON.parse(item));
      const observed =
        known.length === 0
          ? []
          : await observeTransferFees(
              chain,
              known.map(({ mint }) => mint),
            );
      for (const [index, rates] of observed.entries()) {
        const seen = known[index];
        if (seen !== undefined && rates !== undefined && !sameRates(seen.rates, rates))
          await unlessUndecodable(record(seen, rates));
      }
      const roundDone = items.length < TOKENS_PER_STRETCH;
      after = roundDone ? undefined : known.at(-1)?.tokenId;
      return { roundDone };
    },
  };
}

/** View of the projection `tokens`. */
interface TaxView {
  readonly tokenId: string;
  readonly mint: string;
  readonly rates: TransferFeeRates;
}

interface Change {
  readonly tokenId: string;
  readonly transactionId: string;
}

/** `seen` is what was known when the chain was asked: what was recorded since may be newer than the chain's answer. */
export function tellObserved(
  state: TokenState,
  tokenId: string,
  { seen, observed }: { readonly seen: TransferFeeRates; readonly observed: ObservedRates },
): readonly TokenEvent[] {
  if (state?.exists !== true || !sameRates(state.transferFee, seen)) return [];
  if (!hasChanged(state.transferFee, observed)) return [];
  return [TransferFeeChanged({ tokenId, transactionId: null, ...observed })];
}

/** Every landed draft gets an event that names it, whether its change is news or not. */
export function tellLanded(state: TokenState, change: Change, observed: ObservedRates): TokenEvent {
  const known = state?.transferFee;
  return known === undefined || hasChanged(known, observed)
    ? TransferFeeChanged({ ...change, ...observed })
    : TransferFeeChangeLanded({ ...change, ...known });
}

/** A node takes no more accounts per call. */
const TOGETHER = 100;

/**
 * In the order of the mints, from the latest final state; undefined where the mint has no transfer fee. Reads the epoch
 * first: if it changes meanwhile, a rate may be shown as pending a moment too long, never as valid too early. Nodes
 * that have not reached `atLeastSlot` count as unavailable.
 */
export async function observeTransferFees(
  chain: Chain,
  mints: readonly string[],
  options: { readonly atLeastSlot?: bigint } = {},
): Promise<readonly (ObservedRates | undefined)[]> {
  const epoch = await chain.epoch();
  const observed: (ObservedRates | undefined)[] = [];
  for (let from = 0; from < mints.length; from += TOGETHER) {
    const asked = mints.slice(from, from + TOGETHER);
    const { slot, accounts } = await chain.accountsAt(asked, 'finalized', options);
    for (const account of accounts) {
      const fees = account && readMint(account)?.transferFees;
      observed.push(fees && { ...ratesAt(fees, epoch), slot: slot.toString() });
    }
  }
  return observed;
}
