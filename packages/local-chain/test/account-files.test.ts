// Accounts from files: loaded once, exact to the lamport, and never over what the chain has made of them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ACCOUNT_SIZE,
  AccountLayout,
  createCloseAccountInstruction,
  createTransferInstruction,
  getAccount,
  getMint,
  MINT_SIZE,
  MintLayout,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadAccounts } from '../src/account-files.ts';
import { SlotClock } from '../src/clock.ts';
import { FileRefused } from '../src/given-file.ts';
import { Ledger } from '../src/ledger.ts';
import type { LocalChain } from '../src/local-chain.ts';
import { Svm } from '../src/svm.ts';
import { eventually, fundedKeypair, openChain, rpc, send, temporaryFolder } from './chain-under-test.ts';
import { tinyProgram } from './tiny-program.ts';

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
const LARGEST_U64 = 18_446_744_073_709_551_615n;

interface Filed {
  readonly pubkey: PublicKey;
  readonly lamports?: bigint;
  readonly data?: Uint8Array;
  readonly owner?: PublicKey;
  readonly executable?: boolean;
}

/** As `solana account --output json` writes it. */
function filed({
  pubkey,
  lamports = 1_000_000_000n,
  data = new Uint8Array(),
  owner = SystemProgram.programId,
  executable = false,
}: Filed): string {
  return `{
  "pubkey": "${pubkey}",
  "account": {
    "lamports": ${lamports},
    "data": [
      "${Buffer.from(data).toString('base64')}",
      "base64"
    ],
    "owner": "${owner}",
    "executable": ${executable},
    "rentEpoch": ${LARGEST_U64},
    "space": ${data.length}
  }
}
`;
}

async function file(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'account.json');
  await writeFile(path, text);
  return path;
}

const newAddress = () => Keypair.generate().publicKey;

