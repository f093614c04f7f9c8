// The journey of a token with a transfer fee, through an unmodified web3.js Connection and spl-token.
import {
  AuthorityType,
  createAssociatedTokenAccountInstruction,
  createInitializeMintInstruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getMintLen,
  getTransferFeeAmount,
  getTransferFeeConfig,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually, fundedKeypair, openChain, send, signed } from './chain-under-test.ts';

const DECIMALS = 6;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  ({ connection } = await openChain({ slotMilliseconds: 40 }));
  payer = await fundedKeypair(connection);
});

test('an airdrop is a transaction with a signature, a status and an effect', async () => {
  const to = Keypair.generate().publicKey;
  const signature = await connection.requestAirdrop(to, 2 * LAMPORTS_PER_SOL);
  const { value } = await connection.getSignatureStatuses([signature]);
  expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'confirmed' });
  expect(await connection.getBalance(to)).toBe(2 * LAMPORTS_PER_SOL);
});

test('a transfer costs its sender the fee, and getTransaction tells all of it', async () => {
  const to = Keypair.generate().publicKey;
  const before = await connection.getBalance(payer.publicKey);
  const transaction = await signed(
    connection,
    [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL })],
    [payer],
  );
  const price = await connection.getFeeForMessage(transaction.compileMessage());
  const signature = await connection.sendRawTransaction(transaction.serialize());
  expect(price.value).toBe(5_000);
  expect(await connection.getBalance(payer.publicKey)).toBe(before - LAMPORTS_PER_SOL - 5_000);
  const found = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 1,
  });
  expect(found?.version).toBe('legacy');
  expect(found?.meta).toMatchObject({ err: null, fee: 5_000, computeUnitsConsumed: 150 });
  expect(found?.meta?.postBalances[1]).toBe(LAMPORTS_PER_SOL);
  expect(found?.blockTime).toBe(await connection.getBlockTime(found?.slot ?? -1));
  const parsed = await connection.getParsedTransaction(signature, 'confirmed');
  expect(parsed?.transaction.message.accountKeys[0]).toMatchObject({ signer: true, writable: true });
});

test('signatures of an address come newest first, in pages', async () => {
  const to = Keypair.generate();
  const sent: string[] = [];
  for (let count = 1; count <= 5; count += 1) {
    sent.unshift(await connection.requestAirdrop(to.publicKey, count * LAMPORTS_PER_SOL));
  }
  const names = async (options: object) =>
    (await connection.getSignaturesForAddress(to.publicKey, options, 'confirmed')).map(
      ({ signature }) => signature,
    );
  expect(await names({})).toEqual(sent);
  expect(await names({ limit: 2 })).toEqual(sent.slice(0, 2));
  expect(await names({ before: sent[1], limit: 2 })).toEqual(sent.slice(2, 4));
  expect(await names({ until: sent[2] })).toEqual(sent.slice(0, 2));
});

