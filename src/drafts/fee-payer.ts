/** The service's fee payer: its balance, and its refills on a test chain with an airdrop. */
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';

const CHECK_INTERVAL = 5_000;
/** Lamports per airdrop. */
const REFILL = 100_000_000_000n;

export type FeePayer = ReturnType<typeof createFeePayer>;

export function createFeePayer(options: {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly address: string;
  readonly floor: bigint;
  /** True if the chain supports airdrops. */
  readonly givesLamports: boolean;
}) {
  const { chain, clock, address, floor, givesLamports } = options;
  let seen: { readonly at: number; readonly lamports: bigint } | undefined;

  async function balance(): Promise<bigint> {
    const now = clock.now().getTime();
    if (seen === undefined || now - seen.at >= CHECK_INTERVAL)
      seen = { at: now, lamports: await chain.balance(address) };
    return seen.lamports;
  }

  return {
    address,
    floor,
    /** Lamports; at most a few seconds old. */
    balance,
    /** Requests an airdrop if the balance is below ten times the floor plus a tenth of a refill. */
    async refill() {
      if (!givesLamports || (await balance()) >= floor * 10n + REFILL / 10n) return;
      await chain.airdrop(address, REFILL);
      seen = undefined;
    },
  };
}
