/** Tests the behaviour that solana-cli and Anchor (Rust), solana-go and solana-py rely on, and web3.js and kit do not. */
import { once } from 'node:events';
import { type Connection, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { decompress } from 'fzstd';
import { MEMO_PROGRAM } from 'levy-solana-wire';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { zstdFrame } from '../src/zstd-frame.ts';
import { eventually, fundedKeypair, openChain, post, rpc, send, signed } from './chain-under-test.ts';

const MEMO = new PublicKey(MEMO_PROGRAM);
const FORMER_MEMO = new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

let url: string;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  const opened = await openChain({ slotMilliseconds: 40 });
  url = opened.chain.url;
  connection = opened.connection;
  payer = await fundedKeypair(connection);
});

const answered = async (method: string, ...params: readonly unknown[]) => {
  const { result, error } = await rpc(url, method, ...params);
  if (error !== undefined) throw new Error(error.message);
  return (result as { readonly value: never }).value;
};

/** An account of so many bytes, of the system program. */
async function accountOf(space: number): Promise<PublicKey> {
  const made = Keypair.generate();
  const lamports = await connection.getMinimumBalanceForRentExemption(space);
  const instruction = SystemProgram.createAccount({
    fromPubkey: payer.publicKey,
    newAccountPubkey: made.publicKey,
    lamports,
    space,
    programId: SystemProgram.programId,
  });
  await send(connection, [instruction], [payer, made]);
  return made.publicKey;
}

const transfer = (to: PublicKey, lamports: number) =>
  SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });

const memo = (data: string | Buffer, programId = MEMO) =>
  new TransactionInstruction({ programId, keys: [], data: Buffer.from(data) });

describe('data in base64+zstd', () => {
  test.each([
    0, 1, 127, 128, 255, 256, 65_536, 131_071, 131_072, 131_073, 300_000,
  ])('are a frame that decoders read: %i bytes', (length) => {
    const data = Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
    expect(Buffer.from(decompress(zstdFrame(data))).equals(data)).toBe(true);
  });

  test('are answered by every method that answers accounts', async () => {
    const encoding = 'base64+zstd';
    const address = (await accountOf(200)).toBase58();
    const options = { encoding, commitment: 'confirmed' };
    const { blockhash } = await connection.getLatestBlockhash();
    const sent = await signed(connection, [transfer(new PublicKey(address), 1)], [payer]);
    const accounts: readonly (readonly [string, string])[] = [
      (await answered('getAccountInfo', address, options)) as never,
      (await answered('getMultipleAccounts', [address], options))[0] as never,
      (
        (await rpc(url, 'getProgramAccounts', SystemProgram.programId.toBase58(), {
          ...options,
          filters: [{ dataSize: 200 }],
        })) as never as { readonly result: readonly { readonly account: never }[] }
      ).result[0]?.account as never,
      (
        (await answered('simulateTransaction', sent.serialize().toString('base64'), {
          encoding: 'base64',
          accounts: { encoding, addresses: [address] },
        })) as { readonly accounts: readonly never[] }
      ).accounts[0] as never,
    ].map((account) => (account as { readonly data: readonly [string, string] }).data);
    expect(blockhash).toBeDefined();
    for (const [text, named] of accounts) {
      expect(named).toBe(encoding);
      expect(Buffer.from(decompress(Buffer.from(text, 'base64')))).toEqual(Buffer.alloc(200));
    }
  });
});

describe('without an encoding', () => {
  test('accounts are answered as a node answers them: several in base64, one in base58', async () => {
    const large = (await accountOf(200)).toBase58();
    const options = { commitment: 'confirmed' };
    const [one] = (await answered('getMultipleAccounts', [large], options)) as never as [
      { readonly data: unknown },
    ];
    expect(one.data).toEqual([Buffer.alloc(200).toString('base64'), 'base64']);
    expect((await rpc(url, 'getAccountInfo', large, options)).error?.message).toContain('base 58');
    const small = (await accountOf(3)).toBase58();
    expect(await answered('getAccountInfo', small, options)).toMatchObject({ data: '111' });
  });
});

