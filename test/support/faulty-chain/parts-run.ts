/** One seeded run of the engine's parts against the faulty chain, up to its audit. */
import { auditToken } from '../../../src/audit/audit-token.ts';
import type { Finding } from '../../../src/audit/finding.ts';
import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import type { DistributedToken } from '../../../src/distribution/distributed-token.ts';
import { createFactLog } from './fact-log.ts';
import { createFaultyChain } from './faulty-chain.ts';
import { createFaultyNetwork } from './faulty-network.ts';
import { createForkingLedger } from './forking-ledger.ts';
import { paidTwice } from './paid-twice.ts';
import {
  driveParts,
  type PartsFact,
  PartsHalted,
  type PartsOptions,
  partsBooks,
  RENT,
} from './parts-driver.ts';
import { createRandom } from './random.ts';
import { createStrangers, createTokenWorld, DECIMALS, keyOf, signed } from './token-world.ts';
import { createTurns } from './turns.ts';
import { CALM, STORM, type Weather } from './weather.ts';

export interface PartsRun {
  readonly findings: readonly Finding[];
  readonly closed: boolean;
  readonly halted: string | undefined;
  /** Whom a pot paid more than once, read off all transactions that landed: the log has no say in it. */
  readonly paidTwice: readonly string[];
  readonly told: Record<string, number>;
  readonly facts: readonly PartsFact[];
}

export interface PartsRunOptions {
  readonly weather?: Weather;
  readonly engines?: number;
  readonly asset?: 'sol' | 'token';
  /** All processes end, and the log is put back as it was some time ago. */
  readonly putBack?: boolean;
}

const STORMY_CALLS = 1_000;
const MOST_CALLS = 8_000;

export async function runParts(seed: number, options: PartsRunOptions = {}): Promise<PartsRun> {
  const random = createRandom(seed);
  const draws = random.of('scenario');
  const {
    weather = STORM,
    engines = 1,
    putBack = false,
    asset = draws.chance(0.5) ? 'sol' : 'token',
  } = options;
  const ledger = createForkingLedger(seed);
  try {
    const [wallet, distributor] = [keyOf(10), keyOf(11)];
    const world = createTokenWorld(ledger, {
      holders: draws.between(3, 10),
      wallet,
      distributor,
      basisPoints: 300,
      random,
    });
    world.giveTokens(wallet.address, 10_000_000n);
    RENT.lamports = ledger.rent(RENT.size);
    const network = createFaultyNetwork(ledger, random, weather);
    network.strangers = createStrangers({
      network,
      world,
      wallet: wallet.address,
      seen: network.seen,
      random,
      changeTax: true,
    });
    const facts: PartsFact[] = [];
    const turns = createTurns(random, () => network.weather.crash);
    const token: DistributedToken = {
      tokenId: '5a1c7f0e-6f0b-4a5e-9c3d-2b8e4d1f6a70',
      mint: world.mint,
      decimals: DECIMALS,
      wallet,
      tokens: world.tokensOf(wallet.address),
      distributor,
    };
    const common: Omit<PartsOptions, 'chain' | 'log' | 'random'> = {
      token,
      asset,
      holders: world.holders.map(({ address }) => address),
      tokensOf: world.tokensOf,
      delegateOf: (runId) => keyOf(50 + Number(runId.slice(-12))),
      runs: 3,
      bring: (till) => {
        const transfer = transferInstruction({ from: world.desk.address, to: till, lamports: 600_000_000n });
        ledger.land(signed([transfer], [world.desk], ledger.at(ledger.slot()).blockhash));
      },
    };
    let [crashes, started, ended] = [0, 0, 0];
    let halted: string | undefined;
    let failure: unknown;
    const start = () => {
      started += 1;
      const process = turns.start(`engine ${started}`);
      const own = random.of(`engine ${started}`);
      const running = { process, over: false };
      driveParts({
        ...common,
        random: own,
        chain: turns.of(process, createFaultyChain(network, own)),
        log: turns.of(process, createFactLog(facts)),
      })
        .then(
          () => {
            ended += 1;
          },
          (error: unknown) => {
            if (error instanceof PartsHalted) halted = error.message;
            else failure = error;
          },
        )
        .finally(() => {
          running.over = true;
        });
      return running;
    };
    const running = Array.from({ length: engines }, start);
    const isUnderWay = () => ended === 0 && failure === undefined && halted === undefined;
    const copiedAt = draws.between(50, 500);
    const putBackAt = copiedAt + draws.between(20, 300);
    let copy: readonly PartsFact[] = [];
    for (let calls = 0; calls < MOST_CALLS && isUnderWay(); calls += 1) {
      if (putBack && calls === copiedAt) copy = [...facts];
      if (putBack && calls === putBackAt) {
        facts.splice(0, facts.length, ...copy);
        for (const { process } of running) process.kill();
      }
      if (calls === STORMY_CALLS) network.weather = CALM;
      await turns.settled();
      for (const [place, { process, over }] of running.entries())
        if (process.isDead() && !over) {
          crashes += 1;
          running[place] = start();
        }
      await turns.settled();
      await turns.next();
    }
    for (const { process } of running) process.kill();
    if (failure !== undefined) throw failure;
    network.weather = CALM;
    network.pass(200);
    const chain = createFaultyChain(network, random);
    const books = partsBooks(facts, { ...common, random, chain, log: createFactLog(facts) });
    const findings = await auditToken(books, chain);
    return {
      findings,
      closed: ended > 0,
      halted,
      paidTwice: paidTwice(ledger),
      told: { ...network.told, crashes, calls: turns.calls },
      facts,
    };
  } finally {
    ledger.reset();
  }
}
