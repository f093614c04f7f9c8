/**
 * Defines the commands that issue drafts. Each definition says what its transaction does; payment, simulation, lifetime
 * and recording are the same for all. The order is: whatever can fail, the nonce's lease, the claim, the draft, and only
 * then the end of the draft that it replaces. So a refusal leaves no claim and no lease, and ends no other draft.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { compileLegacyMessage, type Instruction } from 'levy-solana-wire';
import {
  compileDurableTransaction,
  compileSimulationMessage,
  transactionFee,
} from '../chain/durable-transaction.ts';
import { computeUnitLimit, computeUnitPrice } from '../chain/price-policy.ts';
import { computeUnitLimitInstruction, computeUnitPriceInstruction } from '../chain/system-instructions.ts';
import type { Position } from '../ports/event-store.ts';
import { transactions } from '../projections/transactions.ts';
import { commandsFor } from '../runtime/define-command.ts';
import type { InputOf, InputSchemas } from '../runtime/define-route.ts';
import type { Cause } from '../runtime/execute.ts';
import { deriveId } from '../runtime/ids.ts';
import { Rejection } from '../runtime/rejection.ts';
import { DraftIssued, draft, type IssuedDraft, type Lifetime } from '../streams/draft.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { type RejectionCode, rejection } from '../streams/rejections.ts';
import { freshBlockhash } from './refresh-draft.ts';
import { refreshedIfStale } from './refreshed-if-stale.ts';
import type { DraftServices } from './services.ts';
import { simulationRefused } from './simulation-refused.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

/** Enough compute units to simulate any of our transactions. */
const GENEROUS_UNIT_LIMIT = 400_000;
/**
 * Milliseconds for all questions to the chain before the nonce's lease, which has its own limits because accounts may
 * have to be opened for it. Most callers and proxies wait for 30 seconds.
 */
const ASKED_WITHIN = 15_000;
/** Compute units of the nonce advance, which the simulation leaves out. */
const NONCE_ADVANCE_UNITS = 150;

export interface DraftPlan<Subject extends DraftSubject> {
  readonly subject: Subject;
  /** Run after the compute-unit price, and after the nonce advance if there is one. */
  readonly instructions: readonly Instruction[];
  /** The number of signatures: the creator's and those of the service's keys, except the nonce authority's. */
  readonly signatures: number;
  /** Lamports that the creator pays besides the fee: rent, prices. */
  readonly payments: bigint;
  /** The accounts whose traffic determines the compute-unit price. */
  readonly writable: readonly string[];
  /** Whether this draft replaces the open draft, which is then not counted. */
  readonly replaces?: (other: DraftSubject) => boolean;
  /** Claims what only one draft can have; the last step before the draft is recorded. */
  readonly claim?: () => Promise<void>;
}

export interface PlanContext {
  readonly services: DraftServices;
  readonly transactionId: string;
  readonly creator: string;
  readonly cause: Cause;
  readonly lifetime: Lifetime['kind'];
}

interface DraftDefinition<
  Schemas extends InputSchemas,
  Subject extends DraftSubject,
  Output extends TSchema,
> {
  readonly name: string;
  readonly summary: string;
  readonly route: { readonly url: string; readonly limit: string };
  readonly input: Schemas;
  readonly output: Output;
  /** Besides the rejections common to all drafts. */
  readonly rejections: readonly RejectionCode[];
  /**
   * `service`: valid for the five minutes promised to clients, with a lifetime as configured. `client`: on a recent
   * blockhash, signed by the service already, and valid for about 150 blocks.
   */
  readonly sentBy: 'service' | 'client';
  /** Rejects a draft that must not be issued. Takes nothing, except in `claim`. */
  readonly plan: (input: InputOf<Schemas>, context: PlanContext) => Promise<DraftPlan<Subject>>;
  /**
   * Ends the draft that this one replaces, once this one is recorded; a repeated call runs it again. Gives the position
   * of what it recorded. May fail to be done: nothing may depend on it.
   */
  readonly replace?: (
    issued: IssuedDraft & { readonly subject: Subject },
    context: { readonly services: DraftServices; readonly cause: Cause },
  ) => Promise<Position | undefined>;
  /** The answer; a repeated call gets it again. */
  readonly answer: (
    issued: IssuedDraft & { readonly subject: Subject },
    context: { readonly services: DraftServices },
  ) => Static<Output> | Promise<Static<Output>>;
}

