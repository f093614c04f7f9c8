/** Computes a draft's price, message and lifetime before it is recorded. */
import { compileLegacyMessage } from 'levy-solana-wire';
import pTimeout from 'p-timeout';
import {
  compileDurableTransaction,
  compileSimulationMessage,
  transactionFee,
} from '../chain/durable-transaction.ts';
import { boundUnits, computeUnitLimit, computeUnitPrice } from '../chain/price-policy.ts';
import { computeUnitLimitInstruction, computeUnitPriceInstruction } from '../chain/system-instructions.ts';
import { type Chain, ChainUnavailable } from '../kernel/ports/chain.ts';
import { wrapCalls } from '../kernel/runtime/wrap-calls.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { rejection } from '../streams/rejections.ts';
import type { DraftPlan, PlanContext } from './draft-plan.ts';
import type { PurposeBehaviour } from './purposes/purpose-behaviour.ts';
import { simulationFailedRejection } from './require-draft.ts';
import type { DraftServices } from './services.ts';

/** Message with its lifetime; leases a nonce account if needed. Call `giveBack` if the draft is not recorded after all. */
export async function withLifetime(
  { services, transactionId, creator, network, cause, lifetime: kind }: PlanContext,
  { instructions }: DraftPlan<DraftSubject>,
  { computeUnitLimit, computeUnitPrice }: Omit<Awaited<ReturnType<typeof priceAndSimulate>>, 'cost'>,
) {
  switch (kind) {
    case 'durable-nonce': {
      const nonce = await services.nonces.lease(transactionId, cause, network);
      const { bytes } = compileDurableTransaction({
        payer: creator,
        nonceAccount: nonce.account,
        nonceAuthority: services.keyring.nonceAuthority.address,
        nonceValue: nonce.value,
        computeUnitLimit,
        computeUnitPrice,
        instructions,
      });
      return {
        message: bytes,
        giveBack: nonce.giveBack,
        lifetime: { kind, nonceAccount: nonce.account, nonceValue: nonce.value },
        expiresAt: new Date(services.clock.now().getTime() + services.policy.draftLifetimeMs).toISOString(),
      };
    }
    case 'recent-blockhash': {
      const { blockhash, lastValidBlockHeight, expiresAt } = await freshBlockhash(services);
      const { bytes } = compileLegacyMessage({
        payer: creator,
        instructions: [
          computeUnitLimitInstruction(computeUnitLimit),
          computeUnitPriceInstruction(computeUnitPrice),
          ...instructions,
        ],
        recentBlockhash: blockhash,
      });
      return {
        message: bytes,
        giveBack: async () => {},
        lifetime: { kind, blockhash, lastValidBlockHeight: lastValidBlockHeight.toString() },
        expiresAt,
      };
    }
  }
}

/** Milliseconds of a slot, for nodes without performance samples. Source: `DEFAULT_MS_PER_SLOT` of Agave. */
const USUAL_SLOT = 400;

/** `expiresAt`: time of the last valid block (ISO 8601) if no slot is skipped. Otherwise the blockhash is valid for longer. */
async function freshBlockhash({ chain, slotTime, clock }: DraftServices) {
  const [{ blockhash, lastValidBlockHeight }, { blockHeight }, slot = USUAL_SLOT] = await Promise.all([
    chain.recentBlockhash(),
    chain.tip('confirmed'),
    slotTime.measured(),
  ]);
  const milliseconds = Math.floor(Number(lastValidBlockHeight - blockHeight) * slot);
  const expiresAt = new Date(clock.now().getTime() + milliseconds).toISOString();
  return { blockhash, lastValidBlockHeight, expiresAt };
}

/** Limit for simulations: more compute units than any transaction of the service needs. */
const GENEROUS_UNIT_LIMIT = 400_000;
/** Compute units of the nonce advance, which the simulation omits. */
const NONCE_ADVANCE_UNITS = 150;

/** Cost of the transaction in lamports. Rejects if a simulation shows that the chain would reject it. */
export async function priceAndSimulate(
  { services, transactionId, creator, lifetime }: PlanContext,
  { instructions, payments, writable }: DraftPlan<DraftSubject>,
  purpose: Pick<PurposeBehaviour, 'signers'>,
  timeLimit: TimeLimit,
) {
  const { chain, policy } = services;
  const simulationMessage = compileSimulationMessage({
    payer: creator,
    computeUnitLimit: GENEROUS_UNIT_LIMIT,
    instructions,
  });
  const simulated = chain.simulate(simulationMessage, { anyBlockhash: true });
  // Missing funds are reported first, regardless of the simulation's result.
  simulated.catch(() => undefined);
  const [walletRent, recentPrices, balance] = await Promise.all([
    chain.rentExemption(0),
    chain.recentPrices(writable),
    chain.balance(creator),
    // Only drafts that hold a nonce account cause costs for the service.
    lifetime === 'durable-nonce' ? timeLimit.of(services.nonces.requireFunded()) : undefined,
  ]);
  const keys = purpose.signers(services.keyring, transactionId, lifetime);
  const signatures = 1 + keys.length + (lifetime === 'durable-nonce' ? 1 : 0);
  const price = computeUnitPrice(recentPrices, policy.priorityFeeMax);
  const costAt = (limit: number): bigint =>
    payments + transactionFee({ signatures, computeUnitLimit: limit, computeUnitPrice: price });
  // Include the wallet's own minimum rent: a creator who holds exactly the stated cost must not fail.
  requireFunds(costAt(0) + walletRent, balance);

  const { error, logs, unitsConsumed } = await simulated;
  if (error !== undefined) throw simulationFailedRejection(error, logs);
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

type TimeLimit = ReturnType<typeof createTimeLimit>;

/** Deadline shared by all calls that it wraps. The time starts when this function is called. */
export function createTimeLimit(milliseconds: number) {
  const until = performance.now() + milliseconds;

  const of = <T>(work: Promise<T>): Promise<T> =>
    pTimeout(work, {
      milliseconds: Math.max(1, until - performance.now()),
      fallback() {
        throw new ChainUnavailable('the chain has not responded within the time limit of the call');
      },
    });

  return {
    /** Rejects with `ChainUnavailable` at the limit; the work continues in the background. */
    of,
    /** Applies the limit to each call of the chain. */
    chain: (chain: Chain) => wrapCalls(chain, (_method, call) => of(call())),
  };
}
