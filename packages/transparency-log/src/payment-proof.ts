/** Checks proof files: that a payment is in a ledger, the ledger's root in an event, and the event in a signed log. */
import bs58 from 'bs58';
import { fromBase64, fromHex, toHex } from './bytes.ts';
import { entryOf, type Recordable } from './canonical-record.ts';
import type { Checkpoint } from './checkpoint.ts';
import { REFUSALS, type RecordFields, readRecord } from './ledger-record.ts';
import { leafHash, rootFromPath } from './merkle-tree.ts';
import { type Policy, policyOfLog, requirePolicy } from './policy.ts';
import { isSignedBy, NoteInvalid, parseVerifierKey } from './signed-note.ts';
import { parseTlogProof, requireIncluded } from './tlog-proof.ts';

export const EVENT_PROOF = 'levy-event-proof-1';
export const PAYMENT_PROOF = 'levy-payment-proof-1';

interface Logged {
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly stream: string;
    readonly revision: number;
    readonly data?: { readonly [name: string]: unknown };
    readonly metadata?: { readonly [name: string]: unknown };
    readonly raw?: { readonly data: string; readonly metadata: string };
  };
  readonly log: { readonly key: string; readonly proof: string };
}

interface Payment {
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

interface Leaf {
  readonly payment: Payment;
  readonly record: string;
  readonly proof: { readonly index: number; readonly treeSize: number; readonly path: readonly string[] };
}

export interface EventProofFile extends Logged {
  readonly format: typeof EVENT_PROOF;
}

interface PaymentProofFile extends Logged, Leaf {
  readonly format: typeof PAYMENT_PROOF;
  readonly root: string;
  readonly others?: readonly Leaf[];
}

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

/** In the order in which they are checked, from the log down to the payment; the proof of an event has the first two alone. */
const STEPS = ['log', 'signature', 'root', 'ledger', 'record'] as const;

export interface ProofStep {
  readonly name: (typeof STEPS)[number];
  /** What was compared. */
  readonly compared: string;
}

export function stepsOf(format: unknown): readonly ProofStep['name'][] {
  return format === PAYMENT_PROOF ? STEPS : STEPS.slice(0, 2);
}

/** Throws `NoteInvalid` with the first thing that does not hold. `onStep` is told of each step that holds. */
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
    throw new NoteInvalid(`the key in the file has not signed the checkpoint of ${origin}`);
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
    throw new NoteInvalid('the event does not record the root of the ledger');
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

/** The bytes of the record. */
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
  // The path alone does not tell the sizes of some trees apart.
  requireField(wallet, 'proof.treeSize', proof.treeSize, treeSize);
  return bytes;
}

function recordIn(bytes: Uint8Array, wallet: string): RecordFields {
  try {
    return readRecord(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new NoteInvalid(`the record of ${wallet} is none: ${error.message}`);
  }
}

/** Everything but the transaction follows from the record: that one stands in the settlement, and on the chain. */
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

/** Where a value is not of the form: the path to it; undefined for one that is. */
type Form = (value: unknown, path: string) => string | undefined;

const like =
  (isSo: (value: unknown) => boolean): Form =>
  (value, path) =>
    isSo(value) ? undefined : path;
const text = like((value) => typeof value === 'string');
const matching = (pattern: RegExp) => like((value) => typeof value === 'string' && pattern.test(value));
const integerFrom = (least: number) => like((value) => Number.isInteger(value) && Number(value) >= least);
const digits = matching(/^(0|[1-9][0-9]*)$/);
const members = like(isObject);
const optional =
  (form: Form): Form =>
  (value, path) =>
    value === undefined ? undefined : form(value, path);
const nullable =
  (form: Form): Form =>
  (value, path) =>
    value === null ? undefined : form(value, path);
const listOf =
  (form: Form): Form =>
  (value, path) =>
    Array.isArray(value) ? firstTrouble(value.map((each, index) => [form, each, `${path}.${index}`])) : path;
const object =
  (forms: { readonly [name: string]: Form }): Form =>
  (value, path) =>
    isObject(value)
      ? firstTrouble(
          Object.entries(forms).map(([name, form]) => [
            form,
            value[name],
            path === '' ? name : `${path}.${name}`,
          ]),
        )
      : path;

function firstTrouble(checks: readonly (readonly [Form, unknown, string])[]): string | undefined {
  for (const [form, value, path] of checks) {
    const trouble = form(value, path);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LOGGED = {
  event: object({
    id: text,
    type: text,
    stream: text,
    revision: integerFrom(0),
    data: optional(members),
    metadata: optional(members),
    raw: optional(object({ data: text, metadata: text })),
  }),
  log: object({ key: text, proof: text }),
};
const LEAF = {
  payment: object({
    index: integerFrom(Number.MIN_SAFE_INTEGER),
    kind: text,
    asset: text,
    wallet: text,
    balance: digits,
    share: digits,
    owedBefore: digits,
    planned: digits,
    paid: digits,
    owedAfter: digits,
    reason: text,
    signature: nullable(text),
    slot: nullable(digits),
  }),
  record: text,
  proof: object({
    index: integerFrom(0),
    treeSize: integerFrom(1),
    path: listOf(matching(/^[0-9a-f]{64}$/)),
  }),
};
const FORMS = new Map<unknown, Form>([
  [EVENT_PROOF, object(LOGGED)],
  [PAYMENT_PROOF, object({ ...LOGGED, ...LEAF, root: text, others: optional(listOf(object(LEAF))) })],
]);

function requireForm(file: unknown): asserts file is EventProofFile | PaymentProofFile {
  const form = FORMS.get(isObject(file) ? file.format : undefined);
  if (form === undefined)
    throw new NoteInvalid(`the file is no proof: its format is neither ${EVENT_PROOF} nor ${PAYMENT_PROOF}`);
  const trouble = form(file, '');
  if (trouble !== undefined)
    throw new NoteInvalid(`the file is no proof: ${trouble} is missing or of another form`);
}
