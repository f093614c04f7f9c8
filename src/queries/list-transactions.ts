/**
 * Lists the signed-in wallet's transactions, newest first. Cursors name the last entry, so that entries with a new state do not
 * shift the pages.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { ownedIn, type TransactionDocument, transactions } from '../projections/transactions.ts';
import { statusAt, Transaction, TransactionStatus, transactionView } from '../views/transaction-view.ts';
import { CursorQuery, cutPage, Next, unknownCursorRejection } from './pages.ts';

export const listTransactions = queriesFor<RuntimeServices>()({
  name: 'ListTransactions',
  summary: 'List your own transactions',
  description: 'Newest first. `status=awaiting_signature` lists the drafts that can be signed or cancelled.',
  route: { method: 'GET', url: '/transactions', auth: 'wallet', limit: 'transactions' },
  input: {
    query: Type.Object(
      {
        status: Type.Optional(TransactionStatus),
        ...CursorQuery,
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    transactions: Type.Array(Transaction),
    next: Next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer(
    { query: { status, after, limit = 20 } },
    { services: { readModel, clock }, call: { actor } },
  ) {
    if (after !== undefined && (await readModel.get(transactions, after))?.issued.creator !== actor)
      throw unknownCursorRejection('transaction');
    const now = clock.now().toISOString();
    const found = await firstOf(readModel, { owner: actor, status, after, now, count: limit + 1 });
    const { shown, next } = cutPage(found, limit, ({ transactionId }) => transactionId);
    return {
      transactions: shown.map((document) => transactionView(document, now)),
      next,
    };
  },
});

interface Wanted {
  readonly owner: string;
  readonly status: Static<typeof TransactionStatus> | undefined;
  /** Exclusive cursor. */
  readonly after: string | undefined;
  readonly now: string;
  readonly count: number;
}

/** Continues reading past open drafts whose expiry does not match the requested status; a wallet has only a few of them. */
async function firstOf(
  readModel: ReadModel,
  { owner, status, after, now, count }: Wanted,
): Promise<readonly TransactionDocument[]> {
  const found: TransactionDocument[] = [];
  for (let last = after; found.length < count; ) {
    const page = await readModel.find(
      transactions,
      'owner',
      status === undefined ? owner : ownedIn(owner, status),
      { limit: count, descending: true, after: last },
    );
    found.push(...page.filter((document) => status === undefined || statusAt(document, now) === status));
    last = page.at(-1)?.transactionId;
    if (page.length < count) break;
  }
  return found.slice(0, count);
}
