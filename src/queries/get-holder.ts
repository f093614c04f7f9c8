/** Returns a wallet's payments and debts in a token's distribution, with reasons, from the ledgers of its last runs. */
import { Type } from '@sinclair/typebox';
import type { LedgerServices } from '../distribution/ledger/open-ledgers.ts';
import type { LedgerPayment } from '../distribution/ledger/run-ledger.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import { Address, orNull, Timestamp } from '../streams/value-types.ts';
import { requireAddress, WalletReference } from '../views/address-params.ts';
import { visibleDistribution } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';
import { filesOf, readingLedger } from './open-run-ledger.ts';
import { PaymentView, paymentView } from './payment-views.ts';
import { ShareFields, ShareParts, shareFields, shareParts } from './share-views.ts';

/** Number of runs in the response; each needs a lookup in its ledger. */
const MAX_RUNS = 3;
/** Number of runs read: one more, since the newest may have no ledger yet. */
const RUNS_READ = MAX_RUNS + 1;

const HolderRun = Type.Object(
  {
    runId: Uuid,
    number: Type.Integer({ minimum: 1, examples: [42] }),
    closedAt: orNull(Timestamp),
    payments: Type.Array(PaymentView, {
      description: 'Empty if the wallet is not in the ledger of the run.',
    }),
  },
  { title: 'DistributionHolderRun' },
);

export const getHolder = queriesFor<RuntimeServices & Pick<LedgerServices, 'runLedgers'>>()({
  name: 'GetHolder',
  summary: "Get a wallet's payments and debts",
  description:
    `As of the last closed run. \`runs\` has up to ${MAX_RUNS}, newest first; the newest may be open. Any address is ` +
    'valid; a wallet that no run found is owed nothing.',
  route: { method: 'GET', url: '/distribution/:tokenId/holders/:wallet', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference, wallet: WalletReference }) },
  output: Type.Object({
    tokenId: Uuid,
    wallet: Address,
    ...ShareFields,
    parts: ShareParts,
    reason: orNull(PaymentView.properties.reason, {
      description:
        "Reason for the wallet's amount as a holder in the newest of `runs`; null if it is not in that ledger.",
      examples: ['below-minimum-payout'],
    }),
    runs: Type.Array(HolderRun),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'TOKEN_NOT_FOUND',
    'LEDGER_UNAVAILABLE',
    'LEDGER_CORRUPT',
    'STORE_UNAVAILABLE',
  ],
  async answer({ params }, { services: { readModel, runLedgers: ledgers }, call: { actor } }) {
    const { wallet } = params;
    requireAddress('wallet', wallet);
    const { tokenId } = await visibleDistribution(readModel, params.tokenId, actor);
    const latest = await readModel.find(distributionRuns, 'token', tokenId, {
      limit: RUNS_READ,
      descending: true,
    });
    const runs = await Promise.all(
      latest
        .filter(({ records }) => records.allotted !== undefined)
        .slice(0, MAX_RUNS)
        .map(async (run) => ({ run, payments: await paymentsOf(run) })),
    );
    const settled = runs.find(({ run }) => run.closedAt !== null)?.payments ?? [];
    const shares = settled.map(({ kind, asset, owedAfter: owed, paidAfter: paid }) => ({
      kind,
      asset,
      owed,
      paid,
    }));
    const answer = {
      tokenId,
      wallet,
      ...shareFields(shares),
      parts: shareParts(shares),
      reason: runs[0]?.payments.find(({ kind }) => kind === 'holder')?.reason ?? null,
      runs: runs.map(({ run: { runId, number, closedAt }, payments }) => ({
        runId,
        number,
        closedAt,
        payments: payments.map(paymentView),
      })),
    };
    return new TaggedAnswer(answer);

    async function paymentsOf(run: DistributionRunDocument): Promise<readonly LedgerPayment[]> {
      const files = filesOf(run);
      return files === undefined ? [] : readingLedger(ledgers, files, (ledger) => ledger.paymentsOf(wallet));
    }
  },
});
