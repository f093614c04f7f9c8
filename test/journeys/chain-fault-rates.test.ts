// What a node says of a tax may be old: it is slow to answer, or behind. Neither is told as what came of a change.
import { createSetTransferFeeInstruction, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey, Transaction } from '@solana/web3.js';
import { beforeAll, expect, test } from 'vitest';
import { tokenIdOf } from '../../src/views/token-access.ts';
import { type ChainProxy, openChainProxy, type RpcCall } from '../support/chain-proxy.ts';
import { type Creator, connectionTo, openCreator, signedBy } from '../support/creator.ts';
import { openEventStream } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { openServiceOnChain, openTestChain, type ServiceOnChain } from '../support/service-on-chain.ts';

interface Changed {
  readonly transferFeePercent: number;
  readonly pendingTransferFee?: { readonly transferFeePercent: number };
}

let proxy: ChainProxy;
let service: ServiceOnChain;
let creator: Creator;
let nodeUrl: string;

const open = (folder: { readonly folder?: string } = {}) =>
  openServiceOnChain({
    nodeUrl: proxy.url,
    chainUrl: nodeUrl,
    constants: { observePauseMs: 50 },
    ...folder,
  });

beforeAll(async () => {
  const chain = await openTestChain();
  nodeUrl = chain.url;
  proxy = await openChainProxy(chain.url);
  service = await open();
  creator = await openCreator(service);
});

async function adjustableToken(): Promise<string> {
  return (await creator.createToken({ transferFeePercent: 3.5, transferFeeAdjustable: true })).mintAddress;
}

async function change(mint: string, transferFeePercent: number): Promise<Changed> {
  const path = `/tokens/${mint}/transfer-fee`;
  const { token } = creator;
  const { transactionId, transaction } = await creator.client.ask<{
    transactionId: string;
    transaction: string;
  }>('POST', `${path}/create-unsigned`, { json: { transferFeePercent }, token });
  const json = { transactionId, signedTransaction: signedBy(creator.keypair, transaction) };
  return creator.client.ask('POST', `${path}/submit`, { json, token });
}

async function setWithoutUs(mint: string, basisPoints: number): Promise<void> {
  const connection = connectionTo(service);
  const transaction = new Transaction().add(
    createSetTransferFeeInstruction(
      new PublicKey(mint),
      creator.keypair.publicKey,
      [],
      basisPoints,
      2n ** 64n - 1n,
      TOKEN_2022_PROGRAM_ID,
    ),
  );
  transaction.feePayer = creator.keypair.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(creator.keypair);
  await connection.sendRawTransaction(transaction.serialize());
}

/** Of a call that asks for the mint: its place among the answers, and from which slot on the node is to answer. */
function readOf(mint: string, { method, params }: RpcCall) {
  const [addresses, config] = params as [unknown, { minContextSlot?: number }?];
  if (method !== 'getMultipleAccounts' || !Array.isArray(addresses)) return undefined;
  const place = addresses.indexOf(mint);
  return place === -1 ? undefined : { place, fromSlot: config?.minContextSlot };
}

async function answerOf({ id, method, params }: RpcCall): Promise<{ value: unknown[] }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = (await (await fetch(nodeUrl, { method: 'POST', headers, body })).json()) as {
    result: { value: unknown[] };
  };
  return answer.result;
}

/** What is to come, in basis points, as it was recorded of the token one after another. */
async function recordedOf(mint: string): Promise<readonly unknown[]> {
  const tokenId = tokenIdOf(mint);
  return (await service.events())
    .filter(({ type, data }) => type === 'TransferFeeChanged' && data.tokenId === tokenId)
    .map(({ data }) => (data.pending as { basisPoints: number } | null)?.basisPoints);
}

test('an observation that comes late does not undo what was recorded meanwhile', async () => {
  const mint = await adjustableToken();
  let letGo = () => {};
  const mayGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = false;
  let hasSeen = false;
  const release = proxy.treat(async (call) => {
    const read = readOf(mint, call);
    if (isHeld || read === undefined) return undefined;
    isHeld = true;
    await setWithoutUs(mint, 500);
    const result = await answerOf(call);
    hasSeen = true;
    await mayGo;
    return { kind: 'result', result };
  });
  await eventually('the observer has seen what the creator did without us', async () => hasSeen);
  expect(await change(mint, 7)).toMatchObject({ pendingTransferFee: { transferFeePercent: 7 } });
  const asked = proxy.asked.length;
  letGo();
  release();
  await eventually('the next observation is over', async () => {
    const reads = proxy.asked.slice(asked).filter((call) => readOf(mint, call) !== undefined);
    return reads.length > 1;
  });
  expect(await recordedOf(mint)).toEqual([700]);
});

test('a node that is behind is not asked what came of a change', async () => {
  const mint = await adjustableToken();
  let old: unknown;
  let refusals = 0;
  const catchUp = proxy.treat(async (call) => {
    const read = readOf(mint, call);
    if (read === undefined) return undefined;
    if (read.fromSlot !== undefined) {
      refusals += 1;
      return { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached' };
    }
    const result = await answerOf(call);
    old ??= result.value[read.place];
    return { kind: 'result', result: { ...result, value: result.value.with(read.place, old) } };
  });
  await eventually('the node has told the old rates', async () => old !== undefined);
  const changing = change(mint, 6);
  const refused = eventually('the node was asked for what it has not', async () => refusals > 0);
  await Promise.race([changing, refused]);
  catchUp();
  expect(await changing).toMatchObject({
    transferFeePercent: 3.5,
    pendingTransferFee: { transferFeePercent: 6 },
  });
});

test('a change that was told before its draft settled is not told again, also not after a restart', async () => {
  const mint = await adjustableToken();
  let refusals = 0;
  const catchUp = proxy.treat(async (call) => {
    if (readOf(mint, call)?.fromSlot === undefined) return undefined;
    refusals += 1;
    return { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached' };
  });
  const changing = change(mint, 5).catch(() => undefined);
  await eventually('the observer has told it, and the draft has asked in vain', async () => {
    return refusals > 0 && (await recordedOf(mint)).length > 0;
  });
  const { folder } = service;
  await service.close();
  await changing;
  service = await open({ folder });
  catchUp();
  const landed = await eventually('the draft is recorded', async () => {
    const ofToken = (await service.events()).filter(({ data }) => data.tokenId === tokenIdOf(mint));
    return ofToken.find(({ type }) => type === 'TransferFeeChangeLanded');
  });
  expect(await recordedOf(mint)).toEqual([500]);
  const told = await openEventStream(service.url, { after: 'start', types: 'tokens.transfer-fee-changed' });
  await told.reached(landed.position);
  expect(told.events.filter(({ subject }) => subject === tokenIdOf(mint))).toHaveLength(1);
  told.close();
});
