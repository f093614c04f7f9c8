/**
 * A program that stands in for the launch venue, whose own cannot be handed on: it only sets the price of a pool that is
 * there. With it, prices move on the real local chain, under its finality, forks and kills.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js';
import type { ProgramFile } from 'levy-local-chain';
import { programFile } from '../../packages/local-chain/test/tiny-program.ts';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import type { ChainAccount } from '../../src/kernel/ports/chain.ts';
import { folderForTheFile } from './after-the-file.ts';
import { fund } from './creator.ts';

const PRICE_AT = 456;
/** Memory address at which the virtual machine stores the first account's data, and the instruction's data behind its 1,112 bytes. */
const [ACCOUNT_DATA_AT, INSTRUCTION_DATA_AT] = [96, 11_464];

export interface VenueStandIn {
  readonly programs: readonly ProgramFile[];
  readonly accountFiles: readonly string[];
}

/** Files that put the program and these pools on a chain. */
export async function venueStandIn(
  pools: readonly { readonly address: string; readonly account: ChainAccount }[],
): Promise<VenueStandIn> {
  const folder = await folderForTheFile();
  const [program, accounts] = [join(folder, 'venue.so'), join(folder, 'pools.json')];
  await writeFile(
    program,
    programFile(Buffer.concat([copy(0), copy(8), instruction(0xb7, 0), instruction(0x95, 0)])),
  );
  await writeFile(accounts, JSON.stringify(pools.map(asFile)));
  return { programs: [{ programId: VENUE_PROGRAM, file: program }], accountFiles: [accounts] };
}

/** Puts the pool at a price, as a trade would; resolves when that is confirmed. */
export async function setPrice(connection: Connection, pool: string, sqrtPrice: bigint): Promise<void> {
  const payer = Keypair.generate();
  await fund(connection.rpcEndpoint, payer.publicKey.toBase58(), LAMPORTS_PER_SOL);
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(sqrtPrice & (2n ** 64n - 1n), 0);
  data.writeBigUInt64LE(sqrtPrice >> 64n, 8);
  const transaction = new Transaction().add(
    new TransactionInstruction({
      programId: new PublicKey(VENUE_PROGRAM),
      keys: [{ pubkey: new PublicKey(pool), isSigner: false, isWritable: true }],
      data,
    }),
  );
  transaction.recentBlockhash = (await connection.getLatestBlockhash('confirmed')).blockhash;
  transaction.sign(payer);
  await connection.sendRawTransaction(transaction.serialize());
}

/** Copies eight bytes of the instruction's data into the price. */
function copy(offset: number): Buffer {
  return Buffer.concat([
    // r2 = *(u64 *)(r1 + from)
    instruction(0x79, INSTRUCTION_DATA_AT + offset, 0x12),
    // *(u64 *)(r1 + to) = r2
    instruction(0x7b, ACCOUNT_DATA_AT + PRICE_AT + offset, 0x21),
  ]);
}

function instruction(operation: number, offset: number, registers = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = operation;
  bytes[1] = registers;
  bytes.writeInt16LE(offset, 2);
  return bytes;
}

function asFile({ address, account }: { readonly address: string; readonly account: ChainAccount }) {
  return {
    pubkey: address,
    account: {
      lamports: Number(account.lamports),
      data: [Buffer.from(account.data).toString('base64'), 'base64'],
      owner: account.owner,
      executable: false,
      rentEpoch: 0,
      space: account.data.length,
    },
  };
}
