/** What a draft costs its creator. */
import { compileSimulationMessage, transactionFee } from '../chain/durable-transaction.ts';
import { boundUnits, computeUnitLimit, computeUnitPrice } from '../chain/price-policy.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { rejection } from '../streams/rejections.ts';
import type { DraftPlan, PlanContext } from './draft-plan.ts';
import type { PurposeBehaviour } from './purposes/purpose-behaviour.ts';
import { simulationRefused } from './simulation-refused.ts';
import type { TimeLimit } from './time-limit.ts';

/** Enough compute units to simulate any of our transactions. */
const GENEROUS_UNIT_LIMIT = 400_000;
/** Compute units of the nonce advance, which the simulation leaves out. */
const NONCE_ADVANCE_UNITS = 150;

export interface Priced {
  readonly computeUnitLimit: number;
  /** Microlamports. */
  readonly computeUnitPrice: bigint;
  /** Lamports. */
  readonly cost: bigint;
}

/** The cost of the transaction, once a simulation has shown that the chain would take it. */
export async function priceAndSimulate(
  { services, transactionId, creator, lifetime }: PlanContext,
  { instructions, payments, writable }: DraftPlan<DraftSubject>,
  purpose: Pick<PurposeBehaviour, 'signers'>,
  timeLimit: TimeLimit,
): Promise<Priced> {
  const { chain, policy } = services;
  const simulationMessage = compileSimulationMessage({
    payer: creator,
    computeUnitLimit: GENEROUS_UNIT_LIMIT,
    instructions,
  });
  const simulated = chain.simulate(simulationMessage, { anyBlockhash: true });
  // Missing funds are reported first, whatever the simulation shows or fails with.
  simulated.catch(() => undefined);
  const [walletRent, recentPrices, balance] = await Promise.all([
    chain.rentExemption(0),
    chain.recentPrices(writable),
    chain.balance(creator),
    // Only drafts that hold a nonce account cost the service anything.
    lifetime === 'durable-nonce' ? timeLimit.of(services.nonces.requireFunded()) : undefined,
  ]);
  const keys = purpose.signers(services.keyring, transactionId, lifetime);
  const signatures = 1 + keys.length + (lifetime === 'durable-nonce' ? 1 : 0);
  const price = computeUnitPrice(recentPrices, policy.maxComputeUnitPrice);
  const costAt = (limit: number): bigint =>
    payments + transactionFee({ signatures, computeUnitLimit: limit, computeUnitPrice: price });
  // Include the wallet's own minimum rent: a creator who holds exactly the stated amount must not fail.
  requireFunds(costAt(0) + walletRent, balance);

  const { error, logs, unitsConsumed } = await simulated;
  if (error !== undefined) throw simulationRefused(error, logs);
  const limit = computeUnitLimit(boundUnits(unitsConsumed, GENEROUS_UNIT_LIMIT) + NONCE_ADVANCE_UNITS);
  requireFunds(costAt(limit) + walletRent, balance);
  return { computeUnitLimit: limit, computeUnitPrice: price, cost: costAt(limit) };
}

function requireFunds(needed: bigint, found: bigint): void {
  if (found >= needed) return;
  throw rejection('INSUFFICIENT_FUNDS', 'The wallet does not hold enough SOL for this transaction.', {
    details: [
      { path: ['needed'], message: needed.toString() },
      { path: ['found'], message: found.toString() },
    ],
  });
}
