/** A service is backed up while it works and goes on elsewhere; its log moves to a cluster, and back. */

import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTheFile } from '../support/after-the-file.ts';
import { fund, openCreator } from '../support/creator.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { openEventStream } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { storedMessages } from '../support/nats-bus.ts';
import {
  hasNatsServer,
  type NatsServer,
  startNatsServer,
  tellOfSkippedNats,
} from '../support/nats-server.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { runLevy } from '../support/run-levy.ts';
import { secretsIn } from '../support/secret-files.ts';
import type { Environment } from '../support/service.ts';
import { allAtRest, openTestChain } from '../support/service-on-chain.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { expectExtends, noteOf, sizeIn } from '../support/signed-log.ts';

// Without it the log is copied all the same, and nobody looks at the bus.
tellOfSkippedNats(1);

const LISTS = ['/tokens', '/featured', '/tokens?limit=1'];

function environmentOn(chainUrl: string) {
  return { CHAIN_URL: chainUrl, PUBLIC_URL: 'https://levy.example.com', NONCE_ACCOUNTS_MIN: '2' };
}

async function serviceWithTokens(count: number, more: Environment = {}) {
  const { url: chainUrl } = await openTestChain();
  const folder = await folderForTheFile();
  const { keyring } = await secretsIn(folder);
  await fund(chainUrl, keyring.feePayer.address, 1_000_000_000);
  const environment = { ...environmentOn(chainUrl), ...more };
  const service = await startServiceProcess(environment, { folder });
  const creator = await openCreator(service);
  for (let made = 0; made < count; made += 1)
    await creator.createToken({ name: `Token ${made}`, symbol: `T${made}` });
  await allAtRest(service.url);
  return { chainUrl, folder, environment, service, creator };
}

/** The bytes of lists, tokens and images. */
async function answersOf({ url }: Pick<ServiceProcess, 'url'>): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    answers.set(path, `${response.status} ${bytes.toString('base64')}`);
    return bytes;
  };
  for (const path of LISTS) await read(path);
  const { tokens = [], items = tokens } = JSON.parse(String(await read('/tokens'))) as {
    tokens?: { mintAddress: string; imageUri?: string }[];
    items?: { mintAddress: string; imageUri?: string }[];
  };
  expect(items.length).toBeGreaterThan(0);
  for (const { mintAddress } of items) await read(`/tokens/${mintAddress}`);
  for (const image of await imagesIn(answers)) await read(image);
  return answers;
}

async function imagesIn(answers: ReadonlyMap<string, string>): Promise<ReadonlySet<string>> {
  const texts = [...answers.values()].map((text) =>
    Buffer.from(text.split(' ')[1] ?? '', 'base64').toString(),
  );
  return new Set(texts.flatMap((text) => text.match(/\/images\/bafkrei[a-z2-7]+(?:\.jpg)?/g) ?? []));
}

/** Resolves when the bus has as many creations; what it has is what the service tells, each once and in the same order. */
async function expectPublished(
  bus: NatsServer | undefined,
  { url }: Pick<ServiceProcess, 'url'>,
  creations: number,
): Promise<void> {
  if (bus === undefined) return;
  const connection = await bus.connect();
  const stored = await eventually('the bus has the latest creation', async () => {
    const messages = await storedMessages(connection);
    return messages.filter(({ name }) => name === 'tokens.created').length === creations && messages;
  });
  const stream = await openEventStream(url, { after: 'start', operatorKey: OPERATOR_KEY });
  const told = await stream.told(stored.length);
  stream.close();
  expect(stored.map(({ id }) => id)).toEqual(told.slice(0, stored.length).map(({ id }) => id));
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
}

async function live(service: ServiceProcess): Promise<void> {
  await eventually(
    'the read models are made',
    async () => (await fetch(`${service.url}/ready`)).status === 200,
  );
}

