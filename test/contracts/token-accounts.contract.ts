/** Contract of reading the holders of a taxed token. An adapter's test file opens a reader with small pages. */

import {
  addressBytes,
  associatedTokenAddress,
  compileLegacyMessage,
  type Instruction,
  joined,
  readTokenAccount,
  signTransaction,
  TOKEN_2022_PROGRAM,
  tokenAccountFigures,
  transactionSignature,
} from 'levy-solana-wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readonly, writable } from '../../src/chain/account-meta.ts';
import { createKeyPair, type KeyPair } from '../../src/chain/keys.ts';
import { taxedTransferInstruction } from '../../src/chain/payment-instructions.ts';
import { createAccountInstruction } from '../../src/chain/system-instructions.ts';
import type { Chain, TokenAccountPage } from '../../src/kernel/ports/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  createAssociatedTokenAccount,
  initializeMint,
  initializeTransferFeeConfig,
  mintTo,
} from '../support/token-instructions.ts';

export interface OpenedTokenReader {
  /** One whose pages hold a few accounts. */
  readonly chain: Chain;
  dispose(): Promise<void>;
}

const SOL = 1_000_000_000n;
const DECIMALS = 6;
const MINT_SIZE = 278;
const PLAIN_SIZE = 178;
const INITIALIZE_ACCOUNT = 18;

