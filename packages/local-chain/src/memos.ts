/** Memos of a transaction, in the form in which a node lists them with its signature. */
import { addressBytes, MEMO_PROGRAM, sameBytes } from 'levy-solana-wire';
import { ownTransaction } from './read-transaction.ts';

const FORMER_MEMO_PROGRAM = 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo';
const MEMO_PROGRAMS = [FORMER_MEMO_PROGRAM, MEMO_PROGRAM].map((address) =>
  Buffer.from(addressBytes(address)),
);

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null without memos. */
export function memosIn(wire: Uint8Array): string | null {
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
  if (!MEMO_PROGRAMS.some((program) => bytes.includes(program))) return null;
  const { accountKeys, instructions } = ownTransaction(wire).message;
  const memos = instructions.flatMap(({ programIndex, data }) => {
    const program = accountKeys[programIndex];
    const isMemo = program !== undefined && MEMO_PROGRAMS.some((memo) => sameBytes(memo, program));
    return isMemo ? [`[${data.length}] ${textOf(data)}`] : [];
  });
  return memos.length === 0 ? null : memos.join('; ');
}

function textOf(data: Uint8Array): string {
  try {
    return strict.decode(data);
  } catch {
    return '(unparseable)';
  }
}
