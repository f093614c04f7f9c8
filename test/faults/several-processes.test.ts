/** Guarantees for clients whose calls are answered by different processes. */
import { Keypair } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { createClient } from '../support/client.ts';
import {
  type Creator,
  creatorWallet,
  creatorWith,
  openCreator,
  signatureOf,
  signIn,
} from '../support/creator.ts';
import { startEventStoreStandIn } from '../support/event-store-stand-in/server.ts';
import { openEventStream } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { ofTheFile } from '../support/lifetime.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { openSeveralProcesses, type SeveralProcesses } from '../support/several-processes.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly state?: string;
  readonly heldBy?: string | null;
}

async function checksOf({ url }: ServiceProcess): Promise<readonly Check[]> {
  const { checks } = (await (await fetch(`${url}/ready`)).json()) as { checks: readonly Check[] };
  return checks;
}

async function roleOf(process: ServiceProcess, name: string): Promise<Check | undefined> {
  return (await checksOf(process)).find((check) => check.name === `role ${name}`);
}

describe('two processes that answer, and one that works', () => {
  let several: SeveralProcesses;
  let worker: ServiceProcess;
  let here: Client;
  let there: Client;
  let creator: Creator;
  /** The same wallet and session, at the other process. */
  let elsewhere: Creator;

  beforeAll(async () => {
    const { url } = await startEventStoreStandIn({ lifetime: ofTheFile });
    several = await openSeveralProcesses({ eventStoreUrl: url });
    worker = await several.start('settler,publisher');
    const [first, second] = await Promise.all([several.start('api'), several.start('api')]);
    await eventually('the worker has made nonce accounts', async () => {
      const opened = (await several.events()).filter(({ type }) => type === 'NonceAccountOpened');
      return opened.length >= 4;
    });
    here = createClient(first.url);
    there = createClient(second.url);
    creator = await openCreator(first);
    const { keypair, token } = creator;
    elsewhere = creatorWith({ client: there, keypair, token });
  });

  test('the flow goes well although each step is another process’s', async () => {
    const { walletId } = await creator.generateWallet();
    const { imageUri } = await elsewhere.upload();
    const draft = await creator.draft({ walletId, imageUri: imageUri });
    const { mintAddress } = await elsewhere.submit(draft);
    expect(mintAddress).toBe(draft.mintKeypair.publicKey);
    await eventually('both list it', async () => {
      const lists = await Promise.all(
        [here, there].map((client) => client.ask<{ tokens: { mintAddress: string }[] }>('GET', '/tokens')),
      );
      return lists.every(({ tokens }) => tokens.some((token) => token.mintAddress === mintAddress));
    });
    expect(await creator.submit(draft)).toMatchObject({ mintAddress });
  });

  test('who has just written reads it, wherever', async () => {
    const { mintAddress } = await creator.createToken();
    const path = `/distribution/${mintAddress}/settings`;
    for (let percent = 1; percent <= 20; percent += 1) {
      const [writer, reader] = percent % 2 === 0 ? [creator, elsewhere] : [elsewhere, creator];
      const written = await writer.call('PATCH', path, { json: { burnPercent: percent } });
      expect(written.status).toBe(200);
      const headers = { 'x-after-position': written.headers.get('x-position') ?? '' };
      const read = await reader.call('GET', path, { headers });
      expect([read.status, read.body]).toEqual([200, written.body]);
      expect(read.headers.get('etag')).toBe(written.headers.get('etag'));
    }
  });

  test('who signs out at one process is signed out at the other at once', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [near, far] = round % 2 === 0 ? [here, there] : [there, here];
      const { token } = await signIn(near, creator.keypair);
      expect((await far.call('GET', '/tokens/me', { token })).status).not.toBe(401);
      await near.ask('POST', '/auth/logout', { token });
      await far.refusal('UNAUTHENTICATED', 'POST', '/tokens/upload-image', { token });
    }
  });

  test('a challenge is good for one use, whichever processes it is used at', async () => {
    for (let round = 0; round < 10; round += 1) {
      const keypair = Keypair.generate();
      const { address: walletAddress } = creatorWallet(keypair);
      const { challenge } = await here.ask<{ challenge: string }>('POST', '/auth/challenge', {
        json: { walletAddress },
      });
      const json = {
        walletAddress,
        message: challenge,
        signature: signatureOf(keypair, Buffer.from(challenge)),
      };
      const answers = await Promise.all(
        [here, there, here, there].map((client) => client.call('POST', '/auth/verify', { json })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    }
  });

  test('no two drafts have one nonce account', async () => {
    const wallets = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        openCreator({ url: (index % 2 === 0 ? here : there).url, chainUrl: several.chainUrl }),
      ),
    );
    const drafts = await Promise.all(wallets.map((wallet) => wallet.draft()));
    const ids = new Set(drafts.map(({ transactionId }) => transactionId));
    const issued = (await several.events()).filter(
      ({ type, data }) => type === 'DraftIssued' && ids.has(String(data.transactionId)),
    );
    const accounts = issued.map(({ data }) => (data.lifetime as { nonceAccount: string }).nonceAccount);
    expect(new Set(accounts).size).toBe(8);
  });

  test('both give the same answers, and tell the same events', async () => {
    const { mintAddress } = await creator.createToken();
    const written = await creator.call('PATCH', `/distribution/${mintAddress}/settings`, {
      json: { developerFeePercent: 7 },
    });
    const headers = { 'x-after-position': written.headers.get('x-position') ?? '' };
    const paths = [
      '/tokens',
      '/tokens?limit=2&page=2',
      `/tokens?creator=${creator.address}`,
      `/tokens/${mintAddress}`,
      `/distribution/${mintAddress}/settings`,
      `/distribution/${mintAddress}/settings/history`,
      `/metadata/${mintAddress}.json`,
      '/featured',
      '/.well-known/jwks.json',
    ];
    for (const path of paths) {
      const [one, other] = await Promise.all(
        [creator, elsewhere].map((each) => each.call('GET', path, { headers })),
      );
      expect([path, one?.status]).toEqual([path, 200]);
      expect(Buffer.from(other?.bytes ?? []).toString()).toBe(Buffer.from(one?.bytes ?? []).toString());
    }
    const told = await Promise.all(
      [here, there].map(async ({ url }) => {
        const stream = await openEventStream(url, { after: 'start', operatorKey: OPERATOR_KEY });
        await stream.reached(headers['x-after-position']);
        stream.close();
        return stream.events.filter(({ position }) => position <= headers['x-after-position']);
      }),
    );
    expect(told[0]?.length).toBeGreaterThan(10);
    expect(told[1]).toEqual(told[0]);
  });

  test('a process shows which role is held by whom, and one that stands by takes over at once when the other stops', async () => {
    const standby = await several.start('settler');
    expect(await roleOf(worker, 'settler')).toMatchObject({
      ok: true,
      state: 'held',
      heldBy: 'this process',
    });
    await eventually('the other knows who holds it', async () => {
      const role = await roleOf(standby, 'settler');
      return role?.state === 'waiting' && role.heldBy === 'another process';
    });
    const draft = await creator.draft();
    expect((await worker.stop()).code).toBe(0);
    await eventually(
      'the other has taken over',
      async () => (await roleOf(standby, 'settler'))?.state === 'held',
    );
    expect(await creator.submit(draft)).toMatchObject({ success: true });
    worker = standby;
  });

  test('a process that answers no calls tells how it is, and nothing else', async () => {
    const [health, ready, tokens] = await Promise.all(
      ['/health', '/ready', '/tokens'].map((path) => fetch(`${worker.url}${path}`)),
    );
    expect([health?.status, ready?.status, tokens?.status]).toEqual([200, 200, 404]);
  });

  test('a process that only publishes needs neither the seed nor the chain', async () => {
    const publisher = await several.start('publisher', {
      environment: {
        MASTER_SEED_FILE: '/nowhere/seed',
        CHAIN_URL: 'http://127.0.0.1:9',
        PUBLISHER_URL: 'nats://127.0.0.1:9',
      },
    });
    const checks = await checksOf(publisher);
    expect(checks.map(({ name }) => name)).not.toContain('chain');
    expect(checks.find(({ name }) => name === 'event store')).toMatchObject({ ok: true });
  });
});
