/** Creates a token from an empty wallet, with a check at each step. */
import { getMint, getTokenMetadata, getTransferFeeConfig, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, type Keypair, LAMPORTS_PER_SOL, PublicKey, Transaction } from '@solana/web3.js';
import type { CreateUnsignedAnswer, LevyClient, SubmitTokenAnswer, TokenDetail } from 'levy-client';
import sharp from 'sharp';
import { createKeyPair } from '../../src/chain/keys.ts';
import { airdrop } from './landing.ts';
import { steadily } from './steady.ts';
import { hold, tell } from './telling.ts';

const FUNDS = 3 * LAMPORTS_PER_SOL;

export interface CreatedToken {
  readonly tokenId: string;
  readonly mint: PublicKey;
  /** Wallet that collects the tax. */
  readonly distributionWallet: string;
}

export async function createToken(
  connection: Connection,
  levy: LevyClient,
  creator: Keypair,
  distributionInterval: '5m' | '1h',
): Promise<CreatedToken> {
  await airdrop(connection, creator.publicKey, FUNDS);
  tell('A creator with a new wallet and 3 SOL', creator.publicKey.toBase58());
  await signIn(levy, creator);
  const draft = await draftToken(levy, distributionInterval);
  const transaction = checkOffline(draft, creator);
  transaction.partialSign(creator);
  const signedTransaction = transaction.serialize({ requireAllSignatures: false }).toString('base64');
  const submission = { body: { transactionId: draft.transactionId, signedTransaction } };
  const submitted = await levy.post('/tokens/submit', submission);
  hold(submitted.mintAddress === draft.mintKeypair.publicKey, 'the mint is the one that was announced');
  tell('Signed, submitted, confirmed', submitted.signature);

  const { distributionWallet } = await readBack(connection, levy, submitted);
  const again = await levy.post('/tokens/submit', submission);
  hold(again.signature === submitted.signature, 'the same submission again returns the same outcome');
  tell('The same submission again returns the same response and creates no second token', again.signature);
  return { tokenId: submitted.token.id, mint: new PublicKey(submitted.mintAddress), distributionWallet };
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
  // A challenge can be used once: if the response is lost, request a new one.
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

async function draftToken(
  levy: LevyClient,
  distributionInterval: '5m' | '1h',
): Promise<CreateUnsignedAnswer> {
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
      distributionInterval,
      decimals: 6,
      supply: '1000000000000000',
    },
  });
}

/** Checks the unsigned transaction as a careful creator does, from its bytes alone. */
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
    'The unsigned transaction, checked without any call',
    `${draft.transaction.length} characters of base64, valid until ${draft.expiresAt}, costs ${draft.cost} lamports`,
    `mint ${draft.mintKeypair.publicKey}, signers ${signers.length}, instructions ${programs.length}:`,
    ...new Set(programs),
  );
  return transaction;
}

async function readBack(
  connection: Connection,
  levy: LevyClient,
  submitted: SubmitTokenAnswer,
): Promise<TokenDetail> {
  const mintKey = new PublicKey(submitted.mintAddress);
  const mint = await steadily(() => getMint(connection, mintKey, 'confirmed', TOKEN_2022_PROGRAM_ID));
  const fee = getTransferFeeConfig(mint);
  const metadata = await steadily(() => getTokenMetadata(connection, mintKey, 'confirmed'));
  hold(mint.supply === 1_000_000_000_000_000n, 'the whole supply is minted');
  hold(mint.mintAuthority === null && mint.freezeAuthority === null, 'no account can mint more or freeze');
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
  const file = image.split('/').at(-1) ?? '';
  const picture = await levy.get('/images/{file}', { params: { path: { file } }, parseAs: 'blob' });
  hold(picture.type === 'image/jpeg', 'the metadata lead to the image');
  tell(
    'Read back from the chain and from the service',
    `${metadata?.name} (${metadata?.symbol}), supply ${mint.supply}, tax ${(fee?.newerTransferFee.transferFeeBasisPoints ?? 0) / 100} percent`,
    `metadata at ${metadata?.uri}`,
    `listed by GET /tokens (${tokens.length} in all)`,
  );
  return token;
}
