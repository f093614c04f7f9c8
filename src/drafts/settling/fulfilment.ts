/** Records what landed drafts were for, each in the stream that it concerns, and takes it back after a fork. */
import type { InTrace } from '../../ports/tracing.ts';
import { type TransactionDocument, transactions } from '../../projections/transactions.ts';
import { unlessUndecodable } from '../../runtime/event-reader.ts';
import { isDue } from '../../streams/purposes/index.ts';
import { behaviourOf } from '../purposes/index.ts';
import type { PurposeParts } from '../purposes/purpose-behaviour.ts';
import { followDraft, requireSomeSuccess } from './followed-draft.ts';

const DRAFTS_PER_ROUND = 1_000;

export interface Fulfilment {
  /** One round over everything to be recorded or taken back. Rejects when all of it failed. */
  fulfil(): Promise<void>;
}

export interface FulfilmentOptions extends PurposeParts {
  /** Drafts that the read model cannot show at the moment. */
  readonly unseen: () => readonly string[];
  readonly report: (message: string, details: object) => void;
  readonly inTrace: InTrace;
}

export function createFulfilment(options: FulfilmentOptions): Fulfilment {
  const { executor, readModel, unseen, report, inTrace } = options;

  async function record({ transactionId }: Pick<TransactionDocument, 'transactionId'>): Promise<void> {
    const { state, begunAt, cause } = await followDraft(executor, 'settler', transactionId);
    const { status, issued, landed } = state;
    if (issued === undefined || landed === undefined) return;
    const { creator, subject } = issued;
    if (!isDue(status, subject.kind)) return;
    await inTrace(cause.traceparent, () =>
      behaviourOf(subject.kind).record({ transactionId, creator, subject, landed, begunAt }, options, cause),
    );
  }

  async function revert({ transactionId }: TransactionDocument): Promise<void> {
    const { state, cause } = await followDraft(executor, 'settler', transactionId);
    if (state.status !== 'failed' || state.issued === undefined) return;
    const { creator, subject } = state.issued;
    await inTrace(cause.traceparent, () =>
      behaviourOf(subject.kind).revert?.({ transactionId, creator, subject }, options, cause),
    );
  }

  return {
    async fulfil() {
      const records = await readModel.find(transactions, 'work', 'record', { limit: DRAFTS_PER_ROUND });
      const reverts = await readModel.find(transactions, 'work', 'revert', { limit: DRAFTS_PER_ROUND });
      const due = [...records, ...unseen().map((transactionId) => ({ transactionId }))];
      const results = await Promise.allSettled([
        ...due.map((document) => unlessUndecodable(record(document))),
        ...reverts.map((document) => unlessUndecodable(revert(document))),
      ]);
      requireSomeSuccess(results, [...due, ...reverts], report);
    },
  };
}
