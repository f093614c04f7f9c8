// Killed where nobody comes back to finish: sign-ins, drafts that nobody signs or that a newer one replaces, and the chain's own process.
import { execFileSync } from 'node:child_process';
import { Keypair } from '@solana/web3.js';
import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../support/client.ts';
import { openCreator, signatureOf } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import { expectOneTokenAndNothingLeaked, type Journey, openJourney } from '../support/interrupted-journey.ts';
import { allAtRest, readiness } from '../support/service-on-chain.ts';
import type { ServiceProcess } from '../support/service-process.ts';

// Each test starts several processes, several tests at a time.
vi.setConfig({ testTimeout: 180_000 });

describe.concurrent('a sign-in that is interrupted', () => {
  async function challengeFor(service: ServiceProcess, wallet: Keypair) {
    const walletAddress = wallet.publicKey.toBase58();
    const { challenge } = await createClient(service.url).ask<{ challenge: string }>(
      'POST',
      '/auth/challenge',
      { json: { walletAddress } },
    );
    const signature = signatureOf(wallet, Buffer.from(challenge));
    return { walletAddress, signature, message: challenge };
  }

  test('before it is recorded can be repeated as it was', async () => {
    const journey = await openJourney();
    const wallet = Keypair.generate();
    let json: unknown;
    await journey.playUntilKilled('before:ChallengeUsed', async (service) => {
      json = await challengeFor(service, wallet);
      await createClient(service.url).call('POST', '/auth/verify', { json });
    });
    const client = createClient((await journey.start()).url);
    expect((await client.call('POST', '/auth/verify', { json })).status).toBe(200);
    await client.refusal('SIGN_IN_FAILED', 'POST', '/auth/verify', { json });
  });
});

describe.concurrent('a draft that nobody comes back for', () => {
  test.each([
    'before:NonceLeased',
    'before:DraftIssued',
  ])('when the service was killed %s gives back what it had claimed', async (killAt) => {
    const journey = await openJourney({ claimLapseMs: 500 });
    await journey.playUntilKilled(killAt);
    const service = await journey.start();
    await allAtRest(service.url);
    await expectWalletUsableByAnother(journey, service);
  });

  test.each([
    'DraftAbandoned',
    'NonceReturned',
  ])('gives back what it had claimed, killed before and after %s too', async (type) => {
    const journey = await openJourney({ claimLapseMs: 500 });
    await journey.playUntilKilled('after:NonceLeased');
    const idle = async () => {};
    await journey.playUntilKilled(`before:${type}`, idle);
    await journey.playUntilKilled(`after:${type}`, idle);
    const service = await journey.start();
    await allAtRest(service.url);
    // The call that was never answered still is, when it comes after all.
    await journey.play(service);
    await expectOneTokenAndNothingLeaked(journey, service);
  });

  test('expires, killed before and after this is recorded, and its nonce account is free with its value', async () => {
    const journey = await openJourney({ draftLifetimeMs: 1_000 });
    const abandon = async (service: ServiceProcess) => {
      await journey.draft(service);
    };
    await journey.playUntilKilled('before:DraftExpired', abandon);
    await journey.playUntilKilled('after:DraftExpired', abandon);
    const service = await journey.start();
    await allAtRest(service.url);
    const log = await journey.logAfter(service);
    const values = log.filter(({ type }) => type.startsWith('Nonce')).map(({ data }) => data.value);
    expect(new Set(values.filter((value) => value !== undefined)).size).toBe(1);
    expect(log.filter(({ type }) => type === 'DraftExpired')).toHaveLength(1);
  });
});

describe.concurrent('a draft that its creator cancels', () => {
  test.each<readonly [string, string]>([
    ['DraftCancelled', 'is cancelled once, and gives back what it had claimed'],
    ['NonceReturned', 'gives its nonce account back with its value'],
  ])('killed before and after %s, %s', async (type) => {
    const journey = await openJourney();
    const cancel = async (service: ServiceProcess) => {
      await journey.draft(service);
      await journey.cancel(service);
    };
    await journey.playUntilKilled(`before:${type}`, cancel);
    await journey.playUntilKilled(`after:${type}`, cancel);
    const service = await journey.start();
    await cancel(service);
    await allAtRest(service.url);
    await expect(journey.submit(service)).rejects.toThrow(/TRANSACTION_CANCELLED/);
    const log = await journey.logAfter(service);
    const told = log.filter(({ type: each }) => ['DraftCancelled', 'NonceReturned'].includes(each));
    expect(told.map(({ type: each }) => each)).toEqual(['DraftCancelled', 'NonceReturned']);
  });
});

/** A second creator, with a wallet of the same journey. */
async function expectWalletUsableByAnother(journey: Journey, service: ServiceProcess): Promise<void> {
  const another = await openCreator(service);
  const draft = await another.draft({ walletId: journey.answers.wallet?.walletId });
  expect((await another.submit(draft)).success).toBe(true);
}

describe.concurrent("the local chain's process", () => {
  /** Of the processes that the service has started. */
  function childrenOf(pid: number | undefined): readonly number[] {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const rows = table.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
    return rows.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
  }

  function killChain(service: ServiceProcess): void {
    const [chain, ...others] = childrenOf(service.child.pid);
    if (chain === undefined || others.length > 0) throw new Error('the service has not just one child');
    process.kill(chain, 'SIGKILL');
  }

  test('killed between draft and submission, and again after the answer, loses nothing and is noticed', async () => {
    const journey = await openJourney();
    const service = await journey.start();
    await journey.draft(service);
    killChain(service);
    await journey.submit(service);
    killChain(service);
    await eventually('the chain is back', async () => (await readiness(service.url)).status === 200);
    await journey.play(service);
    expect(await restarts(service)).toBe(2);
    await expectOneTokenAndNothingLeaked(journey, service);
  });

  async function restarts(service: ServiceProcess): Promise<unknown> {
    const { checks } = (await (await fetch(`${service.url}/ready`)).json()) as {
      checks: { name: string; restarts?: number }[];
    };
    return checks.find(({ name }) => name === 'chain')?.restarts;
  }
});