describe('accounts of a file', () => {
  test('are on the chain as they were, one or a list of them, of one file or several', async () => {
    const [one, two, three] = [newAddress(), newAddress(), newAddress()];
    const files = [
      await file(filed({ pubkey: one, lamports: LARGEST_U64 })),
      await file(
        `[${filed({ pubkey: two, data: Buffer.from('kept'), owner: one }).replace(/\s+/g, '')},${filed({ pubkey: three })}]`,
      ),
      await file('[]'),
    ];
    const { chain, connection } = await openChain({ accountFiles: files });
    const answer = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [one.toBase58()] }),
    });
    expect(await answer.text()).toContain(`"value":${LARGEST_U64}`);
    expect(await connection.getAccountInfo(two)).toMatchObject({
      lamports: 1_000_000_000,
      owner: one,
      executable: false,
      data: Buffer.from('kept'),
    });
    expect((await connection.getProgramAccounts(one)).map(({ pubkey }) => pubkey)).toEqual([two]);
    expect(await connection.getBalance(three)).toBe(1_000_000_000);
  });

  test('work as what they are: a token account with a mint moves and closes, and stays so over restarts', async () => {
    const [owner, mint] = [Keypair.generate(), newAddress()];
    const [from, to] = [newAddress(), newAddress()];
    const files = [
      await file(filed({ pubkey: mint, owner: TOKEN_PROGRAM_ID, data: mintData(1_000n) })),
      await file(
        `[${[
          filed({ pubkey: from, owner: TOKEN_PROGRAM_ID, data: tokenData(mint, owner.publicKey, 1_000n) }),
          filed({ pubkey: to, owner: TOKEN_PROGRAM_ID, data: tokenData(mint, owner.publicKey, 0n) }),
          filed({ pubkey: owner.publicKey }),
        ].join(',')}]`,
      ),
    ];
    const first = await openChain({ accountFiles: files });
    expect((await getMint(first.connection, mint)).supply).toBe(1_000n);
    const held = await first.connection.getTokenAccountsByOwner(owner.publicKey, { mint });
    expect(held.value).toHaveLength(2);
    await send(
      first.connection,
      [
        createTransferInstruction(from, to, owner.publicKey, 1_000n),
        createCloseAccountInstruction(from, owner.publicKey, owner.publicKey),
      ],
      [owner],
    );
    const balance = await first.connection.getBalance(owner.publicKey);
    await killed(first.chain);

    // Neither what was changed nor what was closed comes back, after a crash and after a start of its own.
    const afterwards = async (connection: typeof first.connection) => {
      expect((await getAccount(connection, to)).amount).toBe(1_000n);
      expect(await connection.getAccountInfo(from)).toBeNull();
      expect(await connection.getBalance(owner.publicKey)).toBe(balance);
    };
    await afterwards(first.connection);
    await first.chain.close();
    const again = await openChain({ dataDir: first.dataDir, accountFiles: files });
    await afterwards(again.connection);
    await again.chain.close();
    const without = await openChain({ dataDir: first.dataDir });
    await afterwards(without.connection);
  });

  test('do not take the place of an account that the chain has, which is told once', async () => {
    const first = await openChain();
    const { publicKey } = await fundedKeypair(first.connection, 2);
    await first.chain.close();
    const path = await file(filed({ pubkey: publicKey, lamports: 1n }));
    const logged: string[] = [];
    const log = (message: string) => logged.push(message);
    const second = await openChain({ dataDir: first.dataDir, accountFiles: [path], log });
    expect(await second.connection.getBalance(publicKey)).toBe(2_000_000_000);
    const told = () => logged.filter((message) => message.includes(publicKey.toBase58()));
    await eventually(async () => told().length > 0);
    await second.chain.close();
    expect(told()).toEqual([
      `local chain: accountFiles: the account ${publicKey} exists on this chain and was not changed`,
    ]);
    logged.length = 0;
    const third = await openChain({ dataDir: first.dataDir, accountFiles: [path], log });
    await third.chain.close();
    expect(logged).toEqual([]);
  });

  test('can be a program and its code, in any order, and run also after a restart', async () => {
    const [programId, code] = [newAddress(), newAddress()];
    const header = Buffer.alloc(45);
    header.writeUInt32LE(3, 0);
    const pointer = Buffer.concat([Buffer.from([2, 0, 0, 0]), code.toBytes()]);
    const path = await file(
      `[${[
        filed({ pubkey: programId, owner: LOADER, executable: true, data: pointer }),
        filed({ pubkey: code, owner: LOADER, data: Buffer.concat([header, tinyProgram(9)]) }),
      ].join(',')}]`,
    );
    const first = await openChain({ accountFiles: [path] });
    expect(await first.connection.getAccountInfo(programId)).toMatchObject({
      executable: true,
      owner: LOADER,
    });
    const call = async ({ connection }: Pick<typeof first, 'connection'>) =>
      send(
        connection,
        [new TransactionInstruction({ programId, keys: [] })],
        [await fundedKeypair(connection)],
      );
    await expect(call(first)).rejects.toThrow(/custom program error: 0x9/);
    await first.chain.close();
    await expect(call(await openChain({ dataDir: first.dataDir }))).rejects.toThrow(
      /custom program error: 0x9/,
    );
  });
});

