/** Transfers of tokens and payments of wrapped SOL in a transaction; instructions in a batch of the token program are taken apart. */
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from 'levy-solana-wire';
import { instructionsIn, type NamedInstruction } from '../../src/chain/landed-instructions.ts';

interface Move {
  readonly from: string;
  readonly to: string;
  readonly authority: string;
}

type Action =
  /** Moves tokens or wrapped SOL; has a `fee` where the instruction names the tax. */
  | (Move & { readonly kind: 'move'; readonly amount: bigint; readonly fee?: bigint })
  /** Wrapped SOL paid out as lamports. Undefined: all of it. */
  | (Move & { readonly kind: 'unwrap'; readonly amount: bigint | undefined })
  | { readonly kind: 'other' };

const [TRANSFER, TRANSFER_CHECKED, TAX, TAXED_TRANSFER, UNWRAP, BATCH] = [3, 12, 26, 1, 45, 255];

/** Nothing for bytes that are no transaction. */
export const actionsOf = (wire: Uint8Array): readonly Action[] =>
  instructionsIn(wire)?.instructions.flatMap(actionsIn) ?? [];

function actionsIn({ program, accounts, data }: NamedInstruction): readonly Action[] {
  if (program === TOKEN_PROGRAM && data[0] === BATCH) return batchActions(accounts, data);
  const isOfTokens = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
  return [isOfTokens ? tokenAction(accounts, data) : { kind: 'other' }];
}

function batchActions(accounts: readonly string[], data: Buffer): readonly Action[] {
  const actions: Action[] = [];
  let [at, account] = [1, 0];
  while (at < data.length) {
    const [accountCount, length] = [data.readUInt8(at), data.readUInt8(at + 1)];
    const own = accounts.slice(account, account + accountCount);
    actions.push(tokenAction(own, data.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
    account += accountCount;
  }
  return actions;
}

function tokenAction(
  [from = '', second = '', third = '', fourth = '']: readonly string[],
  data: Buffer,
): Action {
  const checked = { kind: 'move', from, to: third, authority: fourth } as const;
  const plain = { from, to: second, authority: third };
  if (data[0] === TRANSFER) return { ...plain, kind: 'move', amount: data.readBigUInt64LE(1) };
  if (data[0] === TRANSFER_CHECKED) return { ...checked, amount: data.readBigUInt64LE(1) };
  if (data[0] === TAX && data[1] === TAXED_TRANSFER)
    return { ...checked, amount: data.readBigUInt64LE(2), fee: data.readBigUInt64LE(11) };
  if (data[0] === UNWRAP)
    return { ...plain, kind: 'unwrap', amount: data[1] === 1 ? data.readBigUInt64LE(2) : undefined };
  return { kind: 'other' };
}
