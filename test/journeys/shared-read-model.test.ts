/**
 * Two processes that answer, one that settles and one that writes the read models of all, in one database. The log is the
 * stand-in for EventStoreDB: what is tried here is the read models.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { type Creator, creatorWith, openCreator } from '../support/creator.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { hasMongo, sharedMongo, tellOfSkippedMongo } from '../support/mongo-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { openSeveralProcesses, type SeveralProcesses } from '../support/several-processes.ts';

tellOfSkippedMongo(3, hasMongo);

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly [detail: string]: unknown;
}

interface Listed {
  readonly tokens: readonly { readonly mintAddress: string }[];
}

async function checkOf({ url }: ServiceProcess, name: string): Promise<Check | undefined> {
  const { checks } = (await (await fetch(`${url}/ready`)).json()) as { checks: readonly Check[] };
  return checks.find((check) => check.name === name);
}

describe.skipIf(!hasMongo)('processes that share read models', () => {
  let several: SeveralProcesses;
  let apis: readonly ServiceProcess[];
  let projector: ServiceProcess;
  let here: Client;
  let there: Client;
  let creator: Creator;
  /** The same wallet and session, at the other process. */
  let elsewhere: Creator;

  /** It has neither a seed nor a chain. */
  const startProjector = () =>
    several.start('projector', {
      environment: { CHAIN_URL: 'http://127.0.0.1:1', MASTER_SEED_FILE: '/nowhere/master-seed' },
    });

  beforeAll(async () => {
    const [standIn, mongo] = await Promise.all([
      startEventStoreStandIn({ lifetime: ofTheFile }),
      sharedMongo(),
    ]);
    several = await openSeveralProcesses({
      eventStoreUrl: standIn.url,
      environment: { READ_MODEL_URL: mongo.newUrl() },
    });
    const [worker, ...rest] = await Promise.all([
      several.start('settler'),
      several.start('api'),
      several.start('api'),
      startProjector(),
    ]);
    projector = rest[2];
    apis = rest.slice(0, 2);
    await eventually('the worker has made nonce accounts', async () => {
      const check = await checkOf(worker, 'submissions');
      return Number(check?.nonceAccounts) >= 4;
    });
    [here, there] = [createClient(rest[0].url), createClient(rest[1].url)];
    creator = await openCreator(rest[0]);
    elsewhere = creatorWith({ client: there, keypair: creator.keypair, token: creator.token });
  }, 180_000);

  /** As the other process lists it, asked for everything up to the writer's position. */
  async function changed(writer: Creator, reader: Creator, mintAddress: string, percent: number) {
    const path = `/distribution/${mintAddress}/settings`;
    const written = await writer.call('PATCH', path, { json: { burnPercent: percent } });
    expect(written.status).toBe(200);
    const headers = { 'x-after-position': written.headers.get('x-position') ?? '' };
    const read = await reader.call('GET', path, { headers });
    expect([read.status, read.body]).toEqual([200, written.body]);
  }

  let mintAddress: string;

  test('play the flow in turns, and list one and the same', async () => {
    const { walletId } = await creator.generateWallet();
    const { imageUri } = await elsewhere.upload();
    const draft = await creator.draft({ walletId, imageUri });
    ({ mintAddress } = await elsewhere.submit(draft));
    await eventually('both list it', async () => {
      const lists = await Promise.all([here, there].map((each) => each.ask<Listed>('GET', '/tokens')));
      return lists.every(({ tokens }) => tokens.some((token) => token.mintAddress === mintAddress));
    });
    const texts = await Promise.all([here, there].map((each) => each.call('GET', '/tokens')));
    expect(texts[0]?.bytes).toEqual(texts[1]?.bytes);
  });

  test('lose nothing when the writer is killed, and another takes over', async () => {
    const before = await checkOf(projector, 'role projector');
    const successor = await startProjector();
    await projector.stop('SIGKILL');
    const path = `/distribution/${mintAddress}/settings`;
    const written = await creator.call('PATCH', path, { json: { burnPercent: 40 } });
    expect(written.status).toBe(200);
    await eventually('the other process shows it', async () => {
      const headers = { 'x-after-position': written.headers.get('x-position') ?? '' };
      const read = await elsewhere.call<{ burnPercent: number }>('GET', path, { headers });
      return read.status === 200 && read.body.burnPercent === 40;
    });
    projector = successor;
    const after = await checkOf(successor, 'role projector');
    expect(after).toMatchObject({ state: 'held', heldBy: 'this process' });
    expect(Number(after?.term)).toBeGreaterThan(Number(before?.term));
    await changed(elsewhere, creator, mintAddress, 41);
  });

  test('answer calls and lists while nobody writes, and say so', async () => {
    await projector.stop();
    await eventually('they say so', async () => {
      const check = await checkOf(apis[0] as ServiceProcess, 'shared read models');
      return check?.writer === null && Number(check.secondsSilent) >= 5 && check.ok;
    });
    expect((await here.ask<Listed>('GET', '/tokens')).tokens.length).toBe(1);
    const path = `/distribution/${mintAddress}/settings`;
    const written = await creator.call('PATCH', path, { json: { burnPercent: 42 } });
    expect(written.status).toBe(200);
    const headers = { 'x-after-position': written.headers.get('x-position') ?? '' };
    await elsewhere.client.refusal('STORE_UNAVAILABLE', 'GET', path, { headers, token: creator.token });
    // What is submitted is found in the log: it is sent, and what it was for is recorded.
    const others = await Promise.all([
      openCreator(apis[0] as ServiceProcess),
      openCreator(apis[1] as ServiceProcess),
    ]);
    for (const other of others) expect((await other.createToken()).mintAddress).toBeDefined();
    const types = (await several.events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'TokenCreated')).toHaveLength(3);
    expect(types.filter((type) => /^Submission(Overdue|Failed)$/.test(type))).toEqual([]);
    projector = await startProjector();
    await eventually('it is shown', async () => {
      const { status, body } = await elsewhere.call('GET', path, { headers });
      return status === 200 && JSON.stringify(body) === JSON.stringify(written.body);
    });
  });
});
