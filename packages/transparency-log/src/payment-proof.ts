/** Verifies proof files: that a payment is in a ledger, the ledger's root in an event, and the event in a signed log. */
import bs58 from 'bs58';
import { fromBase64, fromHex, toHex } from './bytes.ts';
import { entryOf, type Recordable } from './canonical-record.ts';
import type { Checkpoint } from './checkpoint.ts';
import { REFUSALS, type RecordFields, readRecord } from './ledger-record.ts';
import { leafHash, rootFromPath } from './merkle-tree.ts';
import { type Policy, policyOfLog, requirePolicy } from './policy.ts';
import { type Leaf, PAYMENT_PROOF, type Payment, type PaymentProofFile, requireForm } from './proof-file.ts';
import { isSignedBy, NoteInvalid, parseVerifierKey } from './signed-note.ts';
import { parseTlogProof, requireIncluded } from './tlog-proof.ts';

/** Facts that a proof file proves. */
export interface Shown {
  readonly event: Pick<Recordable, 'id' | 'type' | 'stream' | 'revision'>;
  readonly index: number;
  readonly checkpoint: Checkpoint;
  /** Key in the file, if it was trusted because no policy was given. */
  readonly believedKey: string | undefined;
  /** Witnesses of the policy that signed. */
  readonly witnesses: readonly string[];
  /** Payments of a payment proof; empty for an event proof. */
  readonly payments: readonly { readonly wallet: string; readonly planned: string; readonly root: string }[];
}

/** Steps in the order of verification, from the log to the payment; an event proof has only the first two. */
const STEPS = ['log', 'signature', 'root', 'ledger', 'record'] as const;

export interface ProofStep {
  readonly name: (typeof STEPS)[number];
  /** Compared values. */
  readonly compared: string;
}

export function stepsOf(format: unknown): readonly ProofStep['name'][] {
  return format === PAYMENT_PROOF ? STEPS : STEPS.slice(0, 2);
}

/** Throws `NoteInvalid` with the first violation. `onStep` is called after each successful step. */
export function checkProofFile(
  file: unknown,
  policy: Policy | undefined,
  onStep: (step: ProofStep) => void = () => undefined,
): Shown {
  requireForm(file);
  const { id, type, stream, revision, raw } = file.event;
  const event: Recordable = {
    id,
    type,
    stream,
    revision,
    data: file.event.data ?? {},
    metadata: file.event.metadata ?? {},
    ...(raw && { raw }),
  };
  const proof = parseTlogProof(file.log.proof);
  const signed = requireIncluded(proof, entryOf(event));
  const { origin, size, root } = signed.checkpoint;
  onStep({
    name: 'log',
    compared: `entry ${proof.index} of ${size}, ${proof.path.length} hashes, root ${toHex(root)}`,
  });
  const key = parseVerifierKey(file.log.key);
  if (key.name !== origin || !isSignedBy(signed.note, key))
    throw new NoteInvalid(`the checkpoint of ${origin} is not signed by the key in the file`);
  const witnesses = requirePolicy(policy ?? policyOfLog(key), signed);
  onStep({ name: 'signature', compared: [file.log.key, ...witnesses].join(', ') });
  const payments = file.format === PAYMENT_PROOF ? checkPayments(file, event, onStep) : [];
  return {
    event: { id, type, stream, revision },
    index: proof.index,
    checkpoint: signed.checkpoint,
    believedKey: policy === undefined ? file.log.key : undefined,
    witnesses,
    payments,
  };
}

function checkPayments(
  file: PaymentProofFile,
  { type, data, raw }: Recordable,
  onStep: (step: ProofStep) => void,
): Shown['payments'] {
  if (type !== 'RunAllotted' || raw !== undefined || data.root !== file.root)
    throw new NoteInvalid('the event does not contain the root of the ledger');
  onStep({ name: 'root', compared: `${type} records root ${file.root} over ${data.records} records` });
  const leaves = [file, ...(file.others ?? [])];
  const records = leaves.map((leaf) => recordInLedger(leaf, file.root, Number(data.records) + 1));
  const { payment, proof } = file;
  onStep({
    name: 'ledger',
    compared: `leaf ${proof.index} of ${proof.treeSize}, ${proof.path.length} hashes, root ${file.root}`,
  });
  for (const [place, leaf] of leaves.entries())
    requireRecorded(leaf.payment, recordIn(records[place] ?? new Uint8Array(), leaf.payment.wallet), {
      leaf: leaf.proof.index,
      asset: data.asset,
    });
  onStep({
    name: 'record',
    compared: `record ${payment.index}: balance ${payment.balance}, share ${payment.share}, planned ${payment.planned}`,
  });
  return leaves.map(({ payment: { wallet, planned } }) => ({ wallet, planned, root: file.root }));
}

/** Returns the bytes of the record. */
function recordInLedger(
  { payment: { wallet }, record, proof }: Leaf,
  root: string,
  treeSize: number,
): Uint8Array {
  const bytes = fromBase64(record);
  const path = proof.path.map((hash) => fromHex(hash) ?? new Uint8Array());
  const found = bytes && rootFromPath(leafHash(bytes), proof.index, proof.treeSize, path);
  if (bytes === undefined || found === undefined || toHex(found) !== root)
    throw new NoteInvalid(`the record of ${wallet} is not in the ledger`);
  // Some trees of different sizes have the same paths, so the size is compared too.
  requireField(wallet, 'proof.treeSize', proof.treeSize, treeSize);
  return bytes;
}

function recordIn(bytes: Uint8Array, wallet: string): RecordFields {
  try {
    return readRecord(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoteInvalid(`the record of ${wallet} is invalid: ${error.message}`);
  }
}

/** Requires that all fields except the transaction equal the record; the settlement and the chain contain the transaction. */
function requireRecorded(
  payment: Payment,
  { kind, reason, owner, balance, share, owedBefore, planned }: RecordFields,
  { leaf, asset }: { readonly leaf: number; readonly asset: unknown },
): void {
  const { wallet } = payment;
  const isPaid = payment.paid !== '0';
  const isRefused = reason === 'planned' && !isPaid && isRefusal(payment.reason);
  const otherAsset = asset === 'sol' ? 'token' : 'sol';
  const expected: Omit<Payment, 'signature' | 'slot'> = {
    index: leaf - 1,
    kind,
    asset: kind === 'debt' ? otherAsset : String(asset),
    wallet: bs58.encode(owner),
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
    throw new NoteInvalid(`the payment of ${wallet} must have a transaction exactly if it was paid`);
}

function isRefusal(reason: string): boolean {
  return REFUSALS.some((refusal) => refusal === reason);
}

function requireField(wallet: string, name: string, found: unknown, expected: unknown): void {
  if (found !== expected)
    throw new NoteInvalid(`${name} of ${wallet} is ${found} in the file, but ${expected} in the ledger`);
}
