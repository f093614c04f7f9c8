/** Checks proof files: that a payment is in a ledger, the ledger's root in an event, and the event in a signed log. */

import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  type Checkpoint,
  fromBase64,
  isSignedBy,
  leafHash,
  NoteInvalid,
  type Policy,
  parseTlogProof,
  parseVerifierKey,
  policyOfLog,
  type Recordable,
  requireIncluded,
  requirePolicy,
  rootFromPath,
} from 'levy-transparency-log';
import { decodeRecord, type LedgerRecord } from '../../distribution/ledger/record.ts';
import type { JsonObject } from '../../kernel/ports/event-store.ts';
import { REFUSALS } from '../../streams/distribution-run.ts';
import { entryOf } from './canonical-record.ts';

export const EVENT_PROOF = 'levy-event-proof-1';
export const PAYMENT_PROOF = 'levy-payment-proof-1';

const Json = Type.Record(Type.String(), Type.Unknown());
const Raw = Type.Object({ data: Type.String(), metadata: Type.String() });
const Logged = {
  event: Type.Object({
    id: Type.String(),
    type: Type.String(),
    stream: Type.String(),
    revision: Type.Integer({ minimum: 0 }),
    data: Type.Optional(Json),
    metadata: Type.Optional(Json),
    raw: Type.Optional(Raw),
  }),
  log: Type.Object({ key: Type.String(), proof: Type.String() }),
};
const Digits = Type.String({ pattern: '^(0|[1-9][0-9]*)$' });
const Payment = Type.Object({
  index: Type.Integer(),
  kind: Type.String(),
  asset: Type.String(),
  wallet: Type.String(),
  balance: Digits,
  share: Digits,
  owedBefore: Digits,
  planned: Digits,
  paid: Digits,
  owedAfter: Digits,
  reason: Type.String(),
  signature: Type.Union([Type.String(), Type.Null()]),
  slot: Type.Union([Digits, Type.Null()]),
});
const Leaf = Type.Object({
  payment: Payment,
  record: Type.String(),
  proof: Type.Object({
    index: Type.Integer({ minimum: 0 }),
    treeSize: Type.Integer({ minimum: 1 }),
    path: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
});
const EventProofFile = Type.Object({ format: Type.Literal(EVENT_PROOF), ...Logged });
const PaymentProofFile = Type.Object({
  format: Type.Literal(PAYMENT_PROOF),
  ...Logged,
  ...Leaf.properties,
  root: Type.String(),
  others: Type.Optional(Type.Array(Leaf)),
});
const isEventProof = TypeCompiler.Compile(EventProofFile);
const isPaymentProof = TypeCompiler.Compile(PaymentProofFile);

export type EventProofFile = Static<typeof EventProofFile>;

/** What a proof file shows. */
export interface Shown {
  readonly event: Pick<Recordable, 'id' | 'type' | 'stream' | 'revision'>;
  readonly index: number;
  readonly checkpoint: Checkpoint;
  /** The key in the file was believed, since no policy was given. */
  readonly believedKey: string | undefined;
  /** The witnesses of the policy that signed. */
  readonly witnesses: readonly string[];
  /** The payments of a payment's proof; empty for the proof of an event. */
  readonly payments: readonly { readonly wallet: string; readonly planned: string; readonly root: string }[];
}

/** Throws `NoteInvalid` with the first thing that does not hold. */
export function checkProofFile(file: unknown, policy: Policy | undefined): Shown {
  if (!isEventProof.Check(file) && !isPaymentProof.Check(file))
    throw new NoteInvalid(`the file is no proof: ${formTrouble(file)}`);
  const { id, type, stream, revision, raw } = file.event;
  const event: Recordable = {
    id,
    type,
    stream,
    revision,
    // The form of an event is that of JSON, whatever it holds.
    data: (file.event.data ?? {}) as JsonObject,
    metadata: (file.event.metadata ?? {}) as JsonObject,
    ...(raw && { raw }),
  };
  const proof = parseTlogProof(file.log.proof);
  const signed = requireIncluded(proof, entryOf(event));
  const key = parseVerifierKey(file.log.key);
  if (key.name !== signed.checkpoint.origin || !isSignedBy(signed.note, key))
    throw new NoteInvalid(`the key in the file has not signed the checkpoint of ${signed.checkpoint.origin}`);
  const believed = policy ?? policyOfLog(key);
  const witnesses = requirePolicy(believed, signed);
  const payments = file.format === PAYMENT_PROOF ? checkPayments(file, event) : [];
  return {
    event: { id, type, stream, revision },
    index: proof.index,
    checkpoint: signed.checkpoint,
    believedKey: policy === undefined ? file.log.key : undefined,
    witnesses,
    payments,
  };
}

/** Where a file is not of the form that it names. */
function formTrouble(file: unknown): string {
  const format = typeof file === 'object' && file !== null && 'format' in file ? file.format : undefined;
  if (format !== EVENT_PROOF && format !== PAYMENT_PROOF)
    return `its format is neither ${EVENT_PROOF} nor ${PAYMENT_PROOF}`;
  const first = (format === PAYMENT_PROOF ? isPaymentProof : isEventProof).Errors(file).First();
  return `${first?.path.slice(1).replaceAll('/', '.')} is missing or of another form`;
}

function checkPayments(
  file: Static<typeof PaymentProofFile>,
  { type, data, raw }: Recordable,
): Shown['payments'] {
  if (type !== 'RunAllotted' || raw !== undefined || data.root !== file.root)
    throw new NoteInvalid('the event does not record the root of the ledger');
  return [file, ...(file.others ?? [])].map(({ payment, record, proof }) => {
    const { wallet } = payment;
    const bytes = fromBase64(record);
    const path = proof.path.map((hash) => Buffer.from(hash, 'hex'));
    const found = bytes && rootFromPath(leafHash(bytes), proof.index, proof.treeSize, path);
    if (bytes === undefined || found === undefined || Buffer.from(found).toString('hex') !== file.root)
      throw new NoteInvalid(`the record of ${wallet} is not in the ledger`);
    // The path alone does not tell the sizes of some trees apart.
    requireField(wallet, 'proof.treeSize', proof.treeSize, Number(data.records) + 1);
    requireRecorded(payment, recordIn(bytes, wallet), { leaf: proof.index, asset: data.asset });
    return { wallet, planned: payment.planned, root: file.root };
  });
}

function recordIn(bytes: Uint8Array, wallet: string): LedgerRecord {
  try {
    return decodeRecord(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoteInvalid(`the record of ${wallet} is none: ${error.message}`);
  }
}

/** Everything but the transaction follows from the record: that one stands in the settlement, and on the chain. */
function requireRecorded(
  payment: Static<typeof Payment>,
  { kind, reason, owner, balance, share, owedBefore, planned }: LedgerRecord,
  { leaf, asset }: { readonly leaf: number; readonly asset: unknown },
): void {
  const { wallet } = payment;
  const isPaid = payment.paid !== '0';
  const isRefused = reason === 'planned' && !isPaid && isRefusal(payment.reason);
  const otherAsset = asset === 'sol' ? 'token' : 'sol';
  const expected: Omit<Static<typeof Payment>, 'signature' | 'slot'> = {
    index: leaf - 1,
    kind,
    asset: kind === 'debt' ? otherAsset : String(asset),
    wallet: owner,
    balance: balance.toString(),
    share: share.toString(),
    owedBefore: owedBefore.toString(),
    planned: planned.toString(),
    paid: isPaid ? planned.toString() : '0',
    owedAfter: (owedBefore + share - (isPaid ? planned : 0n)).toString(),
    reason: isRefused ? payment.reason : reason,
  };
  for (const [name, value] of Object.entries(expected))
    requireField(wallet, name, payment[name as keyof typeof expected], value);
  if (isPaid !== (payment.signature !== null) || isPaid !== (payment.slot !== null))
    throw new NoteInvalid(
      `the payment of ${wallet} has a transaction where nothing was paid, or none where it was`,
    );
}

function isRefusal(reason: string): boolean {
  return REFUSALS.some((refusal) => refusal === reason);
}

function requireField(wallet: string, name: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new NoteInvalid(`${name} of ${wallet} is ${found} in the file, and ${expected} in the ledger`);
}
