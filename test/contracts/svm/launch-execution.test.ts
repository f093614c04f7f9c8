import { type Instruction, readMint, readTokenAccount } from 'levy-solana-wire';
import { describe, expect, test } from 'vitest';
import type { KeyPair } from '../../../src/chain/keys.ts';
import { VENUE_PROGRAM } from '../../../src/chain/venue/addresses.ts';
import { marketCap } from '../../../src/chain/venue/curve.ts';
import { judgeLaunch } from '../../../src/chain/venue/judge-launch.ts';
import { launchFigures } from '../../../src/chain/venue/launch-figures.ts';
import { decodePool, decodePosition, type PoolAccount } from '../../../src/chain/venue/venue-accounts.ts';
import {
  LAUNCH_ACCOUNT_SIZES,
  LAUNCH_LAMPORTS,
  launchInstructions,
  WRAPPED_SOL_ACCOUNT_SIZE,
} from '../../../src/chain/venue/venue-instructions.ts';
import { launchTerms } from '../../../src/drafts/launches/plan-launch.ts';
import { tellOfSkipping, venueProgramFile } from '../../support/launching.ts';
import { createVenueTrader } from '../../support/venue-trader.ts';
import * as example from '../../unit/chain/venue/launch-example.ts';
import { recordedFile, recordOf } from '../../unit/chain/venue/recorded-accounts.ts';
import { openTokenMachine, type TokenMachine } from './token-machine.ts';

tellOfSkipping('launches executed in this process');
const withProgram = describe.skipIf(venueProgramFile === undefined);

const { addresses, buyer, creator, issuedLaunch, launchBasis, launchInput, mint, position, terms } = example;
const trader = createVenueTrader(mint.address);
const SOL = 1_000_000_000n;

/** The machine with the token on it, and its creator and a buyer with SOL. */
function machineWithToken(change: Partial<typeof example.tokenTerms> = {}): TokenMachine {
  const machine = openTokenMachine([{ id: VENUE_PROGRAM, file: venueProgramFile ?? '' }]);
  for (const { address } of [creator, buyer]) machine.fund(address, 1_000n * SOL);
  machine.createToken({ ...example.tokenTerms, ...change }, [creator, mint]);
  return machine;
}

/** The logs of a transaction that must fail. */
function failure(
  machine: TokenMachine,
  instructions: readonly Instruction[],
  keys: readonly KeyPair[],
): string {
  const { error, logs } = machine.send(machine.sign(instructions, keys));
  expect(error).toBeDefined();
  return logs.join('\n');
}

function machineWithLaunch(): TokenMachine {
  const machine = machineWithToken();
  machine.execute(launchInstructions(launchInput), [creator, position]);
  return machine;
}

function accountsOf(machine: TokenMachine) {
  return { pool: machine.account(addresses.pool), position: machine.account(addresses.position) };
}

function poolOf(machine: TokenMachine): PoolAccount {
  const pool = decodePool(machine.account(addresses.pool)?.data ?? new Uint8Array());
  if (pool === undefined) throw new Error('there is no pool');
  return pool;
}

async function buy(machine: TokenMachine, lamports: bigint): Promise<void> {
  const pool = machine.account(addresses.pool)?.data ?? new Uint8Array();
  machine.execute(await trader.buy(buyer.address, lamports, pool), [buyer]);
}

function tokensIn(machine: TokenMachine, address: string): bigint {
  const account = machine.account(address);
  return (account && readTokenAccount(account)?.amount) ?? 0n;
}

