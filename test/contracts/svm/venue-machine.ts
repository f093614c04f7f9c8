/** The real virtual machine with the venue's real program and a real token of ours, in this process. */
import { readFileSync } from 'node:fs';
import { address, getTransactionDecoder, lamports } from '@solana/kit';
import { compileLegacyMessage, type Instruction, signTransaction } from 'levy-solana-wire';
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import {
  creationInstructions,
  metadataAccountSize,
  type TokenTerms,
} from '../../../src/chain/creation-transaction.ts';
import type { KeyPair } from '../../../src/chain/keys.ts';
import { computeUnitLimitInstruction } from '../../../src/chain/system-instructions.ts';
import { VENUE_PROGRAM } from '../../../src/chain/venue/addresses.ts';
import type { ChainAccount } from '../../../src/kernel/ports/chain.ts';

export interface VenueMachine {
  /** Resolves with what it consumed; throws the program's logs when it fails. */
  execute(instructions: readonly Instruction[], keys: readonly KeyPair[]): TransactionMetadata;
  /** The logs of a transaction that must fail. */
  failure(instructions: readonly Instruction[], keys: readonly KeyPair[]): string;
  account(address: string): ChainAccount | undefined;
  balance(address: string): bigint;
  fund(address: string, lamports: bigint): void;
  rent(size: number): bigint;
  createToken(terms: Omit<TokenTerms, 'mintRent'>, keys: readonly KeyPair[]): void;
}

export function openVenueMachine(programFile: string): VenueMachine {
  const svm = new LiteSVM().withNativeMints().withBlockhashCheck(false);
  svm.addProgram(address(VENUE_PROGRAM), readFileSync(programFile));
  const clock = svm.getClock();
  clock.unixTimestamp = 1_800_000_000n;
  svm.setClock(clock);

  const send = (instructions: readonly Instruction[], keys: readonly KeyPair[]) => {
    const [payer] = keys;
    if (payer === undefined) throw new Error('nobody pays');
    const { bytes } = compileLegacyMessage({
      payer: payer.address,
      instructions: [computeUnitLimitInstruction(1_000_000), ...instructions],
      recentBlockhash: svm.latestBlockhash(),
    });
    const signatures = new Map(keys.map((key) => [key.address, key.sign(bytes)]));
    const result = svm.sendTransaction(getTransactionDecoder().decode(signTransaction(bytes, signatures)));
    // The same instructions again are another transaction.
    svm.expireBlockhash();
    return result;
  };

  const machine: VenueMachine = {
    execute(instructions, keys) {
      const result = send(instructions, keys);
      if (result instanceof FailedTransactionMetadata) throw new Error(result.meta().logs().join('\n'));
      return result;
    },
    failure(instructions, keys) {
      const result = send(instructions, keys);
      if (!(result instanceof FailedTransactionMetadata)) throw new Error('it did not fail');
      return result.meta().logs().join('\n');
    },
    account(of) {
      const account = svm.getAccount(address(of));
      if (!account.exists) return undefined;
      return {
        owner: account.programAddress,
        lamports: account.lamports,
        data: Uint8Array.from(account.data),
      };
    },
    balance: (of) => svm.getBalance(address(of)) ?? 0n,
    fund: (to, amount) => void svm.airdrop(address(to), lamports(amount)),
    rent: (size) => svm.minimumBalanceForRentExemption(BigInt(size)),
    createToken(terms, keys) {
      const mintRent = machine.rent(metadataAccountSize(terms));
      machine.execute(creationInstructions({ ...terms, mintRent }), keys);
    },
  };
  return machine;
}
