/**
 * Cluster rules around LiteSVM: admission of transactions, fees of failed ones, and nonces. LiteSVM reverts a failed
 * transaction completely and has only one blockhash; the bank adds both.
 */
import {
  keyOf,
  nonceValueAfter,
  readNonceAccount,
  readTokenAccount,
  sameBytes,
  sha256,
  type WireMessage,
  type WireTransaction,
  withNonceValue,
} from 'levy-solana-wire';
import { type AccountKeys, LookupFailed, resolveKeys } from './account-keys.ts';
import type { SlotClock } from './clock.ts';
import { advancedNonce, isNonceInstruction } from './durable-nonce.ts';
import { feeOf, LAMPORTS_PER_SIGNATURE, loadedBytesLimitOf } from './fees.ts';
import { encodeJson } from './json.ts';
import type { Ledger, StoredAccount } from './ledger.ts';
import { programKeys } from './program-keys.ts';
import { ownTransaction } from './read-transaction.ts';
import { LedgerBehind } from './rpc-error.ts';
import type { StateAt } from './state-at.ts';
import { type ChainAccount, type Execution, type KeyedAccount, notExecuted, type Svm } from './svm.ts';
import { landsDespite, type TransactionError } from './transaction-errors.ts';
import {
  type AccountSource,
  type Effects,
  type Snapshot,
  sameAccount,
  takeSnapshot,
  transactionMeta,
} from './transaction-meta.ts';

/**
 * A refused transaction has no effect; `execution` contains the reason. A landed transaction is in the ledger, even if
 * it failed.
 */
export interface Submission {
  readonly landed: boolean;
  readonly execution: Execution;
}

export interface Simulation {
  readonly execution: Execution;
  readonly keys: AccountKeys | undefined;
  /** Undefined if the transaction was not executed. */
  readonly effects: Effects | undefined;
}

/** Result of admitting a message: by a recent blockhash, else by the nonce account that it advances. */
type Admission =
  | { readonly admitted: true; readonly nonce: Uint8Array | undefined }
  | { readonly admitted: false; readonly error: TransactionError };

/** Bytes that a lookup table counts as: its maximum size. */
const LOOKUP_TABLE_LOADED_BYTES = 8_248;

export class Bank {
  readonly #svm: Svm;
  readonly #ledger: Ledger;
  readonly #clock: SlotClock;
  readonly #nonces: boolean;
  /** Hashes of landed messages whose blockhash may still be valid, oldest first, with their slots. */
  readonly #recentMessages = new Map<string, number>();

  /** `nonces`: true if the chain has durable nonces. */
  constructor(svm: Svm, ledger: Ledger, clock: SlotClock, { nonces }: { readonly nonces: boolean }) {
    this.#nonces = nonces;
    this.#svm = svm;
    this.#ledger = ledger;
    this.#clock = clock;
    for (const { slot, wire } of ledger.wireSince(clock.oldestValidSlot(clock.slot()))) {
      this.#recentMessages.set(messageHash(ownTransaction(wire).message), slot);
    }
  }