const REJECTIONS_OF_ALL: readonly RejectionCode[] = [
  'TOO_MANY_DRAFTS',
  'CONCURRENT_CHANGE',
  'INSUFFICIENT_FUNDS',
  'CHAIN_REJECTED',
  'CHAIN_UNAVAILABLE',
  'DRAFTS_EXHAUSTED',
  'SERVICE_UNFUNDED',
];

export function defineDraft<
  Schemas extends InputSchemas,
  Subject extends DraftSubject,
  Output extends TSchema,
>(definition: DraftDefinition<Schemas, Subject, Output>) {
  const { name, summary, route, input, output, sentBy } = definition;
  return commandsFor<DraftServices>()({
    name,
    summary,
    route: { method: 'POST', auth: 'wallet', ...route },
    input,
    output,
    rejections: [...new Set([...definition.rejections, ...REJECTIONS_OF_ALL])],
    stream: draft,
    // Drafts of all purposes take turns together, because they are counted together.
    turnOf: (_input, creator) => `drafts/${creator}`,
    streamId: (_input, { commandId }) => deriveId('draft', commandId),

    async prepare(given, { services: unlimited, call: { actor: creator }, cause }) {
      const timeLimit = createTimeLimit(ASKED_WITHIN);
      const services = { ...unlimited, chain: timeLimit.chain(unlimited.chain) };
      const transactionId = deriveId('draft', cause.commandId);
      const lifetime = sentBy === 'client' ? 'recent-blockhash' : services.policy.draftLifetimeKind;
      const context: PlanContext = { services, transactionId, creator, cause, lifetime };
      const plan = await definition.plan(given, context);
      const { state: before } = await services.executor.load(draft, transactionId);
      if (before.status !== 'absent') return undefined;
      if (sentBy === 'service') await requireFewDrafts(context, plan);
      const priced = await priceAndSimulate(context, plan, timeLimit);

      // Nothing is recorded before this line. Lease and claim name the draft, and lapse if it is never recorded.
      const { message, giveBack, ...rest } = await withLifetime(sentBy, context, plan, priced);
      try {
        await plan.claim?.();
      } catch (refusal) {
        await giveBack();
        throw refusal;
      }
      const issued: IssuedDraft = {
        transactionId,
        creator,
        message: Buffer.from(message).toString('base64'),
        ...rest,
        cost: priced.cost.toString(),
        subject: plan.subject,
      };
      return { abandonments: before.abandonments, issued };
    },

    decide(state, _input, facts) {
      // The same command ran twice at once, and the other run was first.
      if (facts === undefined || state.issued?.transactionId === facts.issued.transactionId) return [];
      if (state.status !== 'absent' || state.abandonments !== facts.abandonments) {
        throw rejection('CONCURRENT_CHANGE', 'The draft was given up while it was being made; try again.', {
          retryAfterSeconds: 1,
        });
      }
      return [DraftIssued(facts.issued)];
    },

    async respond({ issued: recorded }, _input, { services, cause, observed }) {
      if (recorded === undefined) throw new Error('a draft that was just recorded is not there');
      // A draft under this command's own id always has this command's kind of subject.
      const issued = (await refreshedIfStale(recorded, { services, cause, observed })) as IssuedDraft & {
        readonly subject: Subject;
      };
      const position = await definition.replace?.(issued, { services, cause }).catch(unlessUnavailable);
      if (position !== undefined) observed(position);
      return definition.answer(issued, { services });
    },
  });
}

