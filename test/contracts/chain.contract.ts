/** Contract of the Chain port. An adapter's test file opens a chain with a faucet. */

import {
  addressOf,
  compileLegacyMessage,
  joined,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  signTransaction,
  transactionSignature,
  unsigned,
  unsignedTransaction,
} from 'levy-solana-wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair, type KeyPair } from '../../src/chain/keys.ts';
import { type Chain, ChainUnavailable, type Commitment } from '../../src/kernel/ports/chain.ts';
import { eventually } from '../support/eventually.ts';

export interface OpenedChain {
  readonly chain: Chain;
  /** One of the same kind whose node does not answer. */
  readonly unreachable: Chain;
  dispose(): Promise<void>;
}

const SOL = 1_000_000_000n;
const FEE = 5_000n;
const NOBODY = addressOf(new Uint8Array(32).fill(200));

export function chainContract(name: string, open: () => Promise<OpenedChain>): void {
  describe(`${name} keeps the contract of a chain`, () => {
    let opened: OpenedChain;
    let chain: Chain;
    let payer: KeyPair;

    /** One that no other test uses, nor another run on the same chain. */
    const newKey = () => createKeyPair(crypto.getRandomValues(new Uint8Array(32)));

    beforeAll(async () => {
      opened = await open();
      chain = opened.chain;
      payer = newKey();
      await chain.airdrop(payer.address, 10n * SOL);
      await eventually('the payer is final', async () => {
        const [account] = await chain.accounts([payer.address], 'finalized');
        return account !== undefined;
      });
    });

    afterAll(() => opened.dispose());

    async function transferMessage(to: string, lamports: bigint): Promise<Uint8Array> {
      return compileLegacyMessage({
        payer: payer.address,
        recentBlockhash: (await chain.recentBlockhash()).blockhash,
        instructions: [
          {
            program: SYSTEM_PROGRAM,
            accounts: [
              { address: payer.address, signer: true, writable: true },
              { address: to, signer: false, writable: true },
            ],
            data: joined([unsigned(2, 4), unsigned(lamports, 8)]),
          },
        ],
      }).bytes;
    }

    async function transfer(to: string, lamports: bigint): Promise<Uint8Array> {
      const message = await transferMessage(to, lamports);
      return signTransaction(message, new Map([[payer.address, payer.sign(message)]]));
    }

    async function landed(wire: Uint8Array, commitment: Commitment = 'confirmed') {
      const signature = transactionSignature(wire);
      return eventually(`${signature} is ${commitment}`, async () => {
        const [status] = await chain.statuses([signature]);
        return status?.commitment === commitment || status?.commitment === 'finalized' ? status : undefined;
      });
    }

    async function sent(to: string, lamports: bigint): Promise<Uint8Array> {
      const wire = await transfer(to, lamports);
      await chain.send(wire);
      await landed(wire);
      return wire;
    }

    test('says which chain it is, always the same', async () => {
      const genesis = await chain.genesisHash();
      expect(genesis).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      expect(await chain.genesisHash()).toBe(genesis);
    });

    test('says from which slot on it has transactions', async () => {
      expect(await chain.firstSlot()).toBeGreaterThanOrEqual(0n);
    });

    test('gives lamports that are there when it says so', async () => {
      const { address } = newKey();
      expect(await chain.balance(address)).toBe(0n);
      await chain.airdrop(address, SOL);
      expect(await chain.balance(address)).toBe(SOL);
    });

    test('says what an account has to hold, more for more bytes', async () => {
      const [none, some] = await Promise.all([chain.rentExemption(0), chain.rentExemption(1_000)]);
      expect(none).toBeGreaterThan(0n);
      expect(some).toBeGreaterThan(none);
    });

    test('gives a blockhash that is good for some blocks, of which fewer are final than confirmed', async () => {
      const finalized = await chain.tip('finalized');
      const confirmed = await chain.tip('confirmed');
      expect(finalized.blockHeight).toBeLessThanOrEqual(confirmed.blockHeight);
      expect(finalized.slot).toBeLessThanOrEqual(confirmed.slot);
      expect(confirmed.blockHeight).toBeLessThanOrEqual(confirmed.slot);
      const { lastValidBlockHeight } = await chain.recentBlockhash();
      expect(lastValidBlockHeight).toBeGreaterThan(confirmed.blockHeight);
      expect(await chain.epoch()).toBeGreaterThanOrEqual(0n);
    });

    test('says what was paid lately as whole numbers, if anything', async () => {
      for (const price of await chain.recentPrices([payer.address])) expect(price).toBeTypeOf('bigint');
    });

    test('gives accounts in the order asked for, more than a hundred at once, and undefined where there is none', async () => {
      const asked = Array.from({ length: 130 }, (_, index) => (index % 2 === 0 ? payer.address : NOBODY));
      const accounts = await chain.accounts(asked, 'confirmed');
      expect(accounts.map((account) => account?.owner)).toEqual(
        asked.map((address) => (address === payer.address ? SYSTEM_PROGRAM : undefined)),
      );
      expect(accounts[0]?.data).toHaveLength(0);
      expect(accounts[0]?.lamports).toBeGreaterThan(0n);
      expect(await chain.accounts([], 'confirmed')).toEqual([]);
    });

    test('does not answer for a slot that it has not reached: an absent account might be there by then', async () => {
      const { slot } = await chain.tip('finalized');
      const [account] = await chain.accounts([payer.address], 'finalized', { atLeastSlot: slot });
      expect(account?.owner).toBe(SYSTEM_PROGRAM);
      const far = { atLeastSlot: slot + 1_000_000n };
      await expect(chain.accounts([payer.address], 'finalized', far)).rejects.toThrow(ChainUnavailable);
    });

    test('gives up to a hundred accounts together with the one slot that showed them all', async () => {
      const { slot } = await chain.tip('confirmed');
      const asked = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? payer.address : NOBODY));
      const read = await chain.accountsAt(asked, 'confirmed', { atLeastSlot: slot });
      expect(read.slot).toBeGreaterThanOrEqual(slot);
      expect(read.accounts.map((account) => account?.owner)).toEqual(
        asked.map((address) => (address === payer.address ? SYSTEM_PROGRAM : undefined)),
      );
      const finalized = await chain.accountsAt([payer.address], 'finalized');
      expect(finalized.slot).toBeLessThan((await chain.tip('confirmed')).slot);
      await expect(chain.accountsAt([...asked, NOBODY], 'confirmed')).rejects.toThrow();
      const far = { atLeastSlot: slot + 1_000_000n };
      await expect(chain.accountsAt(asked, 'confirmed', far)).rejects.toThrow(ChainUnavailable);
    });

    test('gives no more of the data than was asked for, whatever the accounts hold', async () => {
      const whole = await chain.accountsAt([MEMO_PROGRAM, NOBODY, payer.address], 'confirmed');
      expect(whole.accounts[0]?.data.length).toBeGreaterThan(4);
      for (const maxData of [0, 4]) {
        const { accounts } = await chain.accountsAt([MEMO_PROGRAM, NOBODY, payer.address], 'confirmed', {
          maxData,
        });
        expect(accounts.map((account) => account?.owner)).toEqual(
          whole.accounts.map((account) => account?.owner),
        );
        expect(accounts.map((account) => account?.data.length)).toEqual([maxData, undefined, 0]);
      }
    });

    test('shows a finalized account only as it was finalized', async () => {
      const { address } = newKey();
      const wire = await sent(address, SOL);
      const [early] = await chain.accounts([address], 'finalized');
      const [status] = await chain.statuses([transactionSignature(wire)]);
      // Not final after the account was read, and so not before.
      if (status?.commitment !== 'finalized') expect(early).toBeUndefined();
      await landed(wire, 'finalized');
      const [account] = await chain.accounts([address], 'finalized');
      expect(account?.lamports).toBe(SOL);
    });

    test('simulates without looking at signatures, and changes nothing', async () => {
      const { address } = newKey();
      const message = await transferMessage(address, SOL);
      const { error, unitsConsumed } = await chain.simulate(unsignedTransaction(message));
      expect(error).toBeUndefined();
      expect(unitsConsumed).toBeGreaterThan(0);
      expect(await chain.balance(address)).toBe(0n);
    });

    test('simulates on any blockhash only when it is told to', async () => {
      const message = await transferMessage(NOBODY, SOL);
      // Behind one byte of account count and three accounts: payer, receiver, program.
      message.set(new Uint8Array(32).fill(9), 4 + 3 * 32);
      const wire = unsignedTransaction(message);
      expect((await chain.simulate(wire)).error).toContain('BlockhashNotFound');
      expect((await chain.simulate(wire, { anyBlockhash: true })).error).toBeUndefined();
    });

    test('tells why a simulation failed, with the programs’ own words', async () => {
      const message = await transferMessage(NOBODY, 1_000_000n * SOL);
      const { error, logs } = await chain.simulate(unsignedTransaction(message));
      expect(error).toContain('InstructionError');
      expect(logs.join('\n')).toContain('insufficient lamports');
    });

    test('sends what lands, and tells where and how it did', async () => {
      const { address } = newKey();
      const before = await chain.balance(payer.address);
      const wire = await sent(address, SOL);
      const status = await landed(wire);
      expect(status.error).toBeUndefined();
      expect(await chain.balance(address)).toBe(SOL);
      expect(await chain.balance(payer.address)).toBe(before - SOL - FEE);
      const found = await chain.transaction(transactionSignature(wire), 'confirmed');
      expect(found).toMatchObject({ slot: status.slot, error: undefined, fee: FEE });
      expect(Buffer.from(found?.wire ?? []).equals(wire)).toBe(true);
    });

    test('sends without a simulation, so that what fails lands too and tells why', async () => {
      const wire = await sent(NOBODY, 1_000_000n * SOL);
      const signature = transactionSignature(wire);
      expect((await landed(wire)).error).toContain('InstructionError');
      const found = await chain.transaction(signature, 'confirmed');
      expect(found?.error).toContain('InstructionError');
      expect(found?.fee).toBe(FEE);
      expect(found?.logs.join('\n')).toContain('insufficient lamports');
    });

    test('does not mind what a node refuses: sent twice, on an unknown blockhash, or no transaction at all', async () => {
      const wire = await sent(newKey().address, SOL);
      const balance = await chain.balance(payer.address);
      await chain.send(wire);
      await chain.send(wire.with(wire.length - 1, 255));
      await chain.send(Uint8Array.of(1, 2, 3));
      expect(await chain.balance(payer.address)).toBe(balance);
    });

    test('gives statuses in the order asked for, many at once, and undefined for what it does not know', async () => {
      const known = transactionSignature(await sent(newKey().address, SOL));
      const unknown = transactionSignature(await transfer(NOBODY, SOL));
      const asked = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? known : unknown));
      const statuses = await chain.statuses(asked);
      expect(statuses.map((status) => status !== undefined)).toEqual(asked.map((each) => each === known));
      expect(await chain.transaction(unknown, 'confirmed')).toBeUndefined();
    });

    test('gives the signatures of an account newest first, in pages', async () => {
      const { address } = newKey();
      const signatures: string[] = [];
      for (let lamports = 1n; lamports <= 5n; lamports += 1n) {
        signatures.unshift(transactionSignature(await sent(address, SOL + lamports)));
      }
      const commitment = 'confirmed';
      const listed = async (options: { limit: number; before?: string; until?: string }) =>
        (await chain.signaturesOf(address, { ...options, commitment })).map(({ signature }) => signature);
      expect(await listed({ limit: 10 })).toEqual(signatures);
      expect(await listed({ limit: 2 })).toEqual(signatures.slice(0, 2));
      const [, before = '', , until = ''] = signatures;
      expect(await listed({ limit: 2, before })).toEqual(signatures.slice(2, 4));
      expect(await listed({ limit: 9, until })).toEqual(signatures.slice(0, 3));
      expect(await listed({ limit: 9, before, until })).toEqual(signatures.slice(2, 3));
      const unknown = transactionSignature(await transfer(NOBODY, SOL));
      expect(await listed({ limit: 9, before: unknown })).toEqual([]);
      expect(await chain.signaturesOf(newKey().address, { limit: 2, commitment })).toEqual([]);
    });

    test('tells with each signature of an account its slot, its time and whether it failed', async () => {
      const { address } = newKey();
      const wires = [await sent(address, SOL / 100n), await sent(address, 1_000_000n * SOL)];
      const entries = await chain.signaturesOf(address, { limit: 9, commitment: 'confirmed' });
      const landed = await Promise.all(
        wires.map((wire) => chain.transaction(transactionSignature(wire), 'confirmed')),
      );
      const [refused, succeeded] = entries;
      expect(succeeded).toMatchObject({ slot: landed[0]?.slot, error: undefined, memo: undefined });
      expect(refused).toMatchObject({ slot: landed[1]?.slot, error: landed[1]?.error });
      expect(refused?.error).toBeDefined();
      expect(entries.every(({ blockTime }) => Number.isInteger(blockTime))).toBe(true);
    });

    test('rejects every call with ChainUnavailable when the node does not answer', async () => {
      const { unreachable } = opened;
      const wire = unsignedTransaction(await transferMessage(NOBODY, SOL));
      const signature = transactionSignature(await transfer(NOBODY, SOL));
      const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
        ['genesisHash', () => unreachable.genesisHash()],
        ['recentBlockhash', () => unreachable.recentBlockhash()],
        ['tip', () => unreachable.tip('finalized')],
        ['epoch', () => unreachable.epoch()],
        ['accounts', () => unreachable.accounts([NOBODY], 'confirmed')],
        ['accountsAt', () => unreachable.accountsAt([NOBODY], 'confirmed')],
        ['tokenAccounts', () => unreachable.tokenAccounts(NOBODY)],
        ['balance', () => unreachable.balance(NOBODY)],
        ['rentExemption', () => unreachable.rentExemption(0)],
        ['recentPrices', () => unreachable.recentPrices([NOBODY])],
        ['simulate', () => unreachable.simulate(wire)],
        ['send', () => unreachable.send(wire)],
        ['statuses', () => unreachable.statuses([signature])],
        ['signaturesOf', () => unreachable.signaturesOf(NOBODY, { limit: 1, commitment: 'confirmed' })],
        ['transaction', () => unreachable.transaction(signature, 'confirmed')],
        ['airdrop', () => unreachable.airdrop(NOBODY, SOL)],
      ];
      const errors = await Promise.all(
        calls.map(async ([call, run]) => [call, await run().catch((reason: unknown) => reason)] as const),
      );
      expect(errors.filter(([, error]) => !(error instanceof ChainUnavailable))).toEqual([]);
    });
  });
}
