// The same chain through an unmodified @solana/kit client, with transactions of versions 0 and 1.
import {
  type Address,
  appendTransactionMessageInstruction,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  lamports,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  setTransactionMessagePriorityFeeLamports,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { beforeAll, expect, test } from 'vitest';
import { openChain } from './chain-under-test.ts';

const SOL = 1_000_000_000n;
let rpc: Rpc<SolanaRpcApi>;
let payer: KeyPairSigner;

beforeAll(async () => {
  const { chain } = await openChain();
  rpc = createSolanaRpc(chain.url);
  payer = await generateKeyPairSigner();
  await rpc.requestAirdrop(payer.address, lamports(10n * SOL)).send();
});

async function transferMessage(to: Address, amount: bigint) {
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) =>
      appendTransactionMessageInstruction(
        getTransferSolInstruction({ source: payer, destination: to, amount }),
        message,
      ),
  );
}

test('a version 0 transfer lands and is read back', async () => {
  const { address: to } = await generateKeyPairSigner();
  const transaction = await signTransactionMessageWithSigners(await transferMessage(to, SOL));
  const signature = await rpc
    .sendTransaction(getBase64EncodedWireTransaction(transaction), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    })
    .send();
  expect(signature).toBe(getSignatureFromTransaction(transaction));
  const { value: statuses } = await rpc.getSignatureStatuses([signature]).send();
  expect(statuses[0]).toMatchObject({ err: null, confirmationStatus: 'confirmed' });
  expect((await rpc.getBalance(to).send()).value).toBe(SOL);
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  expect(found?.meta?.fee).toBe(5_000n);
  const { value: account } = await rpc.getAccountInfo(to, { encoding: 'base64' }).send();
  expect(account).toMatchObject({ lamports: SOL, space: 0n, rentEpoch: 18_446_744_073_709_551_615n });
  const slot = await rpc.getSlot({ commitment: 'confirmed' }).send();
  expect(slot).toBeGreaterThanOrEqual(found?.slot ?? 0n);
  expect(await rpc.getMinimumBalanceForRentExemption(0n).send()).toBe(890_880n);
});

test('a version 1 transfer carries its own compute budget and priority fee', async () => {
  const { address: to } = await generateKeyPairSigner();
  const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const messageWithin = (loadedBytes: number) =>
    pipe(
      createTransactionMessage({ version: 1 }),
      (plain) => setTransactionMessageFeePayerSigner(payer, plain),
      (plain) => setTransactionMessageLifetimeUsingBlockhash(lifetime, plain),
      (plain) => setTransactionMessageComputeUnitLimit(1_000, plain),
      (plain) => setTransactionMessageLoadedAccountsDataSizeLimit(loadedBytes, plain),
      (plain) => setTransactionMessagePriorityFeeLamports(77n, plain),
      (plain) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source: payer, destination: to, amount: SOL }),
          plain,
        ),
    );
  const wireOf = async (loadedBytes: number) =>
    getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(messageWithin(loadedBytes)));
  const simulation = await rpc
    .simulateTransaction(await wireOf(64 * 1_024), { encoding: 'base64', commitment: 'confirmed' })
    .send();
  expect(simulation.value.err).toBeNull();
  // What the simulation says was loaded is enough as a limit.
  const wire = await wireOf(Number(simulation.value.loadedAccountsDataSize));
  const signature = await rpc
    .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' })
    .send();
  const read = (maxSupportedTransactionVersion: 0 | 1) =>
    rpc
      .getTransaction(signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion,
      })
      .send();
  await expect(read(0)).rejects.toThrow(/version/i);
  const found = await read(1);
  expect(found).toMatchObject({ version: 1, meta: { err: null, fee: 5_077n } });
  expect((await rpc.getBalance(to).send()).value).toBe(SOL);
});
