/**
 * Records changes of adjustable transfer fees from the chain: those that creators make without us, and pending rates
 * once they become valid. Goes through all such tokens in rounds, one batch at a time.
 */

import { type ObservedRates, sameRates } from '../../chain/transfer-fees.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import type { ReadModel } from '../../kernel/ports/read-model.ts';
import { unlessUndecodable } from '../../kernel/runtime/event-reader.ts';
import type { Executor } from '../../kernel/runtime/execute.ts';
import { causeOf } from '../../kernel/runtime/execute.ts';
import { tokens } from '../../projections/tokens.ts';
import { type TransferFeeRates, token } from '../../streams/token.ts';
import { observeTransferFees } from './observe-transfer-fees.ts';
import { tellObserved } from './tell-transfer-fee.ts';

/** Read from the read model at a time. */
const TOKENS_PER_STRETCH = 1_000;

export interface TransferFeeObserver {
  /** Handles the next batch; says whether it ended a round. Rejects when the chain or the store does not answer. */
  observe(): Promise<{ readonly roundDone: boolean }>;
}

export interface TransferFeeObserverParts {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly chain: Chain;
}

export function createTransferFeeObserver({
  executor,
  readModel,
  chain,
}: TransferFeeObserverParts): TransferFeeObserver {
  /** The last token of the stretch before; undefined at the beginning of a round. */
  let after: string | undefined;

  async function record(seen: TaxView, observed: ObservedRates): Promise<void> {
    const { tokenId } = seen;
    await executor.execute(token, tokenId, causeOf('transfer-fee-observer'), (state) =>
      tellObserved(state, tokenId, { seen: seen.rates, observed }),
    );
  }

  return {
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

/** As the projection `tokens` renders it. */
interface TaxView {
  readonly tokenId: string;
  readonly mint: string;
  readonly rates: TransferFeeRates;
}
