// What a client is told when something is wrong: codes, words and shapes of a real node.

import type { Connection } from '@solana/web3.js';
import {
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  eventually,
  fundedKeypair,
  openChain,
  post,
  type RpcAnswer,
  rpc,
  signed,
} from './chain-under-test.ts';

let url: string;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  const opened = await openChain({ slotMilliseconds: 10 });
  url = opened.chain.url;
  connection = opened.connection;
  payer = await fundedKeypair(connection);
});

const transfer = (lamports: number, toPubkey = Keypair.generate().publicKey) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports });

const sendBase64 = (bytes: Uint8Array, config: object = {}) =>
  rpc(url, 'sendTransaction', Buffer.from(bytes).toString('base64'), { encoding: 'base64', ...config });

describe('a transaction that fails in preflight', () => {
  test('is refused with -32002, its error and its logs, and has no effect', async () => {
    const before = await connection.getBalance(payer.publicKey);
    const transaction = await signed(connection, [transfer(1_000 * LAMPORTS_PER_SOL)], [payer]);
    const { error } = await sendBase64(transaction.serialize());
    expect(error).toMatchObject({
      code: -32_002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: {
        accounts: null,
        err: { InstructionError: [0, { Custom: 1 }] },
        logs: expect.arrayContaining([
          'Program 11111111111111111111111111111111 failed: custom program error: 0x1',
        ]),
        unitsConsumed: 150,
      },
    });
    expect(await connection.getBalance(payer.publicKey)).toBe(before);
    const { value } = await connection.getSignatureStatuses([signatureOf(transaction)]);
    expect(value).toEqual([null]);
  });

  test.each([
    ['a receiver below rent', () => [transfer(1)], { InsufficientFundsForRent: { account_index: 1 } }],
    [
      'a program that does not exist',
      () => [new TransactionInstruction({ programId: Keypair.generate().publicKey, keys: [] })],
      'ProgramAccountNotFound',
    ],
    [
      'the same compute budget twice',
      () => [
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
        ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
      ],
      { DuplicateInstruction: 1 },
    ],
  ])('is told %s', async (_name, instructions, err) => {
    const transaction = await signed(connection, instructions(), [payer]);
    const { error } = await sendBase64(transaction.serialize());
    expect(error).toMatchObject({ code: -32_002, data: { err } });
  });
});

describe('a transaction that fails without preflight', () => {
  test('is charged its fee, priority included, and recorded with its error', async () => {
    const before = await connection.getBalance(payer.publicKey);
    const transaction = await signed(
      connection,
      [
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
        transfer(1_000 * LAMPORTS_PER_SOL),
      ],
      [payer],
    );
    const expected = await connection.getFeeForMessage(transaction.compileMessage());
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    const { value } = await connection.getSignatureStatuses([signature]);
    expect(value[0]?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(before - (await connection.getBalance(payer.publicKey))).toBe(expected.value);
    expect(expected.value).toBe(5_000 + 6_000);
    const found = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    });
    expect(found?.meta?.fee).toBe(expected.value);
    expect(found?.meta?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
  });

  test('is dropped without a trace when its blockhash is unknown', async () => {
    const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
    transaction.recentBlockhash = Keypair.generate().publicKey.toBase58();
    transaction.sign(payer);
    const { result } = await sendBase64(transaction.serialize(), { skipPreflight: true });
    expect(result).toBe(signatureOf(transaction));
    const { value } = await connection.getSignatureStatuses([signatureOf(transaction)]);
    expect(value).toEqual([null]);
  });
});

test('a transaction is executed once', async () => {
  const to = Keypair.generate().publicKey;
  const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL, to)], [payer]);
  expect((await sendBase64(transaction.serialize())).result).toBe(signatureOf(transaction));
  expect((await sendBase64(transaction.serialize())).error).toMatchObject({
    code: -32_002,
    message: 'Transaction simulation failed: This transaction has already been processed',
    data: { err: 'AlreadyProcessed' },
  });
  expect((await sendBase64(transaction.serialize(), { skipPreflight: true })).result).toBe(
    signatureOf(transaction),
  );
  expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
});

test('a blockhash is good for 150 blocks, and no longer', async () => {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
  transaction.recentBlockhash = blockhash;
  transaction.sign(payer);
  await eventually(async () => (await connection.getBlockHeight()) > lastValidBlockHeight);
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
  expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBeNull();
  expect((await sendBase64(transaction.serialize())).error).toMatchObject({
    code: -32_002,
    message: 'Transaction simulation failed: Blockhash not found',
    data: { err: 'BlockhashNotFound' },
  });
});

