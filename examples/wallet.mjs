// A wallet in a file, for trying the service from a shell: makes a key, gets SOL from a local chain, signs what it is given.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Connection, Keypair, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';

const USAGE = `node examples/wallet.mjs new FILE                      makes a key, prints its address
node examples/wallet.mjs address FILE                  prints the address
node examples/wallet.mjs fund FILE RPC_URL             gets 1 SOL from a local chain
node examples/wallet.mjs sign-message FILE TEXT        prints the signature in base58
node examples/wallet.mjs sign-transaction FILE BASE64  prints the signed transaction in base64`;

/** Key files hold the 64 bytes as a JSON array, as Solana's own tools write them. */
function read(file) {
  return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))));
}

function signBytes(keypair, bytes) {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: Buffer.from(keypair.secretKey.subarray(0, 32)).toString('base64url'),
    x: Buffer.from(keypair.publicKey.toBytes()).toString('base64url'),
  };
  return sign(null, bytes, createPrivateKey({ key: jwk, format: 'jwk' }));
}

async function fund(keypair, rpcUrl) {
  const connection = new Connection(rpcUrl, 'confirmed');
  await connection.requestAirdrop(keypair.publicKey, 1_000_000_000);
  for (let tries = 0; tries < 50; tries++) {
    const balance = await connection.getBalance(keypair.publicKey);
    if (balance > 0) return `${balance} lamports`;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the chain gave nothing');
}

async function main([command, file, argument]) {
  if (file === undefined) throw new Error(`usage:\n${USAGE}`);
  switch (command) {
    case 'new': {
      const { privateKey } = generateKeyPairSync('ed25519');
      const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
      const bytes = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
      writeFileSync(file, JSON.stringify([...bytes]), { mode: 0o600, flag: 'wx' });
      return bs58.encode(bytes.subarray(32));
    }
    case 'address':
      return read(file).publicKey.toBase58();
    case 'fund':
      return fund(read(file), argument);
    case 'sign-message':
      return bs58.encode(signBytes(read(file), Buffer.from(argument)));
    case 'sign-transaction': {
      const transaction = Transaction.from(Buffer.from(argument, 'base64'));
      transaction.partialSign(read(file));
      return transaction.serialize({ requireAllSignatures: false }).toString('base64');
    }
    default:
      throw new Error(`usage:\n${USAGE}`);
  }
}

main(process.argv.slice(2)).then(
  (answer) => process.stdout.write(`${answer}\n`),
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