describe('a Token-2022 mint with a transfer fee', () => {
  const mint = Keypair.generate();
  const holder = Keypair.generate();
  let from: PublicKey;
  let to: PublicKey;

  beforeAll(async () => {
    const size = getMintLen([ExtensionType.TransferFeeConfig]);
    from = getAssociatedTokenAddressSync(mint.publicKey, payer.publicKey, false, TOKEN_2022_PROGRAM_ID);
    to = getAssociatedTokenAddressSync(mint.publicKey, holder.publicKey, false, TOKEN_2022_PROGRAM_ID);
    await send(
      connection,
      [
        SystemProgram.createAccount({
          fromPubkey: payer.publicKey,
          newAccountPubkey: mint.publicKey,
          space: size,
          lamports: await connection.getMinimumBalanceForRentExemption(size),
          programId: TOKEN_2022_PROGRAM_ID,
        }),
        createInitializeTransferFeeConfigInstruction(
          mint.publicKey,
          payer.publicKey,
          payer.publicKey,
          500,
          1_000_000_000n,
          TOKEN_2022_PROGRAM_ID,
        ),
        createInitializeMintInstruction(
          mint.publicKey,
          DECIMALS,
          payer.publicKey,
          null,
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
      [payer, mint],
    );
    await send(
      connection,
      [
        createAssociatedTokenAccountInstruction(
          payer.publicKey,
          from,
          payer.publicKey,
          mint.publicKey,
          TOKEN_2022_PROGRAM_ID,
        ),
        createAssociatedTokenAccountInstruction(
          payer.publicKey,
          to,
          holder.publicKey,
          mint.publicKey,
          TOKEN_2022_PROGRAM_ID,
        ),
        createMintToInstruction(
          mint.publicKey,
          from,
          payer.publicKey,
          1_000_000_000n,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
        createSetAuthorityInstruction(
          mint.publicKey,
          payer.publicKey,
          AuthorityType.MintTokens,
          null,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
      [payer],
    );
  });

  test('withholds the fee of a transfer at the receiver', async () => {
    const signature = await send(
      connection,
      [
        createTransferCheckedInstruction(
          from,
          mint.publicKey,
          to,
          payer.publicKey,
          100_000_000n,
          DECIMALS,
          [],
          TOKEN_2022_PROGRAM_ID,
        ),
      ],
      [payer],
    );
    const received = await getAccount(connection, to, 'confirmed', TOKEN_2022_PROGRAM_ID);
    expect(received.amount).toBe(95_000_000n);
    expect(getTransferFeeAmount(received)?.withheldAmount).toBe(5_000_000n);
    const found = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 1,
    });
    const balance = (
      list: { mint: string; owner?: string; uiTokenAmount: { amount: string } }[] | null | undefined,
    ) => list?.find(({ owner }) => owner === holder.publicKey.toBase58())?.uiTokenAmount.amount;
    expect(balance(found?.meta?.preTokenBalances)).toBe('0');
    expect(balance(found?.meta?.postTokenBalances)).toBe('95000000');
  });

  test('is read back by every method about tokens', async () => {
    const state = await getMint(connection, mint.publicKey, 'confirmed', TOKEN_2022_PROGRAM_ID);
    expect(state).toMatchObject({ supply: 1_000_000_000n, mintAuthority: null });
    expect(getTransferFeeConfig(state)?.newerTransferFee.transferFeeBasisPoints).toBe(500);
    expect((await connection.getTokenSupply(mint.publicKey)).value).toMatchObject({
      amount: '1000000000',
      decimals: DECIMALS,
      uiAmountString: '1000',
    });
    expect((await connection.getTokenAccountBalance(to)).value.uiAmountString).toBe('95');
    const largest = await connection.getTokenLargestAccounts(mint.publicKey);
    expect(largest.value.map(({ address, amount }) => [address.toBase58(), amount])).toEqual([
      [from.toBase58(), '900000000'],
      [to.toBase58(), '95000000'],
    ]);
    for (const filter of [{ mint: mint.publicKey }, { programId: TOKEN_2022_PROGRAM_ID }]) {
      const held = await connection.getTokenAccountsByOwner(holder.publicKey, filter);
      expect(held.value.map(({ pubkey }) => pubkey.toBase58())).toEqual([to.toBase58()]);
    }
    const parsed = await connection.getParsedTokenAccountsByOwner(holder.publicKey, { mint: mint.publicKey });
    expect(parsed.value[0]?.account.data).toMatchObject({
      program: 'spl-token-2022',
      parsed: {
        type: 'account',
        info: {
          mint: mint.publicKey.toBase58(),
          owner: holder.publicKey.toBase58(),
          state: 'initialized',
          tokenAmount: { amount: '95000000' },
          extensions: [{ extension: 'immutableOwner' }, { extension: 'transferFeeAmount' }],
        },
      },
    });
    const parsedMint = await connection.getParsedAccountInfo(mint.publicKey);
    expect(parsedMint.value?.data).toMatchObject({
      parsed: {
        type: 'mint',
        info: { supply: '1000000000', extensions: [{ extension: 'transferFeeConfig' }] },
      },
    });
  });

  test('has its accounts found by program, by bytes and by size', async () => {
    const filters = [{ memcmp: { offset: 0, bytes: mint.publicKey.toBase58() } }];
    const all = await connection.getProgramAccounts(TOKEN_2022_PROGRAM_ID, { filters });
    expect(all.map(({ pubkey }) => pubkey.toBase58()).sort()).toEqual(
      [from.toBase58(), to.toBase58()].sort(),
    );
    const sized = await connection.getProgramAccounts(TOKEN_2022_PROGRAM_ID, {
      filters: [
        { dataSize: all[0]?.account.data.length ?? 0 },
        {
          memcmp: {
            offset: 32,
            bytes: Buffer.from(holder.publicKey.toBytes()).toString('base64'),
            encoding: 'base64',
          },
        },
      ],
      dataSlice: { offset: 32, length: 32 },
    });
    expect(sized.map(({ account }) => new PublicKey(account.data).toBase58())).toEqual([
      holder.publicKey.toBase58(),
    ]);
  });
});

test('a version 0 transaction finds its accounts in a lookup table', async () => {
  const to = Keypair.generate().publicKey;
  const [create, table] = AddressLookupTableProgram.createLookupTable({
    authority: payer.publicKey,
    payer: payer.publicKey,
    recentSlot: (await connection.getSlot('confirmed')) - 1,
  });
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority: payer.publicKey,
    payer: payer.publicKey,
    addresses: [to],
  });
  await send(connection, [create, extend], [payer]);
  const { value: lookupTable } = await connection.getAddressLookupTable(table);
  if (lookupTable === null) throw new Error('the table is not there');
  const created = await connection.getSlot('confirmed');
  // Entries count from the slot after the one that they were added in.
  await eventually(async () => (await connection.getSlot('confirmed')) > created);
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: (await connection.getLatestBlockhash()).blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL }),
      ],
    }).compileToV0Message([lookupTable]),
  );
  transaction.sign([payer]);
  const signature = await connection.sendTransaction(transaction);
  expect(await connection.getBalance(to)).toBe(LAMPORTS_PER_SOL);
  await expect(connection.getTransaction(signature, { commitment: 'confirmed' })).rejects.toThrow(
    /Transaction version \(0\) is not supported/,
  );
  const found = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  expect(found?.version).toBe(0);
  expect(found?.meta?.loadedAddresses?.writable.map(String)).toEqual([to.toBase58()]);
  const [listed] = await connection.getSignaturesForAddress(to, {}, 'confirmed');
  expect(listed?.signature).toBe(signature);
});
