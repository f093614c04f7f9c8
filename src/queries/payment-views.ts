/** Views of a run's payments: as JSON, as lines of CSV, and with their proofs. */
import { type Static, Type } from '@sinclair/typebox';
import type { LeafProof } from '../distribution/ledger/allotment-file.ts';
import { KINDS, REASONS } from '../distribution/ledger/ledger-record.ts';
import type { LedgerPayment } from '../distribution/ledger/run-ledger.ts';
import { RewardAsset, Sha256 } from '../streams/distribution.ts';
import { REFUSALS } from '../streams/distribution-run.ts';
import { Address, Amount, Base64, described, enumOf, orNull, Signature } from '../streams/value-types.ts';

export const PaymentView = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Index of the record in the ledger.', examples: [417] }),
    kind: enumOf('DistributionPaymentKind', KINDS, {
      description: "`costs`: repays the distributor's fees; `debt`: owed in the former reward asset.",
      examples: ['holder'],
    }),
    asset: described(RewardAsset, 'Unit of `share` and of the fields after it.'),
    wallet: Address,
    balance: described(Amount, "The wallet's balance at the scan, in base units."),
    share: described(Amount, 'Earned in this run.'),
    owedBefore: described(Amount, 'Earned in earlier runs and not paid.'),
    planned: described(Amount, 'Amount that this run is to pay.'),
    paid: described(Amount, 'Amount that this run paid; 0 until the run is closed.'),
    owedAfter: described(Amount, '`owedBefore + share - paid`; paid in later runs.'),
    reason: Type.String({
      description:
        `Reason for the amount: ${[...REASONS].map(code).join(', ')}; or a refusal of the chain: ` +
        `${REFUSALS.map(code).join(', ')}. More reasons may be added. docs/explanation/who-is-paid.md explains each.`,
      examples: ['planned'],
    }),
    signature: orNull(Signature, {
      description:
        'Signature of the paying transaction; null if nothing was paid, and until the run is closed.',
    }),
    slot: orNull(Amount, { examples: ['4150'] }),
  },
  { title: 'DistributionPayment' },
);

export type PaymentView = Static<typeof PaymentView>;

export function paymentView(payment: LedgerPayment): PaymentView {
  const { index, kind, asset, wallet, reason, outcome } = payment;
  const landed = outcome.status === 'paid' ? outcome : undefined;
  return {
    index,
    kind,
    asset,
    wallet,
    balance: payment.balance.toString(),
    share: payment.share.toString(),
    owedBefore: payment.owedBefore.toString(),
    planned: payment.planned.toString(),
    paid: payment.paid.toString(),
    owedAfter: payment.owedAfter.toString(),
    reason,
    signature: landed?.signature ?? null,
    slot: landed?.slot.toString() ?? null,
  };
}

const COLUMNS = Object.keys(PaymentView.properties) as (keyof PaymentView)[];

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/** RFC 4180. All values are digits, addresses and names without special characters, so quotes are unnecessary. */
export function csvLine(payment: LedgerPayment): string {
  const view = paymentView(payment);
  return `${COLUMNS.map((column) => view[column] ?? '').join(',')}\r\n`;
}

const Record = described(Base64, 'Bytes of the leaf, in base64.');

const Proof = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'Index of the leaf; leaf 0 is the header.',
      examples: [418],
    }),
    treeSize: Type.Integer({ minimum: 1, examples: [1_201] }),
    path: Type.Array(Sha256, {
      description: 'Hashes from the leaf to the root (RFC 9162, 2.1.3.2), in hexadecimal.',
    }),
  },
  { title: 'DistributionProof' },
);

export const provedFields = { record: Record, proof: Proof };

const ProvedLeaf = Type.Object(provedFields, { title: 'DistributionProvedLeaf' });

export function provedLeaf({ leafIndex, treeSize, bytes, path }: LeafProof): Static<typeof ProvedLeaf> {
  return {
    record: Buffer.from(bytes).toString('base64'),
    proof: { index: leafIndex, treeSize, path: path.map((hash) => Buffer.from(hash).toString('hex')) },
  };
}

function code(name: string): string {
  return `\`${name}\``;
}
