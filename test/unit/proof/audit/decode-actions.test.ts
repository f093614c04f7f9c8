import { addressOf, compileVersion1Message, type Instruction, unsignedTransaction } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  transferSol,
  transferTaxed,
  unwrapLamports,
} from '../../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import { approveTokens } from '../../../../src/chain/token-instructions.ts';
import {
  approveDelegate,
  closeSolAccount,
  syncNative,
} from '../../../../src/chain/wrapped-sol-instructions.ts';
import { actionsOf } from '../../../../src/proof/audit/decode-actions.ts';

const address = (fill: number) => addressOf(new Uint8Array(32).fill(fill));
const [payer, wallet, pot, till, holder, mint] = [1, 2, 3, 4, 5, 6].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const decoded = (...instructions: readonly Instruction[]) =>
  actionsOf(
    unsignedTransaction(
      compileVersion1Message({ payer, recentBlockhash: address(9), instructions, config: {} }).bytes,
    ),
  );

describe('the actions of a transaction', () => {
  test('name who pays and who signs', () => {
    const { payer: pays, signers } = decoded(closeSolAccount(pot, till, wallet)) ?? {};
    expect([pays, signers]).toEqual([payer, [payer, wallet]]);
  });

  test('are read off each instruction', () => {
    const { actions } = decoded(
      transferInstruction({ from: payer, to: till, lamports: 7n }),
      approveDelegate({ account: pot, owner: wallet, delegate: payer, lamports: 8n }),
      approveTokens({ tokenAccount: pot, owner: wallet, delegate: holder, amount: 9n }),
      closeSolAccount(pot, till, wallet),
      syncNative(till),
      transferTaxed({ mint, decimals: 6, from: pot, to: holder, authority: wallet, amount: 10n, fee: 1n }),
    ) ?? { actions: [] };
    expect(actions).toEqual([
      { kind: 'lamports', from: payer, to: till, amount: 7n },
      { kind: 'approve', account: pot, delegate: payer, authority: wallet, amount: 8n },
      { kind: 'approve', account: pot, delegate: holder, authority: wallet, amount: 9n },
      { kind: 'close', account: pot, to: till, authority: wallet },
      { kind: 'sync', account: till },
      { kind: 'move', from: pot, to: holder, authority: wallet, amount: 10n, fee: 1n },
    ]);
  });

  test('are taken out of a batch of the token program', () => {
    const { actions } = decoded(
      batchOf([
        transferSol({ from: pot, to: pot, authority: payer, lamports: 5n }),
        unwrapLamports({ from: pot, to: holder, authority: payer, lamports: 2n }),
      ]),
    ) ?? { actions: [] };
    expect(actions).toEqual([
      { kind: 'move', from: pot, to: pot, authority: payer, amount: 5n, fee: undefined },
      { kind: 'unwrap', from: pot, to: holder, authority: payer, amount: 2n },
    ]);
  });

  test('name the accounts of programs that are not known', () => {
    const program = address(8);
    const { actions } = decoded({
      program,
      accounts: [{ address: pot, signer: false, writable: true }],
      data: Uint8Array.of(1),
    }) ?? { actions: [] };
    expect(actions).toEqual([{ kind: 'other', program, accounts: [pot] }]);
  });

  test('claim nothing of data that are cut off', () => {
    const whole = unwrapLamports({ from: pot, to: holder, authority: payer, lamports: 2n });
    const { actions } = decoded({ ...whole, data: whole.data.subarray(0, 5) }) ?? { actions: [] };
    expect(actions).toMatchObject([{ kind: 'other', program: whole.program }]);
  });

  test('are none of bytes that are no transaction', () => {
    expect(actionsOf(Uint8Array.of(1, 2, 3))).toBeUndefined();
  });
});
