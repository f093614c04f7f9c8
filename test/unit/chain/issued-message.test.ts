import {
  ComputeBudgetProgram,
  Message,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
} from '@solana/web3.js';
import {
  type AccountMeta,
  addressOf,
  compileLegacyMessage,
  type Instruction,
  type LegacyMessageInput,
  LIGHTHOUSE_PROGRAM,
  SYSTEM_PROGRAM,
  unsignedTransaction,
} from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import { compareWithIssued } from '../../../src/chain/issued-message.ts';
import { createKeyPair } from '../../../src/chain/keys.ts';
import { buildCreation, creationInput, creator, keyring, mint } from './creation-input.ts';

const issued = buildCreation({ ...creationInput, transferFeeAdjustable: true }).message;
const original = decompiled(issued);
const count = original.instructions.length;
const stranger = createKeyPair(new Uint8Array(32).fill(99)).address;

/** Read with web3.js, so that the code under test does not vouch for itself. */
function decompiled(bytes: Uint8Array): LegacyMessageInput {
  const message = TransactionMessage.decompile(Message.from(bytes));
  return {
    payer: message.payerKey.toBase58(),
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map(({ programId, keys, data }) => ({
      program: programId.toBase58(),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey.toBase58(),
        signer: isSigner,
        writable: isWritable,
      })),
      data: Uint8Array.from(data),
    })),
  };
}

function decompiledKeys(bytes: Uint8Array): string[] {
  return Message.from(bytes).accountKeys.map(String);
}

/** The same message with the readonly accounts that do not sign the other way round. */
function reordered(): Uint8Array {
  const message = Message.from(issued);
  const { accountKeys, header } = message;
  const kept = accountKeys.length - header.numReadonlyUnsignedAccounts;
  const order = [...accountKeys.keys()];
  const newOrder = [...order.slice(0, kept), ...order.slice(kept).reverse()];
  return new Message({
    header,
    accountKeys: newOrder.flatMap((index) => accountKeys[index] ?? []),
    recentBlockhash: message.recentBlockhash,
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex: newOrder.indexOf(programIdIndex),
      accounts: accounts.map((index) => newOrder.indexOf(index)),
      data,
    })),
  }).serialize();
}

function withInstructions(instructions: readonly Instruction[]): Uint8Array {
  return compileLegacyMessage({ ...original, instructions }).bytes;
}

function withChanged(index: number, change: (instruction: Instruction) => Instruction): Uint8Array {
  return withInstructions(original.instructions.map((each, at) => (at === index ? change(each) : each)));
}

function withAdded(index: number, ...added: Instruction[]): Uint8Array {
  return withInstructions(original.instructions.toSpliced(index, 0, ...added));
}

function guard(...accounts: AccountMeta[]): Instruction {
  return { program: LIGHTHOUSE_PROGRAM, accounts, data: Uint8Array.of(6, 0, 1, 2, 3, 4) };
}

function meta(address: string, { signer = false, writable = false } = {}): AccountMeta {
  return { address, signer, writable };
}

function expectSame(signed: Uint8Array): void {
  expect(compareWithIssued(issued, signed, { mayPriceAnew: false })).toBeUndefined();
}

function expectDifferent(signed: Uint8Array, reason: RegExp | string = /./): void {
  expect(signed).not.toEqual(issued);
  const comparison = compareWithIssued(issued, signed, { mayPriceAnew: false });
  expect(comparison).toMatch(reason);
}

const everyInstruction = original.instructions.map((_, index) => index);
const everyPlaceAfterTheAdvance = everyInstruction.map((index) => index + 1);

describe('what was issued', () => {
  test('is accepted when a wallet compiled it anew into another order of accounts', () => {
    expect(Uint8Array.from(reordered())).not.toEqual(issued);
    expectSame(reordered());
  });
});

