// What speaks against a launch, and pools that are there without it: over real HTTP, most of it with the venue's real program.
import {
  createAssociatedTokenAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, LAMPORTS_PER_SOL, PublicKey, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { poolAddress, VENUE_PROGRAM } from '../../src/chain/venue/addresses.ts';
import { liquidityOf, MAX_SQRT_PRICE, sqrtPriceOfMarketCap } from '../../src/chain/venue/curve.ts';
import { type Creator, fund, openCreator } from '../support/creator.ts';
import { eventually } from '../support/eventually.ts';
import {
  broadcast,
  execute,
  executeWeb3,
  issueLaunch,
  LAUNCH_PARAMETERS,
  type LaunchStatus,
  launchSubmission,
  launchThatIs,
  tellOfSkipping,
  VENUE_ENVIRONMENT,
  venueProgramFile,
} from '../support/launching.ts';
import { OPERATOR_KEY } from '../support/operator.ts';
import { openTestService, type TestService } from '../support/service.ts';
import type { TransactionStatus } from '../support/settling.ts';
import { createVenueTrader } from '../support/venue-trader.ts';

tellOfSkipping('refusals of launches that need the venue');

const CREATE = ['POST', '/launchpad/create-unsigned'] as const;

async function withToken(service: TestService, options: { readonly sol?: number } = {}): Promise<Owned> {
  const creator = await openCreator(service, options);
  const { mintAddress } = await creator.createToken();
  return { creator, mint: mintAddress };
}

function transactionOf({ client, token }: Creator, { transactionId }: { readonly transactionId: string }) {
  return client.ask<TransactionStatus>('GET', `/transactions/${transactionId}`, { token });
}

function wish(creator: Creator, tokenMint: string, change: Readonly<Record<string, string>> = {}) {
  return { token: creator.token, json: { tokenMint, ...LAUNCH_PARAMETERS, ...change } };
}

test('where the venue is not on the chain, a launch is refused, and the answer says how to load it', async () => {
  const service = await openTestService();
  const { creator, mint } = await withToken(service);
  const refusal = await creator.client.refusal('VENUE_UNAVAILABLE', ...CREATE, wish(creator, mint));
  // 503 alone would ask for a repetition.
  expect(refusal.status).toBe(409);
  expect(refusal.detail).toMatch(/^Launches are not available: .* Retrying does not help\./);
  expect(refusal.detail).toContain(`LOCAL_CHAIN_ACCOUNTS=${VENUE_PROGRAM}=`);
  await creator.client.refusal('LAUNCH_NOT_FOUND', 'GET', `/launchpad/${mint}/status`);
  expect(service.recorded.filter(({ data }) => JSON.stringify(data).includes('"launch"'))).toEqual([]);
});

describe.skipIf(venueProgramFile === undefined)('with the venue on the chain', () => {
  let service: TestService;
  let creator: Creator;

  beforeAll(async () => {
    service = await openTestService(VENUE_ENVIRONMENT);
    ({ creator } = await withToken(service));
  });

  test('a token that is hidden after its launch was issued is not launched by the service; what its creator sends is recorded, and stays hidden', async () => {
    const { creator: owner, mint: hidden } = await withToken(service);
    const draft = await issueLaunch(owner, hidden);
    const operate = (act: 'hide' | 'show') =>
      creator.client.ask('POST', `/operator/tokens/${hidden}/${act}`, {
        operatorKey: OPERATOR_KEY,
        json: { reason: 'a test of what is hidden' },
      });
    await operate('hide');
    expect(await launchSubmission(owner, draft)).toMatchObject({
      status: 409,
      body: { code: 'TOKEN_HIDDEN' },
    });
    const signature = await broadcast(service.chainUrl, owner.keypair, draft);
    const path = `/launchpad/${hidden}/status`;
    await eventually(
      'its creator sees it',
      async () => (await owner.call<LaunchStatus>('GET', path)).body.status === 'active',
    );
    await creator.client.refusal('LAUNCH_NOT_FOUND', 'GET', path);
    await creator.client.refusal('TOKEN_NOT_FOUND', 'GET', `/tokens/${hidden}`);
    expect(await transactionOf(owner, draft)).toMatchObject({ status: 'confirmed', signature });
    await operate('show');
    await launchThatIs(creator.client, hidden, 'active');
  });
});

describe.skipIf(venueProgramFile === undefined)('a pool that somebody else made first', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await openTestService(VENUE_ENVIRONMENT);
  });

  test.each([
    ['by a holder of a few tokens', 'holder'],
    ["by the creator's own wallet, with the very terms, but not by the launch", 'creator'],
  ])('%s is never taken for the launch: neither issued before nor after it', async (_what, squatter) => {
    const { creator, mint } = await withToken(service);
    const draft = await issueLaunch(creator, mint);
    const holder = Keypair.generate();
    await fund(service.chainUrl, holder.publicKey.toBase58(), LAMPORTS_PER_SOL);
    await giveTokens(service, { creator, mint }, holder.publicKey, 1_000_000_000n);
    const wallet = squatter === 'holder' ? holder : creator.keypair;
    const position = Keypair.generate();
    const sqrtMinPrice = sqrtPriceOfMarketCap(250_000_000n, 1_000_000_000_000_000n);
    const pool = await createVenueTrader(mint).squat({
      creator: wallet.publicKey.toBase58(),
      positionMint: position.publicKey.toBase58(),
      liquidity: liquidityOf(500_000_000n, sqrtMinPrice, MAX_SQRT_PRICE),
      sqrtMinPrice,
      sqrtMaxPrice: MAX_SQRT_PRICE,
      locked: true,
    });
    await execute(service.chainUrl, pool, [wallet, position]);

    await creator.client.refusal('POOL_ADDRESS_TAKEN', ...CREATE, wish(creator, mint));
    const late = await launchSubmission(creator, draft);
    expect(['POOL_ADDRESS_TAKEN', 'TRANSACTION_EXPIRED']).toContain(late.body.code);
    expect(await launchThatIs(creator.client, mint, 'expired')).toMatchObject({
      bondingCurveId: draft.bondingCurveId,
      currentMarketCap: '0',
      launchedAt: null,
    });
    const { token } = await creator.client.ask<{ token: { poolAddress: string | null } }>(
      'GET',
      `/tokens/${mint}`,
    );
    expect(token.poolAddress).toBeNull();
    expect(draft.bondingCurveId).toBe(poolAddress(mint));
  });
});

