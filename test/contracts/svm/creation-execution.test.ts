import {
  ExtensionType,
  getExtensionData,
  getMetadataPointerState,
  getTransferFeeConfig,
  TOKEN_2022_PROGRAM_ID,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import { unpack as unpackMetadata } from '@solana/spl-token-metadata';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import { associatedTokenAddress, signTransaction } from 'levy-solana-wire';
import { beforeEach, describe, expect, test } from 'vitest';
import * as creation from '../../../src/chain/creation-transaction.ts';
import {
  createNonceAccountInstructions,
  decodeNonceAccount,
  NONCE_ACCOUNT_SIZE,
} from '../../../src/chain/durable-nonce.ts';
import { transactionFee } from '../../../src/chain/durable-transaction.ts';
import {
  buildCreation,
  type CreationInput,
  creationInput,
  creator,
  distributionWallet,
  keyring,
  mint,
} from '../../unit/chain/creation-input.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

let machine: TokenMachine;
const nonce = keyring.nonceAccount(0);

function execute(message: Uint8Array) {
  const keys = [creator, mint, keyring.nonceAuthority];
  return machine.send(signTransaction(message, new Map(keys.map((key) => [key.address, key.sign(message)]))));
}

function read(address: string): AccountInfo<Buffer> {
  const account = machine.account(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  const { data, owner, lamports } = account;
  return {
    data: Buffer.from(data),
    owner: new PublicKey(owner),
    lamports: Number(lamports),
    executable: false,
  };
}

function nonceValue(): string {
  const decoded = decodeNonceAccount(read(nonce.address).data);
  if (decoded === undefined) throw new Error('the nonce account is not initialized');
  return decoded.value;
}

beforeEach(() => {
  machine = openTokenMachine();
  for (const { address } of [creator, keyring.feePayer]) machine.fund(address, 1_000_000_000n);
  machine.execute(
    createNonceAccountInstructions({
      feePayer: keyring.feePayer.address,
      nonceAccount: nonce.address,
      authority: keyring.nonceAuthority.address,
      lamports: machine.rent(NONCE_ACCOUNT_SIZE),
    }),
    [keyring.feePayer, nonce],
  );
  machine.expireBlockhash();
});

function create(change: Partial<CreationInput>) {
  const texts = { ...creationInput, ...change };
  const input = {
    ...texts,
    mintRent: machine.rent(creation.metadataAccountSize(texts)),
    nonceValue: nonceValue(),
  };
  const built = buildCreation(input);
  const before = machine.balance(creator.address);
  const { error, logs, units } = execute(built.message);
  expect(error, logs.join('\n')).toBeUndefined();
  return { input, units, paid: before - machine.balance(creator.address) };
}

const choices = [true, false].flatMap((transferFeeAdjustable) =>
  [true, false].map((immutableMetadata) => ({ transferFeeAdjustable, immutableMetadata })),
);

describe('the creation transaction, executed', () => {
  test.each(choices)('makes the token that was asked for: %o', (choice) => {
    const { input, units } = create(choice);
    const creatorTokenAccount = associatedTokenAddress(creator.address, mint.address);
    const key = new PublicKey(mint.address);
    const account = read(mint.address);
    const made = unpackMint(key, account, TOKEN_2022_PROGRAM_ID);
    expect(made).toMatchObject({
      supply: input.supply,
      decimals: input.decimals,
      mintAuthority: null,
      freezeAuthority: null,
      isInitialized: true,
    });
    expect(account.data).toHaveLength(creation.metadataAccountSize(input));

    const fee = getTransferFeeConfig(made);
    for (const schedule of [fee?.olderTransferFee, fee?.newerTransferFee]) {
      expect(schedule).toMatchObject({ transferFeeBasisPoints: 123, maximumFee: 2n ** 64n - 1n });
    }
    const feeAuthority = choice.transferFeeAdjustable ? creator.address : PublicKey.default.toBase58();
    expect(fee?.transferFeeConfigAuthority.toBase58()).toBe(feeAuthority);
    expect(fee?.withdrawWithheldAuthority.toBase58()).toBe(distributionWallet.address);

    expect(getMetadataPointerState(made)).toEqual({ authority: null, metadataAddress: key });

    const stored = getExtensionData(ExtensionType.TokenMetadata, made.tlvData);
    const metadata = unpackMetadata(stored ?? new Uint8Array());
    expect(metadata).toMatchObject({
      mint: key,
      name: input.name,
      symbol: input.symbol,
      uri: input.uri,
      additionalMetadata: [],
    });
    const updater = metadata.updateAuthority?.toBase58();
    expect(updater).toBe(choice.immutableMetadata ? undefined : creator.address);

    const holding = read(creatorTokenAccount);
    expect(holding.data).toHaveLength(creation.CREATOR_TOKEN_ACCOUNT_SIZE);
    const held = unpackAccount(new PublicKey(creatorTokenAccount), holding, TOKEN_2022_PROGRAM_ID);
    expect(held).toMatchObject({ amount: input.supply, owner: new PublicKey(creator.address), mint: key });
    expect(units).toBeLessThan(BigInt(input.computeUnitLimit));
  });

  test('takes exactly the stated cost from the creator, and nothing from anybody else', () => {
    const feePayerBefore = machine.balance(keyring.feePayer.address);
    const { input, paid } = create({});
    const fee = transactionFee({ ...input, signatures: 3 });
    expect(paid).toBe(fee + input.mintRent + machine.rent(creation.CREATOR_TOKEN_ACCOUNT_SIZE));
    expect(machine.balance(keyring.feePayer.address)).toBe(feePayerBefore);
    expect(machine.balance(keyring.nonceAuthority.address)).toBe(0n);
  });

  test('uses up the value of its nonce', () => {
    const { input } = create({});
    expect(nonceValue()).not.toBe(input.nonceValue);
  });

  test('takes the longest texts, the widest numbers and characters of several bytes', () => {
    const { input } = create({
      name: '🪙'.repeat(8),
      symbol: '税税税1',
      uri: `https://${'ü'.repeat(36)}`,
      decimals: 9,
      supply: 2n ** 64n - 1n,
      transferFeeBasisPoints: 10_000,
      transferFeeAdjustable: true,
    });
    const made = unpackMint(new PublicKey(mint.address), read(mint.address), TOKEN_2022_PROGRAM_ID);
    expect(made.supply).toBe(2n ** 64n - 1n);
    expect(read(mint.address).data.includes(Buffer.from(input.name))).toBe(true);
  });

  test('fails with one lamport less of rent than the metadata need', () => {
    const texts = creationInput;
    const input = {
      ...texts,
      nonceValue: nonceValue(),
      mintRent: machine.rent(creation.metadataAccountSize(texts)) - 1n,
    };
    const { message } = buildCreation(input);
    expect(execute(message).error).toBeDefined();
  });
});
