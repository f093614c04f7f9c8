// Long lists of accounts: page by page or in one answer, as one slot showed them, while other calls go on.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMintToInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LocalChain } from '../src/local-chain.ts';
import { advanceEpoch } from './advance-epoch.ts';
import { fundedKeypair, openChain, rpc, send, temporaryFolder } from './chain-under-test.ts';

const STANDING_STILL = 3_600_000;
const HOLDERS = 3_000;
const PROGRAM = TOKEN_2022_PROGRAM_ID.toBase58();
const AMOUNT_OFFSET = 64;

const authority = Keypair.generate();
const [mint, otherMint] = [Keypair.generate().publicKey, Keypair.generate().publicKey];

interface Listed {
  readonly pubkey: string;
  readonly account: {
    readonly data: readonly [string, string];
    readonly owner: string;
    readonly space: number;
  };
}

interface Page {
  readonly context: { readonly slot: number };
  readonly value: { readonly accounts: readonly Listed[]; readonly paginationKey: string | null };
}

function addressOf(number: number): string {
  const bytes = Buffer.alloc(32, 7);
  bytes.writeUInt32BE((number * 2_654_435_761) % 4_294_967_296);
  return bs58.encode(bytes);
}

function filed(pubkey: string, data: Buffer) {
  return {
    pubkey,
    account: {
      lamports: 10_000_000,
      data: [data.toString('base64'), 'base64'],
      owner: PROGRAM,
      executable: false,
    },
  };
}

function tokenData(ofMint: { toBuffer(): Buffer }, amount: number): Buffer {
  const data = Buffer.alloc(165);
  data.set(ofMint.toBuffer());
  data.set(authority.publicKey.toBuffer(), 32);
  data.writeBigUInt64LE(BigInt(amount), AMOUNT_OFFSET);
  data[108] = 1;
  return data;
}

function mintData(supply: number): Buffer {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1);
  data.set(authority.publicKey.toBuffer(), 4);
  data.writeBigUInt64LE(BigInt(supply), 36);
  data.set([0, 1], 44);
  return data;
}

const balances = Array.from({ length: HOLDERS }, (_, index) => index + 1);

async function accountFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'accounts.json');
  await writeFile(
    file,
    JSON.stringify([
      filed(mint.toBase58(), mintData((HOLDERS * (HOLDERS + 1)) / 2)),
      filed(otherMint.toBase58(), mintData(5)),
      filed(addressOf(HOLDERS + 1), tokenData(otherMint, 5)),
      ...balances.map((amount) => filed(addressOf(amount), tokenData(mint, amount))),
    ]),
  );
  return file;
}

const amountOf = ({ account }: Listed) =>
  Buffer.from(account.data[0], 'base64').readBigUInt64LE(AMOUNT_OFFSET);
const ofMint = { memcmp: { offset: 0, bytes: mint.toBase58() } };