export function tokenAccountsContract(name: string, open: () => Promise<OpenedTokenReader>): void {
  describe(`${name} reads the accounts of a taxed token`, () => {
    let opened: OpenedTokenReader;
    let chain: Chain;
    let payer: KeyPair;
    let mint: KeyPair;

    const newKey = () => createKeyPair(crypto.getRandomValues(new Uint8Array(32)));
    const owners = Array.from({ length: 5 }, newKey);
    const plain = newKey();
    const accountOf = (owner: KeyPair) =>
      associatedTokenAddress(owner.address, mint.address, TOKEN_2022_PROGRAM);

    beforeAll(async () => {
      opened = await open();
      chain = opened.chain;
      [payer, mint] = [newKey(), newKey()];
      await chain.airdrop(payer.address, 10n * SOL);
      await landed(
        [
          createAccountInstruction({
            from: payer.address,
            newAccount: mint.address,
            lamports: await chain.rentExemption(MINT_SIZE),
            space: MINT_SIZE,
            owner: TOKEN_2022_PROGRAM,
          }),
          initializeTransferFeeConfig({
            mint: mint.address,
            configAuthority: null,
            withdrawWithheldAuthority: payer.address,
            basisPoints: 300,
            maximumFee: 2n ** 64n - 1n,
          }),
          initializeMint(mint.address, DECIMALS, payer.address),
        ],
        [mint],
      );
      for (const owner of owners) {
        await landed([
          createAssociatedTokenAccount({
            payer: payer.address,
            tokenAccount: accountOf(owner),
            owner: owner.address,
            mint: mint.address,
          }),
        ]);
      }
      await landed(
        [
          createAccountInstruction({
            from: payer.address,
            newAccount: plain.address,
            lamports: await chain.rentExemption(PLAIN_SIZE),
            space: PLAIN_SIZE,
            owner: TOKEN_2022_PROGRAM,
          }),
          {
            program: TOKEN_2022_PROGRAM,
            accounts: [writable(plain.address), readonly(mint.address)],
            data: joined([Uint8Array.of(INITIALIZE_ACCOUNT), addressBytes(payer.address)]),
          },
        ],
        [plain],
      );
      const [first] = owners;
      if (first === undefined) throw new Error('there are owners');
      await landed([mintTo(mint.address, accountOf(first), payer.address, 1_000_000n)]);
      await landed([transfer(first, plain.address, 200_000n)], [first]);
    });

    afterAll(() => opened.dispose());

    function transfer(from: KeyPair, to: string, amount: bigint): Instruction {
      return taxedTransferInstruction({
        mint: mint.address,
        decimals: DECIMALS,
        from: accountOf(from),
        to,
        authority: from.address,
        amount,
        fee: (amount * 3n) / 100n,
      });
    }

    /** Resolves with its slot once it is final. */
    async function landed(instructions: readonly Instruction[], others: readonly KeyPair[] = []) {
      const { bytes } = compileLegacyMessage({
        payer: payer.address,
        recentBlockhash: (await chain.recentBlockhash()).blockhash,
        instructions,
      });
      const signatures = [payer, ...others].map((key) => [key.address, key.sign(bytes)] as const);
      const wire = signTransaction(bytes, new Map(signatures));
      await chain.send(wire);
      return eventually('the transaction is final', async () => {
        const [status] = await chain.statuses([transactionSignature(wire)]);
        if (status?.error !== undefined) throw new Error(status.error);
        return status?.commitment === 'finalized' ? BigInt(status.slot) : undefined;
      });
    }

    async function pages(
      options: { readonly changedSinceSlot?: bigint; readonly inOneAnswer?: boolean } = {},
    ): Promise<TokenAccountPage[]> {
      const found: TokenAccountPage[] = [];
      let after: string | undefined;
      do {
        const page = await chain.tokenAccounts(mint.address, {
          ...options,
          ...(after !== undefined && { after }),
        });
        found.push(page);
        after = page.next;
      } while (after !== undefined);
      return found;
    }

    test('all of them, in several pages, with what they hold and what is withheld in them', async () => {
      const { slot: before } = await chain.tip('finalized');
      const found = await pages();
      expect(found.length).toBeGreaterThan(1);
      for (const { slot } of found) expect(slot).toBeGreaterThanOrEqual(before);
      const accounts = found.flatMap((page) => page.accounts);
      const expected = new Map<string, readonly [owner: string, amount: bigint, withheld: bigint]>([
        ...owners.map(
          (owner, index) => [accountOf(owner), [owner.address, index === 0 ? 800_000n : 0n, 0n]] as const,
        ),
        [plain.address, [payer.address, 194_000n, 6_000n]],
      ]);
      expect(accounts.map(({ address }) => address).sort()).toEqual([...expected.keys()].sort());
      for (const { address, account } of accounts) {
        const [owner = '', amount, withheld] = expected.get(address) ?? [];
        expect(account.owner).toBe(TOKEN_2022_PROGRAM);
        const figures = { owner: Buffer.from(addressBytes(owner)), amount, withheld };
        expect(readTokenAccount(account)).toMatchObject({
          ...figures,
          mint: Buffer.from(addressBytes(mint.address)),
        });
        expect(tokenAccountFigures(account.data)).toEqual(figures);
        expect(account.data).toHaveLength(address === plain.address ? PLAIN_SIZE : 182);
        expect(account.lamports).toBe(await chain.rentExemption(account.data.length));
      }
    });

    test('all of them as of one slot, in one answer', async () => {
      const expected = (await pages()).flatMap(({ accounts }) => accounts.map(({ address }) => address));
      const found = await pages({ inOneAnswer: true });
      expect(new Set(found.map(({ slot }) => slot)).size).toBe(1);
      const addresses = found.flatMap(({ accounts }) => accounts.map(({ address }) => address));
      expect(addresses.sort()).toEqual(expected.sort());
    });

    test('at least what was written after a slot', async () => {
      const [first, second] = owners;
      if (first === undefined || second === undefined) throw new Error('there are owners');
      const { slot: since } = await chain.tip('finalized');
      await landed([transfer(first, accountOf(second), 100_000n)], [first]);
      const changed = (await pages({ changedSinceSlot: since })).flatMap((page) => page.accounts);
      const addresses = changed.map(({ address }) => address);
      expect(addresses).toEqual(expect.arrayContaining([accountOf(first), accountOf(second)]));
      const account = changed.find(({ address }) => address === accountOf(second))?.account;
      expect(account && tokenAccountFigures(account.data)).toMatchObject({
        amount: 97_000n,
        withheld: 3_000n,
      });
    });

    test('none of a mint that nobody holds, nor of an address that is no mint', async () => {
      const { accounts, next } = await chain.tokenAccounts(payer.address);
      expect([accounts, next]).toEqual([[], undefined]);
    });
  });
}