describe('bytes that are no good transaction', () => {
  test('are refused above 1,232 of them', async () => {
    // web3.js does not write one that large, so the packet is filled up behind a whole transaction.
    const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
    const wire = Buffer.concat([transaction.serialize(), new Uint8Array(1_200)]);
    expect((await sendBase64(wire)).error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/too large: \d+ bytes \(max: 1232 bytes\)/),
    });
  });

  test('are refused when a signature is not the signer’s, also in a simulation that verifies', async () => {
    const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
    const wire = Buffer.from(transaction.serialize());
    wire[10] = (wire[10] ?? 0) ^ 1;
    const refusal = { code: -32_003, message: 'Transaction signature verification failure' };
    expect((await sendBase64(wire)).error).toMatchObject(refusal);
    const simulation = await rpc(url, 'simulateTransaction', wire.toString('base64'), {
      encoding: 'base64',
      sigVerify: true,
    });
    expect(simulation.error).toMatchObject(refusal);
    const before = await connection.getBalance(payer.publicKey);
    expect((await sendBase64(wire, { skipPreflight: true })).error).toBeUndefined();
    expect(await connection.getBalance(payer.publicKey)).toBe(before);
  });

  test('are refused when anybody could have signed them, with a key of small order', async () => {
    const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
    const wire = Buffer.from(transaction.serialize());
    // The neutral point as key and commitment, and 0 as response, verify any message in a lax implementation.
    wire.fill(0, 1, 65);
    wire[1] = 1;
    wire.fill(0, 69, 101);
    wire[69] = 1;
    expect((await sendBase64(wire)).error?.code).toBe(-32_003);
  });

  test.each([
    [
      'truncated',
      (wire: Buffer) => wire.subarray(0, -1),
      /^failed to deserialize .*VersionedTransaction: failed to fill whole buffer$/,
    ],
    [
      'too long',
      (wire: Buffer) => Buffer.concat([wire, Uint8Array.of(0)]),
      /^failed to deserialize .*VersionedTransaction: bytes are left over$/,
    ],
    ['empty', () => Buffer.alloc(0), /^failed to deserialize .*: failed to fill whole buffer$/],
    [
      'of an unknown version',
      (wire: Buffer) => wire.fill(0x82, 65, 66),
      /^failed to deserialize .*: message version 2 is not supported$/,
    ],
    [
      'of too many signers',
      (wire: Buffer) => wire.fill(2, 65, 66),
      /^invalid transaction: Transaction failed to sanitize accounts offsets correctly$/,
    ],
  ])('are refused when %s', async (_name, spoil, message) => {
    const transaction = await signed(connection, [transfer(LAMPORTS_PER_SOL)], [payer]);
    const { error } = await sendBase64(spoil(Buffer.from(transaction.serialize())));
    expect(error).toMatchObject({ code: -32_602, message: expect.stringMatching(message) });
  });

  test('are refused when they are not in the encoding that is said', async () => {
    expect((await rpc(url, 'sendTransaction', '***', { encoding: 'base64' })).error?.code).toBe(-32_602);
    expect((await rpc(url, 'sendTransaction', '0OIl')).error?.code).toBe(-32_602);
    expect((await rpc(url, 'sendTransaction', 'aa', { encoding: 'json' })).error?.code).toBe(-32_602);
    expect((await rpc(url, 'sendTransaction')).error?.code).toBe(-32_602);
  });
});

describe('a request', () => {
  test('that is not JSON is a parse error', async () => {
    const answer = (await (await post(url, '{"jsonrpc":')).json()) as RpcAnswer;
    expect(answer).toEqual({ jsonrpc: '2.0', error: { code: -32_700, message: 'Parse error' }, id: null });
  });

  test('for an unknown method is told so', async () => {
    expect((await rpc(url, 'getUnicorns')).error).toEqual({ code: -32_601, message: 'Method not found' });
    expect((await rpc(url, 'constructor')).error?.code).toBe(-32_601);
  });

  test.each([
    ['getBalance', ['not an address']],
    ['getBalance', [7]],
    ['getBalance', []],
    ['getAccountInfo', ['11111111111111111111111111111111', 'base64']],
    ['getAccountInfo', ['11111111111111111111111111111111', { encoding: 'base64+lz4' }]],
    ['getAccountInfo', ['11111111111111111111111111111111', { commitment: 'sometime' }]],
    ['getMultipleAccounts', [Array(101).fill('11111111111111111111111111111111')]],
    ['getSignatureStatuses', [Array(257).fill('1'.repeat(64))]],
    ['getSignatureStatuses', [['abc']]],
    ['getTransaction', ['1'.repeat(64), { commitment: 'processed' }]],
    ['getSignaturesForAddress', ['11111111111111111111111111111111', { limit: 1_001 }]],
    ['getProgramAccounts', ['11111111111111111111111111111111', { filters: [{ nothing: 1 }] }]],
    ['getTokenAccountBalance', ['11111111111111111111111111111111']],
    ['getTokenSupply', ['11111111111111111111111111111111']],
    ['requestAirdrop', ['11111111111111111111111111111111', -1]],
    ['getMinimumBalanceForRentExemption', ['82']],
  ])('to %s with bad ones (%#) has invalid parameters', async (method, params) => {
    expect((await rpc(url, method, ...params)).error?.code).toBe(-32_602);
  });

  test('in a batch is answered in its place, and a notification not at all', async () => {
    const response = await post(
      url,
      JSON.stringify([
        { jsonrpc: '2.0', id: 'a', method: 'getHealth' },
        { jsonrpc: '2.0', method: 'getHealth' },
        7,
        { jsonrpc: '2.0', id: 2, method: 'getSlot', params: [{ commitment: 'processed' }] },
      ]),
    );
    const answers = (await response.json()) as RpcAnswer[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', undefined],
      [null, -32_600],
      [2, undefined],
    ]);
  });

  test('of another type, another method or too large is refused by HTTP', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(415);
    expect((await fetch(url)).status).toBe(405);
    expect((await post(url, JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413);
    expect(await (await fetch(`${url}/health`)).text()).toBe('ok');
  });
});

function signatureOf(transaction: { readonly signature: Buffer | null }): string {
  return bs58.encode(transaction.signature ?? new Uint8Array());
}
