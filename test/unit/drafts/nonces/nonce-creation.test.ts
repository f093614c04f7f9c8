// How a nonce account comes to be on the chain: what is signed and sent for it, how often, and when its value is taken.
import { Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { nonceValueAfter } from '../../../../src/chain/durable-nonce.ts';
import { createKeyring } from '../../../../src/chain/keys.ts';
import { makeOnChain, OPENING_PAUSE } from '../../../../src/drafts/nonces/nonce-opening.ts';
import type { Chain, ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { nonceAccountOf } from '../../../support/nonce-account-shown.ts';

const keyring = createKeyring(new Uint8Array(32).fill(7));
const VALUE = addresses.nonceValue;
const ADDRESS = keyring.nonceAccount(3).address;
const [RENT, FLOOR, FEES] = [5_000n, 1_000n, 10_000n];

interface World {
  /** What is at the address at each look. */
  readonly shown: (look: number) => ChainAccount | undefined;
  /** How a simulation of the creation ends. */
  readonly simulated?: string;
  readonly blockhash?: string;
}

async function making({ shown, simulated, blockhash = addresses.mint }: World) {
  const sent: string[] = [];
  const pauses: number[] = [];
  let [looks, simulations] = [0, 0];
  const chain = {
    async accounts(asked: readonly string[], commitment: string) {
      expect([asked, commitment]).toEqual([[ADDRESS], 'confirmed']);
      looks += 1;
      return [shown(looks)];
    },
    balance: async (address: string) => (address === keyring.feePayer.address ? RENT + FEES + FLOOR : 0n),
    rentExemption: async (size: number) => (size === 80 ? RENT : 0n),
    recentBlockhash: async () => ({ blockhash, lastValidBlockHeight: 1n }),
    send: async (wire: Uint8Array) => void sent.push(Buffer.from(wire).toString('base64')),
    async simulate(wire: Uint8Array) {
      simulations += 1;
      expect(Buffer.from(wire).toString('base64')).toBe(sent.at(-1));
      return { slot: 1n, error: simulated, logs: [], unitsConsumed: 0 };
    },
  } as unknown as Chain;
  const outcome = await makeOnChain(
    { chain, keyring, floor: FLOOR, pause: async (milliseconds) => void pauses.push(milliseconds) },
    3,
  ).then(
    (value) => value,
    (refusal: { readonly code: string }) => refusal,
  );
  return { outcome, sent, pauses, looks, simulations };
}

describe('an account that is on the chain', () => {
  test('is taken at its value without anything being sent', async () => {
    const { outcome, sent, looks } = await making({ shown: () => nonceAccountOf(VALUE) });
    expect([outcome, sent, looks]).toEqual([VALUE, [], 1]);
  });

  test('is waited for while its value is of this very block, in which it cannot be spent', async () => {
    const blockhash = addresses.mint;
    const fresh = nonceAccountOf(nonceValueAfter(blockhash));
    const { outcome, sent, looks } = await making({
      blockhash,
      shown: (look) => (look < 4 ? fresh : nonceAccountOf(VALUE)),
    });
    expect([outcome, sent, looks]).toEqual([VALUE, [], 4]);
  });

  test('is never used where somebody else has its authority', async () => {
    const { outcome, sent } = await making({ shown: () => nonceAccountOf(VALUE, addresses.creator) });
    expect(outcome).toMatchObject({ code: 'DRAFTS_EXHAUSTED', retryAfterSeconds: 5 });
    expect(sent).toEqual([]);
  });
});

describe('an account that is not on the chain', () => {
  test('is created by a transaction that the fee payer and its own key sign, and that gives it the rent', async () => {
    const { outcome, sent } = await making({
      shown: (look) => (look < 3 ? undefined : nonceAccountOf(VALUE)),
    });
    expect(outcome).toBe(VALUE);
    expect(sent).toHaveLength(1);
    const transaction = Transaction.from(Buffer.from(sent[0] ?? '', 'base64'));
    expect(transaction.verifySignatures()).toBe(true);
    expect(transaction.feePayer?.toBase58()).toBe(keyring.feePayer.address);
    expect(transaction.recentBlockhash).toBe(addresses.mint);
    const [create] = transaction.instructions;
    expect(create?.keys.map(({ pubkey }) => pubkey.toBase58())).toEqual([keyring.feePayer.address, ADDRESS]);
    expect(create?.data.readBigUInt64LE(4)).toBe(RENT);
  });

  test('is looked at again at once after the first send, and then after pauses', async () => {
    const { pauses, looks } = await making({
      shown: (look) => (look < 5 ? undefined : nonceAccountOf(VALUE)),
    });
    expect(looks).toBe(5);
    expect(pauses).toEqual([OPENING_PAUSE, OPENING_PAUSE, OPENING_PAUSE]);
  });

  test('has the same bytes sent again, after the chain was asked whether it has nonces at all', async () => {
    const { outcome, sent, simulations } = await making({
      shown: (look) => (look < 11 ? undefined : nonceAccountOf(VALUE)),
    });
    expect(outcome).toBe(VALUE);
    expect([sent.length, new Set(sent).size, simulations]).toEqual([2, 1, 1]);
  });

  test('is given up at once on a chain without nonces, and nothing more is sent', async () => {
    const { outcome, sent } = await making({
      shown: () => undefined,
      simulated: '{"InstructionError":[1,"InvalidInstructionData"]}',
    });
    expect(outcome).toMatchObject({ code: 'DRAFTS_EXHAUSTED', retryAfterSeconds: 60 });
    expect(sent).toHaveLength(1);
  });

  test('is given up after half a minute', async () => {
    const { outcome, looks, sent, simulations } = await making({ shown: () => undefined });
    expect(outcome).toMatchObject({ code: 'DRAFTS_EXHAUSTED', retryAfterSeconds: 5 });
    expect(looks).toBe(120);
    // Sent every two seconds; signed anew once, so late that the first creation cannot land any more.
    expect([sent.length, sent.length - simulations]).toEqual([16, 2]);
  });
});
