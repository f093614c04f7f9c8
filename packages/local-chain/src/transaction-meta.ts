/** Meta data of an executed transaction: balances and token balances before and after, logs, calls, fee. */
import { base58, keyOf, readMint, readTokenAccount, sameBytes } from 'levy-solana-wire';
import type { AccountKeys } from './account-keys.ts';
import type { Json } from './json.ts';
import type { ChainAccount, Execution } from './svm.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

/** Accounts at one point in time, one for each key of a message. For programs, only the balance is recorded. */
export interface Snapshot {
  readonly balances: readonly bigint[];
  readonly accounts: readonly (ChainAccount | undefined)[];
}

/** Source of current accounts: the state, or the result of a simulation. */
export interface AccountSource {
  account(address: Uint8Array): ChainAccount | undefined;
  balance(address: Uint8Array): bigint | undefined;
  isProgram(address: Uint8Array): boolean;
}

export function takeSnapshot(keys: AccountKeys, source: AccountSource): Snapshot {
  const balances: bigint[] = [];
  const accounts: (ChainAccount | undefined)[] = [];
  keys.keys.forEach((key, index) => {
    if (!keys.isWritable(index) && source.isProgram(key)) {
      balances.push(source.balance(key) ?? 0n);
      accounts.push(undefined);
      return;
    }
    const account = source.account(key);
    balances.push(account?.lamports ?? 0n);
    accounts.push(account);
  });
  return { balances, accounts };
}

export function sameAccount(left: ChainAccount | undefined, right: ChainAccount | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.lamports === right.lamports &&
    left.executable === right.executable &&
    sameBytes(left.owner, right.owner) &&
    sameBytes(left.data, right.data)
  );
}

export interface Effects {
  readonly fee: bigint;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** Other accounts than the message's, which may include a transferred token's mint. */
  readonly others: AccountSource;
}

/** Builds the `meta` of getTransaction. */
export function transactionMeta(keys: AccountKeys, execution: Execution, effects: Effects): Json {
  return {
    err: execution.error,
    status: execution.error === null ? { Ok: null } : { Err: execution.error },
    fee: effects.fee,
    ...balanceChanges(keys, effects),
    innerInstructions: execution.innerInstructions.map((group) => ({
      index: group.index,
      instructions: group.instructions.map((call) => ({
        programIdIndex: call.programIdIndex,
        accounts: [...call.accounts],
        data: base58(call.data),
        stackHeight: call.stackHeight,
      })),
    })),
    logMessages: execution.logs,
    rewards: [],
    returnData: execution.returnData === null ? undefined : returnData(execution),
    computeUnitsConsumed: execution.unitsConsumed,
  };
}

export function returnData(execution: Execution): Json {
  if (execution.returnData === null) return null;
  const { program, data } = execution.returnData;
  return { programId: program, data: [Buffer.from(data).toString('base64'), 'base64'] };
}

export function balanceChanges(keys: AccountKeys, { before, after, others }: Effects) {
  const decimals = new Map<string, number>();
  const decimalsOf = (mint: Uint8Array): number => {
    const known = decimals.get(keyOf(mint));
    if (known !== undefined) return known;
    const account = others.account(mint);
    return (account && readMint(account)?.decimals) ?? 0;
  };
  for (const snapshot of [before, after]) {
    snapshot.accounts.forEach((account, index) => {
      const key = keys.keys[index];
      const mint = account && readMint(account);
      if (mint !== undefined && key !== undefined) decimals.set(keyOf(key), mint.decimals);
    });
  }
  return {
    preBalances: before.balances,
    postBalances: after.balances,
    preTokenBalances: tokenBalances(before, decimalsOf),
    postTokenBalances: tokenBalances(after, decimalsOf),
    loadedAddresses: {
      writable: keys.loadedWritable.map(base58),
      readonly: keys.loadedReadonly.map(base58),
    },
  };
}

function tokenBalances(snapshot: Snapshot, decimalsOf: (mint: Uint8Array) => number): Json[] {
  return snapshot.accounts.flatMap((account, accountIndex): Json[] => {
    const token = account && readTokenAccount(account);
    if (account === undefined || token === undefined) return [];
    return [
      {
        accountIndex,
        mint: base58(token.mint),
        owner: base58(token.owner),
        programId: base58(account.owner),
        uiTokenAmount: uiTokenAmount(token.amount, decimalsOf(token.mint)),
      },
    ];
  });
}
