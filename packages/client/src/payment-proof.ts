/** Verifies the file of `GET /distribution/{tokenId}/runs/{runId}/payments/{wallet}/proof`, without trusting the service. */
import bs58 from 'bs58';
import {
  entryOf,
  fromBase64,
  fromHex,
  leafHash,
  NoteInvalid,
  parsePolicy,
  parseTlogProof,
  type Recordable,
  requireIncluded,
  requirePolicy,
  rootFromPath,
  toHex,
} from 'levy-transparency-log';
import type { GetPaymentProofAnswer } from './schema.ts';

export interface ProvedPayment {
  readonly kind: (typeof KINDS)[number];
  /** Asset of the payment: SOL, or the token itself. */
  readonly asset: 'sol' | 'token';
  /** Planned amount: lamports, or base units of the token. */
  readonly planned: string;
}

/** Size of a ledger record (docs/reference/ledger-files.md): owner, kind, reason, and six little-endian amounts. */
const RECORD_SIZE = 82;
const OWNER_SIZE = 32;
const KIND_AT = 32;
const PLANNED_AT = 34 + 8 * 4;
/** `debt` is owed in the asset that the run does not pay. */
const KINDS = ['costs', 'developer', 'holder', 'debt'] as const;

/**
 * Verifies a payment proof offline, and returns the planned payments of the wallet, one for each kind that it has in
 * the ledger. `policy` is the text of a C2SP policy with the log's key, from a source other than the service. The log
 * does not contain whether and by which transaction the wallet was paid: the settlement and the chain do. Throws
 * `NoteInvalid` with the first violation.
 */
export function verifyPaymentProof(
  file: GetPaymentProofAnswer,
  { policy, wallet }: { readonly policy: string; readonly wallet: string },
): readonly ProvedPayment[] {
  const event = file.event as Recordable;
  const signed = requireIncluded(parseTlogProof(file.log.proof), entryOf(event));
  requirePolicy(parsePolicy(policy), signed);
  const { type, data, raw } = event;
  // An undecodable event is in the log as raw bytes, which prove nothing about its data.
  if (type !== 'RunAllotted' || raw !== undefined || data.root !== file.root) {
    throw new NoteInvalid('the event does not contain the root of the ledger');
  }
  const { asset } = data;
  if (asset !== 'sol' && asset !== 'token') throw new NoteInvalid('the event must contain the asset');
  return [file, ...(file.others ?? [])].map((leaf) => {
    const bytes = recordIn(leaf, { root: file.root, records: Number(data.records), wallet });
    const { kind, planned } = readRecord(bytes, wallet);
    if (planned !== leaf.payment.planned) {
      throw new NoteInvalid(
        `planned of ${wallet} is ${leaf.payment.planned} in the file, but ${planned} in the ledger`,
      );
    }
    const other = asset === 'sol' ? 'token' : 'sol';
    return { kind, asset: kind === 'debt' ? other : asset, planned };
  });
}

/** Returns the record's bytes if its path leads to the root. */
function recordIn(
  { record, proof }: Pick<GetPaymentProofAnswer, 'record' | 'proof'>,
  { root, records, wallet }: { readonly root: string; readonly records: number; readonly wallet: string },
): Uint8Array {
  const bytes = fromBase64(record);
  const path = proof.path.map((hash) => fromHex(hash) ?? new Uint8Array());
  const found = bytes && rootFromPath(leafHash(bytes), proof.index, proof.treeSize, path);
  // Some trees of different sizes have the same paths, so the size is compared too; leaf 0 is the header.
  const holds = found !== undefined && toHex(found) === root && proof.treeSize === records + 1;
  if (bytes !== undefined && holds) return bytes;
  throw new NoteInvalid(`the record of ${wallet} is not in the ledger`);
}

function readRecord(bytes: Uint8Array, wallet: string): Pick<ProvedPayment, 'kind' | 'planned'> {
  const kind = bytes.length === RECORD_SIZE ? KINDS[bytes[KIND_AT] ?? KINDS.length] : undefined;
  if (kind === undefined) throw new NoteInvalid('the record has an invalid form');
  const owner = bs58.encode(bytes.subarray(0, OWNER_SIZE));
  if (owner !== wallet) throw new NoteInvalid(`the record belongs to ${owner}, not to ${wallet}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return { kind, planned: view.getBigUint64(PLANNED_AT, true).toString() };
}