describe('a chain on which a mint has many holders', () => {
  let chain: LocalChain;
  let connection: Connection;
  let payer: Keypair;

  beforeAll(async () => {
    const accountFiles = [await accountFile()];
    ({ chain, connection } = await openChain({ accountFiles, slotMilliseconds: STANDING_STILL }));
    payer = await fundedKeypair(connection);
  });

  async function page(config: object, filters: readonly object[] = [ofMint]): Promise<Page> {
    const { result, error } = await rpc(chain.url, 'getProgramAccountsV2', PROGRAM, {
      encoding: 'base64',
      withContext: true,
      commitment: 'confirmed',
      filters,
      ...config,
    });
    if (error !== undefined) throw new Error(error.message);
    return result as Page;
  }

  /** `between` runs between every two pages. */
  async function pages(config: object = {}, between: () => Promise<unknown> = async () => undefined) {
    const found: Page[] = [];
    let paginationKey: string | null = null;
    do {
      if (found.length > 0) await between();
      const next: Page = await page({ ...config, paginationKey });
      found.push(next);
      ({ paginationKey } = next.value);
    } while (paginationKey !== null);
    return found;
  }

  async function mintTo(number: number, amount: number): Promise<void> {
    const to = new PublicKey(addressOf(number));
    await send(
      connection,
      [createMintToInstruction(mint, to, authority.publicKey, amount, [], TOKEN_2022_PROGRAM_ID)],
      [payer, authority],
    );
  }

  test('gives all of them page by page, each once, and none of another mint', async () => {
    const found = await pages({ limit: 1_000 });
    expect(found.length).toBeGreaterThan(2);
    const accounts = found.flatMap(({ value }) => value.accounts);
    expect(accounts.map(amountOf).sort((a, b) => Number(a - b))).toEqual(balances.map(BigInt));
    expect(new Set(accounts.map(({ pubkey }) => pubkey)).size).toBe(HOLDERS);
    expect((await page({ limit: 3 })).value.accounts).toHaveLength(3);
    const plain = (await rpc(chain.url, 'getProgramAccountsV2', PROGRAM, { limit: 2, encoding: 'base64' }))
      .result;
    expect(plain).toEqual({ accounts: expect.any(Array), paginationKey: expect.any(String) });
  });

  test('gives the same accounts in one answer, and by every other way to ask for them', async () => {
    const config = { encoding: 'base64', commitment: 'confirmed', filters: [ofMint] };
    const listed = (await rpc(chain.url, 'getProgramAccounts', PROGRAM, config)).result as Listed[];
    const paged = (await pages()).flatMap(({ value }) => value.accounts);
    const sorted = (accounts: readonly Listed[]) =>
      accounts.toSorted((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
    expect(sorted(listed)).toEqual(sorted(paged));
    const all = (await rpc(chain.url, 'getProgramAccounts', PROGRAM, { ...config, filters: [] }))
      .result as Listed[];
    expect(all).toHaveLength(HOLDERS + 3);
    const owner = authority.publicKey.toBase58();
    const held = (await rpc(chain.url, 'getTokenAccountsByOwner', owner, { mint: mint.toBase58() }, config))
      .result as {
      readonly value: readonly Listed[];
    };
    expect(sorted(held.value)).toEqual(sorted(paged));
  });

  test('names the largest holders, largest first', async () => {
    const { result } = await rpc(chain.url, 'getTokenLargestAccounts', mint.toBase58(), {
      commitment: 'confirmed',
    });
    const { value } = result as { readonly value: readonly { readonly amount: string }[] };
    expect(value.map(({ amount }) => amount)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(HOLDERS - index)),
    );
  });

  test('shows as confirmed in one answer what one moment showed, whatever changes meanwhile', async () => {
    const total = async () => {
      const { result } = await rpc(chain.url, 'getProgramAccounts', PROGRAM, {
        encoding: 'base64',
        commitment: 'confirmed',
        filters: [ofMint],
      });
      const accounts = result as Listed[];
      expect(new Set(accounts.map(({ pubkey }) => pubkey)).size).toBe(accounts.length);
      return accounts.reduce((sum, account) => sum + amountOf(account), 0n);
    };
    const before = await total();
    // Each adds one more than the one before, so that every number of them has a sum of its own.
    const additions = Array.from({ length: 12 }, (_, index) => index + 1);
    const sums = new Set(additions.map((count) => before + BigInt((count * (count + 1)) / 2)).concat(before));
    let isOver = false;
    const seen: bigint[] = [];
    const reading = (async () => {
      while (!isOver) seen.push(await total());
    })();
    for (const amount of additions) await mintTo(((amount * 977) % HOLDERS) + 1, amount);
    isOver = true;
    await reading;
    expect(seen.length).toBeGreaterThan(0);
    for (const sum of seen) expect(sums.has(sum)).toBe(true);
    expect(await total()).toBe(before + 78n);
  });

  test('meets every account that changes while it is read page by page, with what it held then or holds now', async () => {
    await advanceEpoch(chain.url);
    const { slot } = (await page({ limit: 1 })).context;
    let next = 1;
    const found = await pages({}, () => {
      next += 100;
      return mintTo(next, 1);
    });
    const byAddress = new Map(
      found.flatMap(({ value }) => value.accounts).map((account) => [account.pubkey, account]),
    );
    expect(byAddress.size).toBe(HOLDERS);
    const changed = (await pages({ changedSinceSlot: slot })).flatMap(({ value }) => value.accounts);
    expect(changed.map(({ pubkey }) => pubkey).sort()).toEqual(
      Array.from({ length: (next - 1) / 100 }, (_, index) => addressOf(101 + index * 100)).sort(),
    );
    for (const account of changed) byAddress.set(account.pubkey, account);
    const current = (await pages()).flatMap(({ value }) => value.accounts);
    expect(new Map(current.map((account) => [account.pubkey, account]))).toEqual(byAddress);
  });

  test.each([
    { limit: 0 },
    { limit: 10_001 },
    { limit: '5' },
    { paginationKey: 'no key' },
    { paginationKey: addressOf(1) },
    { paginationKey: 5 },
    { changedSinceSlot: -1 },
    { filters: [{ memcmp: {} }] },
  ])('refuses a page of %j', async (config) => {
    const { error } = await rpc(chain.url, 'getProgramAccountsV2', PROGRAM, config);
    expect(error?.code).toBe(-32_602);
  });
});
