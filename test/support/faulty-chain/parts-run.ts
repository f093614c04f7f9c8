/** One seeded run of the engine's parts against the faulty chain, up to its audit. */

import { transferInstruction } from '../../../src/chain/system-instructions.ts';
import type { DistributedToken } from '../../../src/distribution/distributed-token.ts';
import { auditToken } from '../../../src/proof/audit/audit-token.ts';
import type { Finding } from '../../../src/proof/audit/finding.ts';
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
import { supervised } from './supervised.ts';
import { createStrangers, createTokenWorld, DECIMALS, keyOf, signed } from './token-world.ts';
import { createTurns } from './turns.ts';
import { STORM, type Weather } from './weather.ts';

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

/** Milliseconds. */
const SLOT = 400;
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
      now: () => ledger.slot() * SLOT,
      bring: (till) => {
        const transfer = transferInstruction({ from: world.desk.address, to: till, lamports: 600_000_000n });
        ledger.land(signed([transfer], [world.desk], ledger.at(ledger.slot()).blockhash));
      },
    };
    const copiedAt = draws.between(50, 500);
    const putBackAt = copiedAt + draws.between(20, 300);
    let copy: readonly PartsFact[] = [];
    let ended = 0;
    let halted: string | undefined;
    const crashes = await supervised({
      turns,
      network,
      engines,
      stormyCalls: STORMY_CALLS,
      mostCalls: MOST_CALLS,
      isOver: () => ended > 0 || halted !== undefined,
      async start(process, name) {
        const own = random.of(name);
        try {
          await driveParts({
            ...common,
            random: own,
            chain: turns.of(process, createFaultyChain(network, own)),
            log: turns.of(process, createFactLog(facts)),
          });
          ended += 1;
        } catch (error) {
          if (!(error instanceof PartsHalted)) throw error;
          halted = error.message;
        }
      },
      async at(call, killAll) {
        if (putBack && call === copiedAt) copy = [...facts];
        if (putBack && call === putBackAt) {
          facts.splice(0, facts.length, ...copy);
          killAll();
        }
      },
    });
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
