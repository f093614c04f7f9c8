// Changing the tax of a token, over HTTP and across epochs of the chain: through the service, and without it.
import {
  createAssociatedTokenAccountInstruction,
  createSetTransferFeeInstruction,
  createTransferCheckedInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { advanceEpoch } from '../../packages/local-chain/test/advance-epoch.ts';
import { type Creator, connectionTo, openCreator, signedBy } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { findingsIn } from '../support/full-audit.ts';
import { openTestService, type TestService } from '../support/service.ts';

interface FeeDraft {
  readonly transaction: string;
  readonly transactionId: string;
  readonly expiresAt: string;
}

interface Detail {
  readonly transferFeePercent: number;
  readonly pendingTransferFee?: {
    readonly transferFeePercent: number;
    readonly fromEpoch: string;
  };
}

const SOON = { observePauseMs: 100 };
const BORN = { transferFeePercent: 3.5, transferFeeAdjustable: true };

let service: TestService;
let creator: Creator;

beforeAll(async () => {
  service = await openTestService({}, { constants: SOON });
  creator = await openCreator(service);
});

// Taxes changed through the service and without it: an audit must not see a fault.
afterAll(async () => {
  expect(await findingsIn(service)).toEqual([]);
});

async function rpc<Result>(
  chainUrl: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = (await (await fetch(chainUrl, { method: 'POST', headers, body })).json()) as {
    result: Result;
  };
  return answer.result;
}

const epochOf = async ({ chainUrl }: TestService) =>
  (await rpc<{ epoch: number }>(chainUrl, 'getEpochInfo', [{ commitment: 'processed' }])).epoch;

async function detail({ url }: TestService, mint: string): Promise<Detail> {
  const { token } = (await (await fetch(`${url}/tokens/${mint}`)).json()) as { token: Detail };
  return token;
}

const path = (mint: string, step: 'create-unsigned' | 'submit') => `/tokens/${mint}/transfer-fee/${step}`;

function draft(own: Creator, mint: string, transferFeePercent: number): Promise<FeeDraft> {
  return own.client.ask('POST', path(mint, 'create-unsigned'), {
    json: { transferFeePercent },
    token: own.token,
  });
}

function submission(own: Creator, mint: string, { transactionId, transaction }: FeeDraft) {
  const json = { transactionId, signedTransaction: signedBy(own.keypair, transaction) };
  return own.call<Detail & { signature: string; code?: string }>('POST', path(mint, 'submit'), { json });
}

/** Base units that the chain withholds of a transfer of a million. */
async function withheldOfAMillion({ keypair }: Creator, mintAddress: string): Promise<bigint> {
  const node = connectionTo(service);
  const mint = new PublicKey(mintAddress);
  const receiver = Keypair.generate().publicKey;
  const [source, destination] = [keypair.publicKey, receiver].map((owner) =>
    getAssociatedTokenAddressSync(mint, owner, false, TOKEN_2022_PROGRAM_ID),
  );
  if (source === undefined || destination === undefined) throw new Error('two accounts were asked for');
  const transfer = new Transaction().add(
    createAssociatedTokenAccountInstruction(
      keypair.publicKey,
      destination,
      receiver,
      mint,
      TOKEN_2022_PROGRAM_ID,
    ),
    createTransferCheckedInstruction(
      source,
      mint,
      destination,
      keypair.publicKey,
      1_000_000n,
      6,
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
  await sign(transfer, keypair);
  await node.sendRawTransaction(transfer.serialize());
  const account = await getAccount(node, destination, 'confirmed', TOKEN_2022_PROGRAM_ID);
  return getTransferFeeAmount(account)?.withheldAmount ?? 0n;
}

async function sign(transaction: Transaction, keypair: Keypair): Promise<void> {
  transaction.feePayer = keypair.publicKey;
  transaction.recentBlockhash = (await connectionTo(service).getLatestBlockhash()).blockhash;
  transaction.sign(keypair);
}

test('a change is told as pending, taken two epochs later, and shown as the rate from then on', async () => {
  const { mintAddress } = await creator.createToken(BORN);
  const epoch = await epochOf(service);
  const issued = await draft(creator, mintAddress, 2.25);
  const { status, body } = await submission(creator, mintAddress, issued);
  expect([status, body.code]).toEqual([200, undefined]);
  const pendingTransferFee = { transferFeePercent: 2.25, fromEpoch: String(epoch + 2) };
  expect(body).toMatchObject({ success: true, mintAddress, transferFeePercent: 3.5, pendingTransferFee });
  expect(await detail(service, mintAddress)).toMatchObject({ transferFeePercent: 3.5, pendingTransferFee });

  await advanceEpoch(service.chainUrl);
  expect(await withheldOfAMillion(creator, mintAddress)).toBe(35_000n);
  expect(await detail(service, mintAddress)).toMatchObject({ transferFeePercent: 3.5, pendingTransferFee });

  await advanceEpoch(service.chainUrl);
  expect(await withheldOfAMillion(creator, mintAddress)).toBe(22_500n);
  const now = await eventually('the new rate is shown', async () => {
    const shown = await detail(service, mintAddress);
    return shown.transferFeePercent === 2.25 && shown;
  });
  expect(now.pendingTransferFee).toBeUndefined();
  const again = await submission(creator, mintAddress, issued);
  expect(again.body).toEqual(body);
});

test('a change that the creator makes without the service is shown all the same', async () => {
  const { mintAddress } = await creator.createToken(BORN);
  const epoch = await epochOf(service);
  const change = new Transaction().add(
    createSetTransferFeeInstruction(
      new PublicKey(mintAddress),
      creator.keypair.publicKey,
      [],
      9_999,
      2n ** 64n - 1n,
      TOKEN_2022_PROGRAM_ID,
    ),
  );
  await sign(change, creator.keypair);
  await connectionTo(service).sendRawTransaction(change.serialize());
  const shown = await eventually('the change is shown', async () => {
    const found = await detail(service, mintAddress);
    return found.pendingTransferFee !== undefined && found;
  });
  expect(shown).toMatchObject({
    transferFeePercent: 3.5,
    pendingTransferFee: { transferFeePercent: 99.99, fromEpoch: String(epoch + 2) },
  });
});

describe('a change is refused', () => {
  let mint: string;

  beforeAll(async () => {
    mint = (await creator.createToken(BORN)).mintAddress;
  });

  const refused = (
    code: Parameters<Creator['client']['refusal']>[0],
    own: Creator,
    address: string,
    json: unknown,
  ) => own.client.refusal(code, 'POST', path(address, 'create-unsigned'), { json, token: own.token });

  test('where the tax was fixed for ever', async () => {
    const { mintAddress } = await creator.createToken({ transferFeeAdjustable: false });
    await refused('TRANSFER_FEE_FIXED', creator, mintAddress, { transferFeePercent: 1 });
  });

  test('to a rate that is out of bounds, too fine, or the same', async () => {
    for (const transferFeePercent of [-1, 10.01, 1.234, 3.5, '2', null]) {
      await refused('VALIDATION_FAILED', creator, mint, { transferFeePercent });
    }
  });
});
