/** Plays a creator against the real service in a fresh folder: from an empty wallet to a token whose tax is withheld on the chain. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
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
import { createKeyPair } from './chain/keys.ts';

const START_TIMEOUT = 60_000;
const TRANSFERRED = 1_000_000_000n;

interface RunningService {
  readonly url: string;
  readonly chainUrl: string;
  readonly process: ChildProcess;
}

let step = 0;

function tell(what: string, ...lines: readonly string[]): void {
  step += 1;
  process.stdout.write(`\n${step}. ${what}\n${lines.map((line) => `   ${line}\n`).join('')}`);
}

function hold(condition: boolean, claim: string): void {
  if (!condition) throw new Error(`this should hold and does not: ${claim}`);
}

async function startService(dataDirectory: string): Promise<RunningService> {
  const child = fork(new URL(`./main${extname(import.meta.url)}`, import.meta.url), {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOCAL_CHAIN_PORT: '0',
      CHAIN_URL: 'local:',
      DATA_DIR: dataDirectory,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('the service has no output');
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error('the service did not start in time')), START_TIMEOUT);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it listened`)));
    stdout.on('data', (chunk) => {
      output += String(chunk);
      const url = /^listening on (\S+)$/m.exec(output)?.[1];
      const chainUrl = /^local chain on (\S+)$/m.exec(output)?.[1];
      if (url === undefined || chainUrl === undefined) return;
      clearTimeout(timer);
      resolve({ url, chainUrl, process: child });
    });
  });
}

async function stopService({ process: child }: RunningService): Promise<void> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill('SIGTERM');
  const code = await ended;
  hold(code === 0, `the service ends with 0 after SIGTERM (it ended with ${code})`);
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
  const { expiresAt } = await levy.signIn({
    address: wallet.publicKey.toBase58(),
    signMessage(message) {
      text = new TextDecoder().decode(message);
      return key.sign(message);
    },
  });
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

/** What a careful creator looks at before signing; needs nothing but the bytes. */
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
  const mint = await getMint(connection, mintKey, 'confirmed', TOKEN_2022_PROGRAM_ID);
  const fee = getTransferFeeConfig(mint);
  const metadata = await getTokenMetadata(connection, mintKey, 'confirmed');
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
  hold((await fetch(image)).headers.get('content-type') === 'image/jpeg', 'the metadata lead to the image');
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
  const signature = await connection.sendTransaction(transfer, [creator]);
  await confirmed(connection, signature);
  const received = await getAccount(connection, to, 'confirmed', TOKEN_2022_PROGRAM_ID);
  const withheld = getTransferFeeAmount(received)?.withheldAmount ?? 0n;
  hold(withheld === fee, 'the tax is withheld on the chain');
  hold(received.amount === TRANSFERRED - fee, 'the receiver got the rest');
  tell(
    'One transfer, taxed by the chain itself',
    `sent ${TRANSFERRED}, received ${received.amount}, withheld ${withheld}`,
  );
}

async function confirmed(connection: Connection, signature: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${signature} was not confirmed in time`);
}

async function play(service: RunningService): Promise<void> {
  const connection = new Connection(service.chainUrl, 'confirmed');
  tell('The service runs', `API on ${service.url}`, `Solana JSON-RPC on ${service.chainUrl}`);
  const creator = Keypair.generate();
  await confirmed(connection, await connection.requestAirdrop(creator.publicKey, LAMPORTS_PER_SOL));
  tell('A creator with a new wallet and 1 SOL', creator.publicKey.toBase58());

  const levy = createLevyClient({ baseUrl: service.url });
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
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'levy-demo-'));
  try {
    const service = await startService(folder);
    try {
      await play(service);
    } finally {
      await stopService(service);
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
