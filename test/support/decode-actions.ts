/**
 * What a transaction does with lamports and tokens, read off its bytes. Instructions in a batch of the token program are
 * taken apart. What other programs do is not known from the bytes: it is listed as `other`, with the accounts it names.
 */
import {
  addressOf,
  decodeTransaction,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from 'levy-solana-wire';

type Action =
  /** Moves tokens or wrapped SOL; has a `fee` where the instruction names the tax. */
  | {
      readonly kind: 'move';
      readonly from: string;
      readonly to: string;
      readonly authority: string;
      readonly amount: bigint;
      readonly fee: bigint | undefined;
    }
  /** Wrapped SOL paid out as lamports. Undefined: all of it. */
  | {
      readonly kind: 'unwrap';
      readonly from: string;
      readonly to: string;
      readonly authority: string;
      readonly amount: bigint | undefined;
    }
  | {
      readonly kind: 'approve';
      readonly account: string;
      readonly delegate: string;
      readonly authority: string;
      readonly amount: bigint;
    }
  | { readonly kind: 'revoke'; readonly account: string; readonly authority: string }
  /** Withheld tax, out of the mint or of accounts. */
  | { readonly kind: 'withdraw'; readonly to: string; readonly authority: string }
  | { readonly kind: 'close'; readonly account: string; readonly to: string; readonly authority: string }
  | { readonly kind: 'burn'; readonly account: string; readonly authority: string; readonly amount: bigint }
  | { readonly kind: 'initialize'; readonly account: string; readonly owner: string }
  | { readonly kind: 'sync'; readonly account: string }
  | { readonly kind: 'lamports'; readonly from: string; readonly to: string; readonly amount: bigint }
  | { readonly kind: 'memo'; readonly text: string }
  | { readonly kind: 'other'; readonly program: string; readonly accounts: readonly string[] };

export interface DecodedActions {
  readonly payer: string;
  readonly signers: readonly string[];
  readonly actions: readonly Action[];
}

const BATCH = 255;

/** Undefined for bytes that are no transaction. Accounts from lookup tables have no name here. */
export function actionsOf(wire: Uint8Array): DecodedActions | undefined {
  const decoded = decodeTransaction(wire);
  if (!decoded.ok) return undefined;
  const { message } = decoded.transaction;
  const names = message.accountKeys.map(addressOf);
  const actions = message.instructions.flatMap(({ programIndex, accountIndexes, data }) =>
    instructionActions(
      names[programIndex] ?? '',
      [...accountIndexes].map((index) => names[index] ?? ''),
      Buffer.from(data),
    ),
  );
  return { payer: names[0] ?? '', signers: names.slice(0, message.requiredSignatures), actions };
}

function instructionActions(program: string, accounts: readonly string[], data: Buffer): readonly Action[] {
  const other: Action = { kind: 'other', program, accounts };
  try {
    if (program === TOKEN_PROGRAM && data[0] === BATCH) return batchActions(accounts, data);
    if (program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM)
      return [tokenAction(accounts, data) ?? other];
    if (program === SYSTEM_PROGRAM) return [systemAction(accounts, data) ?? other];
    if (program === MEMO_PROGRAM) return [{ kind: 'memo', text: data.toString() }];
  } catch (error) {
    // Too short for its kind: the chain would not have taken it either, so nobody may rely on what it says.
    if (!(error instanceof RangeError)) throw error;
  }
  return [other];
}

function batchActions(accounts: readonly string[], data: Buffer): readonly Action[] {
  const actions: Action[] = [];
  let [at, account] = [1, 0];
  while (at < data.length) {
    const [accountCount, length] = [data.readUInt8(at), data.readUInt8(at + 1)];
    const own = accounts.slice(account, account + accountCount);
    actions.push(...instructionActions(TOKEN_PROGRAM, own, data.subarray(at + 2, at + 2 + length)));
    at += 2 + length;
    account += accountCount;
  }
  return actions;
}

function tokenAction(accounts: readonly string[], data: Buffer): Action | undefined {
  const [first = '', second = '', third = '', fourth = ''] = accounts;
  switch (data.readUInt8(0)) {
    case 1:
      return { kind: 'initialize', account: first, owner: third };
    case 3:
      return move(first, second, third, data.readBigUInt64LE(1));
    case 4:
      return {
        kind: 'approve',
        account: first,
        delegate: second,
        authority: third,
        amount: data.readBigUInt64LE(1),
      };
    case 5:
      return { kind: 'revoke', account: first, authority: second };
    case 8:
    case 15:
      return { kind: 'burn', account: first, authority: third, amount: data.readBigUInt64LE(1) };
    case 9:
      return { kind: 'close', account: first, to: second, authority: third };
    case 12:
      return move(first, third, fourth, data.readBigUInt64LE(1));
    case 13:
      return {
        kind: 'approve',
        account: first,
        delegate: third,
        authority: fourth,
        amount: data.readBigUInt64LE(1),
      };
    case 16:
    case 18:
      return { kind: 'initialize', account: first, owner: addressOf(data.subarray(1, 33)) };
    case 17:
      return { kind: 'sync', account: first };
    case 26:
      return taxAction(accounts, data);
    case 45:
      return {
        kind: 'unwrap',
        from: first,
        to: second,
        authority: third,
        amount: data.readUInt8(1) === 1 ? data.readBigUInt64LE(2) : undefined,
      };
    default:
      return undefined;
  }
}

function taxAction([first = '', second = '', third = '', fourth = '']: readonly string[], data: Buffer) {
  switch (data.readUInt8(1)) {
    case 1:
      return { ...move(first, third, fourth, data.readBigUInt64LE(2)), fee: data.readBigUInt64LE(11) };
    case 2:
    case 3:
      return { kind: 'withdraw' as const, to: second, authority: third };
    default:
      return undefined;
  }
}

function move(from: string, to: string, authority: string, amount: bigint) {
  return { kind: 'move' as const, from, to, authority, amount, fee: undefined };
}

function systemAction(accounts: readonly string[], data: Buffer): Action | undefined {
  const [from = '', to = ''] = accounts;
  const kind = data.readUInt32LE(0);
  if (kind !== 0 && kind !== 2) return undefined;
  return { kind: 'lamports', from, to, amount: data.readBigUInt64LE(4) };
}
