/** Lists the payments of a run in ledger order: page by page as JSON, or all of them as CSV. */

import { Type } from '@sinclair/typebox';
import type { LedgerServices, Ledgers } from '../distribution/ledger/open-ledgers.ts';
import { ChunkedAnswer, queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { entityTagOf } from '../kernel/runtime/entity-tag.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { orNull } from '../streams/value-types.ts';
import { cachingOf, visibleRun } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';
import { filesOf, type NamedFiles, readingLedger } from './open-run-ledger.ts';
import { cursor } from './pages.ts';
import { CSV_HEAD, csvLine, PaymentView, paymentView } from './payment-views.ts';

const CSV = 'text/csv';
/** Payments formatted at a time; small, so that formatting does not block other calls. */
const PAYMENTS_PER_CHUNK = 512;

/** A string, like every cursor. */
const PaymentIndex = Type.String({ pattern: '^(0|[1-9][0-9]{0,8})$' });

export const listPayments = queriesFor<RuntimeServices & Pick<LedgerServices, 'runLedgers'>>()({
  name: 'ListPayments',
  summary: "List the payments of a run of a token's distribution",
  description:
    'In ledger order: by wallet. Lists every wallet that the run found, that is owed, or that was ever ' +
    'paid. `Accept: text/csv` returns the whole list, regardless of `after` and `limit`. Empty until ' +
    "the run has allotted the payments. Once the run is closed, it includes each payment's result and may be " +
    'cached permanently.',
  route: { method: 'GET', url: '/distribution/:tokenId/runs/:runId/payments', auth: 'optional' },
  input: {
    params: Type.Object({ tokenId: TokenReference, runId: Uuid }),
    query: Type.Object(
      {
        after: Type.Optional(cursor(PaymentIndex)),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    payments: Type.Array(PaymentView),
    next: orNull(PaymentIndex, {
      description: 'Cursor of the next page, to send as `after`; null at the end.',
      examples: ['99'],
    }),
  }),
  alternative: CSV,
  rejections: [
    'TOKEN_NOT_FOUND',
    'RUN_NOT_FOUND',
    'LEDGER_UNAVAILABLE',
    'LEDGER_CORRUPT',
    'STORE_UNAVAILABLE',
  ],
  async answer({ params, query }, { services: { readModel, runLedgers: ledgers }, call }) {
    const { distribution, run } = await visibleRun(readModel, params, call.actor);
    const files = filesOf(run);
    const caching = cachingOf(distribution, run);
    if (call.prefersAlternative) {
      const tag = entityTagOf({ files: files ?? null, form: 'csv' });
      // Read a payment before sending the head of the response, so that a missing or damaged file is a rejection.
      if (files !== undefined) await readingLedger(ledgers, files, (ledger) => ledger.payments(0, 1));
      return new ChunkedAnswer(`${CSV}; charset=utf-8; header=present`, csvOf(ledgers, files), tag, caching);
    }
    const { after, limit = 100 } = query;
    const first = after === undefined ? 0 : Number(after) + 1;
    const tag = entityTagOf({ files: files ?? null, form: 'json', first, limit });
    if (files === undefined) return new TaggedAnswer({ payments: [], next: null }, caching, tag);
    const page = await readingLedger(ledgers, files, async (ledger) => {
      const payments = (await ledger.payments(first, limit)).map(paymentView);
      const last = payments.at(-1)?.index;
      const isOver = last === undefined || last + 1 >= ledger.allotment.records;
      return { payments, next: isOver ? null : String(last) };
    });
    return new TaggedAnswer(page, caching, tag);
  },
});

async function* csvOf(ledgers: Ledgers, files: NamedFiles | undefined): AsyncGenerator<string> {
  yield CSV_HEAD;
  if (files === undefined) return;
  for (let first = 0; ; first += PAYMENTS_PER_CHUNK) {
    const ledger = await ledgers.open(files);
    const payments = await ledger.payments(first, PAYMENTS_PER_CHUNK);
    if (payments.length === 0) return;
    yield payments.map(csvLine).join('');
  }
}
