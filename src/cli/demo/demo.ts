/** Plays a creator against the real service in a fresh folder: from an empty wallet to a token whose tax is withheld on the chain. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedWithFeeInstruction,
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getTokenMetadata,
  getTransferFeeAmount,
  getTransferFeeConfig,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, Transaction } from '@solana/web3.js';
import {
  type CreateUnsignedAnswer,
  createLevyClient,
  type LevyClient,
  type SubmitTokenAnswer,
} from 'levy-client';
import sharp from 'sharp';
import { createKeyPair } from '../../chain/keys.ts';
import { readPublished } from './bus.ts';
import { demoEnvironment } from './environment.ts';
import { steadily, steadyFetch } from './steady.ts';
import { type SupervisedService, superviseService } from './supervised-service.ts';

const TRANSFERRED = 1_000_000_000n;

let step = 0;

function tell(what: string, ...lines: readonly string[]): void {
  step += 1;
  process.stdout.write(`\n${step}. ${what}\n${lines.map((line) => `   ${line}\n`).join('')}`);
}

function hold(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`this should hold and does not: ${claim}`);
}

async function drawImage(): Promise<Blob> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#123a5a"/><circle cx="400" cy="300" r="220" fill="#f2b632"/></svg>`;
  return new Blob([new Uint8Array(await sharp(Buffer.from(drawing)).png().toBuffer())], {
    type: 'image/png',
  });
}

async function signIn(levy: LevyClient, wallet: Keypair): Promise<void> {
  const key = createKeyPair(wallet.secretKey.subarray(0, 32));
  let text = '';
  // A challenge is good for one use: without an answer, take another.
  const { expiresAt } = await steadily(() =>
    levy.signIn({
      address: wallet.publicKey.toBase58(),
      signMessage(message) {
        text = new TextDecoder().decode(message);
        return key.sign(message);
      },
    }),
  );
  tell('The wallet signs in', ...text.split('\n').slice(0, 2), `token good until ${expiresAt}`);
}

async function draftToken(levy: LevyClient): Promise<CreateUnsignedAnswer> {
  const wallet = await levy.post('/tokens/generate-distribution-wallet');
  tell('The service derives a distribution wallet', `${wallet.address} (walletId ${wallet.walletId})`);

  const { imageUri } = await levy.uploadImage(await drawImage());
  tell('The image is stored as a 512x512 JPEG under its content', imageUri);

  return levy.post('/tokens/create-unsigned', {
    body: {
      walletId: wallet.walletId,
      name: 'Sunrise',
      symbol: 'SUN',
      description: 'A token that shares its tax with those who hold it.',
      imageUri,
      website: 'https://sunrise.example',
      transferFeePercent: 3.5,
      burnPercent: 10,
      developerFeePercent: 5,
      distributionInterval: '1h',
      decimals: 6,
      supply: '1000000000000000',
    },
  });
}

/** Checks what a careful creator checks before signing, from the bytes alone. */
function checkOffline(draft: CreateUnsignedAnswer, wallet: Keypair): Transaction {
  const transaction = Transaction.from(Buffer.from(draft.transaction, 'base64'));
  hold(transaction.feePayer?.equals(wallet.publicKey) ?? false, 'the creator pays');
  hold(
    transaction.signatures.every(({ signature }) => signature === null),
    'nobody has signed yet',
  );
  const signers = transaction.signatures.map(({ publicKey }) => publicKey.toBase58());
  hold(signers.includes(draft.mintKeypair.publicKey), 'the mint signs');
  const programs = transaction.instructions.map(({ programId }) => programId.toBase58());
  tell(
    'The unsigned transaction, checked without asking anybody',
    `${draft.transaction.length} characters of base64, good until ${draft.expiresAt}, costs ${draft.cost} lamports`,
    `mint ${draft.mintKeypair.publicKey}, signers ${signers.length}, instructions ${programs.length}:`,
    ...new Set(programs),
  );
  return transaction;
}

async function readBack(
  connection: Connection,
  levy: LevyClient,
  submitted: SubmitTokenAnswer,
): Promise<void> {
  const mintKey = new PublicKey(submitted.mintAddress);
  const mint = await steadily(() => getMint(connection, mintKey, 'confirmed', TOKEN_2022_PROGRAM_ID));
  const fee = getTransferFeeConfig(mint);
  const metadata = await steadily(() => getTokenMetadata(connection, mintKey, 'confirmed'));
  hold(mint.supply === 1_000_000_000_000_000n, 'the whole supply is minted');
  hold(mint.mintAuthority === null && mint.freezeAuthority === null, 'nobody can mint more or freeze');
  hold(fee?.newerTransferFee.transferFeeBasisPoints === 350, 'the tax is 3.5 percent');
  hold(metadata?.name === 'Sunrise', 'the name is on the chain');
  const { token } = await levy.get('/tokens/{mintAddress}', {
    params: { path: { mintAddress: submitted.mintAddress } },
  });
  hold(
    fee?.withdrawWithheldAuthority.toBase58() === token.distributionWallet,
    'only the distribution wallet collects',
  );
  const { tokens } = await levy.get('/tokens');
  hold(
    tokens.some(({ mintAddress }) => mintAddress === submitted.mintAddress),
    'the token is listed',
  );
  const { image } = await levy.get('/metadata/{file}', {
    params: { path: { file: `${submitted.mintAddress}.json` } },
  });
  hold(
    metadata?.uri.endsWith(`/metadata/${submitted.mintAddress}.json`) ?? false,
    'the chain names the metadata',
  );
  hold(
    (await steadily(() => fetch(image))).headers.get('content-type') === 'image/jpeg',
    'the metadata lead to the image',
  );
  tell(
    'Read back from the chain and from the service',
    `${metadata?.name} (${metadata?.symbol}), supply ${mint.supply}, tax ${(fee?.newerTransferFee.transferFeeBasisPoints ?? 0) / 100} percent`,
    `metadata at ${metadata?.uri}`,
    `listed by GET /tokens (${tokens.length} in all)`,
  );
}