withProgram('a launch, executed by the real program', () => {
  test('makes the pool that was asked for, with the price at its lower bound and the liquidity locked', () => {
    const machine = machineWithLaunch();
    expect(judgeLaunch(issuedLaunch, accountsOf(machine))).toBeDefined();
    expect(poolOf(machine)).toMatchObject({
      liquidity: terms.liquidity,
      lockedLiquidity: terms.liquidity,
      sqrtPrice: terms.sqrtMinPrice,
      activationPoint: 1_800_000_000n,
    });
    expect(decodePosition(machine.account(addresses.position)?.data ?? new Uint8Array())).toEqual({
      pool: addresses.pool,
      positionMint: position.address,
      unlockedLiquidity: 0n,
      vestedLiquidity: 0n,
      lockedLiquidity: terms.liquidity,
    });
  });

  test('takes the tokens that were said, the tax among them, and puts the rest up for sale', () => {
    const machine = machineWithLaunch();
    const kept = tokensIn(machine, addresses.creatorTokenAccount);
    expect(example.tokenTerms.supply - kept).toBe(example.parameters.tokenAmount);
    expect(tokensIn(machine, addresses.tokenVault)).toBe(terms.tokensForSale);
  });

  test('costs fees, the rent of the accounts that it makes, and one lamport', () => {
    const machine = machineWithToken();
    const before = machine.balance(creator.address);
    machine.execute(launchInstructions(launchInput), [creator, position]);
    const sizes = [...Object.values(LAUNCH_ACCOUNT_SIZES), WRAPPED_SOL_ACCOUNT_SIZE];
    const rent = sizes.map(machine.rent).reduce((sum, lamports) => sum + lamports, 0n);
    expect(before - machine.balance(creator.address)).toBe(2n * 5_000n + rent + LAUNCH_LAMPORTS);
    const made = { ...addresses, positionMint: position.address };
    for (const [name, size] of Object.entries(LAUNCH_ACCOUNT_SIZES)) {
      const address = made[name as keyof typeof LAUNCH_ACCOUNT_SIZES];
      expect(machine.account(address)?.data.length, name).toBe(size);
    }
    expect(machine.account(addresses.creatorSolAccount)?.data.length).toBe(WRAPPED_SOL_ACCOUNT_SIZE);
  });

  test('takes less than a simulation is generous with', () => {
    const machine = machineWithToken();
    const { units } = machine.execute(launchInstructions(launchInput), [creator, position]);
    expect(units).toBeLessThan(250_000n);
  });

  test('works for a tax of nothing, of the least and of the most, for adjustable rates and for few base units', () => {
    const cases = [
      { transferFeeBasisPoints: 0 },
      { transferFeeBasisPoints: 1, transferFeeAdjustable: true },
      { transferFeeBasisPoints: 1_000, decimals: 0, supply: 1_000_003n },
      { transferFeeBasisPoints: 999, decimals: 9, supply: 2n ** 64n - 1n },
    ];
    for (const change of cases) {
      const machine = machineWithToken(change);
      const account = machine.account(mint.address);
      const state = account && readMint(account);
      if (state === undefined) throw new Error('there is no mint');
      const tokenAmount = state.supply;
      const { liquidity, sqrtMinPrice, tokensForSale } = launchTerms(
        { ...example.parameters, tokenAmount },
        state,
      );
      machine.execute(launchInstructions({ ...launchInput, liquidity, sqrtMinPrice }), [creator, position]);
      expect(tokensIn(machine, addresses.tokenVault)).toBe(tokensForSale);
      // The remainder of an uneven rate stays with the creator: at most one base unit.
      expect(tokensIn(machine, addresses.creatorTokenAccount)).toBeLessThanOrEqual(1n);
    }
  });
});

withProgram('the liquidity of a launch', () => {
  test('cannot be taken out by the creator, not even the smallest part of it', async () => {
    const machine = machineWithLaunch();
    for (const liquidity of [terms.liquidity, 1n << 64n, 1n]) {
      const withdrawal = await trader.withdraw(creator.address, position.address, liquidity);
      expect(failure(machine, withdrawal, [creator])).toMatch(/InsufficientLiquidity/);
    }
  });
});