describe('the id of a call', () => {
  const ids = [
    '9223372036854775807',
    '9007199254740993',
    '18446744073709551615',
    '-12345678901234567890',
    '7',
    '1.0',
    '1e2',
    '"9007199254740993"',
    '"a \\" b"',
    'null',
  ];

  test.each(ids)('is repeated as it was written: %s', async (id) => {
    const text = await (await post(url, `{"jsonrpc":"2.0", "id" : ${id} ,"method":"getHealth"}`)).text();
    expect(text).toContain(`"id":${id}}`);
    const socket = await socketTo(url);
    socket.send(`{"method":"slotSubscribe","params":[],"id":${id},"jsonrpc":"2.0"}`);
    const [answer] = await once(socket, 'message');
    expect(String(answer)).toContain(`"id":${id}}`);
  });

  test('is that of its own call in a batch, and no other member of that name', async () => {
    const batch = `[1,{"jsonrpc":"2.0","id":9007199254740993,"method":"getHealth","params":[{"id":9007199254740995}]},
      {"jsonrpc":"2.0","method":"none","params":{"id":5},"id":9007199254740997},[{"id":3}]]`;
    const answers = (await (await post(url, batch)).text()).matchAll(/"id":([^}]+)\}/g);
    expect([...answers].map(([, id]) => id)).toEqual([
      'null',
      '9007199254740993',
      '9007199254740997',
      'null',
    ]);
  });
});

describe('memos', () => {
  test('are listed with the signatures of an address, as a node writes them', async () => {
    const named = Keypair.generate().publicKey;
    const sent = [
      [transfer(named, 1_000_000)],
      [memo('Levy: ü'), transfer(named, 1_000_001)],
      [memo('one'), memo('two', FORMER_MEMO), transfer(named, 1_000_002)],
    ];
    for (const instructions of sent) await send(connection, instructions, [payer]);
    const listed = await connection.getSignaturesForAddress(named);
    expect(listed.map((entry) => entry.memo)).toEqual(['[3] one; [3] two', '[8] Levy: ü', null]);
  });
});

describe('subscriptions', () => {
  test('to logs tell of each transaction, or of those that name an address, and whether it failed', async () => {
    const named = Keypair.generate().publicKey;
    const [all, some]: [string[], string[]] = [[], []];
    const errors: unknown[] = [];
    const ids = [
      connection.onLogs('all', ({ signature }) => all.push(signature), 'confirmed'),
      connection.onLogs(
        named,
        ({ signature, err, logs }) => {
          some.push(signature);
          errors.push(err);
          expect(logs.some((line) => line.includes('invoke [1]'))).toBe(true);
        },
        'confirmed',
      ),
    ];
    const slots: number[] = [];
    const slotId = connection.onSlotChange(({ slot }) => slots.push(slot));
    await eventually(async () => slots.length > 0);
    const other = await send(connection, [transfer(Keypair.generate().publicKey, 1_000_010)], [payer]);
    const paid = await send(connection, [transfer(named, 1_000_011)], [payer]);
    const failing = await signed(connection, [transfer(named, 10 ** 15)], [payer]);
    const failed = await connection.sendRawTransaction(failing.serialize(), { skipPreflight: true });
    await eventually(async () => some.length === 2 && all.includes(failed));
    expect(some).toEqual([paid, failed]);
    expect(errors).toEqual([null, { InstructionError: [0, { Custom: 1 }] }]);
    expect(all).toEqual(expect.arrayContaining([other, paid, failed]));
    for (const id of ids) await connection.removeOnLogsListener(id);
    await connection.removeSlotChangeListener(slotId);
  });

  test('to a program tell of its accounts each time they are written, and of those that pass the filters', async () => {
    const told: [string, number][] = [];
    const id = connection.onProgramAccountChange(
      SystemProgram.programId,
      ({ accountId, accountInfo }) => told.push([accountId.toBase58(), accountInfo.lamports]),
      { commitment: 'confirmed', filters: [{ dataSize: 77 }] },
    );
    const roots: number[] = [];
    const rootId = connection.onRootChange((root) => roots.push(root));
    await eventually(async () => roots.length > 2);
    const made = await accountOf(77);
    await accountOf(78);
    const lamports = await connection.getBalance(made);
    await eventually(async () => told.length === 1);
    await send(connection, [transfer(made, 5)], [payer]);
    await eventually(async () => told.length === 2);
    expect(told).toEqual([
      [made.toBase58(), lamports],
      [made.toBase58(), lamports + 5],
    ]);
    await connection.removeProgramAccountChangeListener(id);
    await connection.removeRootChangeListener(rootId);
  });
});

async function socketTo(rpcUrl: string): Promise<WebSocket> {
  const { hostname, port } = new URL(rpcUrl);
  const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}
