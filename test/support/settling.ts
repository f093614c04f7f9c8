/** State that tests of settling check: a submission in the log, its nonce account on the chain, its mint. */
import { createHash, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Connection, type Keypair, PublicKey } from '@solana/web3.js';
import { decodeNonceAccount } from '../../src/chain/durable-nonce.ts';
import type { JsonObject, RecordedEvent } from '../../src/kernel/ports/event-store.ts';
import type { Answer } from './client.ts';
import type { Creator, Draft } from './creator.ts';
import { eventually } from './eventually.ts';

interface Log {
  events(): Promise<readonly RecordedEvent[]>;
}

export interface TransactionStatus {
  readonly status: string;
  readonly signature: string | null;
  readonly error: { readonly code: string; readonly logs: readonly string[] } | null;
}

/** A draft of whatever purpose. */
type Named = Pick<Draft, 'transactionId'>;

export function submission(creator: Creator, draft: Draft): Promise<Answer<{ code?: string }>> {
  const json = { transactionId: draft.transactionId, signedTransaction: creator.sign(draft) };
  return creator.call('POST', '/tokens/submit', { json });
}

export async function transactionStatus(
  creator: Creator,
  { transactionId }: Named,
): Promise<TransactionStatus> {
  return creator.client.ask('GET', `/transactions/${transactionId}`, { token: creator.token });
}

/** The types of the events in a draft's stream, in order. */
export async function lifeOf(log: Log, { transactionId }: Named): Promise<readonly string[]> {
  const events = await log.events();
  return events.filter(({ stream }) => stream === `draft-${transactionId}`).map(({ type }) => type);
}

/** The data of the latest event of this type that names the draft. */
export async function latest(
  log: Log,
  type: string,
  { transactionId }: Named,
): Promise<JsonObject | undefined> {
  const events = await log.events();
  return events.findLast((event) => event.type === type && event.data.transactionId === transactionId)?.data;
}

/** A text in the latest event of this type that names the draft, or in its lifetime, as soon as there is one. */
export async function recordedText(log: Log, type: string, draft: Named, property: string): Promise<string> {
  return eventually(`${type} is recorded`, async () => {
    const data = { ...(await latest(log, type, draft)) };
    const members = { ...(data.lifetime as JsonObject | undefined), ...data };
    const value = members[property];
    return typeof value === 'string' && value;
  });
}

export function nodeAt(chainUrl: string): Connection {
  return new Connection(chainUrl, 'confirmed');
}

export async function nonceValueOnChain(chainUrl: string, account: string): Promise<string | undefined> {
  const found = await nodeAt(chainUrl).getAccountInfo(new PublicKey(account));
  return found === null ? undefined : decodeNonceAccount(found.data)?.value;
}

/** The value with which the service would lease the account next; undefined while it is leased. */
async function freeValue(log: Log, account: string): Promise<string | undefined> {
  const events = (await log.events()).filter(({ stream }) => stream === `nonce-${account}`);
  if (events.at(-1)?.type === 'NonceLeased') return undefined;
  const value = events.findLast(({ data }) => data.value !== undefined)?.data.value;
  return typeof value === 'string' ? value : undefined;
}

/** Resolves when the account is free again, under the value that the chain shows. */
export async function freeAsOnChain(log: Log, chainUrl: string, account: string): Promise<string> {
  return eventually('the nonce account is free under the value that is on the chain', async () => {
    const value = await freeValue(log, account);
    return value !== undefined && value === (await nonceValueOnChain(chainUrl, account)) && value;
  });
}

export async function mintExists(chainUrl: string, { mintKeypair }: Draft): Promise<boolean> {
  return (await nodeAt(chainUrl).getAccountInfo(new PublicKey(mintKeypair.publicKey))) !== null;
}

/** Every Token-2022 mint on the chain whose whole supply the creator holds. */
export async function tokensHeldBy(chainUrl: string, creator: Creator): Promise<number> {
  const { value } = await nodeAt(chainUrl).getTokenAccountsByOwner(creator.keypair.publicKey, {
    programId: TOKEN_2022_PROGRAM_ID,
  });
  return value.length;
}

/** How many transactions that succeeded the payer paid for, of those that name the receiver. */
export async function paymentsTo(chainUrl: string, receiver: string, payer: string): Promise<number> {
  const node = nodeAt(chainUrl);
  const signatures = await node.getSignaturesForAddress(new PublicKey(receiver));
  const found = await Promise.all(
    signatures.map(({ signature }) =>
      node.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }),
    ),
  );
  return found.filter(
    (each) => each?.meta?.err === null && each.transaction.message.staticAccountKeys[0]?.toBase58() === payer,
  ).length;
}

/** Hands bytes to the node without a simulation; whether they land is to be looked up. */
export async function sendRaw(chainUrl: string, wireBase64: string): Promise<void> {
  await nodeAt(chainUrl).sendEncodedTransaction(wireBase64, { skipPreflight: true });
}

/** The same transaction with another signature of its payer, as valid as the one that it had. */
export function signedAgain(wireBase64: string, payer: Keypair): string {
  const wire = Buffer.from(wireBase64, 'base64');
  const message = wire.subarray(1 + (wire[0] ?? 0) * 64);
  wire.set(anotherSignature(payer, message), 1);
  return wire.toString('base64');
}

/** Ed25519 with a random number in the place of the one that follows from key and message. */
function anotherSignature(keypair: Keypair, message: Uint8Array): Uint8Array {
  const { n: order } = ed25519.CURVE;
  const { scalar } = ed25519.utils.getExtendedPublicKey(keypair.secretKey.subarray(0, 32));
  const secret = numberOf(randomBytes(64)) % order;
  const commitment = ed25519.Point.BASE.multiply(secret).toBytes();
  const hashed = createHash('sha512').update(commitment).update(keypair.publicKey.toBytes()).update(message);
  const proof = (secret + numberOf(hashed.digest()) * scalar) % order;
  return Buffer.concat([commitment, Buffer.from(proof.toString(16).padStart(64, '0'), 'hex').reverse()]);
}

/** Of bytes whose first is the least. */
function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