/** The draft is recorded, and its submission ends the other one all the same. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof Rejection && error.kind === 'unavailable') return undefined;
  throw error;
}

async function requireFewDrafts(
  { services, creator }: PlanContext,
  { replaces }: DraftPlan<DraftSubject>,
): Promise<void> {
  // A draft that was issued a moment ago counts as well.
  await services.readModelsCaughtUp().catch((cause: unknown) => {
    throw rejection('STORE_UNAVAILABLE', 'The event store does not answer; try again.', {
      retryAfterSeconds: 2,
      cause,
    });
  });
  const now = services.clock.now().toISOString();
  const open = await services.readModel.find(transactions, 'open', creator);
  const others = open.filter(({ issued }) => issued.expiresAt > now && !replaces?.(issued.subject));
  if (others.length < services.policy.openDraftsPerWallet) return;
  throw rejection(
    'TOO_MANY_DRAFTS',
    `A wallet may have ${services.policy.openDraftsPerWallet} open drafts; sign one or let it expire.`,
  );
}

interface Priced {
  readonly computeUnitLimit: number;
  /** Microlamports. */
  readonly computeUnitPrice: bigint;
  /** Lamports. */
  readonly cost: bigint;
}

/** The cost of the transaction, once a simulation has shown that the chain would take it. */
async function priceAndSimulate(
  { services, creator, lifetime }: PlanContext,
  { instructions, signatures: own, payments, writable }: DraftPlan<DraftSubject>,
  timeLimit: TimeLimit,
): Promise<Priced> {
  const { chain, policy } = services;
  const simulationMessage = compileSimulationMessage({
    payer: creator,
    computeUnitLimit: GENEROUS_UNIT_LIMIT,
    instructions,
  });
  const simulated = chain.simulate(simulationMessage, { anyBlockhash: true });
  // A wallet without funds is told so first, whatever its simulation shows or fails with.
  simulated.catch(() => undefined);
  const [walletRent, recentPrices, balance] = await Promise.all([
    chain.rentExemption(0),
    chain.recentPrices(writable),
    chain.balance(creator),
    // Only drafts that hold a nonce account cost the service anything.
    lifetime === 'durable-nonce' ? timeLimit.of(services.nonces.requireFunded()) : undefined,
  ]);
  const signatures = lifetime === 'durable-nonce' ? own + 1 : own;
  const price = computeUnitPrice(recentPrices, policy.maxComputeUnitPrice);
  const costAt = (limit: number): bigint =>
    payments + transactionFee({ signatures, computeUnitLimit: limit, computeUnitPrice: price });
  // Include the wallet's own minimum rent: a creator who holds exactly the stated amount must not fail.
  requireFunds(costAt(0) + walletRent, balance);

  const { error, logs, unitsConsumed } = await simulated;
  if (error !== undefined) throw simulationRefused(error, logs);
  const limit = computeUnitLimit(unitsConsumed + NONCE_ADVANCE_UNITS);
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

/** The message and its lifetime, which holds a nonce account if it needs one. */
async function withLifetime(
  sentBy: 'service' | 'client',
  { services, transactionId, creator, cause, lifetime: kind }: PlanContext,
  { instructions }: DraftPlan<DraftSubject>,
  { computeUnitLimit, computeUnitPrice }: Priced,
): Promise<
  Pick<IssuedDraft, 'lifetime' | 'expiresAt' | 'bytesExpireAt'> & {
    readonly message: Uint8Array;
    /** Called when the draft is not going to be recorded. */
    readonly giveBack: () => Promise<void>;
  }
> {
  const expiringIn = (milliseconds: number) =>
    new Date(services.clock.now().getTime() + milliseconds).toISOString();
  switch (kind) {
    case 'durable-nonce': {
      const nonce = await services.nonces.lease(transactionId, cause);
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
        expiresAt: expiringIn(services.policy.draftLifetime),
      };
    }
    case 'recent-blockhash': {
      const { blockhash, lastValidBlockHeight, bytesExpireAt } = await freshBlockhash(
        services.chain,
        services.slotTime,
        services.clock.now(),
      );
      if (sentBy === 'client' && bytesExpireAt === undefined) {
        throw rejection(
          'CHAIN_UNAVAILABLE',
          'The chain node does not show how long its slots are; try again.',
          { retryAfterSeconds: 20 },
        );
      }
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
        ...(sentBy === 'client' && bytesExpireAt !== undefined
          ? { expiresAt: bytesExpireAt }
          : {
              expiresAt: expiringIn(services.policy.draftLifetime),
              ...(bytesExpireAt !== undefined && { bytesExpireAt }),
            }),
      };
    }
  }
}
