/** Lists a token's top holders, by balance or by payments, from the ledger of its last closed run. */
import { Type } from '@sinclair/typebox';
import type { LedgerServices } from '../distribution/ledger/open-ledgers.ts';
import { HOLDER_ORDERS, MAX_TOP_HOLDERS } from '../distribution/ledger/top-holders.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { distributionRuns } from '../projections/distribution-runs.ts';
import { Amount, described, enumOf, orNull, Timestamp } from '../streams/value-types.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';
import { filesOf, orLedgerRejection } from './open-run-ledger.ts';
import { PaymentView } from './payment-views.ts';

const { wallet, asset, balance, owedAfter, reason } = PaymentView.properties;

const Holder = Type.Object(
  {
    wallet,
    balance,
    asset: described(asset, 'Unit of the next two amounts.'),
    paidAfter: described(Amount, 'Total paid to the wallet as a holder, by this run and all earlier ones.'),
    owedAfter: described(owedAfter, 'Earned as a holder and not paid yet.'),
    reason,
  },
  { title: 'Holder' },
);

export const listHolders = queriesFor<RuntimeServices & Pick<LedgerServices, 'runLedgers'>>()({
  name: 'ListHolders',
  summary: "List a token's top holders",
  description:
    'As of the last closed run, including pools and excluded owners, which `reason` identifies. ' +
    "`GET /distribution/{tokenId}/runs/{runId}/payments` lists all holders, also as CSV. Divide `balance` by the token's " +
    '`currentSupply` to get the share of the supply.',
  route: { method: 'GET', url: '/distribution/:tokenId/holders', auth: 'optional' },
  input: {
    params: Type.Object({ tokenId: TokenReference }),
    query: Type.Object(
      {
        sort: Type.Optional(
          enumOf('HolderSort', HOLDER_ORDERS, {
            default: 'balance',
            description: '`balance`: largest balance first. `paid`: largest `paidAfter` first.',
          }),
        ),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TOP_HOLDERS, default: 20 })),
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    lastRun: orNull(Type.Object({ runId: Uuid, closedAt: Timestamp }), {
      description: 'Last closed run; null if no run is closed, in which case `topHolders` is empty.',
    }),
    topHolders: Type.Array(Holder),
  }),
  rejections: ['TOKEN_NOT_FOUND', 'LEDGER_UNAVAILABLE', 'LEDGER_CORRUPT', 'STORE_UNAVAILABLE'],
  async answer(
    { params, query: { sort = 'balance', limit = 20 } },
    { services: { readModel, runLedgers: ledgers }, call: { actor } },
  ) {
    const { tokenId } = await visibleDistribution(readModel, params.tokenId, actor);
    const latest = await readModel.find(distributionRuns, 'token', tokenId, { limit: 2, descending: true });
    const run = latest.find(({ closedAt }) => closedAt !== null);
    const files = run && filesOf(run);
    if (run?.closedAt == null || files === undefined)
      return new TaggedAnswer({ lastRun: null, topHolders: [] });
    const all = await orLedgerRejection(ledgers.topHolders(files));
    return new TaggedAnswer({
      lastRun: { runId: run.runId, closedAt: run.closedAt },
      topHolders: all[sort].slice(0, limit).map((holder) => ({
        wallet: holder.wallet,
        balance: holder.balance.toString(),
        asset: holder.asset,
        paidAfter: holder.paidAfter.toString(),
        owedAfter: holder.owedAfter.toString(),
        reason: holder.reason,
      })),
    });
  },
});
