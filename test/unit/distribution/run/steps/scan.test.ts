// Reading the holders of a run: recorded once, and read again by a process that begins anew.

import { describe, expect, test } from 'vitest';
import { decodePool } from '../../../../../src/chain/venue/venue-accounts.ts';
import { NO_ATTEMPTS } from '../../../../../src/distribution/collecting/confirm-scan.ts';
import { DISAGREEING_FOR } from '../../../../../src/distribution/collecting/judge-scan.ts';
import { AGAIN } from '../../../../../src/distribution/decision.ts';
import { decideScan, decideWaiting, readHolders } from '../../../../../src/distribution/run/steps/scan.ts';
import {
  type Chain,
  type ChainAccount,
  ChainAnswerInvalid,
  ChainUnavailable,
} from '../../../../../src/kernel/ports/chain.ts';
import type { DomainEvent, StreamDefinition } from '../../../../../src/kernel/runtime/define-stream.ts';
import type { Executor } from '../../../../../src/kernel/runtime/execute.ts';
import { HoldersScanned } from '../../../../../src/streams/distribution-run.ts';
import { waitFor } from '../../../../../src/streams/distribution-wait.ts';
import { LaunchStarted } from '../../../../../src/streams/launch.ts';
import {
  holdersScanned,
  linksLanded,
  runId,
  scanDisagreed,
} from '../../../../support/distribution-examples.ts';
import { ids } from '../../../../support/domain-examples.ts';
import { launchSubject, startedLaunch } from '../../../../support/launch-examples.ts';
import {
  courseTo,
  factsOf,
  halting,
  NOW,
  nodeShowing,
  only,
  recordedBy,
  SCAN,
  SUMS,
  stepAt,
  viewOf,
} from '../../../../support/run-examples.ts';
import { issuedLaunch } from '../../../chain/venue/launch-example.ts';
import { recorded } from '../../../chain/venue/recorded-accounts.ts';

const BEGUN = courseTo(linksLanded);
/** Of whose supply no account has anything. */
const MINT = { slot: 4_101n, supply: 1n, withheld: 0n };
const FOUND: Parameters<typeof decideScan>[1] = {
  slots: [4_098n, 4_101n],
  accounts: 5,
  owners: 4,
  sums: SUMS,
};

/** All accounts were read, and the scan is believed. */
function stepBehindScan({
  chain = {},
  events = BEGUN,
  launch,
}: {
  readonly chain?: Partial<Chain>;
  readonly events?: typeof BEGUN;
  readonly launch?: ReturnType<typeof LaunchStarted>;
}) {
  const load = async (stream: StreamDefinition<unknown, DomainEvent>, streamId: string) => {
    expect([stream.category, streamId]).toEqual(['launch', ids.tokenId]);
    return { state: launch && { started: launch.data, isCompleted: false } };
  };
  return stepAt(events, {
    parts: {
      chain: only<Chain>('the chain', chain),
      executor: only<Executor>('the executor', { load: load as unknown as Executor['load'] }),
      onWitnessVerdict: () => {},
    },
    memory: { scan: SCAN, attempts: { ...NO_ATTEMPTS, sums: SUMS } },
  });
}

const { creator, mintAddress, poolAddress, positionMint, ...prices } = issuedLaunch;
const launched = LaunchStarted({
  ...startedLaunch,
  creator,
  launch: {
    ...launchSubject,
    mintAddress,
    poolAddress,
    positionMint,
    sqrtMinPrice: prices.sqrtMinPrice.toString(),
    sqrtMaxPrice: prices.sqrtMaxPrice.toString(),
    liquidity: prices.liquidity.toString(),
  },
});

function changedAt(data: Uint8Array, offset: number): Uint8Array {
  return Uint8Array.from(data, (byte, index) => (index === offset ? byte ^ 0xff : byte));
}

const SQRT_PRICE_AT = 456;

function pricedAt(account: ChainAccount, sqrtPrice: bigint): ChainAccount {
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(sqrtPrice & (2n ** 64n - 1n), SQRT_PRICE_AT);
  data.writeBigUInt64LE(sqrtPrice >> 64n, SQRT_PRICE_AT + 8);
  return { ...account, data: Uint8Array.from(data) };
}

