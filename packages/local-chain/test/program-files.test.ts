// Programs from files: on the chain as on a cluster, read again at each start, refused in a sentence.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CP_AMM_PROGRAM_ID } from '@meteora-ag/cp-amm-sdk';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { SlotClock } from '../src/clock.ts';
import { FileRefused } from '../src/given-file.ts';
import type { LocalChain } from '../src/local-chain.ts';
import { loadPrograms } from '../src/program-files.ts';
import { Svm } from '../src/svm.ts';
import { eventually, fundedKeypair, openChain, send, temporaryFolder } from './chain-under-test.ts';
import { tinyProgram } from './tiny-program.ts';

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
const venueProgram = process.env.TEST_VENUE_PROGRAM;
if (venueProgram === undefined) {
  console.warn('SKIPPED: the venue program is not run, because TEST_VENUE_PROGRAM names no program file');
}

async function programFile(bytes: Uint8Array): Promise<string> {
  const file = join(await temporaryFolder(), 'program.so');
  await writeFile(file, bytes);
  return file;
}

const newProgramId = () => Keypair.generate().publicKey;

function openWith(programId: PublicKey | string, file: string, dataDir?: string) {
  return openChain({
    programs: [{ programId: String(programId), file }],
    ...(dataDir !== undefined && { dataDir }),
  });
}

async function call(connection: Connection, programId: PublicKey): Promise<string> {
  const payer = await fundedKeypair(connection);
  return send(connection, [new TransactionInstruction({ programId, keys: [] })], [payer]);
}

describe('a program from a file', () => {
  test('runs, and is there as a program that nobody can upgrade', async () => {
    const programId = newProgramId();
    const elf = tinyProgram(0);
    const { connection } = await openWith(programId, await programFile(elf));
    const signature = await call(connection, programId);
    expect((await connection.getSignatureStatuses([signature])).value[0]?.err).toBeNull();

    const [codeAddress] = PublicKey.findProgramAddressSync([programId.toBytes()], LOADER);
    const program = await connection.getAccountInfo(programId);
    expect(program).toMatchObject({ executable: true, owner: LOADER });
    expect(program?.data).toEqual(Buffer.from([2, 0, 0, 0, ...codeAddress.toBytes()]));
    const code = await connection.getAccountInfo(codeAddress);
    expect(code).toMatchObject({ executable: false, owner: LOADER });
    expect(code?.data.readUInt32LE(0)).toBe(3);
    expect(code?.data[12]).toBe(0);
    expect(code?.data.subarray(45)).toEqual(elf);
    expect(code?.lamports).toBeGreaterThanOrEqual(
      await connection.getMinimumBalanceForRentExemption(45 + elf.length),
    );
    const listed = await connection.getProgramAccounts(LOADER, {
      dataSlice: { offset: 0, length: 0 },
      filters: [{ memcmp: { offset: 4, bytes: codeAddress.toBase58() } }],
    });
    expect(listed.map(({ pubkey }) => pubkey.toBase58())).toEqual([programId.toBase58()]);
  });

  test('fails with its own error', async () => {
    const programId = newProgramId();
    const { connection } = await openWith(programId, await programFile(tinyProgram(7)));
    await expect(call(connection, programId)).rejects.toThrow(/custom program error: 0x7/);
  });

  test('is read again at each start, also after a crash, and is gone when no file is named', async () => {
    const programId = newProgramId();
    const file = await programFile(tinyProgram(1));
    const first = await openWith(programId, file);
    await expect(call(first.connection, programId)).rejects.toThrow(/custom program error: 0x1/);
    await writeFile(file, tinyProgram(2));
    await killed(first.chain);
    await expect(eventuallyCalled(first.connection, programId)).resolves.toMatch(/custom program error: 0x2/);
    await first.chain.close();

    const without = await openChain({ dataDir: first.dataDir });
    expect(await without.connection.getAccountInfo(programId)).toBeNull();
    await expect(call(without.connection, programId)).rejects.toThrow(/program that does not exist/);
    await without.chain.close();

    await writeFile(file, tinyProgram(0));
    const again = await openWith(programId, file, first.dataDir);
    await call(again.connection, programId);
  });
});

