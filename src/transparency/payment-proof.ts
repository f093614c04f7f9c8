/** Checks proof files: that a payment is in a ledger, the ledger's root in an event, and the event in a signed log. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { decodeRecord } from '../distribution/ledger/record.ts';
import type { JsonObject } from '../ports/event-store.ts';
import { leafHash, rootFromPath } from '../runtime/merkle-tree.ts';
import { entryOf, type Recordable } from './canonical-record.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Policy, policyOfLog, requirePolicy } from './policy.ts';
import { NoteInvalid, parseVerifierKey } from './signed-note.ts';
import { parseTlogProof, requireIncluded } from './tlog-proof.ts';

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
const Leaf = Type.Object({
  payment: Type.Object({ wallet: Type.String(), planned: Type.String() }),
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
  /** Of a payment's proof. */
  readonly payments: readonly { readonly wallet: string; readonly planned: string; readonly root: string }[];
}

/** Throws `NoteInvalid` with the first thing that does not hold. */
export function checkProofFile(file: unknown, policy: Policy | undefined): Shown {
  if (!isEventProof.Check(file) && !isPaymentProof.Check(file))
    throw new NoteInvalid(`the file is no proof of the form ${EVENT_PROOF} or ${PAYMENT_PROOF}`);
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
  const believed = policy ?? policyOfLog(parseVerifierKey(file.log.key));
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

function checkPayments(file: Static<typeof PaymentProofFile>, event: Recordable): Shown['payments'] {
  if (event.type !== 'RunAllotted' || event.data.root !== file.root)
    throw new NoteInvalid('the event does not record the root of the ledger');
  return [file, ...(file.others ?? [])].map(({ payment, record, proof }) => {
    const bytes = Buffer.from(record, 'base64');
    const path = proof.path.map((hash) => Buffer.from(hash, 'hex'));
    const found = rootFromPath(leafHash(bytes), proof.index, proof.treeSize, path);
    if (found === undefined || Buffer.from(found).toString('hex') !== file.root)
      throw new NoteInvalid(`the record of ${payment.wallet} is not in the ledger`);
    const { owner, planned } = decodeRecord(bytes);
    if (owner !== payment.wallet || planned.toString() !== payment.planned)
      throw new NoteInvalid(`the record is not that of ${payment.wallet}, or plans another amount`);
    return { wallet: owner, planned: payment.planned, root: file.root };
  });
}