describe('wallet guards', () => {
  test.each(everyPlaceAfterTheAdvance)('are accepted as instruction %i', (index) => {
    expectSame(withAdded(index, guard()));
    expectSame(withAdded(index, guard(meta(stranger))));
    expectSame(withAdded(index, guard(meta(creator.address, { signer: true, writable: true }))));
    expectSame(withAdded(index, guard(meta(creationInput.nonceAccount, { writable: true }))));
  });

  test('are accepted from a wallet that adds them with web3.js, which compiles anew in its own order', () => {
    const transaction = Transaction.from(unsignedTransaction(issued));
    transaction.add(
      new TransactionInstruction({
        programId: new PublicKey(LIGHTHOUSE_PROGRAM),
        keys: [{ pubkey: new PublicKey(creator.address), isSigner: true, isWritable: false }],
        data: Buffer.from([6, 0, 1, 2, 3, 4]),
      }),
    );
    const { accountKeys } = transaction.compileMessage();
    expect(accountKeys.map(String)).not.toEqual(decompiledKeys(withAdded(count, guard())));
    expectSame(transaction.serializeMessage());
  });

  test('are refused before the nonce advance, which would then not be the first', () => {
    expectDifferent(withAdded(0, guard()), /first/);
    expectDifferent(withAdded(0, guard(meta(stranger))), /first/);
  });

  test.each(
    everyPlaceAfterTheAdvance,
  )('may bring no signer and nothing writable as instruction %i', (index) => {
    expectDifferent(withAdded(index, guard(meta(stranger, { signer: true }))), /signer .* added/);
    expectDifferent(withAdded(index, guard(meta(stranger, { writable: true }))), /writable account .* added/);
    expectDifferent(withAdded(index, guard(meta(stranger, { signer: true, writable: true }))), /signer/);
  });

  test('may name no signer but the payer', () => {
    for (const signer of [mint.address, keyring.nonceAuthority.address]) {
      expectDifferent(withAdded(count, guard(meta(signer))), /guard names the signer/);
    }
  });

  test('may not give an issued account a right that it did not have', () => {
    expectDifferent(
      withAdded(count, guard(meta(keyring.nonceAuthority.address, { writable: true }))),
      /became writable|became readonly/,
    );
    expectDifferent(
      withAdded(count, guard(meta(creationInput.nonceAccount, { signer: true }))),
      /became a signer/,
    );
    expectDifferent(withAdded(count, guard(meta(SYSTEM_PROGRAM, { writable: true }))), /became/);
  });
});

describe('each issued instruction', () => {
  test.each(everyInstruction)('%i may not be dropped', (index) => {
    expectDifferent(withInstructions(original.instructions.toSpliced(index, 1)));
    expectDifferent(withInstructions(original.instructions.with(index, guard())));
  });

  test.each(everyInstruction)('%i may not be moved', (index) => {
    const [moved] = original.instructions.slice(index, index + 1);
    const rest = original.instructions.toSpliced(index, 1);
    for (let place = 0; place < count; place += 1) {
      if (moved === undefined || place === index) continue;
      expectDifferent(withInstructions(rest.toSpliced(place, 0, moved)));
    }
  });

  test.each(
    everyInstruction,
  )('%i may not have any byte of its data changed, added or taken away', (index) => {
    const size = original.instructions[index]?.data.length ?? 0;
    for (let at = 0; at < size; at += 1) {
      expectDifferent(
        withChanged(index, (each) => ({ ...each, data: each.data.with(at, (each.data[at] ?? 0) ^ 1) })),
      );
    }
    expectDifferent(withChanged(index, (each) => ({ ...each, data: Uint8Array.of(...each.data, 0) })));
    if (size > 0) expectDifferent(withChanged(index, (each) => ({ ...each, data: each.data.slice(0, -1) })));
  });

  test.each(everyInstruction)('%i may not have an account replaced, added, removed or swapped', (index) => {
    const accounts = original.instructions[index]?.accounts ?? [];
    const withAccounts = (changed: readonly AccountMeta[]) =>
      expectDifferent(withChanged(index, (each) => ({ ...each, accounts: changed })));
    withAccounts([...accounts, meta(stranger)]);
    withAccounts([...accounts, meta(SYSTEM_PROGRAM)]);
    accounts.forEach((account, at) => {
      withAccounts(accounts.with(at, { ...account, address: stranger }));
      withAccounts(accounts.toSpliced(at, 1));
      const next = accounts[at + 1];
      if (next !== undefined && next.address !== account.address) {
        withAccounts(accounts.with(at, next).with(at + 1, account));
      }
    });
  });
});

