// A wallet in a file, for trying the service from a shell: creates a key, gets SOL from a local chain, and signs
// challenges, drafts and messages.
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import bs58 from 'bs58';

const USAGE = `node examples/wallet.mjs new FILE                      creates a key unless FILE has one; prints its address
node examples/wallet.mjs address FILE                  prints the address
node examples/wallet.mjs fund FILE RPC_URL             gets 1 SOL from a local chain
node examples/wallet.mjs send-tokens FILE RPC_URL MINT TO AMOUNT
                                                       sends base units of a taxed token, and waits for finality
node examples/wallet.mjs sign-challenge FILE           reads a response of POST /auth/challenge, prints the body of POST /auth/verify
node examples/wallet.mjs sign-draft FILE               reads a response of a create-unsigned call, prints the body of its submit call
node examples/wallet.mjs sign-message FILE TEXT        prints the signature in base58
node examples/wallet.mjs sign-transaction FILE BASE64  prints the signed transaction in base64`;

const TRIES = 50;
/** A final block is 32 slots old: 13 seconds on Solana. */
const FINAL_TRIES = 300;

/** Key files contain the 64 bytes as a JSON array, like those of Solana's tools. */
function read(file) {
  return Uint8Array.from(JSON.parse(readFileSync(file, 'utf8')));
}

function addressOf(secretKey) {
  return bs58.encode(secretKey.subarray(32));
}

/** Retains an existing key and reports that, because the key may be the creator of tokens. */
function newKey(file) {
  if (existsSync(file)) {
    process.stderr.write(`${file} exists: its key is used\n`);
    return read(file);
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]);
  writeFileSync(file, JSON.stringify([...secretKey]), { mode: 0o600, flag: 'wx' });
  return secretKey;
}

function signMessage(secretKey, text) {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: Buffer.from(secretKey.subarray(0, 32)).toString('base64url'),
    x: Buffer.from(secretKey.subarray(32)).toString('base64url'),
  };
  return bs58.encode(sign(null, Buffer.from(text), createPrivateKey({ key: jwk, format: 'jwk' })));
}

// Imported on demand, because it takes longer than everything else here.
async function signTransaction(secretKey, base64) {
  const { Keypair, Transaction } = await import('@solana/web3.js');
  const transaction = Transaction.from(Buffer.from(base64, 'base64'));
  transaction.partialSign(Keypair.fromSecretKey(secretKey));
  return transaction.serialize({ requireAllSignatures: false }).toString('base64');
}

async function fund(secretKey, rpcUrl) {
  const { Connection, PublicKey } = await import('@solana/web3.js');
  const connection = new Connection(rpcUrl, 'confirmed');
  const address = new PublicKey(addressOf(secretKey));
  const before = await connection.getBalance(address);
  await connection.requestAirdrop(address, 1_000_000_000);
  for (let tries = 0; tries < TRIES; tries++) {
    const balance = await connection.getBalance(address);
    if (balance > before) return `${balance} lamports`;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${rpcUrl} accepted the request for SOL, but the balance did not change`);
}

const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const ASSOCIATED_ACCOUNTS = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
/** First byte of the instruction data of CreateIdempotent and of TransferChecked. */
const [CREATE, TRANSFER] = [1, 12];

async function sendTokens(secretKey, rpcUrl, mintAddress, to, amount) {
  const { Connection, Keypair, PublicKey, SystemProgram, Transaction } = await import('@solana/web3.js');
  const connection = new Connection(rpcUrl, 'confirmed');
  const sender = Keypair.fromSecretKey(secretKey);
  const [mint, receiver, program, associated] = [mintAddress, to, TOKEN_2022, ASSOCIATED_ACCOUNTS].map(
    (address) => new PublicKey(address),
  );
  const accountOf = (owner) =>
    PublicKey.findProgramAddressSync([owner.toBytes(), program.toBytes(), mint.toBytes()], associated)[0];
  const [from, account] = [accountOf(sender.publicKey), accountOf(receiver)];
  const { decimals } = (await connection.getTokenSupply(mint)).value;
  const data = Buffer.alloc(10);
  data.writeUInt8(TRANSFER, 0);
  data.writeBigUInt64LE(BigInt(amount), 1);
  data.writeUInt8(decimals, 9);
  const writable = (pubkey) => ({ pubkey, isSigner: false, isWritable: true });
  const readonly = (pubkey) => ({ pubkey, isSigner: false, isWritable: false });
  const signs = (pubkey) => ({ pubkey, isSigner: true, isWritable: true });
  const transaction = new Transaction().add(
    {
      programId: associated,
      keys: [
        signs(sender.publicKey),
        writable(account),
        ...[receiver, mint, SystemProgram.programId, program].map(readonly),
      ],
      data: Buffer.of(CREATE),
    },
    {
      programId: program,
      keys: [writable(from), readonly(mint), writable(account), signs(sender.publicKey)],
      data,
    },
  );
  transaction.feePayer = sender.publicKey;
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash;
  transaction.sign(sender);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  for (let tries = 0; tries < FINAL_TRIES; tries++) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`the transfer failed: ${JSON.stringify(value.err)}`);
    if (value?.confirmationStatus === 'finalized') {
      const { info } = (await connection.getParsedAccountInfo(account)).value.data.parsed;
      const tax = info.extensions?.find(({ extension }) => extension === 'transferFeeAmount');
      return `the receiver has ${info.tokenAmount.amount}; tax withheld there: ${tax?.state.withheldAmount ?? 0}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${rpcUrl} accepted the transfer, but did not make it final`);
}

/**
 * Parses the response on standard input. Reports a refusal with the service's own message, instead of a missing
 * field.
 */
function readAnswer(...members) {
  const answer = JSON.parse(readFileSync(0, 'utf8'));
  if (typeof answer.code === 'string') throw new Error(`refused: ${answer.code}: ${answer.detail}`);
  for (const member of members) {
    if (typeof answer[member] !== 'string') throw new Error(`standard input has no "${member}"`);
  }
  return answer;
}

async function main([command, file, argument, ...others]) {
  if (file === undefined) throw new Error(`usage:\n${USAGE}`);
  switch (command) {
    case 'new':
      return addressOf(newKey(file));
    case 'address':
      return addressOf(read(file));
    case 'fund':
      return fund(read(file), argument);
    case 'send-tokens':
      return sendTokens(read(file), argument, ...others);
    case 'sign-challenge': {
      const { challenge } = readAnswer('challenge');
      const signature = signMessage(read(file), challenge);
      return JSON.stringify({ walletAddress: addressOf(read(file)), signature, message: challenge });
    }
    case 'sign-draft': {
      const { transactionId, transaction } = readAnswer('transactionId', 'transaction');
      const signedTransaction = await signTransaction(read(file), transaction);
      return JSON.stringify({ transactionId, signedTransaction });
    }
    case 'sign-message':
      return signMessage(read(file), argument);
    case 'sign-transaction':
      return signTransaction(read(file), argument);
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
