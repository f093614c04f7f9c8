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
import type { DraftServices } from './services.ts';
import { simulationRefused } from './simulation-refused.ts';

/** Enough compute units to simulate any of our transactions. */
const GENEROUS_UNIT_LIMIT = 400_000;
/** Compute units of the nonce advance, which the simulation leaves out. */
const NONCE_ADVANCE_UNITS = 150;

export interface DraftPlan<Subject extends DraftSubject> {
  readonly subject: Subject;
  /** Run after the compute-unit price, and after the nonce advance if there is one. */
  readonly instructions: readonly Instruction[];
  /** The number of signatures: the creator's and those of the service's keys. */
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
   * `durable-nonce`: valid for the five minutes promised to clients. `recent-blockhash`: for transactions that clients
   * send themselves, valid for about a minute.
   */
  readonly lifetime: Lifetime['kind'];
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
  const { name, summary, route, input, output, lifetime } = definition;
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

    async prepare(given, { services, call: { actor: creator }, cause }) {
      const transactionId = deriveId('draft', cause.commandId);
      const context: PlanContext = { services, transactionId, creator, cause };
      const plan = await definition.plan(given, context);
      const { state: before } = await services.executor.load(draft, transactionId);
      if (before.status !== 'absent') return undefined;
      if (lifetime === 'durable-nonce') await requireFewDrafts(context, plan);
      const priced = await priceAndSimulate(context, plan, lifetime);

      // Nothing is recorded before this line. Lease and claim name the draft, and lapse if it is never recorded.
      const { message, giveBack, ...rest } = await withLifetime(lifetime, context, plan, priced);
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
      const issued = recorded as IssuedDraft & { readonly subject: Subject };
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
  { services, creator }: PlanContext,
  { instructions, signatures, payments, writable }: DraftPlan<DraftSubject>,
  lifetime: Lifetime['kind'],
): Promise<Priced> {
  const { chain, policy } = services;
  const [walletRent, recentPrices, balance] = await Promise.all([
    chain.rentExemption(0),
    chain.recentPrices(writable),
    chain.balance(creator),
    // Only drafts that hold a nonce account cost the service anything.
    lifetime === 'durable-nonce' ? services.nonces.requireFunded() : undefined,
  ]);
  const price = computeUnitPrice(recentPrices, policy.maxComputeUnitPrice);
  const costAt = (limit: number): bigint =>
    payments + transactionFee({ signatures, computeUnitLimit: limit, computeUnitPrice: price });
  // Include the wallet's own minimum rent: a creator who holds exactly the stated amount must not fail.
  requireFunds(costAt(0) + walletRent, balance);

  const simulationMessage = compileSimulationMessage({
    payer: creator,
    computeUnitLimit: GENEROUS_UNIT_LIMIT,
    instructions,
  });
  const { error, logs, unitsConsumed } = await chain.simulate(simulationMessage, { anyBlockhash: true });
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
  kind: Lifetime['kind'],
  { services, transactionId, creator, cause }: PlanContext,
  { instructions }: DraftPlan<DraftSubject>,
  { computeUnitLimit, computeUnitPrice }: Priced,
): Promise<
  Pick<IssuedDraft, 'lifetime' | 'expiresAt'> & {
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
      const { blockhash, lastValidBlockHeight } = await services.chain.recentBlockhash();
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
        expiresAt: expiringIn(services.policy.blockhashLifetime),
      };
    }
  }
}
