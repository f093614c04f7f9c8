/**
 * Creates a token with a wallet in a key file (a JSON array of 64 bytes, as Solana's own tools write them):
 *
 *     npx tsx packages/client/examples/create-token.ts http://127.0.0.1:3000 creator.json examples/token.png
 */
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Keypair, Transaction } from '@solana/web3.js';
import { createLevyClient, LevyError, type WalletSigner } from 'levy-client';

async function main([baseUrl, keyFile, imageFile]: readonly string[]): Promise<void> {
  if (baseUrl === undefined || keyFile === undefined || imageFile === undefined) {
    throw new Error('usage: create-token.ts SERVICE_URL KEY_FILE IMAGE_FILE');
  }
  const keypair = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(await readFile(keyFile, 'utf8'))));
  const levy = createLevyClient({ baseUrl });
  await levy.signIn(walletOf(keypair));

  // 1. the wallet that will collect the tax, 2. the image
  const { walletId } = await levy.post('/tokens/generate-distribution-wallet');
  const { imageUri } = await levy.uploadImage(new Blob([await readFile(imageFile)]));

  // 3. the unsigned transaction; the key makes it safe to repeat the call when its answer is lost
  const draft = await levy.post('/tokens/create-unsigned', {
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: {
      walletId,
      imageUri,
      name: 'Sunrise',
      symbol: 'SUN',
      description: 'Shares its tax with its holders.',
      transferFeePercent: 3.5,
      burnPercent: 10,
      decimals: 6,
      supply: '1000000000000000',
    },
  });
  const transaction = Transaction.from(Buffer.from(draft.transaction, 'base64'));
  transaction.partialSign(keypair);
  const signedTransaction = transaction.serialize({ requireAllSignatures: false }).toString('base64');

  // 4. submitted; the answer comes when the chain has confirmed it
  const { mintAddress, signature } = await levy.post('/tokens/submit', {
    body: { transactionId: draft.transactionId, signedTransaction },
  });
  const { token } = await levy.get('/tokens/{mintAddress}', { params: { path: { mintAddress } } });
  process.stdout.write(`${token.name} (${token.symbol}) is ${mintAddress}, created by ${signature}\n`);
}

function walletOf(keypair: Keypair): WalletSigner {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: Buffer.from(keypair.secretKey.subarray(0, 32)).toString('base64url'),
    x: Buffer.from(keypair.publicKey.toBytes()).toString('base64url'),
  };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return { address: keypair.publicKey.toBase58(), signMessage: (message) => sign(null, message, key) };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const told = error instanceof LevyError ? `refused: ${error.message}` : String(error);
  process.stderr.write(`${told}\n`);
  process.exitCode = 1;
});