test('a service that is restored into EventStoreDB and back answers the same lists and goes on, on the bus too; ids of the other store are refused', async () => {
  const bus = hasNatsServer ? await startNatsServer('', ofTheFile) : undefined;
  const { folder, environment, service, creator } = await serviceWithTokens(
    2,
    bus && { PUBLISHER_URL: bus.url },
  );
  await expectPublished(bus, service, 2);
  // Asked as the one who wrote, it answers once the lists show what was written.
  await creator.client.call('GET', '/tokens');
  const expected = await answersOf(service);
  const stream = await openEventStream(service.url, { after: 'start' });
  await stream.told(2);
  const { lastEventId } = stream;
  stream.close();
  const signed = await noteOf(service, 0);
  await service.stop();

  const standIn = await startEventStoreStandIn({ lifetime: ofTheFile });
  const inServer = await folderForTheFile();
  const cluster = { ...environment, EVENT_STORE_URL: standIn.url };
  await moved({ DATA_DIR: folder }, { ...cluster, DATA_DIR: inServer });
  expect(existsSync(join(inServer, 'levy.db'))).toBe(false);

  // Its read models are those of the old store, at the old positions.
  await cp(join(folder, 'levy-read-model.db'), join(inServer, 'read-model.db'));
  const second = await startServiceProcess(cluster, { folder: inServer });
  await live(second);
  expect(await answersOf(second)).toEqual(expected);
  const refused = await fetch(`${second.url}/events`, { headers: { 'last-event-id': lastEventId ?? '' } });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('This position is not in this log');
  const next = await openCreator(second);
  await next.createToken({ name: 'Clustered', symbol: 'CLU' });
  await allAtRest(second.url);
  await expectPublished(bus, second, 3);
  const inCluster = await answersOf(second);
  const extended = await noteOf(second, sizeIn(signed));
  await expectExtends(second, signed, extended);
  const resumable = await openEventStream(second.url, { after: 'start' });
  await resumable.told(3);
  const clusterId = resumable.lastEventId;
  resumable.close();
  await second.stop();
  // An event from before the move is proved from the other store, by the tree that goes on.
  const lines = (await runLevy(['events', '--json', '--store', standIn.url])).stdout.split('\n');
  const { id } = JSON.parse(lines.find((line) => line.includes('"TokenCreated"')) ?? '{}') as { id: string };
  const proof = await runLevy(['prove', id, '--store', standIn.url], {
    DATA_DIR: inServer,
  });
  expect(proof).toMatchObject({ code: 0 });

  const back = await folderForTheFile();
  await moved({ ...cluster, DATA_DIR: inServer }, { ...environment, DATA_DIR: back });
  const third = await startServiceProcess(environment, { folder: back });
  await live(third);
  expect(await answersOf(third)).toEqual(inCluster);
  for (const id of [clusterId, lastEventId]) {
    const answer = await fetch(`${third.url}/events`, { headers: { 'last-event-id': id ?? '' } });
    expect(answer.status).toBe(400);
  }
  await expectExtends(third, extended, await noteOf(third, sizeIn(extended) - 1));
  const last = await openCreator(third);
  await last.createToken({ name: 'Back again', symbol: 'BAK' });
  expect(creator.address).not.toBe(last.address);
  await allAtRest(third.url);
  await expectPublished(bus, third, 4);
  await third.stop();
});

/** Backs up a stopped service, and restores it into other stores; its notary continues from the checkpoint in the backup. */
async function moved(from: Environment, to: Environment): Promise<void> {
  const place = join(await folderForTheFile(), 'backup');
  const backup = await runLevy(['backup', place, '--with-secrets', '--json'], from);
  expect(backup).toMatchObject({ code: 0 });
  const note = join(await folderForTheFile(), 'last-checkpoint');
  await writeFile(note, JSON.parse(backup.stdout).checkpoint);
  const restored = await runLevy(['restore', place, '--last-checkpoint', note], to);
  expect(restored).toMatchObject({ code: 0 });
}
