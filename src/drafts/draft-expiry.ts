/**
 * Records that open drafts on recent blockhashes have expired: they hold no nonce account by which the draft keeper
 * would find them.
 */
import type { ReadModel } from '../kernel/ports/read-model.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import { unlessUndecodable } from '../kernel/runtime/event-reader.ts';
import { causeOf, type Executor } from '../kernel/runtime/execute.ts';
import { type TransactionDocument, transactions } from '../projections/transactions.ts';
import { draft } from '../streams/draft.ts';
import { decideExpiry } from './decide-ending.ts';

const PAGE = 500;

export interface DraftExpiry {
  /** One round over every open draft on a recent blockhash; reads the streams of those only whose time has passed. */
  expire(): Promise<void>;
}

export function createDraftExpiry(options: {
  readonly executor: Executor;
  readonly readModel: ReadModel;
  readonly clock: Clock;
}): DraftExpiry {
  const { executor, readModel, clock } = options;

  async function end({ transactionId }: TransactionDocument, now: string): Promise<void> {
    const cause = causeOf('draft-keeper', { correlationId: transactionId, causationId: transactionId });
    await executor.execute(
      draft,
      transactionId,
      cause,
      (state) => decideExpiry(state, { transactionId, now }),
      { comesAgain: true },
    );
  }

  return {
    async expire() {
      const now = clock.now().toISOString();
      let after: string | undefined;
      for (;;) {
        const page: readonly TransactionDocument[] = await readModel.find(transactions, 'work', 'expire', {
          limit: PAGE,
          ...(after === undefined ? {} : { after }),
        });
        for (const document of page) {
          if (document.issued.expiresAt <= now) await unlessUndecodable(end(document, now));
        }
        if (page.length < PAGE) return;
        after = page.at(-1)?.transactionId;
      }
    },
  };
}
