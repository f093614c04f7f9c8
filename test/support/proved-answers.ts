/** Answers about a wallet and a run, made of the run's files in the form that the routes give them. */
import type { LedgerPayment, RunLedger } from '../../src/distribution/ledger/run-ledger.ts';
import { paymentView, provedLeaf } from '../../src/queries/payment-views.ts';

export async function provedPayment(ledger: RunLedger, payment: LedgerPayment) {
  return {
    payment: paymentView(payment),
    ...provedLeaf(await ledger.prove(payment.index)),
    root: ledger.root,
  };
}

/** Undefined for a wallet that stands in the ledger. */
export async function provedAbsence(ledger: RunLedger, wallet: string) {
  const absence = await ledger.proveAbsence(wallet);
  if (absence === undefined) return undefined;
  const { before, after } = absence;
  return {
    neighbours: { before: provedLeaf(before), after: after === undefined ? null : provedLeaf(after) },
    root: ledger.root,
  };
}
