/** Opens the venues that collected tax is sold at, in the order of preference: the launch's own pool, then the desk. */
import type { Keyring } from '../chain/keys.ts';
import type { IssuedLaunch } from '../chain/venue/judge-launch.ts';
import { createDesk } from '../distribution/selling/desk.ts';
import { createMarkets, type Markets } from '../distribution/selling/markets.ts';
import { createMeteora } from '../distribution/selling/meteora.ts';
import { createVenue } from '../drafts/launches/venue.ts';
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';
import type { Executor } from '../kernel/runtime/execute.ts';
import type { Configuration } from '../operations/config/configuration.ts';
import { launch } from '../streams/launch.ts';
import { issuedLaunchOf } from '../streams/recorded-launch.ts';
import { tokenIdOf } from '../views/token-access.ts';

export function openMarkets(parts: {
  readonly configuration: Configuration;
  readonly chain: Chain;
  readonly clock: Clock;
  readonly executor: Executor;
  readonly keyring: Keyring;
  /** Lamports of all recorded sales to the desk that have landed or still may. */
  readonly spentByDesk: () => Promise<bigint>;
}): Markets {
  const { configuration, chain, clock, executor, keyring, spentByDesk } = parts;
  const isLocal = configuration.chain.isEmbedded;
  const venue = createVenue(chain, { isLocal });
  const meteora = createMeteora({
    chain,
    isThere: () => venue.isThere(),
    launchOf: launchesOf(executor),
    maxImpactBasisPoints: configuration.saleMaxImpactBasisPoints,
    slippageBasisPoints: configuration.saleSlippageBasisPoints,
    maxDiscountBasisPoints: configuration.saleMaxDiscountBasisPoints,
  });
  const desk = createDesk({
    chain,
    clock,
    key: keyring.desk,
    policy: {
      marketCap: configuration.deskMarketCap,
      mints: configuration.deskMints,
      budget: configuration.deskBudget,
    },
    isLocal,
    spent: spentByDesk,
  });
  return createMarkets([meteora, desk]);
}

/** A token's launch, once it is final; undefined if it has none. */
export function launchesOf(executor: Executor) {
  return async (mint: string): Promise<IssuedLaunch | undefined> => {
    const { state } = await executor.load(launch, tokenIdOf(mint));
    return state && issuedLaunchOf(state.started.launch, state.started.creator);
  };
}
