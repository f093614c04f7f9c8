/** One seeded run of the reference driver against the faulty chain, up to its audit. */
import { auditToken } from '../../../src/proof/audit/audit-token.ts';
import type { AuditedChain } from '../../../src/proof/audit/chain-history.ts';
import type { Finding } from '../../../src/proof/audit/finding.ts';
import type { TokenBooks } from '../../../src/proof/audit/run-books.ts';
import { createFactLog } from './fact-log.ts';
import { createFaultyChain } from './faulty-chain.ts';
import { createFaultyNetwork } from './faulty-network.ts';
import { createForkingLedger } from './forking-ledger.ts';
import { createRandom } from './random.ts';
import { booksOf, ChainAhead, drive, type Fact, RENT, type Rules } from './reference-driver.ts';
import { supervised } from './supervised.ts';
import { createStrangers, createTokenWorld, keyOf } from './token-world.ts';
import { createTurns } from './turns.ts';
import { STORM, type Weather } from './weather.ts';

export interface HeartRun {
  readonly findings: readonly Finding[];
  /** Undefined where the chain was found ahead of the log. */
  readonly closed: boolean;
  readonly halted: boolean;
  readonly told: Record<string, number>;
  readonly books: TokenBooks;
  /** Calm. Of no use once the run is disposed of. */
  readonly chain: AuditedChain;
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

export async function auditedHeart(seed: number, options: HeartOptions): Promise<HeartRun> {
  return withHeart(seed, options, async (run) => run);
}

/** What is looked at while the chain is there. */
export async function withHeart<Result>(
  seed: number,
  options: HeartOptions,
  look: (run: HeartRun) => Promise<Result>,
): Promise<Result> {
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
    const books = booksOf(facts, { ...common, random, chain, log: createFactLog(facts) });
    const findings = await auditToken(books, chain);
    const told = { ...network.told, crashes, calls: turns.calls };
    return await look({ findings, closed: ended > 0, halted, told, books, chain });
  } finally {
    ledger.reset();
  }
}