async function transferAndShowTax(
  connection: Connection,
  creator: Keypair,
  mintAddress: string,
): Promise<void> {
  const mint = new PublicKey(mintAddress);
  const friend = Keypair.generate().publicKey;
  const from = getAssociatedTokenAddressSync(mint, creator.publicKey, false, TOKEN_2022_PROGRAM_ID);
  const to = getAssociatedTokenAddressSync(mint, friend, false, TOKEN_2022_PROGRAM_ID);
  const fee = (TRANSFERRED * 350n) / 10_000n;
  const transfer = new Transaction().add(
    createAssociatedTokenAccountIdempotentInstruction(
      creator.publicKey,
      to,
      friend,
      mint,
      TOKEN_2022_PROGRAM_ID,
    ),
    createTransferCheckedWithFeeInstruction(
      from,
      mint,
      to,
      creator.publicKey,
      TRANSFERRED,
      6,
      fee,
      [],
      TOKEN_2022_PROGRAM_ID,
    ),
  );
  await land(connection, transfer, creator);
  const received = await steadily(() => getAccount(connection, to, 'confirmed', TOKEN_2022_PROGRAM_ID));
  const withheld = getTransferFeeAmount(received)?.withheldAmount ?? 0n;
  hold(withheld === fee, 'the tax is withheld on the chain');
  hold(received.amount === TRANSFERRED - fee, 'the receiver got the rest');
  tell(
    'One transfer, taxed by the chain itself',
    `sent ${TRANSFERRED}, received ${received.amount}, withheld ${withheld}`,
  );
}

/** Sends the same signed bytes until they are confirmed: they can land only once. */
async function land(connection: Connection, transaction: Transaction, payer: Keypair): Promise<void> {
  const { blockhash, lastValidBlockHeight } = await steadily(() => connection.getLatestBlockhash());
  Object.assign(transaction, { recentBlockhash: blockhash, lastValidBlockHeight, feePayer: payer.publicKey });
  transaction.sign(payer);
  const wire = transaction.serialize();
  await steadily(async () =>
    confirmed(connection, await connection.sendRawTransaction(wire, { skipPreflight: true })),
  );
}

async function confirmed(connection: Connection, signature: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
    await sleep(100);
  }
  throw new Error(`${signature} was not confirmed in time`);
}

async function showPublished(
  url: string,
  { PUBLISHER_STREAM: stream = '', PUBLISHER_CA_FILE: caFile }: NodeJS.ProcessEnv,
  mintAddress: string,
): Promise<void> {
  const published = await steadily(async () => {
    const found = await readPublished(url, stream, caFile);
    if (!found.some(({ subject }) => subject.endsWith('tokens.created'))) throw new Error('not yet');
    return found;
  });
  hold(new Set(published.map(({ id }) => id)).size === published.length, 'every event is published once');
  tell(`Published on NATS, in the stream ${stream}`, ...published.map(({ subject }) => subject), mintAddress);
}

async function play(service: SupervisedService, environment: NodeJS.ProcessEnv): Promise<void> {
  const connection = new Connection(service.chainUrl, 'confirmed');
  tell('The service runs', `API on ${service.url}`, `Solana JSON-RPC on ${service.chainUrl}`);
  const creator = Keypair.generate();
  await steadily(async () =>
    confirmed(connection, await connection.requestAirdrop(creator.publicKey, LAMPORTS_PER_SOL)),
  );
  tell('A creator with a new wallet and 1 SOL', creator.publicKey.toBase58());

  const levy = createLevyClient({ baseUrl: service.url, fetch: steadyFetch });
  await signIn(levy, creator);
  const draft = await draftToken(levy);
  const transaction = checkOffline(draft, creator);
  transaction.partialSign(creator);
  const signedTransaction = transaction.serialize({ requireAllSignatures: false }).toString('base64');
  const submission = { body: { transactionId: draft.transactionId, signedTransaction } };
  const submitted = await levy.post('/tokens/submit', submission);
  hold(submitted.mintAddress === draft.mintKeypair.publicKey, 'the mint is the one that was announced');
  tell('Signed, submitted, confirmed', submitted.signature);

  await readBack(connection, levy, submitted);
  await transferAndShowTax(connection, creator, submitted.mintAddress);
  const again = await levy.post('/tokens/submit', submission);
  hold(again.signature === submitted.signature, 'the same submission again gives the same outcome');
  tell('The same submission once more gives the same answer and no second token', again.signature);
  const { PUBLISHER_URL: bus } = environment;
  if (bus) await showPublished(bus, environment, submitted.mintAddress);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-demo-'));
  try {
    const environment = await demoEnvironment(folder);
    const service = await superviseService(environment, (how) =>
      tell(`The service ended (${how}); its supervisor starts it again`),
    );
    try {
      await play(service, environment);
    } finally {
      const code = await service.stop();
      hold(code === 0, `the service ends with 0 after SIGTERM (it ended with ${code})`);
    }
    tell('Stopped cleanly; everything held.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    `\nthe demo failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
