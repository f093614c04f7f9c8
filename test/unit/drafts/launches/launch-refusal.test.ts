// What a submission of a launch is told when the chain would refuse it: over real read models, with accounts as the venue's program left them.
import { describe, expect, test } from 'vitest';
import { decodePool, decodePosition } from '../../../../src/chain/venue/venue-accounts.ts';
import type { PurposeParts } from '../../../../src/drafts/purposes/purpose-behaviour.ts';
import { tokenLaunch } from '../../../../src/drafts/purposes/token-launch-behaviour.ts';
import type { ChainAccount } from '../../../../src/kernel/ports/chain.ts';
import type { Launch } from '../../../../src/streams/purposes/token-launch.ts';
import { causeOf } from '../../../support/counter.ts';
import { addresses } from '../../../support/domain-examples.ts';
import { issuedLaunchDraft, launchTransactionId } from '../../../support/launch-examples.ts';
import { recorded } from '../../chain/venue/recorded-accounts.ts';

const launchSubject = issuedLaunchDraft.subject as Launch;
const draft = { transactionId: launchTransactionId, creator: addresses.creator, subject: launchSubject };

function partsWith(options: {
  readonly accounts?: { readonly [address: string]: ChainAccount };
  readonly drafts?: readonly Launch[];
  readonly creator?: string;
  readonly started?: boolean;
}): PurposeParts {
  const { accounts = {}, drafts = [], creator = addresses.creator, started = false } = options;
  const parts = {
    executor: { load: async () => ({ state: started ? {} : undefined }) },
    chain: { accounts: async (asked: readonly string[]) => asked.map((address) => accounts[address]) },
    readModel: { find: async () => drafts.map((subject) => ({ issued: { creator, subject } })) },
  };
  return parts as unknown as PurposeParts;
}

const codeOf = async (parts: PurposeParts) => (await tokenLaunch.refusal?.(draft, parts))?.code;

describe('a launch that the chain would refuse', () => {
  test('is told that the token is launched, once that is recorded', async () => {
    expect(await codeOf(partsWith({ started: true }))).toBe('LAUNCH_ALREADY_EXISTS');
  });

  test('is told of a pool that somebody else has made', async () => {
    const accounts = { [launchSubject.poolAddress]: recorded('pool-of-somebody-else') };
    expect(await codeOf(partsWith({ accounts, drafts: [launchSubject] }))).toBe('POOL_ADDRESS_TAKEN');
  });

  test('is told that the token is launched where a sibling has landed that is not recorded yet', async () => {
    const [pool, position] = [recorded('pool-at-start'), recorded('position')];
    const accounts = { [pool.address]: pool, [position.address]: position };
    const sibling = siblingOf(pool.address, position.address);
    const landed = partsWith({
      accounts: { ...accounts, [launchSubject.poolAddress]: pool },
      drafts: [launchSubject, sibling.launch],
      creator: sibling.creator,
    });
    expect(await codeOf(landed)).toBe('LAUNCH_ALREADY_EXISTS');
  });
});

describe('a launch that is submitted', () => {
  const claimed = (state: object | undefined) => {
    const parts = { executor: { load: async () => ({ state }) } } as unknown as PurposeParts;
    return tokenLaunch.claim?.(draft, parts, causeOf());
  };

  test('is not taken once an operator has hidden its token, nor where a fork took the token back', async () => {
    await expect(claimed({ exists: true, hidden: { reason: 'a copy' } })).rejects.toMatchObject({
      code: 'TOKEN_HIDDEN',
    });
    await expect(claimed({ exists: false, hidden: undefined })).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
  });
});

/** The launch that made the recorded accounts. */
function siblingOf(poolAddress: string, positionAddress: string) {
  const pool = decodePool(recorded('pool-at-start').data);
  const position = decodePosition(recorded('position').data);
  if (pool === undefined || position === undefined) throw new Error('the recorded accounts are of a launch');
  return {
    creator: pool.creator,
    launch: {
      ...launchSubject,
      mintAddress: pool.tokenMint,
      poolAddress,
      positionAddress,
      positionMint: position.positionMint,
      sqrtMinPrice: pool.sqrtMinPrice.toString(),
      sqrtMaxPrice: pool.sqrtMaxPrice.toString(),
      liquidity: pool.lockedLiquidity.toString(),
    },
  };
}
