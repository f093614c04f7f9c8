/** Schema of proof files, for events and for payments. */
import { NoteInvalid } from './signed-note.ts';

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

export interface Payment {
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

export interface Leaf {
  readonly payment: Payment;
  readonly record: string;
  readonly proof: { readonly index: number; readonly treeSize: number; readonly path: readonly string[] };
}

export interface EventProofFile extends Logged {
  readonly format: typeof EVENT_PROOF;
}

export interface PaymentProofFile extends Logged, Leaf {
  readonly format: typeof PAYMENT_PROOF;
  readonly root: string;
  readonly others?: readonly Leaf[];
}

/** Check of a value: returns the path of the first violation; undefined for a valid value. */
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

/** Maximum nesting, far more than in any proof, so that recursive readers do not overflow the stack. */
const MAX_DEPTH = 100;

function isTooDeep(file: unknown): boolean {
  let level = [file];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/** Throws `NoteInvalid` with the first member that is missing or invalid. */
export function requireForm(file: unknown): asserts file is EventProofFile | PaymentProofFile {
  if (isTooDeep(file)) throw new NoteInvalid('the file is not a proof: it is nested too deeply');
  const form = FORMS.get(isObject(file) ? file.format : undefined);
  if (form === undefined)
    throw new NoteInvalid(`the file is not a proof: its format must be ${EVENT_PROOF} or ${PAYMENT_PROOF}`);
  const trouble = form(file, '');
  if (trouble !== undefined)
    throw new NoteInvalid(`the file is not a proof: ${trouble} is missing or invalid`);
}
