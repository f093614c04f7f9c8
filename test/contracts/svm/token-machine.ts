/** The real virtual machine with the real token programs, in this process, and transactions of version 1. */
import { readFileSync } from 'node:fs';
import { address, getTransactionDecoder, lamports } from '@solana/kit';
import {
  compileVersion1Message,
  type Instruction,
  readTokenAccount,
  signTransaction,
  type TokenAccount,
} from 'levy-solana-wire';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { transactionErrorOf } from '../../../packages/local-chain/src/transaction-errors.ts';
import {
  creationInstructions,
  metadataAccountSize,
  type TokenTerms,
} from '../../../src/chain/creation-transaction.ts';
import type { KeyPair } from '../../../src/chain/keys.ts';
import type { ChainAccount } from '../../../src/kernel/ports/chain.ts';

export interface Outcome {
  /** Undefined when it landed and ran. */
  readonly error: string | undefined;
  /** JSON form in which a node returns it. */
  readonly told: string | undefined;
  readonly units: bigint;
  readonly logs: readonly string[];
}

export interface TokenMachine {
  /** Signed by all keys, of which the first pays. */
  sign(instructions: readonly Instruction[], keys: readonly KeyPair[]): Uint8Array;
  send(wire: Uint8Array): Outcome;
  /** Signs and sends; throws the logs when it fails. */
  execute(instructions: readonly Instruction[], keys: readonly KeyPair[]): Outcome;
  account(of: string): ChainAccount | undefined;
  tokenAccount(of: string): TokenAccount | undefined;
  exists(of: string): boolean;
  balance(of: string): bigint;
  fund(to: string, amount: bigint): void;
  rent(size: number): bigint;
  createToken(terms: Omit<TokenTerms, 'mintRent'>, keys: readonly KeyPair[]): void;
  /** The next transaction has another blockhash: a nonce can advance. */
  expireBlockhash(): void;
}

const CONFIG = { computeUnitLimit: 1_000_000, loadedAccountsDataSizeLimit: 1_000_000 };
/** A program counts with all its bytes. */
const WITH_PROGRAMS = { ...CONFIG, loadedAccountsDataSizeLimit: 64 * 1024 * 1024 };

export interface ProgramFile {
  readonly id: string;
  readonly file: string;
}

export function openTokenMachine(programs: readonly ProgramFile[] = []): TokenMachine {
  const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false);
  for (const { id, file } of programs) svm.addProgram(address(id), readFileSync(file));
  const clock = svm.getClock();
  clock.unixTimestamp = 1_800_000_000n;
  svm.setClock(clock);
  const machine: TokenMachine = {
    sign(instructions, keys) {
      const [payer] = keys;
      if (payer === undefined) throw new Error('nobody pays');
      // Each signature is another transaction, as it is with a fresh blockhash.
      machine.expireBlockhash();
      const { bytes } = compileVersion1Message({
        payer: payer.address,
        recentBlockhash: svm.latestBlockhash(),
        instructions,
        config: programs.length === 0 ? CONFIG : WITH_PROGRAMS,
      });
      return signTransaction(bytes, new Map(keys.map((key) => [key.address, key.sign(bytes)])));
    },
    send(wire) {
      const result = svm.sendTransaction(getTransactionDecoder().decode(wire));
      const failed = result instanceof FailedTransactionMetadata;
      const meta = failed ? result.meta() : result;
      const error = failed ? String(result.err()) : undefined;
      const told = failed ? JSON.stringify(transactionErrorOf(result)) : undefined;
      return { error, told, units: meta.computeUnitsConsumed(), logs: meta.logs() };
    },
    execute(instructions, keys) {
      const outcome = machine.send(machine.sign(instructions, keys));
      if (outcome.error !== undefined) throw new Error([outcome.error, ...outcome.logs].join('\n'));
      return outcome;
    },
    account(of) {
      const account = svm.getAccount(address(of));
      if (!account.exists) return undefined;
      const { programAddress: owner, lamports: held, data } = account;
      return { owner, lamports: held, data: Uint8Array.from(data) };
    },
    tokenAccount(of) {
      const account = machine.account(of);
      return account && readTokenAccount(account);
    },
    exists: (of) => svm.getAccount(address(of)).exists,
    balance: (of) => svm.getBalance(address(of)) ?? 0n,
    fund: (to, amount) => void svm.airdrop(address(to), lamports(amount)),
    rent: (size) => svm.minimumBalanceForRentExemption(BigInt(size)),
    createToken(terms, keys) {
      const mintRent = machine.rent(metadataAccountSize(terms));
      machine.execute(creationInstructions({ ...terms, mintRent }), keys);
    },
    expireBlockhash: () => svm.expireBlockhash(),
  };
  return machine;
}
