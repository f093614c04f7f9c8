// Payments to 61 wallets in one transaction of version 1, on the chain that comes with the service.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalChain } from 'levy-local-chain';
import {
  compileVersion1Message,
  type Instruction,
  seededAddress,
  signTransaction,
  TOKEN_PROGRAM,
  transactionSignature,
  type Version1Config,
} from 'levy-solana-wire';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createNodeChain } from '../../../src/adapters/solana-rpc/chain.ts';
import { createKeyPair, type KeyPair } from '../../../src/chain/keys.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import {
  approveDelegate,
  syncNative,
  TOKEN_ACCOUNT_SIZE,
} from '../../../src/chain/wrapped-sol-instructions.ts';
import { payFromPot } from '../../../src/distribution/once/meter.ts';
import { solAccountOf } from '../../../src/distribution/once/till-chain.ts';
import type { Chain } from '../../../src/kernel/ports/chain.ts';

const key = (number: number): KeyPair => createKeyPair(new Uint8Array(32).fill(number));
const [wallet, distributor] = [key(1), key(2)];
const SOL = 1_000_000_000n;
const PAYMENT = 2_000_000n;
const ALLOWANCE = 61n * PAYMENT;
const FEE = 5_000n;
const AMPLE = { computeUnitLimit: 100_000, loadedAccountsDataSizeLimit: 1_000_000 };

let url: string;
let chain: Chain;
let dispose: () => Promise<void>;
let seed = 0;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levy-'));
  const local = await openLocalChain({ dataDir: join(folder, 'chain'), port: 0, slotMilliseconds: 50 });
  url = local.url;
  chain = createNodeChain({ url });
  dispose = async () => {
    await local.close();
    await rm(folder, { recursive: true });
  };
  for (const { address } of [wallet, distributor]) await chain.airdrop(address, 10n * SOL);
});

afterAll(() => dispose());

async function signed(
  instructions: readonly Instruction[],
  keys: readonly KeyPair[],
  config: Version1Config,
): Promise<Uint8Array> {
  const { blockhash: recentBlockhash } = await chain.recentBlockhash();
  const payer = distributor.address;
  const { bytes } = compileVersion1Message({ payer, recentBlockhash, instructions, config });
  return signTransaction(bytes, new Map(keys.map((each) => [each.address, each.sign(bytes)])));
}

async function landed(wire: Uint8Array) {
  await chain.send(wire);
  const found = await chain.transaction(transactionSignature(wire), 'confirmed');
  if (found === undefined) throw new Error('the transaction did not land');
  return found;
}

describe('a batch of 61 payments', () => {
  let pot: string;
  let recipients: readonly string[];

  beforeEach(async () => {
    seed += 1;
    pot = seededAddress(wallet.address, `pot ${seed}`, TOKEN_PROGRAM);
    recipients = Array.from(
      { length: 61 },
      () => createKeyPair(crypto.getRandomValues(new Uint8Array(32))).address,
    );
    const opening = [
      ...solAccountOf({
        address: pot,
        seed: `pot ${seed}`,
        wallet: wallet.address,
        payer: distributor.address,
        rent: await chain.rentExemption(TOKEN_ACCOUNT_SIZE),
      }),
      transferInstruction({ from: distributor.address, to: pot, lamports: ALLOWANCE }),
      syncNative(pot),
      approveDelegate({
        account: pot,
        owner: wallet.address,
        delegate: distributor.address,
        lamports: ALLOWANCE,
      }),
    ];
    const { error } = await landed(await signed(opening, [distributor, wallet], AMPLE));
    expect(error).toBeUndefined();
  });

  function batch(config: Version1Config): Promise<Uint8Array> {
    const payments = recipients.map((to) => ({ to, amount: PAYMENT }));
    const from = {
      address: pot,
      owner: wallet.address,
      delegate: distributor.address,
      asset: { kind: 'sol' },
    } as const;
    return signed(payFromPot(from, ALLOWANCE, payments), [distributor], config);
  }

  test('lands in one transaction, and costs a signature and the priority fee that it offers', async () => {
    const before = await chain.balance(distributor.address);
    const wire = await batch({ ...AMPLE, priorityFee: 77n });
    expect(wire.length).toBeGreaterThan(3_000);
    const found = await landed(wire);
    expect(found).toMatchObject({ error: undefined, fee: FEE + 77n });
    expect(Buffer.from(found.wire).equals(wire)).toBe(true);
    expect(await chain.balance(distributor.address)).toBe(before - FEE - 77n);
    const paid = await chain.accountsAt(recipients, 'confirmed');
    expect(paid.accounts.map((account) => account?.lamports)).toEqual(recipients.map(() => PAYMENT));
    const block = { encoding: 'base64', commitment: 'confirmed', rewards: false };
    expect(await rpc('getBlock', found.slot, { ...block, maxSupportedTransactionVersion: 0 })).toMatchObject({
      error: { code: -32_015 },
    });
    const listed = await rpc('getBlock', found.slot, { ...block, maxSupportedTransactionVersion: 1 });
    expect(listed.result).toMatchObject({
      transactions: expect.arrayContaining([
        expect.objectContaining({
          version: 1,
          transaction: [Buffer.from(wire).toString('base64'), 'base64'],
        }),
      ]),
    });
  });

  test('is simulated first, which tells the units and the bytes that are just enough', async () => {
    const wire = await batch(AMPLE);
    const { result } = await rpc('simulateTransaction', Buffer.from(wire).toString('base64'), {
      encoding: 'base64',
      commitment: 'confirmed',
    });
    const { value } = result as {
      readonly value: {
        readonly err: unknown;
        readonly unitsConsumed: number;
        readonly loadedAccountsDataSize: number;
      };
    };
    expect(value.err).toBeNull();
    expect((await chain.simulate(wire)).unitsConsumed).toBe(value.unitsConsumed);
    const config = {
      computeUnitLimit: value.unitsConsumed,
      loadedAccountsDataSizeLimit: value.loadedAccountsDataSize,
    };
    expect((await landed(await batch(config))).error).toBeUndefined();
  });

  test.each<[string, (enough: Version1Config) => Version1Config, RegExp]>([
    [
      'too few units',
      (enough) => ({ ...enough, computeUnitLimit: 5_000 }),
      /ComputationalBudgetExceeded|ProgramFailedToComplete/,
    ],
    [
      'no units at all',
      ({ loadedAccountsDataSizeLimit = 0 }) => ({ loadedAccountsDataSizeLimit }),
      /ComputationalBudgetExceeded|ProgramFailedToComplete/,
    ],
    [
      'too few bytes',
      (enough) => ({ ...enough, loadedAccountsDataSizeLimit: 5_000 }),
      /MaxLoadedAccountsDataSizeExceeded/,
    ],
  ])('with %s fails, costs its fee and pays nobody', async (_name, within, reason) => {
    const found = await landed(await batch(within(AMPLE)));
    expect(found.error).toMatch(reason);
    expect(found.fee).toBe(FEE);
    const paid = await chain.accountsAt(recipients, 'confirmed');
    expect(paid.accounts.every((account) => account === undefined)).toBe(true);
  });
});

async function rpc(method: string, ...params: readonly unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
}