describe.skipIf(venueProgramFile === undefined)(
  'a launch whose position its owner has emptied and closed',
  () => {
    test('is known all the same, by the transaction that made it', async () => {
      // Slow, so that the position is gone long before anything is final.
      const service = await openTestService({ ...VENUE_ENVIRONMENT, LOCAL_CHAIN_SLOT_MS: '100' });
      const { creator, mint } = await withToken(service);
      const draft = await issueLaunch(creator, mint);
      await broadcast(service.chainUrl, creator.keypair, draft);
      const [, signer] = Transaction.from(Buffer.from(draft.transaction, 'base64')).signatures;
      const ours = signer?.publicKey.toBase58() ?? '';
      const other = Keypair.generate();
      const trader = createVenueTrader(mint);
      const otherMint = other.publicKey.toBase58();
      await execute(
        service.chainUrl,
        [
          ...(await trader.openPosition(creator.address, otherMint)),
          ...(await trader.moveAll(creator.address, ours, otherMint)),
          ...(await trader.closePosition(creator.address, ours)),
        ],
        [creator.keypair, other],
      );
      expect(await launchThatIs(creator.client, mint, 'active', { seconds: 45 })).toMatchObject({
        bondingCurveId: draft.bondingCurveId,
      });
    });
  },
);

interface Owned {
  readonly creator: Creator;
  readonly mint: string;
}

/** So many base units of the creator's, before the tax on them. */
async function giveTokens(
  { chainUrl }: TestService,
  { creator, mint }: Owned,
  to: PublicKey,
  baseUnits: bigint,
): Promise<void> {
  const [key, owner] = [new PublicKey(mint), creator.keypair.publicKey];
  const [from, target] = [owner, to].map((wallet) =>
    getAssociatedTokenAddressSync(key, wallet, true, TOKEN_2022_PROGRAM_ID),
  );
  if (from === undefined || target === undefined) throw new Error('two accounts are asked for');
  const program = TOKEN_2022_PROGRAM_ID;
  await executeWeb3(chainUrl, creator.keypair, [
    createAssociatedTokenAccountInstruction(owner, target, to, key, program),
    createTransferCheckedInstruction(from, key, target, owner, baseUnits, 6, [], program),
  ]);
}
