import {
  addressOf,
  compileVersion1Message,
  type Instruction,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  unsignedTransaction,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import {
  batchOf,
  transferSol,
  transferTaxed,
  unwrapLamports,
} from '../../../../src/chain/payment-instructions.ts';
import { transferInstruction } from '../../../../src/chain/system-instructions.ts';
import { approveTokens, withdrawWithheldTax } from '../../../../src/chain/token-instructions.ts';
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
      withdrawWithheldTax(mint, pot, wallet),
    ) ?? { actions: [] };
    expect(actions).toEqual([
      { kind: 'lamports', from: payer, to: till, amount: 7n },
      { kind: 'approve', account: pot, delegate: payer, authority: wallet, amount: 8n },
      { kind: 'approve', account: pot, delegate: holder, authority: wallet, amount: 9n },
      { kind: 'close', account: pot, to: till, authority: wallet },
      { kind: 'sync', account: till },
      { kind: 'move', from: pot, to: holder, authority: wallet, amount: 10n, fee: 1n },
      { kind: 'withdraw', to: pot, authority: wallet },
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

  const u64 = (amount: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(amount);
    return [...bytes];
  };
  const owner = [...new Uint8Array(32).fill(2)];
  /** What an instruction with four accounts is read as. */
  const readAs = (program: string, ...data: readonly number[]) =>
    decoded({
      program,
      accounts: [pot, till, wallet, holder].map((each) => ({ address: each, signer: false, writable: true })),
      data: Uint8Array.from(data),
    })?.actions;
  const others = (program: string) => [{ kind: 'other', program, accounts: [pot, till, wallet, holder] }];

  test.each<[string, readonly number[], object]>([
    ['an account is made', [1], { kind: 'initialize', account: pot, owner: wallet }],
    ['an account is made for an owner', [16, ...owner], { kind: 'initialize', account: pot, owner: wallet }],
    ['the same, without the rent', [18, ...owner], { kind: 'initialize', account: pot, owner: wallet }],
    [
      'tokens are moved',
      [3, ...u64(7n)],
      { kind: 'move', from: pot, to: till, authority: wallet, amount: 7n, fee: undefined },
    ],
    [
      'tokens are moved, with the mint',
      [12, ...u64(7n), 6],
      { kind: 'move', from: pot, to: wallet, authority: holder, amount: 7n, fee: undefined },
    ],
    [
      'a delegate is approved',
      [4, ...u64(7n)],
      { kind: 'approve', account: pot, delegate: till, authority: wallet, amount: 7n },
    ],
    [
      'a delegate is approved, with the mint',
      [13, ...u64(7n), 6],
      { kind: 'approve', account: pot, delegate: wallet, authority: holder, amount: 7n },
    ],
    ['a delegate is revoked', [5], { kind: 'revoke', account: pot, authority: till }],
    ['tokens are burned', [8, ...u64(7n)], { kind: 'burn', account: pot, authority: wallet, amount: 7n }],
    [
      'tokens are burned, with the decimals',
      [15, ...u64(7n), 6],
      { kind: 'burn', account: pot, authority: wallet, amount: 7n },
    ],
    ['all is unwrapped', [45, 0], { kind: 'unwrap', from: pot, to: till, authority: wallet }],
  ])('say of the token programs that %s', (_what, data, action) => {
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM])
      expect(readAs(program, ...data)).toEqual([action]);
  });

  test('say nothing of what moves no tokens, and of other programs whatever their data', () => {
    const taxes = [26, 4, ...u64(7n), 6, ...u64(1n)];
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      expect(readAs(program, 99)).toEqual(others(program));
      expect(readAs(program, ...taxes)).toEqual(others(program));
    }
    const program = address(8);
    for (const data of [[3, ...u64(7n)], [2, 0, 0, 0, ...u64(7n)], []])
      expect(readAs(program, ...data)).toEqual(others(program));
  });

  test('are lamports of the system program where an account is made or paid, and nothing else of it', () => {
    for (const kind of [0, 2])
      expect(readAs(SYSTEM_PROGRAM, kind, 0, 0, 0, ...u64(7n))).toEqual([
        { kind: 'lamports', from: pot, to: till, amount: 7n },
      ]);
    for (const kind of [1, 4])
      expect(readAs(SYSTEM_PROGRAM, kind, 0, 0, 0, ...u64(7n))).toEqual(others(SYSTEM_PROGRAM));
  });

  test('are the text of a memo', () => {
    expect(readAs(MEMO_PROGRAM, ...Buffer.from('levy:é'))).toEqual([{ kind: 'memo', text: 'levy:é' }]);
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