withProgram('buying from a launch', () => {
  test('raises price, market cap and what is sold, and the figures are those of the vaults', async () => {
    const machine = machineWithLaunch();
    let last = launchFigures(launchBasis, poolOf(machine).sqrtPrice);
    expect(last).toMatchObject({ tokensSold: 0n, solCollected: 0n, progressBasisPoints: 0, price: '25' });
    let paid = 0n;
    for (const lamports of [1n, 10_000n, SOL, 20n * SOL]) {
      await buy(machine, lamports);
      paid += lamports;
      const pool = poolOf(machine);
      const figures = launchFigures(launchBasis, pool.sqrtPrice);
      expect(figures.marketCap).toBe(marketCap(pool.sqrtPrice, launchBasis.supply));
      expect(figures.marketCap).toBeGreaterThanOrEqual(last.marketCap);
      expect(figures.tokensSold).toBeGreaterThanOrEqual(last.tokensSold);
      // The vault lost the sold amount; rounding may leave two base units of each trade in it.
      const left = tokensIn(machine, addresses.tokenVault);
      const difference = terms.tokensForSale - left - figures.tokensSold;
      expect(difference >= -8n && difference <= 8n, `${difference} base units`).toBe(true);
      // Of what was paid, one percent is the fee; the figures never show more than the pool got.
      expect(figures.solCollected).toBeLessThanOrEqual(paid);
      expect(figures.solCollected).toBeGreaterThanOrEqual((paid * 99n) / 100n - 8n);
      last = figures;
    }
  });

  test('reaches the target with the SOL that the terms foresee', async () => {
    const machine = machineWithLaunch();
    const { sqrtMinPrice, sqrtTargetPrice, liquidity } = terms;
    const needed = (liquidity * (sqrtTargetPrice - sqrtMinPrice)) >> 128n;
    await buy(machine, (needed * 99n) / 100n);
    expect(launchFigures(launchBasis, poolOf(machine).sqrtPrice).progressBasisPoints).toBeLessThan(10_000);
    await buy(machine, (needed * 3n) / 100n);
    const figures = launchFigures(launchBasis, poolOf(machine).sqrtPrice);
    expect(figures.progressBasisPoints).toBe(10_000);
    expect(figures.marketCap).toBeGreaterThanOrEqual(launchBasis.targetMarketCap);
  });
});

withProgram("a pool at the launch's address that somebody else made first", () => {
  test.each([
    ['with our very terms', {}],
    ['with a lower price', { sqrtMinPrice: terms.sqrtMinPrice / 2n, liquidity: terms.liquidity / 4n }],
    ['with next to nothing in it', { liquidity: 1n << 80n }],
    ['with its liquidity free', { locked: false }],
  ])('is never taken for the launch, and keeps it from landing: %s', async (_what, change) => {
    const machine = machineWithToken();
    // The worst case: the creator's own wallet, only not with the position that was issued.
    const instructions = await trader.squat({
      creator: creator.address,
      positionMint: example.otherPosition.address,
      liquidity: terms.liquidity,
      sqrtMinPrice: terms.sqrtMinPrice,
      sqrtMaxPrice: terms.sqrtMaxPrice,
      locked: true,
      ...change,
    });
    machine.execute(instructions, [creator, example.otherPosition]);
    expect(judgeLaunch(issuedLaunch, accountsOf(machine))).toBeUndefined();
    expect(failure(machine, launchInstructions(launchInput), [creator, position])).toMatch(/already in use/);
  });
});

withProgram('the recorded accounts', () => {
  test('are what the program leaves: a pool and a position at the start, the pool after a sale, a pool of somebody else', async () => {
    const machine = machineWithLaunch();
    const record = async (name: string, address: string, from = machine) => {
      const account = from.account(address);
      if (account === undefined) throw new Error(`there is no ${name}`);
      await expect(recordOf(address, account)).toMatchFileSnapshot(recordedFile(name));
    };
    await record('mint', mint.address);
    await record('creator-token-account', addresses.creatorTokenAccount);
    await record('pool-at-start', addresses.pool);
    await record('position', addresses.position);
    await buy(machine, 20n * SOL);
    await record('pool-after-sale', addresses.pool);

    const squatted = machineWithToken();
    const instructions = await trader.squat({
      creator: creator.address,
      positionMint: example.otherPosition.address,
      liquidity: 1n << 80n,
      sqrtMinPrice: terms.sqrtMinPrice / 2n,
      sqrtMaxPrice: terms.sqrtMaxPrice,
      locked: false,
    });
    squatted.execute(instructions, [creator, example.otherPosition]);
    await record('pool-of-somebody-else', addresses.pool, squatted);
  });
});
