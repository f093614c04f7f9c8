/** Submits the wallets' transactions, each once, although the node is killed during the submission. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connection,
  type Keypair,
  type PublicKey,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { createKeyPair } from '../../src/chain/keys.ts';
import { steadily } from './steady.ts';

export interface Planned {
  readonly instructions: readonly TransactionInstruction[];
  /** Signer that also pays the fee. */
  readonly signer: Keypair;
}

interface Signed {
  readonly planned: Planned;
  readonly signature: string;
  readonly wire: Buffer;
}

const STATUSES_PER_CALL = 256;
const SENT_AT_ONCE = 20;
/** Milliseconds between two polls, and polls until the same bytes are sent again. */
const LOOK_EVERY = 50;
const LOOKS = 20;
const AIRDROP_LOOKS = 200;

/** Signs a transaction again only after its blockhash has expired without a landing. */
export async function landAll(connection: Connection, planned: readonly Planned[]): Promise<void> {
  for (let left = planned; left.length > 0; ) {
    const { blockhash, lastValidBlockHeight } = await steadily(() => connection.getLatestBlockhash());
    left = await landBefore(
      connection,
      left.map((each) => sign(each, blockhash)),
      lastValidBlockHeight,
    );
  }
}

function sign(planned: Planned, recentBlockhash: string): Signed {
  const { instructions, signer } = planned;
  const transaction = new Transaction().add(...instructions);
  Object.assign(transaction, { recentBlockhash, feePayer: signer.publicKey });
  // The library's own signing and checking takes ten times as long.
  const signature = createKeyPair(signer.secretKey.subarray(0, 32)).sign(transaction.serializeMessage());
  transaction.addSignature(signer.publicKey, Buffer.from(signature));
  const wire = transaction.serialize({ verifySignatures: false });
  return { planned, signature: bs58.encode(signature), wire };
}

/** Returns the expired transactions. */
async function landBefore(
  connection: Connection,
  signed: readonly Signed[],
  lastValidBlockHeight: number,
): Promise<readonly Planned[]> {
  for (let left = signed; left.length > 0; ) {
    await steadily(() => sendAll(connection, left));
    for (let look = 0; look < LOOKS && left.length > 0; look++) {
      // Read before the statuses, so that a transaction in the last valid block is found.
      const height = await steadily(() => connection.getBlockHeight('confirmed'));
      left = await unconfirmed(connection, left);
      if (height > lastValidBlockHeight) return left.map(({ planned }) => planned);
      if (left.length > 0) await sleep(LOOK_EVERY);
    }
  }
  return [];
}

async function sendAll(connection: Connection, signed: readonly Signed[]): Promise<void> {
  for (let from = 0; from < signed.length; from += SENT_AT_ONCE) {
    const some = signed.slice(from, from + SENT_AT_ONCE);
    await Promise.all(some.map(({ wire }) => connection.sendRawTransaction(wire, { skipPreflight: true })));
  }
}

async function unconfirmed(connection: Connection, signed: readonly Signed[]): Promise<readonly Signed[]> {
  const left: Signed[] = [];
  for (let from = 0; from < signed.length; from += STATUSES_PER_CALL) {
    const page = signed.slice(from, from + STATUSES_PER_CALL);
    const signatures = page.map(({ signature }) => signature);
    // Without a history search, a node returns only recent statuses: after a long pause, landed transactions would be
    // signed again.
    const { value } = await steadily(() =>
      connection.getSignatureStatuses(signatures, { searchTransactionHistory: true }),
    );
    for (const [index, each] of page.entries()) {
      const status = value[index];
      if (status?.err) throw new Error(`${each.signature} failed: ${JSON.stringify(status.err)}`);
      const isConfirmed =
        status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized';
      if (!isConfirmed) left.push(each);
    }
  }
  return left;
}

/** Waits until the currently confirmed state is final. */
export async function untilFinal(connection: Connection): Promise<void> {
  const slot = await steadily(() => connection.getSlot('confirmed'));
  while ((await steadily(() => connection.getSlot('finalized'))) < slot) await sleep(LOOK_EVERY);
}

/** Airdrops SOL of the local chain. */
export async function airdrop(connection: Connection, to: PublicKey, lamports: number): Promise<void> {
  await steadily(async () => {
    const signature = await connection.requestAirdrop(to, lamports);
    for (let look = 0; look < AIRDROP_LOOKS; look++) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value !== null && value.confirmationStatus !== 'processed') return;
      await sleep(LOOK_EVERY);
    }
    throw new Error(`${signature} was not confirmed in time`);
  });
}
