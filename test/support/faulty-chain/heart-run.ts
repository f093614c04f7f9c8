/** One seeded run of the reference driver against the faulty chain, and what its books and the chain say otherwise. */
import { actionsOf } from '../decode-actions.ts';
import { createFactLog } from './fact-log.ts';
import { createFaultyChain } from './faulty-chain.ts';
import { createFaultyNetwork } from './faulty-network.ts';
import { createForkingLedger, type ForkingLedger } from './forking-ledger.ts';
import { createRandom } from './random.ts';
import { type Booked, bookedIn, ChainAhead, drive, type Fact, RENT, type Rules } from './reference-driver.ts';
import { supervised } from './supervised.ts';
import { createStrangers, createTokenWorld, keyOf } from './token-world.ts';
import { createTurns } from './turns.ts';
import { STORM, type Weather } from './weather.ts';

export interface HeartRun {
  /** Payments and burns that are booked or on the chain, and not both. */
  readonly differences: readonly string[];
  /** Undefined where the chain was found ahead of the log. */
  readonly closed: boolean;
  readonly halted: boolean;
  readonly told: Record<string, number>;
}

export interface HeartOptions {
  readonly rules: Rules;
  readonly weather?: Weather;
  readonly engines?: number;
}

/** The reference acts on one look: that accounts may be left out is the engine's affair. */
const WEATHER: Weather = { ...STORM, hidden: 0 };
const STORMY_CALLS = 500;
const MOST_CALLS = 3_000;

export async function runHeart(seed: number, options: HeartOptions): Promise<HeartRun> {
  const { rules, weather = WEATHER, engines = 1 } = options;
  const random = createRandom(seed);
  const ledger = createForkingLedger(seed);
  try {
    const draws = random.of('scenario');
    const [wallet, distributor] = [keyOf(10), keyOf(11)];
    const world = createTokenWorld(ledger, {
      holders: draws.between(3, 8),
      wallet,
      distributor,
      basisPoints: 300,
      random,
    });
    RENT.lamports = ledger.rent(165);
    world.giveTokens(wallet.address, 1_000_000n);
    const network = createFaultyNetwork(ledger, random, weather);
    network.strangers = createStrangers({
      network,
      world,
      wallet: wallet.address,
      seen: network.seen,
      random,
      changeTax: false,
    });
    const facts: Fact[] = [];
    const turns = createTurns(random, () => network.weather.crash);
    const common = {
      rules,
      wallet,
      distributor,
      desk: world.desk,
      mint: world.mint,
      tokens: world.tokensOf(wallet.address),
      holders: world.holders.map(({ address }) => address),
      runs: 3,
    };

    let [ended, halted] = [0, false];
    const crashes = await supervised({
      turns,
      network,
      engines,
      stormyCalls: STORMY_CALLS,
      mostCalls: MOST_CALLS,
      isOver: () => ended > 0 || halted,
      async start(process, name) {
        const chain = createFaultyChain(network, random.of(name.replace('engine', 'nodes')));
        try {
          await drive({
            ...common,
            random: random.of(name),
            chain: turns.of(process, chain),
            log: turns.of(process, createFactLog(facts)),
          });
          ended += 1;
        } catch (error) {
          if (!(error instanceof ChainAhead)) throw error;
          halted = true;
        }
      },
    });
    const chain = createFaultyChain(network, random);
    const booked = bookedIn(facts, { ...common, random, chain, log: createFactLog(facts) });
    const told = { ...network.told, crashes, calls: turns.calls };
    const differences = differencesOf(booked, ledger, distributor.address);
    return { differences, closed: ended > 0, halted, told };
  } finally {
    ledger.reset();
  }
}

function differencesOf(
  { payments, burned }: Booked,
  ledger: ForkingLedger,
  payer: string,
): readonly string[] {
  const [paid, differences]: [string[], string[]] = [[], []];
  for (const { signature, wire, error } of ledger.at(ledger.finalized()).transactions()) {
    const actions = error === undefined ? (actionsOf(wire)?.actions ?? []) : [];
    for (const action of actions) {
      if (action.kind === 'unwrap' && action.authority === payer)
        paid.push(`${signature} pays ${action.to} ${action.amount}`);
      const till = action.kind === 'initialize' ? burned.get(action.account) : undefined;
      if (till === undefined) continue;
      const sum = actions.reduce((total, each) => (each.kind === 'burn' ? total + each.amount : total), 0n);
      if (sum !== till) differences.push(`burned ${sum} instead of ${till}`);
    }
  }
  for (const payment of paid) if (!payments.includes(payment)) differences.push(`not booked: ${payment}`);
  for (const payment of payments) if (!paid.includes(payment)) differences.push(`not paid: ${payment}`);
  return differences;
}
