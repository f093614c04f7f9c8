// Reads at a commitment answer as of its slot: what is final lags 32 blocks behind, in every method and over kills.
import { join } from 'node:path';
import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  type Signer,
  SYSVAR_CLOCK_PUBKEY,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { advanceEpoch } from './advance-epoch.ts';
import { eventually, fundedKeypair, openChain, rpc, send, signedOn } from './chain-under-test.ts';

const DEPTH = 32;
const BLOCKS = 44;
/** So long that only moving on makes a block: each time exactly one. */
const STANDING_STILL = 3_600_000;

const [payer, mint, owner, heir, poor] = Array.from({ length: 5 }, () => Keypair.generate()) as [
  Keypair,
  Keypair,
  Keypair,
  Keypair,
  Keypair,
];
const holding = getAssociatedTokenAddressSync(mint.publicKey, owner.publicKey);
const second = getAssociatedTokenAddressSync(mint.publicKey, payer.publicKey);

interface Answer {
  readonly result?: { readonly context: { readonly slot: number }; readonly value: unknown };
  readonly error?: unknown;
}

/** The answers of all methods that read accounts, each with the slot that it names. */
async function everything(url: string, commitment: 'confirmed' | 'finalized' | undefined) {
  const config = { encoding: 'jsonParsed', ...(commitment !== undefined && { commitment }) };
  const of = (method: string, ...params: readonly unknown[]) =>
    rpc(url, method, ...params) as Promise<Answer>;
  const addresses = [payer, mint, owner, heir, poor].map(({ publicKey }) => publicKey.toBase58());
  const [mintAddress, ownerAddress, heirAddress] = [mint, owner, heir].map(({ publicKey }) =>
    publicKey.toBase58(),
  );
  const ofMint = { memcmp: { offset: 0, bytes: mintAddress } };
  return {
    account: await of('getAccountInfo', mintAddress, config),
    accounts: await of('getMultipleAccounts', [...addresses, holding, second], config),
    clock: await of('getAccountInfo', SYSVAR_CLOCK_PUBKEY, { ...config, encoding: 'base64' }),
    balance: await of('getBalance', payer.publicKey, config),
    gone: await of('getBalance', poor.publicKey, config),
    supply: await of('getTokenSupply', mintAddress, config),
    held: await of('getTokenAccountBalance', holding, config),
    largest: await of('getTokenLargestAccounts', mintAddress, config),
    ofOwner: await of('getTokenAccountsByOwner', ownerAddress, { mint: mintAddress }, config),
    ofHeir: await of('getTokenAccountsByOwner', heirAddress, { programId: TOKEN_PROGRAM_ID }, config),
    ofProgram: sorted(
      await of('getProgramAccounts', TOKEN_PROGRAM_ID, { ...config, filters: [ofMint], withContext: true }),
    ),
    slot: (await rpc(url, 'getSlot', config)).result,
    height: (await rpc(url, 'getBlockHeight', config)).result,
    epoch: (await rpc(url, 'getEpochInfo', config)).result,
    transactions: (await rpc(url, 'getTransactionCount', config)).result,
    blockhash: await of('getLatestBlockhash', config),
  };
}

function sorted(answer: Answer): unknown {
  const accounts = (answer.result?.value ?? []) as { readonly pubkey: string }[];
  return [answer.result?.context, accounts.toSorted((a, b) => a.pubkey.localeCompare(b.pubkey))];
}

/** What happens in a block, several changes of one account among them; in most blocks nothing does. */
const HAPPENS: {
  readonly [block: number]: readonly (readonly [TransactionInstruction[], [Signer, ...Signer[]]])[];
} = {
  3: [
    [
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          space: MINT_SIZE,
          lamports: 2_000_000,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeMint2Instruction(mint.publicKey, 2, payer.publicKey, null),
        createAssociatedTokenAccountInstruction(payer.publicKey, holding, owner.publicKey, mint.publicKey),
        createMintToInstruction(mint.publicKey, holding, payer.publicKey, 1_000),
      ],
      [payer, mint],
    ],
  ],
  4: [
    [[createMintToInstruction(mint.publicKey, holding, payer.publicKey, 1)], [payer]],
    [[createMintToInstruction(mint.publicKey, holding, payer.publicKey, 2)], [payer]],
    [[createBurnInstruction(holding, mint.publicKey, owner.publicKey, 500)], [payer, owner]],
  ],
  6: [
    [
      [
        createAssociatedTokenAccountInstruction(payer.publicKey, second, payer.publicKey, mint.publicKey),
        createMintToInstruction(mint.publicKey, second, payer.publicKey, 7_000),
        transfer(payer, poor, 1_000_000),
      ],
      [payer],
    ],
  ],
  // An account that goes, and one that gets another owner.
  9: [
    [[transfer(poor, payer, 1_000_000)], [payer, poor]],
    [
      [createSetAuthorityInstruction(holding, owner.publicKey, AuthorityType.AccountOwner, heir.publicKey)],
      [payer, owner],
    ],
  ],
  12: [
    [
      [
        createBurnInstruction(second, mint.publicKey, payer.publicKey, 7_000),
        createCloseAccountInstruction(second, payer.publicKey, payer.publicKey),
      ],
      [payer],
    ],
  ],
  // And comes back.
  30: [[[transfer(payer, poor, 3_000_000)], [payer]]],
  31: [
    [
      [createAssociatedTokenAccountInstruction(payer.publicKey, second, payer.publicKey, mint.publicKey)],
      [payer],
    ],
  ],
};

