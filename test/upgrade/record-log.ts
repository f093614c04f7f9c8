/**
 * Records a log that is wider than a data folder could be kept small: distributions in SOL and in the token, halts, listed
 * owners, promotions, hidden tokens, a quarantined event, launches, drafts on recent blockhashes. Run it on the checkout of
 * a release, built:
 *
 *     RECORD_INTO=test/upgrade/recorded-logs/<commit> npx vitest run --config test/upgrade/record-log.config.ts
 *
 * Launches need the venue's program (`TEST_VENUE_PROGRAM`), which may not be handed on and is not in what is recorded.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'vitest';
import { openSqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { createSqliteEventStore } from '../../src/adapters/sqlite/event-store.ts';
import { type RecordedEvent, START } from '../../src/kernel/ports/event-store.ts';
import { readLog } from '../../src/kernel/runtime/read-log.ts';
import { type Creator, creatorWith, openCreator, signedBy, signIn } from '../support/creator.ts';
import { type DistributionJourney, openDistributionJourney } from '../support/distribution-journey.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTokens,
  issueLaunch,
  launchSubmission,
  launchThatIs,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { documentLines, documentsOf } from './recorded-documents.ts';

const ENVIRONMENT = {
  PUBLIC_URL: 'http://levy.example',
  LOCAL_CHAIN_SLOT_MS: '25',
  NONCE_ACCOUNTS_MIN: '1',
  FEATURED_PRICE_PER_DAY: '20000000',
  ...VENUE_ENVIRONMENT,
};
const PATIENCE = { seconds: 600 };

interface IssuedDraft {
  readonly transactionId: string;
  readonly transaction: string;
}

test('record', async () => {
  const into = process.env.RECORD_INTO ?? '';
  if (into === '') throw new Error('RECORD_INTO names no folder');
  if (venueProgramFile === undefined) throw new Error('TEST_VENUE_PROGRAM names no program file');
  const service = await startServiceProcess(ENVIRONMENT);
  await distributions(service);
  await promotionsAndVisibility(service);
  await launches(service);
  await service.stop();
  const bad = await damage(service.folder);
  const withoutNonces = { ...ENVIRONMENT, DRAFT_LIFETIME_KIND: 'recent-blockhash' };
  const second = await startServiceProcess(withoutNonces, { folder: service.folder });
  const { client } = await openCreator(second, { sol: 0 });
  await operate(client, `events/${bad}/quarantine`, { reason: 'A script went wrong.' });
  await refreshed(second);
  await second.stop();

  const events = await eventsIn(service.folder);
  await mkdir(into, { recursive: true });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  await writeFile(join(into, 'log.ndjson.gz'), gzipSync(lines, { level: 9 }));
  const documents = documentLines(await documentsOf(events.filter(({ id }) => id !== bad)));
  await writeFile(join(into, 'documents.ndjson.gz'), gzipSync(documents, { level: 9 }));
});

function operate(client: Creator['client'], path: string, json: object) {
  return client.ask('POST', `/operator/${path}`, { operatorKey: OPERATOR_KEY, json });
}

async function distributions(service: ServiceProcess): Promise<void> {
  const inSol = await openDistributionJourney(service, { holders: 12 });
  await run(inSol, 1);
  await inSol.operate(`distributions/${inSol.tokenId}/halt`);
  await inSol.operate(`distributions/${inSol.tokenId}/resume`);
  const settings = (journey: DistributionJourney, json: object) =>
    journey.creator.call('PATCH', `/distribution/${journey.tokenId}/settings`, { json });
  await settings(inSol, {
    distributionModel: 'square-root',
    burnPercent: 0,
    minimumHoldingRequirement: '1000',
  });
  await inSol.creator.call('PUT', `/distribution/${inSol.tokenId}/owners`, {
    json: { keptOut: [inSol.developer], listedIn: [] },
  });
  await inSol.spread(addressesOf(inSol).slice(0, 5), () => 20_000_000_000_000n);
  await run(inSol, 2);

  const inToken = await openDistributionJourney(service, {
    holders: 12,
    token: { rewardToken: 'SELF', burnPercent: 33.33, developerFeePercent: 0.01 },
  });
  await run(inToken, 1);
  await inToken.operate('distributions/halt');
  await inToken.operate('distributions/resume');
  await settings(inToken, { rewardToken: 'SOL', percentageToSellPerDistribution: 50 });
  await inToken.spread(addressesOf(inToken).slice(0, 3), () => 9_000_000_000_000n);
  await run(inToken, 2);
}

const addressesOf = ({ holders }: DistributionJourney) =>
  holders.map(({ publicKey }) => publicKey.toBase58());

async function run(journey: DistributionJourney, number: number): Promise<void> {
  await journey.askForRun();
  await journey.closedRun(number, PATIENCE);
}

async function promotionsAndVisibility(service: ServiceProcess): Promise<void> {
  const opened = await openCreator(service, { sol: 20 });
  const { client, keypair } = opened;
  const creator = creatorWith({ client, keypair, token: (await signIn(client, keypair)).token });
  const seen = await creator.createToken({ name: 'Sunset', symbol: 'SET' });
  const hidden = await creator.createToken({ name: 'Hidden', transferFeeAdjustable: true });
  const promote = async (tokenMint: string, days: number) => {
    const draft = await client.ask<IssuedDraft>('POST', '/featured/create-unsigned', {
      token: creator.token,
      json: { tokenMint, days },
    });
    const { transactionId } = draft;
    const json = { transactionId, signedTransaction: signedBy(keypair, draft.transaction) };
    return client.ask<{ promotion: { id: string } }>('POST', '/featured/submit', {
      token: creator.token,
      json,
    });
  };
  await promote(seen.mintAddress, 3);
  const ended = await promote(seen.mintAddress, 1);
  await promote(hidden.mintAddress, 2);
  await operate(client, `promotions/${ended.promotion.id}/end`, { reason: 'Not welcome.' });
  await operate(client, `tokens/${hidden.mintAddress}/hide`, { reason: 'Looks like another.' });
  await operate(client, `tokens/${seen.mintAddress}/hide`, { reason: 'A mistake.' });
  await operate(client, `tokens/${seen.mintAddress}/show`, {});
  await creator.draft({ name: 'Never signed' });
  await client.ask('POST', '/auth/logout', { token: opened.token });
}

async function launches(service: ServiceProcess): Promise<void> {
  const creator = await openCreator(service, { sol: 20 });
  const { mintAddress: mint } = await creator.createToken({ name: 'Launched' });
  const { transactionId: cancelled } = await issueLaunch(creator, mint);
  await creator.call('POST', `/transactions/${cancelled}/cancel`);
  await launchSubmission(creator, await issueLaunch(creator, mint));
  await launchThatIs(creator.client, mint, 'active', PATIENCE);
  await buyTokens(service.chainUrl, creator.keypair, mint, 2_200_000_000n);
  await launchThatIs(creator.client, mint, 'completed', PATIENCE);
}

async function refreshed(service: ServiceProcess): Promise<void> {
  const creator = await openCreator(service, { sol: 20 });
  const draft = await creator.draft({ name: 'Refreshed' });
  const fresh = await eventually('there is a later blockhash', async () => {
    const { body } = await creator.call<IssuedDraft>('POST', `/transactions/${draft.transactionId}/refresh`);
    return body.transaction !== draft.transaction && body;
  });
  await creator.submit({ ...draft, ...fresh });
}

/** At the end of a token's stream, as another program might. Resolves with its id. */
async function damage(folder: string): Promise<string> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  const id = randomUUID();
  const token = (await allOf(readLog(store))).findLast(({ type }) => type === 'TokenCreated');
  if (token === undefined) throw new Error('there is no token');
  const metadata = { ...token.metadata, actor: 'service:script' };
  const revision = (await allOf(store.read(token.stream))).length - 1;
  await store.append(token.stream, revision, [{ id, type: 'TokenHidden', data: { reason: 7 }, metadata }]);
  await store.close();
  await database.close();
  return id;
}

async function eventsIn(folder: string): Promise<readonly RecordedEvent[]> {
  const database = openSqliteDatabase(join(folder, 'levy.db'));
  const store = createSqliteEventStore(database);
  const events = await allOf(readLog(store, { after: START }));
  await store.close();
  await database.close();
  return events;
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
