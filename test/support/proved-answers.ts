/** Answers about a wallet and a run, made of the run's files in the form that the routes give them. */
import type { LeafProof } from '../../src/distribution/ledger/allotment-file.ts';
import type { LedgerPayment, RunLedger } from '../../src/distribution/ledger/run-ledger.ts';

export interface PaymentRow {
  readonly index: number;
  readonly kind: string;
  readonly asset: string;
  readonly wallet: string;
  readonly balance: string;
  readonly share: string;
  readonly owedBefore: string;
  readonly planned: string;
  readonly paid: string;
  readonly owedAfter: string;
  readonly reason: string;
  readonly signature: string | null;
  readonly slot: string | null;
}

interface ProvedLeaf {
  /** Base64: 82 bytes, or the header's JSON as the leaf before the first record. */
  readonly record: string;
  /** Hashes in hex, the one beside the leaf first. */
  readonly proof: { readonly index: number; readonly treeSize: number; readonly path: readonly string[] };
}

interface ProvedPayment extends ProvedLeaf {
  readonly payment: PaymentRow;
  readonly root: string;
}

/** The leaves between which the wallet would stand; `after` is null where that is behind the last. */
interface ProvedAbsence {
  readonly neighbours: { readonly before: ProvedLeaf; readonly after: ProvedLeaf | null };
  readonly root: string;
}

function rowOf(payment: LedgerPayment): PaymentRow {
  const { outcome } = payment;
  const landed = outcome.status === 'paid' ? outcome : undefined;
  return {
    index: payment.index,
    kind: payment.kind,
    asset: payment.asset,
    wallet: payment.wallet,
    balance: payment.balance.toString(),
    share: payment.share.toString(),
    owedBefore: payment.owedBefore.toString(),
    planned: payment.planned.toString(),
    paid: payment.paid.toString(),
    owedAfter: payment.owedAfter.toString(),
    reason: payment.reason,
    signature: landed?.signature ?? null,
    slot: landed?.slot.toString() ?? null,
  };
}

export async function provedPayment(ledger: RunLedger, payment: LedgerPayment): Promise<ProvedPayment> {
  return {
    payment: rowOf(payment),
    ...provedLeaf(await ledger.prove(payment.index)),
    root: ledger.root,
  };
}

/** Undefined for a wallet that stands in the ledger. */
export async function provedAbsence(ledger: RunLedger, wallet: string): Promise<ProvedAbsence | undefined> {
  const absence = await ledger.proveAbsence(wallet);
  if (absence === undefined) return undefined;
  const { before, after } = absence;
  return {
    neighbours: { before: provedLeaf(before), after: after === undefined ? null : provedLeaf(after) },
    root: ledger.root,
  };
}

function provedLeaf({ bytes, leafIndex, treeSize, path }: LeafProof): ProvedLeaf {
  return {
    record: Buffer.from(bytes).toString('base64'),
    proof: { index: leafIndex, treeSize, path: path.map((hash) => Buffer.from(hash).toString('hex')) },
  };
}
