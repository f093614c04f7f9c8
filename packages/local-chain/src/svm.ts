/** LiteSVM with accounts as plain values; the bank adds the missing cluster rules (blockhashes, nonces). */

import { base58, keyOf, sameBytes } from 'levy-solana-wire';
import {
  Account,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { epochOf, SLOTS_PER_EPOCH, type SlotClock } from './clock.ts';
import { programKeys, RUNTIME_OWNERS } from './program-keys.ts';
import { type TransactionError, transactionErrorOf } from './transaction-errors.ts';

export interface ChainAccount {
  readonly lamports: bigint;
  readonly owner: Uint8Array;
  readonly executable: boolean;
  readonly data: Uint8Array;
}

export interface KeyedAccount extends ChainAccount {
  readonly address: Uint8Array;
}

interface InnerInstructions {
  /** Index of the message's instruction that made these calls. */
  readonly index: number;
  readonly instructions: readonly {
    readonly programIdIndex: number;
    readonly accounts: Uint8Array;
    readonly data: Uint8Array;
    readonly stackHeight: number;
  }[];
}

/** Result of running a transaction, or of refusing it. */
export interface Execution {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly unitsConsumed: bigint;
  readonly returnData: { readonly program: string; readonly data: Uint8Array } | null;
  readonly innerInstructions: readonly InnerInstructions[];
  /** Loaded bytes according to the cluster's limit; 0 if nothing was loaded. */
  readonly loadedBytes: number;
}

/** Rent epoch of rent-exempt accounts; current clusters have no others. */
export const RENT_EPOCH = 18_446_744_073_709_551_615n;

/** Bytes of data. */
export const MAXIMUM_ACCOUNT_SIZE = 10 * 1_024 * 1_024;

const SLOT_HASHES = 512;
const ACCOUNT_OVERHEAD = 64;

export function notExecuted(error: TransactionError): Execution {
  return { error, logs: [], unitsConsumed: 0n, returnData: null, innerInstructions: [], loadedBytes: 0 };
}

export class Svm {
  readonly #svm = new LiteSvm();
  readonly #clock: SlotClock;
  /** Loaded bytes of each program. */
  readonly #programs = new Map<string, number>();
  #slot = -1;

  constructor(clock: SlotClock) {
    this.#clock = clock;
    this.#svm.withNativeMints();
    this.#svm.setSigverify(false);
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    const slotsPerEpoch = BigInt(SLOTS_PER_EPOCH);
    this.#svm.setEpochSchedule(new EpochSchedule(slotsPerEpoch, slotsPerEpoch, false, 0n, 0n));
  }

  account(address: Uint8Array): ChainAccount | undefined {
    const account = this.#svm.getAccount(address);
    return account === null ? undefined : plain(account);
  }

  /** Undefined if the account does not exist. */
  balance(address: Uint8Array): bigint | undefined {
    return this.#svm.getBalance(address) ?? undefined;
  }

  /** Cached, because programs never change, and reading an account copies its code. */
  isProgram(address: Uint8Array): boolean {
    const key = keyOf(address);
    if (this.#programs.has(key)) return true;
    const account = this.#svm.getAccount(address);
    if (account?.executable() !== true) return false;
    const data = account.data();
    const code =
      sameBytes(account.owner(), programKeys.upgradeableLoader) && this.#svm.getAccount(data.slice(4, 36));
    this.#programs.set(key, loadedSize(data.length) + (code ? loadedSize(code.data().length) : 0));
    return true;
  }

  /** Loaded bytes of an account, including a program's code (SIMD-0186). */
  loadedBytes(address: Uint8Array, account: ChainAccount | undefined): number {
    if (account === undefined && this.isProgram(address)) return this.#programs.get(keyOf(address)) ?? 0;
    return loadedSize(account?.data.length ?? 0);
  }

  setAccount(address: Uint8Array, account: ChainAccount): void {
    this.#svm.setAccount(
      address,
      new Account(account.lamports, account.data, account.owner, account.executable, RENT_EPOCH),
    );
  }

  /**
   * Adds a program without an upgrade authority: its account, and the account with its code.
   * @throws Error of LiteSVM if the code is invalid.
   */
  addProgram(address: Uint8Array, elf: Uint8Array): void {
    this.#svm.addProgram(address, elf);
  }

  /** Accounts that the runtime created, such as programs and sysvars. */
  runtimeAccountsOwnedBy(owner: Uint8Array): KeyedAccount[] {
    if (!RUNTIME_OWNERS.some((candidate) => sameBytes(candidate, owner))) return [];
    return this.#svm
      .getProgramAccounts(owner)
      .map((entry) => ({ address: entry.address, ...plain(entry.account()) }));
  }

  minimumBalance(size: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(size));
  }

  /** Updates the sysvars to a slot. Called only before a transaction runs, because most slots have none. */
  enterSlot(slot: number): void {
    if (slot === this.#slot) return;
    const epoch = epochOf(slot);
    this.#svm.setClock(
      new Clock(
        BigInt(slot),
        BigInt(this.#clock.blockTime(epoch * SLOTS_PER_EPOCH)),
        BigInt(epoch),
        BigInt(epoch + 1),
        BigInt(this.#clock.blockTime(slot)),
      ),
    );
    this.#setSlotHashes(slot);
    this.#slot = slot;
  }

  run(wire: Uint8Array): Execution {
    const result = attempt(() => this.#svm.sendVersionedTransaction(wire));
    if (result === undefined) return notExecuted('SanitizeFailure');
    return result instanceof FailedTransactionMetadata
      ? execution(transactionErrorOf(result), result.meta())
      : execution(null, result);
  }

  /** Runs a transaction without effect; `accounts` are its accounts afterwards, empty if it failed. */
  simulate(wire: Uint8Array): { readonly execution: Execution; readonly accounts: readonly KeyedAccount[] } {
    const result = attempt(() => this.#svm.simulateVersionedTransaction(wire));
    if (result === undefined) return { execution: notExecuted('SanitizeFailure'), accounts: [] };
    if (result instanceof FailedTransactionMetadata) {
      return { execution: execution(transactionErrorOf(result), result.meta()), accounts: [] };
    }
    const accounts = result
      .postAccounts()
      .map((entry) => ({ address: entry.address, ...plain(entry.account()) }));
    return { execution: execution(null, result.meta()), accounts };
  }

  // Set as an account, because LiteSVM's own setter takes ten times as long.
  #setSlotHashes(slot: number): void {
    const height = this.#clock.height(slot);
    const count = Math.min(height, SLOT_HASHES);
    const data = Buffer.alloc(8 + SLOT_HASHES * 40);
    data.writeBigUInt64LE(BigInt(count));
    for (let index = 0; index < count; index += 1) {
      const earlier = this.#clock.slotOfHeight(height - 1 - index);
      data.writeBigUInt64LE(BigInt(earlier), 8 + index * 40);
      data.set(this.#clock.blockhash(earlier), 16 + index * 40);
    }
    const sysvar = this.account(programKeys.slotHashes);
    if (sysvar !== undefined) this.setAccount(programKeys.slotHashes, { ...sysvar, data });
  }
}

function loadedSize(dataLength: number): number {
  return ACCOUNT_OVERHEAD + dataLength;
}

/** Returns undefined if LiteSVM throws, which it does for unparseable bytes before any effect. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function plain(account: Account): ChainAccount {
  return {
    lamports: account.lamports(),
    owner: account.owner(),
    executable: account.executable(),
    data: account.data(),
  };
}

function execution(error: TransactionError | null, meta: TransactionMetadata): Execution {
  const returned = meta.returnData();
  const data = returned.data();
  return {
    error,
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    returnData: data.length === 0 ? null : { program: base58(returned.programId()), data },
    innerInstructions: meta
      .innerInstructions()
      .map((calls, index) => ({
        index,
        instructions: calls.map((call) => {
          const instruction = call.instruction();
          return {
            programIdIndex: instruction.programIdIndex(),
            accounts: instruction.accounts(),
            data: instruction.data(),
            stackHeight: call.stackHeight(),
          };
        }),
      }))
      .filter((group) => group.instructions.length > 0),
    loadedBytes: 0,
  };
}