describe('the priority fee', () => {
  const { programId } = ComputeBudgetProgram;
  const limit = (units: number) => ({
    program: programId.toBase58(),
    accounts: [],
    data: Uint8Array.from(ComputeBudgetProgram.setComputeUnitLimit({ units }).data),
  });
  const price = (microLamports: number | bigint) => ({
    program: programId.toBase58(),
    accounts: [],
    data: Uint8Array.from(ComputeBudgetProgram.setComputeUnitPrice({ microLamports }).data),
  });
  const placeOf = (tag: number) =>
    original.instructions.findIndex(
      ({ program, data }) => program === programId.toBase58() && data[0] === tag,
    );
  const [limitPlace, pricePlace] = [placeOf(2), placeOf(3)];
  const { data: issuedLimit } = original.instructions[limitPlace] ?? limit(0);
  const units = new DataView(issuedLimit.buffer, issuedLimit.byteOffset).getUint32(1, true);
  const priced = (changes: { readonly limit?: Instruction; readonly price?: Instruction }) =>
    withInstructions(
      original.instructions.map((each, index) => {
        if (index === limitPlace) return changes.limit ?? each;
        return index === pricePlace ? (changes.price ?? each) : each;
      }),
    );
  const compared = (signed: Uint8Array, mayPriceAnew = true) =>
    compareWithIssued(issued, signed, { mayPriceAnew });
  const different = (reason: RegExp) => expect.stringMatching(reason);

  test('may be another one: a higher limit, and any price of which the fee is bounded', () => {
    const most = 50_000_000_000_000n / 1_400_000n;
    for (const signed of [
      priced({ price: price(0) }),
      priced({ price: price(1) }),
      priced({ limit: limit(units + 1) }),
      priced({ limit: limit(1_400_000), price: price(most) }),
      priced({ limit: limit(units), price: price(50_000_000_000_000n / BigInt(units)) }),
    ]) {
      expect(compared(signed)).toBeUndefined();
      if (Buffer.compare(signed, issued) !== 0)
        expect(compared(signed, false)).toEqual(different(/^your wallet changed/));
    }
    expect(compared(priced({ limit: limit(1_400_000), price: price(most + 1n) }))).toEqual(
      different(/50000001 lamports/),
    );
    expect(compared(priced({ price: price(2n ** 64n - 1n) }))).toEqual(
      different(/^your wallet changed the priority fee: /),
    );
  });

  test('may not leave the transaction fewer units, and is named in each refusal', () => {
    expect(compared(priced({ limit: limit(units - 1) }))).toEqual(different(/limit is lower/));
    for (const added of [limit(units), price(1), price(7)]) {
      for (const index of [0, ...everyPlaceAfterTheAdvance]) {
        expect(compared(withAdded(index, added))).toEqual(different(/^your wallet changed the priority fee/));
      }
    }
  });

  test('excuses no other change, and no other instruction of its program', () => {
    const other = buildCreation({ ...creationInput, transferFeeAdjustable: true, supply: 7n }).message;
    const changed = decompiled(other).instructions.with(pricePlace, price(7));
    expect(compared(withInstructions(changed))).toBeDefined();
    const heap = { program: programId.toBase58(), accounts: [], data: Uint8Array.of(1, 0, 0, 4, 0) };
    expect(compared(withAdded(2, heap))).toBeDefined();
    expect(compared(priced({ price: heap }))).toBeDefined();
    expect(compared(priced({ price: { ...price(7), accounts: [meta(stranger)] } }))).toBeDefined();
    expect(
      compared(priced({ price: { ...price(7), data: Uint8Array.of(...price(7).data, 0) } })),
    ).toBeDefined();
  });
});

