/** Checks a proof by the rules of `levy verify`, step by step. Loaded on demand. */
import {
  checkProofFile,
  NoteInvalid,
  type Policy,
  type ProofStep,
  parsePolicy,
  parseVerifierKey,
  policyOfLog,
  stepsOf,
} from 'levy-transparency-log';

export interface Checked {
  readonly steps: readonly {
    readonly name: string;
    readonly title: string;
    readonly state: 'holds' | 'fails' | 'next';
    /** Compared values; undefined for a step that was not checked. */
    readonly detail: string | undefined;
  }[];
  /** Reason why the proof is invalid. */
  readonly fault: string | undefined;
  readonly believedKey: string | undefined;
}

const TITLES: { readonly [name in ProofStep['name']]: string } = {
  log: 'The run’s event is in the log',
  signature: 'The log is signed',
  root: 'The event records the run’s ledger, before the first payment',
  ledger: 'The record is in the ledger',
  record: 'The payment matches the record',
};

/** The trusted key or policy cannot be parsed. */
export class TrustInvalid extends Error {
  override readonly name = 'TrustInvalid';
}

/** `trusted`: verifier key or policy; if blank, the key in the file is trusted. Throws `TrustInvalid`. */
export function checkProof(file: unknown, trusted = ''): Checked {
  const policy = policyIn(trusted.trim());
  const held = new Map<string, string>();
  let fault: string | undefined;
  let believedKey: string | undefined;
  try {
    ({ believedKey } = checkProofFile(file, policy, ({ name, compared }) => void held.set(name, compared)));
  } catch (error) {
    if (!(error instanceof NoteInvalid)) throw error;
    fault = error.message;
  }
  const names = stepsOf(
    typeof file === 'object' && file !== null && 'format' in file ? file.format : undefined,
  );
  const failing = fault === undefined ? undefined : names.find((name) => !held.has(name));
  return {
    steps: names.map((name) => ({
      name,
      title: TITLES[name],
      state: held.has(name) ? 'holds' : name === failing ? 'fails' : 'next',
      detail: name === failing ? fault : held.get(name),
    })),
    fault,
    believedKey,
  };
}

function policyIn(trusted: string): Policy | undefined {
  if (trusted === '') return undefined;
  try {
    return /^\s*quorum\s/m.test(trusted) ? parsePolicy(trusted) : policyOfLog(parseVerifierKey(trusted));
  } catch (error) {
    if (!(error instanceof NoteInvalid)) throw error;
    throw new TrustInvalid(error.message);
  }
}

interface Changeable {
  readonly payment: { readonly planned: string };
  readonly proof: { readonly path: readonly string[] };
  readonly root: string;
  readonly event: { readonly data: { readonly [name: string]: unknown } };
  readonly log: { readonly proof: string };
}

const WAYS: { readonly [change: string]: (file: Changeable) => object } = {
  'the planned amount is one higher': ({ payment }) => ({
    payment: { ...payment, planned: (BigInt(payment.planned) + 1n).toString() },
  }),
  'the root of the ledger has changed': ({ root }) => ({ root: flipped(root) }),
  'the root in the recorded event differs': ({ event }) => ({
    event: { ...event, data: { ...event.data, root: flipped(String(event.data.root)) } },
  }),
  'the signature of the log has changed': ({ log }) => ({
    log: {
      ...log,
      proof: log.proof.replace(/(\S{8})(\n*)$/, (_all, end, rest) => `AAAA${end.slice(4)}${rest}`),
    },
  }),
};

/** Demonstrated changes, in order. */
export const CHANGES: readonly string[] = Object.keys(WAYS);

export function changed<File extends Changeable>(file: File, change: string): File {
  return { ...file, ...WAYS[change]?.(file) };
}

function flipped(hex: string): string {
  return (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
}
