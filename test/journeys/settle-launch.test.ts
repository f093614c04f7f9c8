// How launches end that do not land as they should: overtaken, never sent on, or looked for at a node that is behind.
import { Keypair } from '@solana/web3.js';
import { describe, expect, test, vi } from 'vitest';
import { VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import { liquidityOf, MAX_SQRT_PRICE, sqrtPriceOfMarketCap } from '../../src/chain/venue/curve.ts';
import { swallowSends } from '../support/chain-proxy.ts';
import { signedBy } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  broadcast,
  execute,
  issueLaunch,
  type LaunchDraft,
  launchStatus,
  launchSubmission,
  launchThatIs,
  tellOfSkipping,
  venueProgramFile,
} from '../support/launching.ts';
import { openCreatorBehindProxy } from '../support/service-behind-proxy.ts';
import { openTestChain, type ServiceOnChain } from '../support/service-on-chain.ts';
import type { TransactionStatus } from '../support/settling.ts';
import { createVenueTrader } from '../support/venue-trader.ts';

tellOfSkipping('launches that do not land as they should');
vi.setConfig({ testTimeout: 120_000 });

const PATIENCE = { seconds: 60 };
/** A blockhash is good for 15 seconds. */
const SLOT = 100;

async function openStage() {
  const programs = [{ programId: VENUE_PROGRAM, file: venueProgramFile ?? '' }];
  const chain = await openTestChain({ programs, slotMilliseconds: SLOT });
  const { proxy, service, creator } = await openCreatorBehindProxy({
    chainUrl: chain.url,
    environment: { NONCE_ACCOUNTS_MIN: '1', SUBMIT_WAIT: '4s' },
  });
  const { mintAddress: mint } = await creator.createToken();
  return { chain, proxy, service, creator, mint };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

function transactionOf({ creator }: Stage, { transactionId }: LaunchDraft): Promise<TransactionStatus> {
  return creator.client.ask('GET', `/transactions/${transactionId}`, { token: creator.token });
}

async function lifeOf(service: ServiceOnChain, { transactionId }: LaunchDraft): Promise<readonly string[]> {
  const events = await service.events();
  return events.filter(({ stream }) => stream === `draft-${transactionId}`).map(({ type }) => type);
}

describe.skipIf(venueProgramFile === undefined).concurrent('a launch', () => {
  test('that was accepted and then overtaken by another pool has failed, with the words of the chain', async () => {
    const stage = await openStage();
    const { chain, proxy, service, creator, mint } = stage;
    const draft = await issueLaunch(creator, mint);
    const release = proxy.treat(swallowSends());
    const first = launchSubmission(creator, draft);
    await eventually('it is accepted', async () =>
      (await lifeOf(service, draft)).includes('SubmissionAccepted'),
    );
    const position = Keypair.generate();
    const sqrtMinPrice = sqrtPriceOfMarketCap(250_000_000n, 1_000_000_000_000_000n);
    const pool = await createVenueTrader(mint).squat({
      creator: creator.address,
      positionMint: position.publicKey.toBase58(),
      liquidity: liquidityOf(500_000_000n, sqrtMinPrice, MAX_SQRT_PRICE),
      sqrtMinPrice,
      sqrtMaxPrice: MAX_SQRT_PRICE,
      locked: true,
    });
    await execute(chain.url, pool, [creator.keypair, position]);
    release();
    await first;
    const { status, body } = await eventually(
      'the submission is answered',
      async () => {
        const answer = await launchSubmission(creator, draft);
        return answer.body.code !== 'CONFIRMATION_PENDING' && answer;
      },
      PATIENCE,
    );
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'POOL_ADDRESS_TAKEN' });
    const { error } = await transactionOf(stage, draft);
    expect(error?.logs.join('\n')).toContain('already in use');
    expect(await launchStatus(creator.client, mint)).toMatchObject({ status: 'expired' });
    expect(await lifeOf(service, draft)).toEqual(['DraftIssued', 'SubmissionAccepted', 'SubmissionFailed']);
  });

  test('that the node takes and never passes on has expired when no block can hold it any more', async () => {
    const stage = await openStage();
    const { proxy, creator, mint } = stage;
    const draft = await issueLaunch(creator, mint);
    const wire = signedBy(creator.keypair, draft.transaction);
    proxy.treat(swallowSends());
    await launchSubmission(creator, draft);
    await launchThatIs(creator.client, mint, 'expired', PATIENCE);
    expect(await transactionOf(stage, draft)).toMatchObject({
      status: 'failed',
      error: { code: 'TRANSACTION_EXPIRED' },
    });
    // Sent again and again meanwhile, and always the same bytes.
    const sent = proxy.asked
      .filter(({ method }) => method === 'sendTransaction')
      .map(({ params }) => params[0]);
    const launches = sent.filter((bytes) => bytes === wire);
    expect(launches.length).toBeGreaterThan(1);
  });

  test('is not given up by the word of a node that is behind', async () => {
    const { chain, proxy, service, creator, mint } = await openStage();
    const draft = await issueLaunch(creator, mint);
    let isBehind = true;
    // It tells the height of another node, and of accounts only what was long ago.
    proxy.treat(({ method, params }) => {
      const [addresses, config] = params as [string[], { minContextSlot?: number } | undefined];
      if (!isBehind || method !== 'getMultipleAccounts' || !addresses.includes(draft.bondingCurveId))
        return undefined;
      return config?.minContextSlot === undefined
        ? { kind: 'result', result: { context: { slot: 1 }, value: addresses.map(() => null) } }
        : { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached' };
    });
    await broadcast(chain.url, creator.keypair, draft);
    await eventually(
      'no block can hold it any more',
      async () => {
        const response = await fetch(chain.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlockHeight', params: [] }),
        });
        const { result } = (await response.json()) as { result: number };
        return result > draft.lastValidBlockHeight + 20;
      },
      PATIENCE,
    );
    expect(await lifeOf(service, draft)).toEqual(['DraftIssued']);
    isBehind = false;
    expect(await launchThatIs(creator.client, mint, 'active', PATIENCE)).toMatchObject({
      bondingCurveId: draft.bondingCurveId,
    });
  });
});
