// Moving on to the next epoch: only slots are skipped, so that all that counts blocks stays as it was.

import { join } from 'node:path';
import {
  createAssociatedTokenAccountInstruction,
  createInitializeMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetTransferFeeInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAccount,
  getAssociatedTokenAddressSync,
  getMintLen,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  type Connection,
  Keypair,
  type PublicKey,
  SYSVAR_CLOCK_PUBKEY,
  SYSVAR_SLOT_HASHES_PUBKEY,
  SystemProgram,
} from '@solana/web3.js';
import bs58 from 'bs58';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { openLocalChain } from '../src/local-chain.ts';
import { advanceEpoch } from './advance-epoch.ts';
import { eventually, fundedKeypair, openChain, rpc, send, signed } from './chain-under-test.ts';

const SLOTS_PER_EPOCH = 432_000;
/** So long that only moving on makes a block: each time exactly one. The first block is on top of the genesis. */
const STANDING_STILL = 3_600_000;

const standingChain = (dataDir?: string) =>
  openChain({ slotMilliseconds: STANDING_STILL, ...(dataDir !== undefined && { dataDir }) });

describe('moving on', () => {
  test('goes to the first slot of the next epoch, or of the one so many epochs later', async () => {
    const { chain } = await standingChain();
    expect((await rpc(chain.url, 'levyAdvanceEpoch')).result).toEqual({
      absoluteSlot: SLOTS_PER_EPOCH,
      blockHeight: 2,
      epoch: 1,
      slotIndex: 0,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: 0,
    });
    expect((await rpc(chain.url, 'levyAdvanceEpoch', 3)).result).toMatchObject({ epoch: 4, blockHeight: 3 });
    expect((await rpc(chain.url, 'getEpochInfo', { commitment: 'confirmed' })).result).toMatchObject({
      absoluteSlot: 4 * SLOTS_PER_EPOCH,
      epoch: 4,
    });
  });

  test('by anything but 1 to 1,000 epochs is refused, and nothing moves', async () => {
    const { chain } = await standingChain();
    for (const epochs of [0, -1, 1.5, 1_001, '1', {}, [], false, Number.MAX_SAFE_INTEGER]) {
      expect((await rpc(chain.url, 'levyAdvanceEpoch', epochs)).error?.code).toBe(-32_602);
    }
    expect((await rpc(chain.url, 'getSlot', { commitment: 'confirmed' })).result).toBe(1);
  });

  test('shows in the clock and in the slot hashes that programs read', async () => {
    const { chain, connection } = await standingChain();
    await advanceEpoch(chain.url);
    await advanceEpoch(chain.url, 2);
    const clock = (await connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY))?.data;
    const time = await connection.getBlockTime(3 * SLOTS_PER_EPOCH);
    expect(clock?.readBigUInt64LE(0)).toBe(BigInt(3 * SLOTS_PER_EPOCH));
    expect(clock?.readBigInt64LE(8)).toBe(BigInt(time ?? 0));
    expect(clock?.readBigUInt64LE(16)).toBe(3n);
    expect(clock?.readBigUInt64LE(24)).toBe(4n);
    expect(clock?.readBigInt64LE(32)).toBe(BigInt(time ?? 0));

    const hashes = (await connection.getAccountInfo(SYSVAR_SLOT_HASHES_PUBKEY))?.data;
    const entry = (index: number) => [
      hashes?.readBigUInt64LE(8 + index * 40),
      bs58.encode(hashes?.subarray(16 + index * 40, 48 + index * 40) ?? []),
    ];
    expect(hashes?.readBigUInt64LE(0)).toBe(3n);
    expect(entry(0)).toEqual([BigInt(SLOTS_PER_EPOCH), await blockhashOf(connection, SLOTS_PER_EPOCH)]);
    expect(entry(1)).toEqual([1n, await blockhashOf(connection, 1)]);
    expect(entry(2)).toEqual([0n, await blockhashOf(connection, 0)]);
  });

  test('skips slots, which have no block and no time; the blocks around them are next to each other', async () => {
    const { chain, connection } = await standingChain();
    await advanceEpoch(chain.url);
    await advanceEpoch(chain.url);
    const [last, first] = [SLOTS_PER_EPOCH, 2 * SLOTS_PER_EPOCH];
    const block = await connection.getBlock(first, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    });
    expect(block).toMatchObject({
      blockHeight: 3,
      parentSlot: last,
      previousBlockhash: await blockhashOf(connection, last),
    });
    expect(
      (await rpc(chain.url, 'getBlocks', first - 10, first + 10, { commitment: 'confirmed' })).result,
    ).toEqual([first]);
    for (const method of ['getBlock', 'getBlockTime']) {
      const answer = await rpc(chain.url, method, first - 1, { commitment: 'confirmed' });
      expect(answer.error).toMatchObject({ code: -32_007, message: expect.stringMatching(/was skipped/) });
      expect((await rpc(chain.url, method, first + 1, { commitment: 'confirmed' })).error?.code).toBe(
        -32_004,
      );
    }
    const [before, after] = [await connection.getBlockTime(last), await connection.getBlockTime(first)];
    expect(after).toBeGreaterThanOrEqual(before ?? Number.POSITIVE_INFINITY);
    const fees = await connection.getRecentPrioritizationFees();
    expect(fees.map(({ slot }) => slot)).toEqual([0, 1, last, first]);
  });
});

