/**
 * Data folder as left by a service: tokens created on the embedded chain, runs that paid their holders, and many
 * other events.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createEventCodec } from '../../src/kernel/runtime/event-codec.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { DistributionWalletGenerated } from '../../src/streams/distribution-wallet.ts';
import { streams } from '../../src/streams/index.ts';
import { type Creator, openCreator } from '../../test/support/creator.ts';
import { OPERATOR_KEY, OPERATOR_NAME, operatorEntry } from '../../test/support/operator.ts';
import { nonceAccountsAreThere } from './flow-load.ts';
import { addressFor } from './many-tokens.ts';
import { type RunningService, startService } from './service.ts';

export const ENVIRONMENT = {
  PUBLIC_URL: 'http://levy.example',
  RATE_LIMITS: 'off',
  NONCE_ACCOUNTS_MIN: '10',
  LOCAL_CHAIN_SLOT_MS: '25',
  LOCAL_CHAIN_PORT: '0',
  OPERATOR_KEYS: operatorEntry(OPERATOR_NAME, OPERATOR_KEY),
} as const;

const DECIMALS = 6;
const HOLDERS = 9;
const AMOUNT = 5_000_000_000_000n;
const TRADE = 100_000_000_000n;
const LOOK_AGAIN = 100;
/** Maximum number of polls for the end of a run. */
const LOOKS = 3_000;
const TOGETHER = 500;

export interface DistributedLog {
  readonly events: number;
  readonly runs: number;
}

/** `events`: number of events to which the log is filled with unused wallets. */
export async function leaveDistributedLog(
  folder: string,
  {
    tokens,
    runsEach,
    events,
  }: { readonly tokens: number; readonly runsEach: number; readonly events: number },
): Promise<DistributedLog> {
  const service = await startService(folder, ENVIRONMENT);
  try {
    await nonceAccountsAreThere(service.url, Number(ENVIRONMENT.NONCE_ACCOUNTS_MIN));
    const distributed = [];
    for (let token = 0; token < tokens; token += 1) distributed.push(await distributedToken(service));
    await Promise.all(
      distributed.map(async (token) => {
        for (let run = 1; run <= runsEach; run += 1) await runOf(service, token, run);
      }),
    );
  } finally {
    await service.stop();
  }
  const written = await fillUp(join(folder, 'levy.db'), events);
  await publishAll(folder, written);
  return { events: written, runs: tokens * runsEach };
}

interface DistributedToken {
  readonly creator: Creator;
  readonly tokenId: string;
  readonly mint: PublicKey;
  readonly holders: readonly PublicKey[];
}

async function distributedToken(service: RunningService): Promise<DistributedToken> {
  const creator = await openCreator(service, { sol: 50 });
  const { mintAddress, token } = await creator.createToken({
    burnPercent: 10,
    developerFeePercent: 5,
    percentageToSellPerDistribution: 100,
    distributionInterval: '24h',
  });
  const holders = Array.from({ length: HOLDERS }, () => Keypair.generate().publicKey);
  const made = { creator, tokenId: token.id, mint: new PublicKey(mintAddress), holders };
  await send(service, made, AMOUNT, true);
  return made;
}

/** Transfers from the creator to every holder. The chain withholds tax from each. */
async function send(
  { chainUrl }: RunningService,
  { creator, mint, holders }: DistributedToken,
  amount: bigint,
  isFirst: boolean,
): Promise<void> {
  const payer = creator.keypair.publicKey;
  const accountOf = (owner: PublicKey) =>
    getAssociatedTokenAddressSync(mint, owner, true, TOKEN_2022_PROGRAM_ID);
  const connection = new Connection(chainUrl, 'confirmed');
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight });
  for (const holder of holders) {
    const account = accountOf(holder);
    if (isFirst)
      transaction.add(
        createAssociatedTokenAccountIdempotentInstruction(
          payer,
          account,
          holder,
          mint,
          TOKEN_2022_PROGRAM_ID,
        ),
      );
    const from = accountOf(payer);
    transaction.add(
      createTransferCheckedInstruction(
        from,
        mint,
        account,
        payer,
        amount,
        DECIMALS,
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
    );
  }
  transaction.sign(creator.keypair);
  await connection.sendRawTransaction(transaction.serialize());
  const slot = await connection.getSlot('processed');
  while ((await connection.getSlot('finalized')) < slot) await pause(LOOK_AGAIN);
}

async function runOf(service: RunningService, token: DistributedToken, number: number): Promise<void> {
  if (number > 1) await send(service, token, TRADE, false);
  const { tokenId } = token;
  const asked = await fetch(`${service.url}/operator/distributions/${tokenId}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-operator-key': OPERATOR_KEY },
    body: JSON.stringify({ reason: 'A benchmark asks for it.' }),
  });
  if (!asked.ok) throw new Error(`a run was refused: ${await asked.text()}`);
  for (let look = 0; look < LOOKS; look += 1) {
    const answer = await fetch(`${service.url}/distribution/${tokenId}/runs?limit=1`);
    const { runs } = (await answer.json()) as {
      readonly runs: readonly { readonly number: number; readonly status: string }[];
    };
    if (runs[0]?.number === number && runs[0].status === 'completed') return;
    await pause(LOOK_AGAIN);
  }
  throw new Error(`run ${number} of ${tokenId} did not end`);
}

/** Returns the current number of events. */
async function fillUp(file: string, events: number): Promise<number> {
  const codec = createEventCodec(streams);
  const database = openSqliteDatabase(file);
  const store = createSqliteEventStore(database);
  try {
    const known = store.extentOf(await store.head()).amount;
    const occurredAt = new Date().toISOString();
    for (let first = known; first < events; first += TOGETHER) {
      const numbers = Array.from({ length: Math.min(TOGETHER, events - first) }, (_, index) => first + index);
      await Promise.all(
        numbers.map((number) => {
          const walletId = deriveId('bench wallet', String(number));
          const commandId = deriveId('bench command', String(number));
          const made = DistributionWalletGenerated({ walletId, address: addressFor(5e9 + number) });
          const event = codec.encode('wallet', deriveId('event', commandId), made, {
            commandId,
            inputHash: createHash('sha256').update(commandId).digest('hex'),
            correlationId: commandId,
            causationId: commandId,
            actor: addressFor(1e9),
            occurredAt,
          });
          return store.append(`wallet-${walletId}`, 'none', [event]);
        }),
      );
    }
    return Math.max(known, events);
  } finally {
    await store.close();
    await database.close();
  }
}

/** Runs the service until its read models and its transparency log are complete. */
async function publishAll(folder: string, events: number): Promise<void> {
  const service = await startService(folder, ENVIRONMENT);
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      const { checks } = (await (await fetch(`${service.url}/ready`)).json()) as {
        readonly checks: readonly { readonly name: string; readonly published?: number }[];
      };
      // Some of the events are in streams that the transparency log excludes.
      if ((checks.find(({ name }) => name === 'notary')?.published ?? 0) >= 0.95 * events) return;
      await pause(LOOK_AGAIN);
    }
    throw new Error('the transparency log was not written in time');
  } finally {
    await service.stop();
  }
}
