// A launch from the unsigned transaction to its completed target, over real HTTP with the venue's real program.
import { Keypair, LAMPORTS_PER_SOL, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Creator, fund, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  broadcast,
  buyTokens,
  issueLaunch,
  LAUNCH_PARAMETERS,
  launchStatus,
  launchSubmission,
  launchThatIs,
  tellOfSkipping,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { openTestService, type TestService } from '../support/service.ts';

tellOfSkipping('the journeys of launches');

describe.skipIf(venueProgramFile === undefined)('a launch', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await openTestService(VENUE_ENVIRONMENT);
  });

  async function openWithToken(): Promise<{ readonly creator: Creator; readonly mint: string }> {
    const creator = await openCreator(service);
    await fund(service.chainUrl, creator.address, 10 * LAMPORTS_PER_SOL);
    const { mintAddress } = await creator.createToken();
    return { creator, mint: mintAddress };
  }

  test('is issued with the signature of its position, and says where the pool will be and how long it can land', async () => {
    const { creator, mint } = await openWithToken();
    const draft = await issueLaunch(creator, mint);
    expect(draft).toMatchObject({
      curve: { startPrice: '0.25', endPrice: '4', priceMultiplier: '16' },
      liquidityLocked: true,
    });
    const transaction = Transaction.from(Buffer.from(draft.transaction, 'base64'));
    const [payer, position] = transaction.signatures;
    expect(payer).toMatchObject({ publicKey: creator.keypair.publicKey, signature: null });
    expect(position?.signature).not.toBeNull();
    expect(transaction.verifySignatures(false)).toBe(true);
    expect(await launchStatus(creator.client, mint)).toMatchObject({
      targetMarketCap: '0',
      totalTokens: '0',
    });
    expect((await creator.call('GET', `/launchpad/${mint}/status`)).body).toMatchObject({
      status: 'pending',
      bondingCurveId: draft.bondingCurveId,
      targetMarketCap: LAUNCH_PARAMETERS.targetMarketCap,
      totalTokens: '772000000000000',
      currentMarketCap: '0',
      launchedAt: null,
    });
  });

  test('that its creator sends is seen, sold from, and completed at the target', async () => {
    const { creator, mint } = await openWithToken();
    const draft = await issueLaunch(creator, mint);
    await broadcast(service.chainUrl, creator.keypair, draft);
    const active = await launchThatIs(creator.client, mint, 'active');
    expect(active).toMatchObject({
      mintAddress: mint,
      bondingCurveId: draft.bondingCurveId,
      progress: 0,
      currentMarketCap: '250000000',
      targetMarketCap: LAUNCH_PARAMETERS.targetMarketCap,
      tokensSold: '0',
      totalTokens: '772000000000000',
      solCollected: '0',
      currentPrice: '0.25',
      completedAt: null,
    });
    const { token } = await creator.client.ask<{ token: Record<string, unknown> }>('GET', `/tokens/${mint}`);
    expect(token).toMatchObject({ poolAddress: draft.bondingCurveId, poolCreatedAt: active.launchedAt });

    const buyer = Keypair.generate();
    await fund(service.chainUrl, buyer.publicKey.toBase58(), 10 * LAMPORTS_PER_SOL);
    await buyTokens(service.chainUrl, buyer, mint, 100_000_000n);
    const sold = await eventually('the sale is seen', async () => {
      const found = await launchStatus(creator.client, mint);
      return found.solCollected !== '0' && found;
    });
    // One percent of what is paid is the fee of the venue.
    expect(sold.solCollected).toBe('99000000');
    expect(BigInt(sold.currentMarketCap)).toBeGreaterThan(250_000_000n);
    expect(sold.status).toBe('active');

    await buyTokens(service.chainUrl, buyer, mint, 2_000_000_000n);
    const completed = await launchThatIs(creator.client, mint, 'completed');
    expect(completed.progress).toBe(100);
    expect(BigInt(completed.currentMarketCap)).toBeGreaterThanOrEqual(4_000_000_000n);
    expect(completed.completedAt).not.toBeNull();
    // What was seen then stays.
    expect(await launchStatus(creator.client, mint)).toEqual(completed);
  });

  test('can be submitted instead, and again, and is then there once', async () => {
    const { creator, mint } = await openWithToken();
    const draft = await issueLaunch(creator, mint);
    const first = await launchSubmission(creator, draft);
    expect(first).toMatchObject({
      status: 200,
      body: { success: true, mintAddress: mint, bondingCurveId: draft.bondingCurveId },
    });
    expect(await launchThatIs(creator.client, mint, 'active')).toMatchObject({ progress: 0 });
    const again = await launchSubmission(creator, draft);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    await creator.client.refusal('LAUNCH_ALREADY_EXISTS', 'POST', '/launchpad/create-unsigned', {
      token: creator.token,
      json: { tokenMint: mint, ...LAUNCH_PARAMETERS },
    });
  });
});
