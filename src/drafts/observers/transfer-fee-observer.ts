/**
 * Records changes of adjustable transfer fees on the chain: those that creators make without the service, and pending rates
 * once they become valid. Iterates over all such tokens in rounds, one batch at a time.
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

/** Tokens per batch. */
const TOKENS_PER_PAGE = 1_000;

export function createTransferFeeObserver({
  executor,
  readModel,
  chain,
}: {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
}) {
  /** Last token of the previous batch; undefined at the beginning of a round. */
  let after: string | undefined;

  async function record(seen: TaxView, observed: ObservedRates): Promise<void> {
    const { tokenId } = seen;
    await executor.execute(token, tokenId, causeOf('transfer-fee-observer'), (state) =>
      observedRates(state, tokenId, { seen: seen.rates, observed }),
    );
  }

  return {
    /** Handles the next batch and returns whether it ended a round. Rejects if the chain or the store does not respond. */
    async observe() {
      const { items } = await readModel.page(tokens, 'adjustable', '', {
        view: 'tax',
        offset: 0,
        limit: TOKENS_PER_PAGE,
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
      const roundDone = items.length < TOKENS_PER_PAGE;
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

/** `seen`: rates before the chain was read. If the recorded rates have changed since, they may be newer than `observed`. */
export function observedRates(
  state: TokenState,
  tokenId: string,
  { seen, observed }: { readonly seen: TransferFeeRates; readonly observed: ObservedRates },
): readonly TokenEvent[] {
  if (state?.exists !== true || !sameRates(state.transferFee, seen)) return [];
  if (!hasChanged(state.transferFee, observed)) return [];
  return [TransferFeeChanged({ tokenId, transactionId: null, ...observed })];
}

/** Every landed draft gets its own event, even if the change is already recorded. */
export function landedChange(state: TokenState, change: Change, observed: ObservedRates): TokenEvent {
  const known = state?.transferFee;
  return known === undefined || hasChanged(known, observed)
    ? TransferFeeChanged({ ...change, ...observed })
    : TransferFeeChangeLanded({ ...change, ...known });
}

/** Maximum number of accounts that a node returns per call. */
const TOGETHER = 100;

/**
 * Rates in the order of the mints, from the latest final state; undefined for mints without a transfer fee. Reads the epoch
 * first. So if the epoch changes during the call, a rate is reported as pending slightly too long, but never as valid too
 * early. Nodes that have not reached `atLeastSlot` count as unavailable.
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