describe('the start is refused', () => {
  const refusal = (programId: string, file: string) => {
    const clock = new SlotClock(
      new Uint8Array(32),
      [{ firstSlot: 0, firstHeight: 0, startedAt: 0, slotMilliseconds: 400 }],
      0,
    );
    try {
      loadPrograms(new Svm(clock), [{ programId, file }], '--program');
      return undefined;
    } catch (error) {
      return error instanceof FileRefused ? error.message : error;
    }
  };

  test('where the file is absent, a folder, no ELF file, or none that can be run', async () => {
    const programId = newProgramId().toBase58();
    const folder = await temporaryFolder();
    const absent = join(folder, 'absent.so');
    expect(refusal(programId, absent)).toBe(`--program names ${absent}: the file does not exist`);
    expect(refusal(programId, folder)).toMatch(/: the path is a folder$/);
    for (const noElf of [Buffer.from('#!/bin/sh\n'), Buffer.alloc(0), tinyProgram(0).subarray(1)]) {
      expect(refusal(programId, await programFile(noElf))).toMatch(/: the file must be an ELF file$/);
    }
    for (const size of [4, 64, 100, tinyProgram(0).length - 1]) {
      const part = tinyProgram(0).subarray(0, size);
      expect(refusal(programId, await programFile(part))).toMatch(/: the program is invalid \(.*\)$/);
    }
    const huge = Buffer.concat([tinyProgram(0), Buffer.alloc(10 * 1_024 * 1_024)]);
    expect(refusal(programId, await programFile(huge))).toMatch(/: the file is too large for an account$/);
  });

  test('where the id is no address, or that of a program of the runtime', async () => {
    const file = await programFile(tinyProgram(0));
    for (const id of ['', 'not-an-address', '1'.repeat(33), '1'.repeat(10_000)]) {
      expect(refusal(id, file)).toMatch(/: its program id .* must be an address$/);
    }
    const system = SystemProgram.programId.toBase58();
    expect(refusal(system, file)).toMatch(/belongs to a program of the runtime$/);
    expect(refusal(TOKEN_2022_PROGRAM_ID.toBase58(), file)).toBeUndefined();
  });

  test('where the id is the address of an account that the chain has', async () => {
    const { chain, connection, dataDir } = await openChain();
    const { publicKey } = await fundedKeypair(connection);
    await chain.close();
    const file = await programFile(tinyProgram(0));
    await expect(openWith(publicKey, file, dataDir)).rejects.toThrow(
      `the local chain did not start: programs names ${file}: ` +
        `the account at its program id ${publicKey.toBase58()} is not a program`,
    );
    await openChain({ dataDir });
  });
});

test.skipIf(venueProgram === undefined)('the venue program answers as itself', async () => {
  const { connection } = await openWith(CP_AMM_PROGRAM_ID, venueProgram ?? '');
  expect(await connection.getAccountInfo(CP_AMM_PROGRAM_ID)).toMatchObject({ executable: true });
  // What its framework says to an instruction without a name.
  await expect(call(connection, CP_AMM_PROGRAM_ID)).rejects.toThrow(/InstructionFallbackNotFound|0x65/);
});

async function killed(chain: LocalChain): Promise<void> {
  const { pid, restarts } = chain.status();
  if (pid === undefined) throw new Error('the chain has no process');
  process.kill(pid, 'SIGKILL');
  await eventually(async () => chain.status().up && chain.status().restarts > restarts);
}

function eventuallyCalled(connection: Connection, programId: PublicKey): Promise<string> {
  return eventually(() => call(connection, programId).catch((error: unknown) => String(error)));
}
