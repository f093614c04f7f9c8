/** The service's fee payer: its balance, and its refills on a chain that gives lamports away. */
import type { Chain } from '../kernel/ports/chain.ts';
import type { Clock } from '../kernel/runtime/clock.ts';

const LOOK_EVERY = 5_000;
/** Lamports requested from a local chain at a time. */
const REFILL = 100_000_000_000n;

export type FeePayer = ReturnType<typeof createFeePayer>;

export function createFeePayer(options: {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly address: string;
  readonly floor: bigint;
  /** True for a chain that gives lamports away. */
  readonly givesLamports: boolean;
}) {
  const { chain, clock, address, floor, givesLamports } = options;
  let seen: { readonly at: number; readonly lamports: bigint } | undefined;

  async function balance(): Promise<bigint> {
    const now = clock.now().getTime();
    if (seen === undefined || now - seen.at >= LOOK_EVERY)
      seen = { at: now, lamports: await chain.balance(address) };
    return seen.lamports;
  }

  return {
    address,
    floor,
    /** Lamports, at most a few seconds old. */
    balance,
    /** Requests lamports from a chain that gives them away when less than ten times the floor is left. */
    async refill() {
      if (!givesLamports || (await balance()) >= floor * 10n + REFILL / 10n) return;
      await chain.airdrop(address, REFILL);
      seen = undefined;
    },
  };
}