describe('the epoch stays', () => {
  test('over a restart, and over a kill right after the answer, with everything else', async () => {
    const first = await standingChain();
    const genesis = await first.connection.getGenesisHash();
    const payer = await fundedKeypair(first.connection);
    const pending = await signed(
      first.connection,
      [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })],
      [payer],
    );
    await advanceEpoch(first.chain.url);
    const { pid } = first.chain.status();
    if (pid === undefined) throw new Error('the chain has no process');
    expect(await advanceEpoch(first.chain.url)).toBe(2);
    process.kill(pid, 'SIGKILL');
    const killed = await eventually(() => first.connection.getEpochInfo());
    expect(killed).toMatchObject({ epoch: 2, blockHeight: 3, absoluteSlot: 2 * SLOTS_PER_EPOCH });
    await first.chain.close();

    const { chain, connection } = await standingChain(first.dataDir);
    expect(await connection.getEpochInfo()).toEqual(killed);
    expect(await connection.getGenesisHash()).toBe(genesis);
    await connection.sendRawTransaction(pending.serialize());
    expect(await advanceEpoch(chain.url)).toBe(3);
    await expect(connection.sendRawTransaction(pending.serialize())).rejects.toThrow(
      /already been processed/,
    );
  });

  test('when slots take another time from then on', async () => {
    const first = await standingChain();
    await advanceEpoch(first.chain.url, 5);
    await first.chain.close();
    const { connection } = await openChain({ dataDir: first.dataDir, slotMilliseconds: STANDING_STILL / 2 });
    expect(await connection.getEpochInfo()).toMatchObject({
      epoch: 5,
      absoluteSlot: 5 * SLOTS_PER_EPOCH + 1,
      blockHeight: 3,
    });
  });

  test.each([4, 99])('and a chain of the format %d is refused untouched', async (format) => {
    const first = await standingChain();
    await first.chain.close();
    const database = new Database(join(first.dataDir, 'chain.db'));
    database.exec(`PRAGMA user_version = ${format}`);
    database.close();
    await expect(openLocalChain({ dataDir: first.dataDir, port: 0 })).rejects.toThrow(
      `has format ${format}, but this program reads format 1`,
    );
  });
});

test('a changed transfer fee holds from the second epoch after the change', async () => {
  const { chain, connection } = await standingChain();
  const creator = await fundedKeypair(connection);
  const mint = Keypair.generate();
  const [from, to] = [creator.publicKey, Keypair.generate().publicKey];
  const accountOf = (owner: PublicKey) =>
    getAssociatedTokenAddressSync(mint.publicKey, owner, false, TOKEN_2022_PROGRAM_ID);
  const openAccount = (owner: PublicKey) =>
    createAssociatedTokenAccountInstruction(
      from,
      accountOf(owner),
      owner,
      mint.publicKey,
      TOKEN_2022_PROGRAM_ID,
    );
  const space = getMintLen([ExtensionType.TransferFeeConfig]);
  const most = 2n ** 64n - 1n;
  await send(
    connection,
    [
      SystemProgram.createAccount({
        fromPubkey: from,
        newAccountPubkey: mint.publicKey,
        space,
        lamports: await connection.getMinimumBalanceForRentExemption(space),
        programId: TOKEN_2022_PROGRAM_ID,
      }),
      createInitializeTransferFeeConfigInstruction(mint.publicKey, from, from, 100, most),
      createInitializeMintInstruction(mint.publicKey, 0, from, null, TOKEN_2022_PROGRAM_ID),
      openAccount(from),
      openAccount(to),
      createMintToInstruction(mint.publicKey, accountOf(from), from, 1_000_000, [], TOKEN_2022_PROGRAM_ID),
    ],
    [creator, mint],
  );
  let withheldBefore = 0n;
  const withheldOf1000 = async () => {
    const transfer = createTransferCheckedInstruction(
      accountOf(from),
      mint.publicKey,
      accountOf(to),
      from,
      1_000,
      0,
      [],
      TOKEN_2022_PROGRAM_ID,
    );
    await send(connection, [transfer], [creator]);
    const account = await getAccount(connection, accountOf(to), 'confirmed', TOKEN_2022_PROGRAM_ID);
    const withheld = getTransferFeeAmount(account)?.withheldAmount ?? 0n;
    const added = withheld - withheldBefore;
    withheldBefore = withheld;
    return added;
  };

  expect(await withheldOf1000()).toBe(10n);
  await advanceEpoch(chain.url, 7);
  await send(connection, [createSetTransferFeeInstruction(mint.publicKey, from, [], 250, most)], [creator]);
  expect(await withheldOf1000()).toBe(10n);
  await advanceEpoch(chain.url);
  expect(await withheldOf1000()).toBe(10n);
  await advanceEpoch(chain.url);
  expect(await withheldOf1000()).toBe(25n);
});

async function blockhashOf(connection: Connection, slot: number): Promise<string> {
  const block = await connection.getBlock(slot, {
    commitment: 'confirmed',
    transactionDetails: 'none',
    maxSupportedTransactionVersion: 1,
  });
  return block?.blockhash ?? '';
}