function transfer(from: Keypair, to: Keypair, lamports: number): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports });
}

test('what is final is what was newest 32 blocks ago, in every read of accounts, over kills and epochs', async () => {
  const { chain, connection, dataDir } = await openChain({ slotMilliseconds: STANDING_STILL });
  await advanceEpoch(chain.url);
  await connection.requestAirdrop(payer.publicKey, LAMPORTS_PER_SOL);
  const newest: unknown[] = [];
  for (let block = 2; block <= BLOCKS; block += 1) {
    for (const [instructions, signers] of HAPPENS[block] ?? []) await send(connection, instructions, signers);
    newest[block] = await everything(chain.url, 'confirmed');
    const final = await everything(chain.url, 'finalized');
    if (block <= DEPTH) expect(final.balance.result?.value).toBe(0);
    else if (newest[block - DEPTH] !== undefined) expect(final).toEqual(newest[block - DEPTH]);
    if (block === 11 || block === DEPTH + 5) {
      process.kill(chain.status().pid ?? 0, 'SIGKILL');
      await eventually(async () => (await connection.getSlot()) > 0);
      expect(await everything(chain.url, 'finalized')).toEqual(final);
      expect(await everything(chain.url, 'confirmed')).toEqual(newest[block]);
    }
    await advanceEpoch(chain.url);
  }
  expect(await everything(chain.url, undefined)).toEqual(await everything(chain.url, 'finalized'));

  // Of the past nothing is kept once it is final: the next change clears it away.
  await send(connection, [transfer(payer, poor, 1)], [payer]);
  await chain.close();
  const database = new Database(join(dataDir, 'chain.db'));
  const kept = database.prepare('SELECT replaced_in FROM earlier_accounts').raw().all() as number[][];
  database.close();
  const [last, ...changes] = new Set(kept.flat().sort((a, b) => b - a));
  expect(changes.map((slot) => (last ?? 0) - slot)).toEqual([14, 15].map((blocks) => blocks * 432_000));
});

test('a slot that the commitment has not reached is refused by every method that takes one', async () => {
  const { chain, connection } = await openChain({ slotMilliseconds: STANDING_STILL });
  const address = (await fundedKeypair(connection)).publicKey.toBase58();
  const { blockhash } = await connection.getLatestBlockhash();
  const reached = await connection.getSlot('finalized');
  await advanceEpoch(chain.url);
  const newest = await connection.getSlot('confirmed');
  const calls: readonly (readonly [string, readonly unknown[]])[] = [
    ['getAccountInfo', [address]],
    ['getMultipleAccounts', [[address]]],
    ['getBalance', [address]],
    ['getProgramAccounts', [TOKEN_PROGRAM_ID.toBase58()]],
    ['getTokenAccountsByOwner', [address, { programId: TOKEN_PROGRAM_ID.toBase58() }]],
    ['getSignaturesForAddress', [address]],
    ['isBlockhashValid', [blockhash]],
    ['getSlot', []],
    ['getBlockHeight', []],
    ['getEpochInfo', []],
    ['getLatestBlockhash', []],
    ['getTransactionCount', []],
  ];
  for (const [method, params] of calls) {
    const late = { minContextSlot: newest };
    const refused = await rpc(chain.url, method, ...params, late);
    expect(refused.error, method).toMatchObject({
      code: -32_016,
      message: 'Minimum context slot has not been reached',
      data: { contextSlot: reached },
    });
    const served = await rpc(chain.url, method, ...params, { ...late, commitment: 'confirmed' });
    expect(served.error, method).toBeUndefined();
    const old = await rpc(chain.url, method, ...params, { minContextSlot: reached });
    expect(old.error, method).toBeUndefined();
  }
});

test('the fee of a message is known where its blockhash or its nonce is', async () => {
  const { chain, connection } = await openChain({ slotMilliseconds: STANDING_STILL });
  const creator = await fundedKeypair(connection);
  const nonce = Keypair.generate();
  const { instructions } = SystemProgram.createNonceAccount({
    fromPubkey: creator.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: creator.publicKey,
    lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
  });
  await send(connection, instructions, [creator, nonce]);
  const value = (await connection.getNonce(nonce.publicKey))?.nonce ?? '';
  await advanceEpoch(chain.url);
  const [advance, { blockhash }] = [
    SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: creator.publicKey }),
    await connection.getLatestBlockhash('confirmed'),
  ];
  for (const recent of [value, blockhash]) {
    const message = signedOn(recent, [advance], [creator]).compileMessage().serialize().toString('base64');
    const fee = async (commitment: string) =>
      ((await rpc(chain.url, 'getFeeForMessage', message, { commitment })).result as { value: unknown })
        .value;
    expect(await fee('confirmed')).toBe(5_000);
    expect(await fee('finalized')).toBeNull();
  }
});
