/** Launches as clients make them: issued by the service, signed by the wallet, sent by themselves, bought from by others. */
import { Connection, type Keypair, PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import type { Instruction } from 'levy-solana-wire';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import type { Client } from './client.ts';
import { type Creator, signedBy } from './creator.ts';
import { eventually, Hopeless } from './eventually.ts';
import { createVenueTrader, poolOf } from './venue-trader.ts';

/** The file of the venue's program, as `solana program dump` writes it; it may not be handed on, so that it is not here. */
export const venueProgramFile = process.env.TEST_VENUE_PROGRAM || undefined;

/** Variables that configure the venue on the embedded chain; empty without a program file. */
export const VENUE_ENVIRONMENT: { readonly [variable: string]: string } =
  venueProgramFile === undefined ? {} : { LOCAL_CHAIN_ACCOUNTS: `${VENUE_PROGRAM}=${venueProgramFile}` };

/** Says once in a file that its tests with the venue are skipped, and why. */
export function tellOfSkipping(what: string): void {
  if (venueProgramFile !== undefined) return;
  console.warn(`SKIPPED: ${what}, because TEST_VENUE_PROGRAM names no program file`);
}

export interface LaunchDraft {
  readonly transaction: string;
  readonly transactionId: string;
  readonly bondingCurveId: string;
  readonly expectedLaunchTime: string;
  readonly expiresAt: string;
  readonly lastValidBlockHeight: number;
  readonly curve: {
    readonly startPrice: string;
    readonly endPrice: string;
    readonly priceMultiplier: string;
  };
  readonly liquidityLocked: boolean;
  readonly cost: string;
}

export interface LaunchStatus {
  readonly mintAddress: string;
  readonly bondingCurveId: string;
  readonly status: 'pending' | 'active' | 'completed' | 'expired';
  readonly progress: number;
  readonly currentMarketCap: string;
  readonly targetMarketCap: string;
  readonly tokensSold: string;
  readonly totalTokens: string;
  readonly solCollected: string;
  readonly currentPrice: string;
  readonly launchedAt: string | null;
  readonly completedAt: string | null;
}

/** Of 10^15 base units 80 percent, from 0.25 SOL of market cap to 4. */
export const LAUNCH_PARAMETERS = { tokenAmount: '800000000000000', targetMarketCap: '4000000000' };

export function issueLaunch(
  creator: Creator,
  tokenMint: string,
  wishes: Readonly<Record<string, string>> = LAUNCH_PARAMETERS,
): Promise<LaunchDraft> {
  return creator.client.ask('POST', '/launchpad/create-unsigned', {
    token: creator.token,
    json: { tokenMint, ...wishes },
  });
}

export function launchSubmission(creator: Creator, { transactionId, transaction }: LaunchDraft) {
  const json = { transactionId, signedTransaction: signedBy(creator.keypair, transaction) };
  return creator.call<{ code?: string; signature?: string }>('POST', '/launchpad/submit', { json });
}

/** As a client does that sends by itself: resolves with the signature once the chain has confirmed it. */
export async function broadcast(
  chainUrl: string,
  keypair: Keypair,
  { transaction }: LaunchDraft,
): Promise<string> {
  const connection = new Connection(chainUrl, 'confirmed');
  const wire = Buffer.from(signedBy(keypair, transaction), 'base64');
  const signature = await connection.sendRawTransaction(wire);
  await eventually('the launch is confirmed', async () => {
    const { value } = await connection.getSignatureStatus(signature);
    return value !== null && value.err === null && value.confirmationStatus !== 'processed';
  });
  return signature;
}

/** Spends lamports on the launched token; the buyer needs them and some more. */
export async function buyTokens(
  chainUrl: string,
  buyer: Keypair,
  mint: string,
  lamports: bigint,
): Promise<void> {
  const connection = new Connection(chainUrl, 'confirmed');
  const pool = await connection.getAccountInfo(poolOf(mint));
  if (pool === null) throw new Error('there is nothing to buy from');
  const trader = createVenueTrader(mint);
  await execute(chainUrl, await trader.buy(buyer.publicKey.toBase58(), lamports, pool.data), buyer);
}

/** Signed and paid by the one; resolves once it is confirmed. */
async function execute(
  chainUrl: string,
  instructions: readonly Instruction[],
  payer: Keypair,
): Promise<void> {
  const transaction = new Transaction().add(
    ...instructions.map(
      ({ program, accounts, data }) =>
        new TransactionInstruction({
          programId: new PublicKey(program),
          keys: accounts.map(({ address, signer, writable }) => ({
            pubkey: new PublicKey(address),
            isSigner: signer,
            isWritable: writable,
          })),
          data: Buffer.from(data),
        }),
    ),
  );
  const connection = new Connection(chainUrl, 'confirmed');
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(payer);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  await eventually('the transaction is confirmed', async () => {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Hopeless(JSON.stringify(value.err));
    return value !== null && value.confirmationStatus !== 'processed';
  });
}

export function launchStatus(client: Client, mint: string): Promise<LaunchStatus> {
  return client.ask('GET', `/launchpad/${mint}/status`);
}

/** As soon as it is so. */
export function launchThatIs(
  client: Client,
  mint: string,
  status: LaunchStatus['status'],
  patience?: { readonly seconds: number },
): Promise<LaunchStatus> {
  return eventually(
    `the launch is ${status}`,
    async () => {
      const found = await launchStatus(client, mint);
      return found.status === status && found;
    },
    patience,
  );
}