describe('the start is refused', () => {
  let dataDir: string;
  let ledger: Ledger;
  beforeAll(async () => {
    dataDir = await temporaryFolder();
    ledger = new Ledger(join(await temporaryFolder(), 'chain.db'), 400, Date.now());
  });
  afterAll(() => ledger.close());

  const address = newAddress();
  const good = filed({ pubkey: address });
  const changed = (from: string | RegExp, to: string) => good.replace(from, to);

  test.each([
    ['no JSON', 'lamports: 5', /the content must be JSON$/],
    ['an empty file', '', /the content must be JSON$/],
    ['no object', '5', /the content must have the format of .*: `pubkey` and `account` are required$/],
    ['null', 'null', /the content must have the format of/],
    ['only the account', '{"lamports":5}', /the content must have the format of/],
    ['a list with something else in it', `[${good}, 5]`, /number 2 must have the format of/],
    ['another address', changed(address.toBase58(), 'abc'), /`pubkey` must be an address$/],
    ['another owner', changed(/"owner": "[^"]*"/, '"owner": 5'), /`owner` must be an address$/],
    [
      'no lamports',
      changed('1000000000,', '0,'),
      /`lamports` must be a whole number from 1 to 18446744073709551615$/,
    ],
    ['less than none', changed('1000000000,', '-1,'), /`lamports` must be a whole number/],
    ['a list of lamports', changed('1000000000,', '[5],'), /`lamports` must be a whole number/],
    ['half a lamport', changed('1000000000,', '1.5,'), /`lamports` must be a whole number/],
    ['a list of lamports', changed('1000000000,', '[5],'), /`lamports` must be a whole number/],
    ['too many', changed('1000000000,', '18446744073709551616,'), /`lamports` must be a whole number/],
    ['an odd flag', changed('false', '"no"'), /`executable` must be true or false$/],
    [
      'another encoding',
      changed('"base64"', '"base64+zstd"'),
      /`data` must be a list of base64 text and "base64"$/,
    ],
    ['bad base64', changed('""', '"AA"'), /`data` must be a list of base64 text/],
    ['parsed data', changed(/\[[^\]]*\]/, '{"parsed":{}}'), /`data` must be a list of base64 text/],
    ['a part of the data', changed('"space": 0', '"space": 5'), /`space` must equal the length of `data`/],
    [
      'a program without its code',
      filed({ pubkey: address, owner: LOADER, executable: true, data: Buffer.alloc(36, 2) }),
      /is a program whose code account, \w+, is missing; add a file with that account$/,
    ],
    ['a program of no loader', changed('false', 'true'), /is not a valid account \(.+\)$/],
  ])('for %s', async (_what, text, reason) => {
    const path = await file(text);
    const svm = new Svm(new SlotClock(ledger.genesis.hash, ledger.slotRates, 0));
    const load = () => loadAccounts(svm, ledger, [path], '--account');
    expect(load).toThrow(FileRefused);
    expect(load).toThrow(reason);
    expect(load).toThrow(`--account names ${path}: `);
  });

  test('for a file that is not there, and for two that say different things of one account', async () => {
    const absent = join(await temporaryFolder(), 'absent.json');
    await expect(openChain({ dataDir, accountFiles: [absent] })).rejects.toThrow(
      `accountFiles names ${absent}: the file does not exist`,
    );
    const optionNames = { programs: 'PROGRAMS', accountFiles: 'ACCOUNTS' };
    const [one, other] = [await file(good), await file(filed({ pubkey: address, lamports: 1n }))];
    await expect(openChain({ dataDir, accountFiles: [one, other], optionNames })).rejects.toThrow(
      `ACCOUNTS names ${other}: ${address} differs from the same account in ${one}`,
    );
  });

  test('and nothing of the refused files is on the chain', async () => {
    const bad = await file(filed({ pubkey: newAddress(), executable: true }));
    const path = await file(good);
    await expect(openChain({ dataDir, accountFiles: [path, bad] })).rejects.toThrow(/is not a valid account/);
    const { chain } = await openChain({ dataDir });
    expect((await rpc(chain.url, 'getBalance', address.toBase58())).result).toMatchObject({ value: 0 });
    await chain.close();
    const { connection } = await openChain({ dataDir, accountFiles: [path, path] });
    expect(await connection.getBalance(address)).toBe(1_000_000_000);
  });
});

function mintData(supply: bigint): Buffer {
  const data = Buffer.alloc(MINT_SIZE);
  MintLayout.encode(
    {
      mintAuthorityOption: 0,
      mintAuthority: PublicKey.default,
      supply,
      decimals: 0,
      isInitialized: true,
      freezeAuthorityOption: 0,
      freezeAuthority: PublicKey.default,
    },
    data,
  );
  return data;
}

function tokenData(mint: PublicKey, owner: PublicKey, amount: bigint): Buffer {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  AccountLayout.encode(
    {
      mint,
      owner,
      amount,
      delegateOption: 0,
      delegate: PublicKey.default,
      state: 1,
      isNativeOption: 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: 0,
      closeAuthority: PublicKey.default,
    },
    data,
  );
  return data;
}

async function killed(chain: LocalChain): Promise<void> {
  const { pid, restarts } = chain.status();
  if (pid === undefined) throw new Error('the chain has no process');
  process.kill(pid, 'SIGKILL');
  await eventually(async () => chain.status().up && chain.status().restarts > restarts);
}
