import {
  Message,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLegacyMessage, type Instruction, type LegacyMessageInput } from '../src/compile-message.ts';
import { decodeLegacyMessage } from '../src/message.ts';
import { signTransaction, transactionSignature, unsignedTransaction } from '../src/transaction.ts';
import { numbered, numberedKey } from './numbered-keys.ts';

const blockhash = numbered(250);

function asWeb3({ program, accounts, data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map(({ address, signer, writable }) => ({
      pubkey: new PublicKey(address),
      isSigner: signer,
      isWritable: writable,
    })),
    data: Buffer.from(data),
  });
}

function compiledByWeb3({ payer, instructions, recentBlockhash }: LegacyMessageInput): Message {
  return new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash,
    instructions: instructions.map(asWeb3),
  }).compileToLegacyMessage();
}

/** Few addresses, so that they meet in several roles. */
const address = fc.integer({ min: 0, max: 12 }).map(numbered);
const instruction = fc.record({
  program: address,
  accounts: fc.array(fc.record({ address, signer: fc.boolean(), writable: fc.boolean() }), { maxLength: 8 }),
  data: fc.uint8Array({ maxLength: 300 }),
});
const input = fc.record({
  payer: address,
  instructions: fc.array(instruction, { maxLength: 4 }),
  recentBlockhash: fc.constant(blockhash),
});

describe('compiling a legacy message', () => {
  test('gives the bytes that web3.js gives', () => {
    fc.assert(
      fc.property(input, (message) => {
        const compiled = compileLegacyMessage(message);
        const expected = compiledByWeb3(message);
        expect(Buffer.from(compiled.bytes)).toEqual(expected.serialize());
        const signers = expected.accountKeys.slice(0, expected.header.numRequiredSignatures);
        expect(compiled.signers).toEqual(signers.map((key) => key.toBase58()));
      }),
    );
  });

  test('says how many bytes the signed transaction takes', () => {
    fc.assert(
      fc.property(input, (message) => {
        const { bytes, transactionSize } = compileLegacyMessage(message);
        expect(unsignedTransaction(bytes)).toHaveLength(transactionSize);
      }),
    );
  });

  test('writes data of 127, 128 and 16,384 bytes with the right length', () => {
    for (const size of [127, 128, 16_383, 16_384, 65_535]) {
      const data = new Uint8Array(size).fill(1);
      const message = {
        payer: numbered(1),
        recentBlockhash: blockhash,
        instructions: [{ program: numbered(2), accounts: [], data }],
      };
      const decoded = decodeLegacyMessage(compileLegacyMessage(message).bytes);
      expect(decoded).toMatchObject({ ok: true, message: { instructions: [{ programIndex: 1 }] } });
      if (decoded.ok) expect(decoded.message.instructions[0]?.data).toHaveLength(size);
    }
  });

  test('refuses addresses that are none', () => {
    const message = { payer: numbered(1), instructions: [], recentBlockhash: blockhash };
    expect(() => compileLegacyMessage({ ...message, payer: 'nobody' })).toThrow(TypeError);
    expect(() => compileLegacyMessage({ ...message, recentBlockhash: '' })).toThrow(TypeError);
  });
});

describe('the wire form', () => {
  const payer = numberedKey(1);
  const second = numberedKey(2);
  const { bytes } = compileLegacyMessage({
    payer: payer.address,
    recentBlockhash: blockhash,
    instructions: [
      {
        program: numbered(9),
        accounts: [{ address: second.address, signer: true, writable: false }],
        data: Uint8Array.of(1, 2, 3),
      },
    ],
  });

  test('of an unsigned message is what web3.js writes, with every signature zero', () => {
    const expected = new VersionedTransaction(Message.from(bytes)).serialize();
    expect(Buffer.from(unsignedTransaction(bytes))).toEqual(Buffer.from(expected));
    expect(expected.subarray(1, 129)).toEqual(new Uint8Array(128));
  });

  test('of a signed message is what web3.js writes, in whatever order the signatures come', () => {
    const expected = new VersionedTransaction(Message.from(bytes));
    for (const key of [payer, second]) expected.addSignature(new PublicKey(key.publicKey), key.sign(bytes));
    const signatures = [second, payer].map((key) => [key.address, key.sign(bytes)] as const);
    const wire = signTransaction(bytes, new Map(signatures));
    expect(Buffer.from(wire)).toEqual(Buffer.from(expected.serialize()));
    expect(transactionSignature(wire)).toBe(bs58.encode(payer.sign(bytes)));
  });

  test('needs exactly one signature of each signer', () => {
    const mine = [payer.address, payer.sign(bytes)] as const;
    const other = [second.address, second.sign(bytes)] as const;
    const stranger = [numbered(9), payer.sign(bytes)] as const;
    expect(() => signTransaction(bytes, new Map([mine]))).toThrow(TypeError);
    expect(() => signTransaction(bytes, new Map([mine, stranger]))).toThrow(TypeError);
    expect(() => signTransaction(bytes, new Map([mine, other, stranger]))).toThrow(TypeError);
    const short = [second.address, new Uint8Array(63)] as const;
    expect(() => signTransaction(bytes, new Map([mine, short]))).toThrow(TypeError);
  });
});