describe('holders', () => {
  test('that were found are recorded, with the tax in their accounts and in the mint behind the scan', () => {
    const [before, behind] = SUMS.mint;
    const sums = { ...SUMS, mint: [before, { ...behind, withheld: '23', supply: '77' }] as typeof SUMS.mint };
    expect(decideScan(viewOf(BEGUN), { ...FOUND, sums })).toEqual({
      kind: 'record-of-run',
      events: [
        HoldersScanned({
          tokenId: ids.tokenId,
          runId,
          slots: ['4098', '4101'],
          accounts: 5,
          owners: 4,
          withheld: '900023',
          supply: '77',
          sums,
        }),
      ],
    });
  });

  test('that were read are kept until the ledger is written', async () => {
    const at = stepBehindScan({});
    expect(await readHolders(at)).toEqual({ ...FOUND, accounts: 0, owners: 0 });
    expect(at.memory.owners).toMatchObject({ slots: [4_098n, 4_101n], sums: SUMS });
    expect(at.memory.owners?.scanned.count).toBe(0);
  });

  describe('of a launched token', () => {
    const { poolAddress: address } = issuedLaunch;
    const traded = recorded('pool-after-sale');
    const sqrtPrice = decodePool(traded.data)?.sqrtPrice ?? 0n;
    const { supply } = SUMS.mint[1];
    const behind = SUMS.mint[1].slot;
    const foundBy = async (chain: Partial<Chain>, events = BEGUN) =>
      factsOf(await readHolders(stepBehindScan({ chain, events, launch: launched })));
    const without = { ...FOUND, accounts: 0, owners: 0 };

    test('come with what its pool shows as final behind the scan, for lists', async () => {
      const { chain, asked } = nodeShowing({ [address]: traded }, { slot: 4_300n });
      const pool = {
        address,
        slot: '4300',
        sqrtPrice: sqrtPrice.toString(),
        marketCap: ((sqrtPrice * sqrtPrice * BigInt(supply)) >> 128n).toString(),
      };
      const facts = await foundBy(chain);
      expect(facts).toEqual({ ...without, pool });
      expect(asked).toEqual([{ atLeastSlot: BigInt(behind) }]);
      expect(decideScan(viewOf(BEGUN), facts)).toMatchObject({ events: [{ data: { pool } }] });
    });

    test.each([
      issuedLaunch.sqrtMinPrice,
      issuedLaunch.sqrtMaxPrice,
    ])('come with a price of %d at the edge of its range', async (edge) => {
      const facts = await foundBy(nodeShowing({ [address]: pricedAt(traded, edge) }).chain);
      expect(facts).toMatchObject({ pool: { sqrtPrice: edge.toString() } });
    });

    test.each([
      ['is not there', undefined],
      ['is of another launch', { ...traded, data: changedAt(traded.data, 424) }],
      ['is of another program', { ...traded, owner: address }],
      ['has a price below its range', pricedAt(traded, issuedLaunch.sqrtMinPrice - 1n)],
      ['has a price above its range', pricedAt(traded, issuedLaunch.sqrtMaxPrice + 1n)],
    ])('are found without it where it %s', async (_where, account) => {
      expect(await foundBy(nodeShowing({ [address]: account }).chain)).toEqual(without);
    });

    test.each([
      new ChainUnavailable('is behind'),
      new ChainAnswerInvalid('shows nonsense'),
    ])('are found without it where the node %s', async (failure) => {
      const chain = { accountsAt: () => Promise.reject(failure) };
      expect(await foundBy(chain)).toEqual(without);
    });

    test('are not found where a fault of ours keeps it from being asked for', async () => {
      await expect(foundBy({ accountsAt: () => Promise.reject(new TypeError('a fault')) })).rejects.toThrow();
    });

    test('are found without asking for it again, once they are recorded', async () => {
      expect(await foundBy({}, courseTo(holdersScanned))).toEqual(without);
    });
  });

  test('that are recorded already are read again, and not recorded again', () => {
    const [event] = recordedBy(decideScan(viewOf(BEGUN), FOUND));
    if (event === undefined) throw new Error('the scan is recorded');
    expect(decideScan(viewOf([...BEGUN, event]), FOUND)).toEqual(AGAIN);
    expect(decideScan(viewOf(courseTo(holdersScanned)), FOUND)).toEqual(AGAIN);
  });

  test('whose accounts do not add up again and again halt the token', async () => {
    const at = stepBehindScan({});
    const disagreedAt = NOW.getTime() - DISAGREEING_FOR;
    const earlier = { loose: 0, disagreements: 4, disagreedAt };
    at.memory.attempts = { ...NO_ATTEMPTS, earlier };
    at.memory.scan = { ...SCAN, mintBefore: MINT, mintAfter: MINT, inOneAnswer: true };
    expect(await readHolders(at)).toMatchObject(
      halting('SCAN_DISAGREES', expect.stringContaining('lack 1 base units')),
    );
  });

  describe('that do not add up', () => {
    const at = '2026-11-21T13:00:55.000Z';
    const wait = { for: waitFor('unconfirmed'), pause: 5_000 };
    const since = Date.parse(at);

    test('are recorded once with the time of the first such list, and waited for', () => {
      const decision = decideWaiting(viewOf(BEGUN), wait, since);
      expect(decision).toEqual({ kind: 'record-of-run', events: [scanDisagreed], waiting: wait });
      expect(decideWaiting(viewOf([...BEGUN, scanDisagreed]), wait, since)).toEqual({
        kind: 'wait',
        waiting: wait,
      });
    });

    test.each([
      [0, Date.parse(at)],
      [2 * DISAGREEING_FOR - 1, Date.parse(at)],
      [2 * DISAGREEING_FOR, undefined],
    ])('count from the recorded time in a process that begins again %d ms later', async (after, since) => {
      const now = new Date(Date.parse(at) + after);
      const step = stepAt([...BEGUN, scanDisagreed], {
        parts: {
          chain: only<Chain>('the chain', {}),
          witness: undefined,
          onWitnessVerdict: () => {},
          clock: { now: () => now },
        },
        memory: { scan: undefined, attempts: NO_ATTEMPTS },
      });
      expect(await readHolders(step)).toEqual(AGAIN);
      expect(step.memory.attempts.earlier).toEqual({ loose: 0, disagreements: 0, disagreedAt: since });
    });

    test('count from the time that the process knows itself', async () => {
      const earlier = { loose: 0, disagreements: 3, disagreedAt: 7 };
      const step = stepAt([...BEGUN, scanDisagreed], {
        parts: { chain: only<Chain>('the chain', {}), witness: undefined, onWitnessVerdict: () => {} },
        memory: { scan: undefined, attempts: { ...NO_ATTEMPTS, earlier } },
      });
      await readHolders(step);
      expect(step.memory.attempts.earlier).toEqual(earlier);
    });
  });
});