describe('the message as a whole', () => {
  test('may not be paid by another wallet', () => {
    expectDifferent(compileLegacyMessage({ ...original, payer: stranger }).bytes, /payer was changed/);
    expectDifferent(compileLegacyMessage({ ...original, payer: mint.address }).bytes, /payer was changed/);
  });

  test('may not carry another blockhash, or another nonce value in its place', () => {
    const recentBlockhash = addressOf(new Uint8Array(32).fill(78));
    expectDifferent(
      compileLegacyMessage({ ...original, recentBlockhash }).bytes,
      new RegExp(`^the blockhash was changed; the issued one is ${original.recentBlockhash}$`),
    );
  });

  test('may not gain an instruction of any program but Lighthouse', () => {
    for (const program of [stranger, ...new Set(original.instructions.map((each) => each.program))]) {
      for (const index of everyPlaceAfterTheAdvance) {
        expectDifferent(
          withAdded(index, { program, accounts: [], data: Uint8Array.of(9, 9) }),
          /neither an issued/,
        );
      }
    }
    const transfer = {
      program: SYSTEM_PROGRAM,
      accounts: [meta(creator.address, { signer: true, writable: true }), meta(stranger, { writable: true })],
      data: Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    };
    expectDifferent(withAdded(count, transfer), /writable account/);
  });

  test('may not take rights away from its accounts either', () => {
    // The header counts one more readonly account.
    expectDifferent(issued.with(2, (issued[2] ?? 0) + 1), /became readonly/);
    expectDifferent(issued.with(1, (issued[1] ?? 0) + 1), /became readonly/);
    expectDifferent(issued.with(1, (issued[1] ?? 0) - 1), /became writable/);
    expectDifferent(issued.with(0, (issued[0] ?? 0) + 1), /became/);
  });

  test('may not list an account that nothing uses', () => {
    const keys = issued[3] ?? 0;
    const end = 4 + keys * 32;
    const longer = Buffer.concat([
      issued.subarray(0, end),
      new Uint8Array(32).fill(123),
      issued.subarray(end),
    ]);
    longer[3] = keys + 1;
    longer[2] = (issued[2] ?? 0) + 1;
    expectDifferent(longer, /not used/);
  });

  test('must be a legacy message, whole and with nothing after it', () => {
    const instructions = original.instructions.map(
      ({ program, accounts, data }) =>
        new TransactionInstruction({
          programId: new PublicKey(program),
          keys: accounts.map((each) => ({
            pubkey: new PublicKey(each.address),
            isSigner: each.signer,
            isWritable: each.writable,
          })),
          data: Buffer.from(data),
        }),
    );
    const versioned = new TransactionMessage({
      payerKey: new PublicKey(original.payer),
      recentBlockhash: original.recentBlockhash,
      instructions,
    }).compileToV0Message();
    expectDifferent(versioned.serialize(), /legacy/);
    expectDifferent(issued.subarray(0, -1), /too early/);
    expectDifferent(Uint8Array.of(...issued, 0), /after the end/);
    expectDifferent(new Uint8Array(0), /too early/);
  });

  test('differs in one changed bit wherever it is', () => {
    for (let at = 0; at < issued.length; at += 1) expectDifferent(issued.with(at, (issued[at] ?? 0) ^ 1));
  });

  test('is compared with a message: other issued bytes are a fault of ours', () => {
    expect(() => compareWithIssued(new Uint8Array(3), issued, { mayPriceAnew: false })).toThrow(TypeError);
  });
});
