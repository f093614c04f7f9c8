/** Subscriptions over the WebSocket on the port above, as web3.js and wallets use them. */
import { once } from 'node:events';
import {
  type AccountInfo,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  type SlotInfo,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, fundedKeypair, openChain, type RpcAnswer, send } from './chain-under-test.ts';

let url: string;
let connection: Connection;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  // Final after little more than a second.
  const opened = await openChain({ slotMilliseconds: 40 });
  url = opened.chain.url;
  connection = opened.connection;
});

afterAll(() => {
  for (const socket of sockets) socket.terminate();
});

const transfer = (from: Keypair, to: PublicKey, lamports = 1_000_000) =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

describe('web3.js', () => {
  test('sends and confirms a transaction, at each commitment', async () => {
    const payer = await fundedKeypair(connection);
    for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
      const signature = await sendAndConfirmTransaction(
        connection,
        new Transaction().add(transfer(payer, Keypair.generate().publicKey)),
        [payer],
        { commitment },
      );
      const { value } = await connection.getSignatureStatus(signature);
      expect([commitment, value?.err]).toEqual([commitment, null]);
      if (commitment === 'finalized') expect(value?.confirmationStatus).toBe('finalized');
    }
  });

  test('is told of a transaction that failed, with its error', async () => {
    const payer = await fundedKeypair(connection, 1);
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction().add(
      transfer(payer, Keypair.generate().publicKey, 5 * LAMPORTS_PER_SOL),
    );
    transaction.recentBlockhash = blockhash;
    transaction.feePayer = payer.publicKey;
    transaction.sign(payer);
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    // The library rejects with the error that it reads, and resolves with the one that it is told.
    const told = await connection.confirmTransaction(signature, 'confirmed').then(
      ({ value }) => value.err,
      (error: unknown) => error,
    );
    expect(told).toMatchObject({ InstructionError: [0, { Custom: 1 }] });
  });

  test('is told of each change of an account, and of nothing once it has left', async () => {
    const payer = await fundedKeypair(connection);
    const watched = Keypair.generate().publicKey;
    const told: AccountInfo<Buffer>[] = [];
    const id = connection.onAccountChange(watched, (account) => told.push(account), 'confirmed');
    const slots: SlotInfo[] = [];
    const slotId = connection.onSlotChange((slot) => slots.push(slot));
    // The subscriptions of a connection begin in order.
    await eventually(async () => slots.length > 0);
    // Amounts of their own: under one blockhash, the same transfer again would be the same transaction.
    await send(connection, [transfer(payer, watched, 1_000_000)], [payer]);
    await eventually(async () => told.length === 1);
    await send(connection, [transfer(payer, watched, 1_000_001)], [payer]);
    await eventually(async () => told.length === 2);
    expect(told.map(({ lamports }) => lamports)).toEqual([1_000_000, 2_000_001]);
    await connection.removeAccountChangeListener(id);
    await send(connection, [transfer(payer, watched, 1_000_002)], [payer]);
    const before = slots.length;
    await eventually(async () => slots.length > before + 2);
    expect(told).toHaveLength(2);
    const order = slots.map(({ slot }) => slot);
    expect(order).toEqual([...new Set(order)].sort((one, other) => one - other));
    expect(slots.every(({ slot, parent, root }) => parent < slot && root < slot)).toBe(true);
    await connection.removeSlotChangeListener(slotId);
  });
});

describe('a subscriber', () => {
  test('is told of finality only when it is there', async () => {
    const payer = await fundedKeypair(connection);
    const signature = await send(connection, [transfer(payer, Keypair.generate().publicKey)], [payer]);
    const { ask, next } = await subscriber();
    const { result: id } = await ask('signatureSubscribe', signature, { commitment: 'finalized' });
    const notification = await next();
    expect(notification).toMatchObject({
      method: 'signatureNotification',
      params: { subscription: id, result: { value: { err: null } } },
    });
    const { value } = await connection.getSignatureStatus(signature);
    expect(value?.confirmationStatus).toBe('finalized');
    // It is over with that.
    expect((await ask('signatureUnsubscribe', id)).error?.code).toBe(-32602);
  });

  test('is refused what is no subscription, in the words of a node', async () => {
    const { ask, socket, next } = await subscriber();
    expect((await ask('signatureSubscribe', 'x')).error?.code).toBe(-32602);
    expect((await ask('accountSubscribe', 'x')).error?.code).toBe(-32602);
    expect((await ask('getSlot')).error?.code).toBe(-32601);
    expect((await ask('voteSubscribe')).error?.code).toBe(-32601);
    expect((await ask('slotUnsubscribe', 999_999)).error?.code).toBe(-32602);
    for (const [text, code] of [
      ['{', -32700],
      ['[]', -32600],
      ['{"id":1}', -32600],
    ] as const) {
      socket.send(text);
      expect((await next()).error?.code).toBe(code);
    }
    // A ping, as clients send it, has no answer.
    socket.send('{"jsonrpc":"2.0","method":"ping","params":null}');
    expect((await ask('slotSubscribe')).result).toEqual(expect.any(Number));
  });

  test('gets no more than a hundred subscriptions, and room again for each that it gives up', async () => {
    const { ask } = await subscriber();
    const address = Keypair.generate().publicKey.toBase58();
    const all = Array.from({ length: 100 }, () => ask('accountSubscribe', address));
    const id = (await Promise.all(all)).at(-1)?.result;
    expect((await ask('accountSubscribe', address)).error?.message).toMatch(/limit reached/);
    expect((await ask('accountUnsubscribe', id)).result).toBe(true);
    expect((await ask('accountSubscribe', address)).result).toEqual(expect.any(Number));
  });

  test('that sends too long a message is disconnected, and others are not', async () => {
    const [long, other] = [await subscriber(), await subscriber()];
    long.socket.send('x'.repeat(65_537));
    await once(long.socket, 'close');
    expect((await other.ask('slotSubscribe')).result).toEqual(expect.any(Number));
  });
});

async function subscriber() {
  const { hostname, port } = new URL(url);
  const socket = new WebSocket(`ws://${hostname}:${Number(port) + 1}`);
  sockets.push(socket);
  const received: Received[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const take = (fits: (message: Received) => boolean) =>
    eventually(async () => {
      const at = received.findIndex(fits);
      return at === -1 ? undefined : received.splice(at, 1)[0];
    });
  let last = 0;
  return {
    socket,
    /** The next message that answers no call by its id. */
    next: () => take(({ id }) => id === undefined || id === null),
    ask: async (method: string, ...params: readonly unknown[]) => {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return take((message) => message.id === id);
    },
  };
}

interface Received extends RpcAnswer {
  readonly method?: string;
  readonly params?: unknown;
}
