/** Returns a wallet's payment in a run with the proof of its record in the ledger, or the proof of its absence. */

import { Type } from '@sinclair/typebox';
import type { LedgerServices } from '../distribution/ledger/open-ledgers.ts';
import type { LedgerPayment, RunLedger } from '../distribution/ledger/run-ledger.ts';
import { queriesFor, TaggedAnswer } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { Sha256 } from '../streams/distribution.ts';
import { rejection } from '../streams/rejections.ts';
import { described } from '../streams/value-types.ts';
import { requireAddress, WalletReference } from '../views/address-params.ts';
import { cachingOf, visibleRun } from '../views/distribution-access.ts';
import { TokenReference } from '../views/token-access.ts';
import { filesOf, readingLedger } from './open-run-ledger.ts';
import { PaymentView, paymentView, provedFields, provedLeaf } from './payment-views.ts';

const proved = { payment: PaymentView, ...provedFields };

export const getPayment = queriesFor<RuntimeServices & Pick<LedgerServices, 'runLedgers'>>()({
  name: 'GetPayment',
  summary: "Get a wallet's payment in a run, with its proof",
  description:
    "To check the proof, hash the record as a leaf, follow the path, and compare the result with the run's root. A " +
    'wallet may have several records, for example as a holder and as the developer; `others` has the further ones. ' +
    'If the wallet is not in the ledger, the response is 404 `PAYMENT_NOT_FOUND`. Its `neighbours` prove the absence: ' +
    'two adjacent leaves, between which the wallet would be. `before` is the header if no wallet precedes; `after` is ' +
    'null if none follows.',
  route: { method: 'GET', url: '/distribution/:tokenId/runs/:runId/payments/:wallet', auth: 'optional' },
  input: { params: Type.Object({ tokenId: TokenReference, runId: Uuid, wallet: WalletReference }) },
  output: Type.Object({
    ...proved,
    root: described(Sha256, "Root of the run's ledger, also in a memo on the chain."),
    others: Type.Optional(Type.Array(Type.Object(proved, { title: 'DistributionProvedPayment' }))),
  }),
  rejections: [
    'INVALID_ADDRESS',
    'TOKEN_NOT_FOUND',
    'RUN_NOT_FOUND',
    'PAYMENT_NOT_FOUND',
    'LEDGER_UNAVAILABLE',
    'LEDGER_CORRUPT',
    'STORE_UNAVAILABLE',
  ],
  async answer({ params }, { services, call: { actor } }) {
    const { answer, caching } = await provedPayments(params, services, actor);
    return new TaggedAnswer(answer, caching);
  },
});

/** Rejects if the caller may not see the run, or if the wallet is not in its ledger. */
export async function provedPayments(
  params: { readonly tokenId: string; readonly runId: string; readonly wallet: string },
  { readModel, runLedgers: ledgers }: Pick<RuntimeServices, 'readModel'> & Pick<LedgerServices, 'runLedgers'>,
  actor: string,
) {
  const { wallet } = params;
  requireAddress('wallet', wallet);
  const { distribution, run } = await visibleRun(readModel, params, actor);
  const files = filesOf(run);
  if (files === undefined) throw rejection('PAYMENT_NOT_FOUND', 'The run has not computed its payments yet.');
  const answer = await readingLedger(ledgers, files, async (ledger) => {
    const payments = await ledger.paymentsOf(wallet);
    const main = payments.find(({ kind }) => kind === 'holder') ?? payments[0];
    if (main === undefined) throw await absent(ledger, wallet);
    const others = payments.filter((payment) => payment !== main);
    return {
      ...(await provedPayment(ledger, main)),
      root: ledger.root,
      ...(others.length === 0
        ? {}
        : { others: await Promise.all(others.map((payment) => provedPayment(ledger, payment))) }),
    };
  });
  return { answer, caching: cachingOf(distribution, run) };
}

async function provedPayment(ledger: RunLedger, payment: LedgerPayment) {
  return { payment: paymentView(payment), ...provedLeaf(await ledger.prove(payment.index)) };
}

async function absent(ledger: RunLedger, wallet: string): Promise<Rejection> {
  const absence = await ledger.proveAbsence(wallet);
  if (absence === undefined)
    throw new Error(`inconsistent ledger: ${wallet} has no payments and no proof of absence`);
  const { before, after } = absence;
  return rejection(
    'PAYMENT_NOT_FOUND',
    'The wallet held none of the token when the run scanned the holders and is owed nothing; `neighbours` proves that it is not in the ledger.',
    {
      members: {
        neighbours: { before: provedLeaf(before), after: after === undefined ? null : provedLeaf(after) },
        root: ledger.root,
      },
    },
  );
}