  /**
   * Executes a transaction with verified signatures. With `preflight`, a failed transaction has no effect; otherwise it
   * pays its fee, advances its nonce and is recorded, unless a cluster would drop it.
   */
  submit(transaction: WireTransaction, preflight: boolean): Submission {
    const slot = this.#enterSlot();
    const { message } = transaction;
    const admission = this.#admit(message, slot);
    if (!admission.admitted) return { landed: false, execution: notExecuted(admission.error) };
    // The ledger has one transaction per signature, whatever else was signed with it.
    const signature = transaction.signatures[0];
    if (signature === undefined || this.#ledger.landing(signature) !== undefined) {
      return { landed: false, execution: notExecuted('AlreadyProcessed') };
    }
    const keys = this.#resolve(message);
    if (typeof keys === 'string') return { landed: false, execution: notExecuted(keys) };

    const before = takeSnapshot(keys, this.#svm);
    const execution = this.#run(message, keys, before, () =>
      this.#svm.run(this.#inThisBlock(transaction, slot)),
    );
    try {
      if (execution.error === null) {
        this.#record(transaction, keys, execution, before, takeSnapshot(keys, this.#svm), slot);
        return { landed: true, execution };
      }
      const payer = keys.keys[0];
      const paying = before.accounts[0];
      if (payer === undefined || paying === undefined) return { landed: false, execution };
      const fee = this.#chargeOf(message, execution.error, payer, paying);
      // Revert LiteSVM's charge first; the charge of a cluster is applied below.
      if (this.#svm.balance(payer) !== paying.lamports) this.#svm.setAccount(payer, paying);
      if (preflight || fee === undefined) return { landed: false, execution };
      this.#svm.setAccount(payer, { ...paying, lamports: paying.lamports - fee });
      if (admission.nonce !== undefined) this.#advance(admission.nonce, slot);
      this.#record(transaction, keys, execution, before, takeSnapshot(keys, this.#svm), slot);
      return { landed: true, execution };
    } catch (error) {
      throw error instanceof LedgerBehind ? error : new LedgerBehind(error);
    }
  }

  /** Runs a transaction on the latest state, without effect. */
  simulate(transaction: WireTransaction, options: { readonly anyBlockhash: boolean }): Simulation {
    const slot = this.#enterSlot();
    const { message } = transaction;
    const admission = options.anyBlockhash ? undefined : this.#admit(message, slot);
    if (admission?.admitted === false) return nothingRan(admission.error);
    const keys = this.#resolve(message);
    if (typeof keys === 'string') return nothingRan(keys);

    const before = takeSnapshot(keys, this.#svm);
    let accounts: readonly KeyedAccount[] = [];
    const execution = this.#run(message, keys, before, () => {
      const outcome = this.#svm.simulate(this.#inThisBlock(transaction, slot));
      accounts = outcome.accounts;
      return outcome.execution;
    });
    const changed = new Map(accounts.map((account) => [keyOf(account.address), account]));
    const others: AccountSource = {
      account: (address) => changed.get(keyOf(address)) ?? this.#svm.account(address),
      balance: (address) => changed.get(keyOf(address))?.lamports ?? this.#svm.balance(address),
      isProgram: (address) => this.#svm.isProgram(address),
    };
    const after = execution.error === null ? takeSnapshot(keys, others) : before;
    return { execution, keys, effects: { fee: feeOf(message), before, after, others } };
  }

  /** Fee in lamports; undefined if neither the message's blockhash nor its nonce is valid in the state's slot. */
  feeFor(message: WireMessage, state: StateAt): bigint | undefined {
    const known =
      this.#clock.slotOfBlockhash(message.recentBlockhash, state.slot) !== undefined ||
      this.#usableNonce(message, state.slot, state.account) !== undefined;
    return known ? feeOf(message) : undefined;
  }

