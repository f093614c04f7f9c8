/** Read model of many tokens in a folder, written through the real projection and the real adapter. */
import { join } from 'node:path';
import { addressOf } from 'levy-solana-wire';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { createSqliteReadModel } from '../../src/adapters/sqlite/read-model.ts';
import type { Document, DocumentChange, ReadModel } from '../../src/kernel/ports/read-model.ts';
import type { Recorded } from '../../src/kernel/runtime/event-codec.ts';
import { foldEvents } from '../../src/kernel/runtime/fold-events.ts';
import { deriveId } from '../../src/kernel/runtime/ids.ts';
import { tokens } from '../../src/projections/tokens.ts';
import { TokenCreated } from '../../src/streams/token.ts';

const TOKENS_A_COMMIT = 20_000;
const CREATORS = 50_000;

/**
 * Creates the databases `levy.db` and `levy-read-model.db`, which a service can open: the log is empty, and the read
 * model contains the tokens.
 */
export async function writeTokens(folder: string, count: number): Promise<void> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const documents = openSqliteDatabase(join(folder, 'levy-read-model.db'));
  const store = createSqliteEventStore(database);
  const readModel = createSqliteReadModel(documents);
  await fillTokens(readModel, { count });
  await store.close();
  await documents.close();
  await database.close();
}

/** One of this many tokens in the list is hidden. */
export const ONE_HIDDEN_OF = 20;

/** Writes the documents of tokens through their projection and makes them live. */
export async function fillTokens(
  readModel: ReadModel,
  { count, hidden = false }: { readonly count: number; readonly hidden?: boolean },
): Promise<void> {
  await readModel.prepare([tokens]);
  for (let first = 0; first < count; first += TOKENS_A_COMMIT) {
    const numbers = Array.from(
      { length: Math.min(TOKENS_A_COMMIT, count - first) },
      (_, index) => first + index,
    );
    await readModel.commit([{ collection: tokens, changes: tokensCreated(numbers) }]);
    // Documents enter the list before they leave it, as in a log.
    const left = numbers.filter((number) => hidden && number % ONE_HIDDEN_OF === 0);
    if (left.length > 0)
      await readModel.commit([{ collection: tokens, changes: await tokensHidden(readModel, left) }]);
  }
  await readModel.goLive(tokens);
}

/** Changes by the creation of the tokens, in the order of their numbers. */
export function tokensCreated(numbers: readonly number[]): readonly DocumentChange[] {
  return foldEvents(tokens, new Map(), numbers.map(recordedCreation));
}

/** Changes of stored tokens by a later event. `at` counts such events, from 1. */
export async function tokensUpdated(
  readModel: Pick<ReadModel, 'load'>,
  numbers: readonly number[],
  at: number,
): Promise<readonly DocumentChange[]> {
  return changed(readModel, numbers, at, (document) => ({
    ...document,
    updatedAt: new Date(at).toISOString(),
  }));
}

async function tokensHidden(
  readModel: Pick<ReadModel, 'load'>,
  numbers: readonly number[],
): Promise<readonly DocumentChange[]> {
  const hidden = { reason: 'bench', by: 'bench', since: new Date(0).toISOString() };
  return changed(readModel, numbers, 1, (document) => ({ ...document, hidden }));
}

async function changed(
  readModel: Pick<ReadModel, 'load'>,
  numbers: readonly number[],
  at: number,
  change: (document: Document) => Document,
): Promise<readonly DocumentChange[]> {
  const keys = numbers.map((number) => creationOf(number).data.token.tokenId);
  const stored = await readModel.load(tokens, keys);
  return keys.map((key) => {
    const { document, position } = stored.get(key) ?? {};
    if (document === undefined || position === undefined) throw new Error(`the token ${key} is not there`);
    const next = String(Number(position) + at * 10_000_000).padStart(20, '0');
    return { key, position: next, document: change(document) };
  });
}

/** Creation event of the token with that number. */
export function creationOf(number: number, creator = addressFor(1e9 + (number % CREATORS))) {
  const mintAddress = addressFor(number);
  const transactionId = deriveId('bench', String(number));
  return TokenCreated({
    creator,
    transactionId,
    signature: `${mintAddress}${mintAddress}`,
    token: {
      kind: 'token-creation',
      tokenId: deriveId('token', mintAddress),
      mintAddress,
      walletId: transactionId,
      distributionWallet: mintAddress,
      name: `Token ${number}`,
      symbol: `T${number}`,
      decimals: 6,
      supply: '1000000000000000',
      imageCid: `bafkrei${'a'.repeat(52)}`,
      imageUri: `https://tokens.example.com/images/bafkrei${'a'.repeat(52)}`,
      metadataUri: `https://tokens.example.com/metadata/${mintAddress}.json`,
      description: 'A token as there are many, described in a sentence or two, as long as most of them are.',
      twitter: 'https://x.example.com/token',
      telegram: '',
      website: 'https://token.example.com',
      transferFeeBasisPoints: 350,
      transferFeeAdjustable: false,
      immutableMetadata: true,
      burnBasisPoints: 1_000,
      developerFeeBasisPoints: 2_000,
      developerWallet: creator,
      distributionInterval: '1h',
      sellBasisPoints: 0,
      rewardToken: 'SOL',
      minimumHoldingRequirement: '0',
    },
  });
}

function recordedCreation(number: number): Recorded {
  const { type, data } = creationOf(number);
  const { creator, transactionId } = data;
  return {
    type,
    data,
    eventId: transactionId,
    stream: `token-${data.token.tokenId}`,
    revision: 0,
    position: String(number + 1).padStart(20, '0'),
    metadata: {
      commandId: transactionId,
      inputHash: '',
      correlationId: transactionId,
      causationId: transactionId,
      actor: creator,
      schemaVersion: 1,
      occurredAt: new Date(1.7e12 + number * 1_000).toISOString(),
    },
  };
}

export function addressFor(number: number): string {
  const bytes = new Uint8Array(32).fill(91);
  new DataView(bytes.buffer).setFloat64(8, Math.sin(number + 1));
  new DataView(bytes.buffer).setUint32(20, number);
  return addressOf(bytes);
}