  #enterSlot(): number {
    const slot = this.#clock.slot();
    this.#svm.enterSlot(slot);
    const oldest = this.#clock.oldestValidSlot(slot);
    for (const [hash, landed] of this.#recentMessages) {
      if (landed >= oldest) break;
      this.#recentMessages.delete(hash);
    }
    return slot;
  }

  // A cluster checks the age first: it returns "blockhash not found" for a transaction that landed long ago or used up
  // its nonce.
  #admit(message: WireMessage, slot: number): Admission {
    const recent = this.#clock.slotOfBlockhash(message.recentBlockhash, slot) !== undefined;
    const nonce = recent
      ? undefined
      : this.#usableNonce(message, slot, (address) => this.#svm.account(address));
    if (!recent && nonce === undefined) return { admitted: false, error: 'BlockhashNotFound' };
    if (this.#recentMessages.has(messageHash(message))) return { admitted: false, error: 'AlreadyProcessed' };
    return { admitted: true, nonce };
  }

  /** Returns the nonce account that makes a message valid without a recent blockhash. */
  #usableNonce(
    message: WireMessage,
    slot: number,
    accountAt: (address: Uint8Array) => ChainAccount | undefined,
  ): Uint8Array | undefined {
    const used = this.#nonces ? advancedNonce(message) : undefined;
    if (used === undefined) return undefined;
    const account = accountAt(used.address);
    if (account === undefined || !sameBytes(account.owner, programKeys.system)) return undefined;
    const nonce = readNonceAccount(account.data);
    if (nonce === undefined) return undefined;
    if (!sameBytes(nonce.value, message.recentBlockhash)) return undefined;
    if (!used.signers.has(keyOf(nonce.authority))) return undefined;
    // A nonce cannot be advanced twice in one block: its next value would equal the current one.
    if (sameBytes(nonce.value, this.#nextNonceValue(slot))) return undefined;
    return used.address;
  }

  /** Index of the first instruction that does not exist on a chain without durable nonces; -1 if all exist. */
  #removedInstruction(message: WireMessage): number {
    return this.#nonces
      ? -1
      : message.instructions.findIndex((instruction) => isNonceInstruction(message, instruction));
  }

  #resolve(message: WireMessage): AccountKeys | string {
    try {
      return resolveKeys(message, (address) => this.#svm.account(address));
    } catch (error) {
      if (error instanceof LookupFailed) return error.error;
      throw error;
    }
  }

  #nextNonceValue(slot: number): Uint8Array {
    return nonceValueAfter(this.#clock.blockhash(slot));
  }

  /**
   * Replaces the blockhash: LiteSVM uses a message's own blockhash as the block's, and derives the values of advanced
   * nonces from it. Signatures were verified before.
   */
  #inThisBlock({ bytes, message }: WireTransaction, slot: number): Uint8Array {
    const copy = Uint8Array.from(bytes);
    copy.set(this.#clock.blockhash(slot), message.recentBlockhash.byteOffset - bytes.byteOffset);
    return copy;
  }

  #advance(address: Uint8Array, slot: number): void {
    const account = this.#svm.account(address);
    if (account === undefined) return;
    this.#svm.setAccount(address, {
      ...account,
      data: withNonceValue(account.data, {
        value: this.#nextNonceValue(slot),
        lamportsPerSignature: LAMPORTS_PER_SIGNATURE,
      }),
    });
  }

  /** Fee that a cluster charges for a transaction with this error; undefined if it would drop the transaction. */
  #chargeOf(
    message: WireMessage,
    error: TransactionError,
    payer: Uint8Array,
    paying: ChainAccount,
  ): bigint | undefined {
    if (!landsDespite(error)) return undefined;
    const charged = paying.lamports - (this.#svm.balance(payer) ?? 0n);
    if (charged > 0n) return charged;
    // Not executed: a cluster drops the transaction if the payer would retain too little rent, but not if a program
    // cannot be loaded.
    const fee = feeOf(message);
    const isKnown = typeof error === 'string' || this.#removedInstruction(message) >= 0;
    return isKnown && paying.lamports >= fee ? fee : undefined;
  }

  /**
   * Adds the checks that LiteSVM lacks: counts and limits the loaded bytes, and distinguishes a missing program from an
   * account that is not a program.
   */
  #run(message: WireMessage, keys: AccountKeys, before: Snapshot, run: () => Execution): Execution {
    let loadedBytes = message.lookups.length * LOOKUP_TABLE_LOADED_BYTES;
    keys.keys.forEach((key, index) => {
      loadedBytes += this.#svm.loadedBytes(key, before.accounts[index]);
    });
    if (loadedBytes > loadedBytesLimitOf(message)) {
      return { ...notExecuted('MaxLoadedAccountsDataSizeExceeded'), loadedBytes };
    }
    const removed = this.#removedInstruction(message);
    if (removed >= 0) {
      return { ...notExecuted({ InstructionError: [removed, 'InvalidInstructionData'] }), loadedBytes };
    }
    const execution = run();
    const missing =
      execution.error === 'InvalidProgramForExecution' &&
      message.instructions.some((instruction) => {
        const program = message.accountKeys[instruction.programIndex];
        return program !== undefined && this.#svm.balance(program) === undefined;
      });
    return { ...execution, error: missing ? 'ProgramAccountNotFound' : execution.error, loadedBytes };
  }

  #record(
    transaction: WireTransaction,
    keys: AccountKeys,
    execution: Execution,
    before: Snapshot,
    after: Snapshot,
    slot: number,
  ): void {
    const fee = sum(before.balances) - sum(after.balances);
    const changed: StoredAccount[] = [];
    keys.keys.forEach((address, index) => {
      const account = after.accounts[index];
      if (!keys.isWritable(index) || sameAccount(before.accounts[index], account)) return;
      changed.push(stored(address, account));
    });
    this.#ledger.record(
      {
        signature: transaction.signatures[0] ?? new Uint8Array(64),
        slot,
        blockTime: this.#clock.blockTime(slot),
        error: execution.error === null ? null : encodeJson(execution.error),
        wire: transaction.bytes,
        meta: encodeJson(transactionMeta(keys, execution, { fee, before, after, others: this.#svm })),
      },
      new Map(keys.keys.map((key) => [keyOf(key), key])).values(),
      changed,
      this.#clock.finalIn(slot),
    );
    this.#recentMessages.set(messageHash(transaction.message), slot);
  }
}

const GONE: ChainAccount = {
  lamports: 0n,
  owner: new Uint8Array(32),
  executable: false,
  data: new Uint8Array(),
};

/** Account in the form of the ledger; undefined becomes a deleted account. */
export function stored(address: Uint8Array, account: ChainAccount | undefined): StoredAccount {
  if (account === undefined) return { address, ...GONE };
  const token = readTokenAccount(account);
  return { address, ...account, token: token && { mint: token.mint, owner: token.owner } };
}

function nothingRan(error: TransactionError): Simulation {
  return { execution: notExecuted(error), keys: undefined, effects: undefined };
}

function messageHash(message: WireMessage): string {
  return keyOf(sha256(message.bytes));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
