/**
 * Defines the commands that issue drafts. Each definition describes its transaction; price, simulation, lifetime and recording
 * are common. The order is: all checks that can fail, the nonce's lease, the claim, the draft, and only then the end of the
 * drafts that it replaces. So a rejection leaves no claim and no lease, and ends no other draft.
 */

import type { Static, TSchema } from '@sinclair/typebox';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import type { InputOf, InputSchemas, Route } from '../kernel/runtime/define-route.ts';
import { type Cause, storeUnavailableRejection } from '../kernel/runtime/execute.ts';
import { deriveId } from '../kernel/runtime/ids.ts';
import { Rejection } from '../kernel/runtime/rejection.ts';
import { transactions } from '../projections/transactions.ts';
import { draft } from '../streams/draft.ts';
import { type DraftEvent, DraftIssued, type IssuedDraft } from '../streams/draft-events.ts';
import { type DraftState, isOnRecord } from '../streams/draft-state.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { type RejectionCode, rejection } from '../streams/rejections.ts';
import { decideSuperseding } from './decide-ending.ts';
import { createTimeLimit, priceAndSimulate, withLifetime } from './draft-bytes.ts';
import type { DraftPlan, PlanContext, SentBy } from './draft-plan.ts';
import type { PurposeBehaviour } from './purposes/purpose-behaviour.ts';
import type { DraftServices } from './services.ts';

/**
 * Timeout in milliseconds for all chain calls before the nonce's lease. The lease has its own limits, because accounts may have
 * to be created for it. Most callers and proxies wait for 30 seconds.
 */
const ASKED_WITHIN = 15_000;

interface DraftDefinition<
  Schemas extends InputSchemas,
  Subject extends DraftSubject,
  Output extends TSchema,
> {
  readonly name: string;
  readonly summary: string;
  /** Markdown, for details that the summary and the schemas do not contain. */
  readonly description: string;
  readonly route: Pick<Route, 'url' | 'operationId'> & { readonly limit: string };
  readonly input: Schemas;
  readonly output: Output;
  /** Rejections in addition to the common ones of all drafts. */
  readonly rejections: readonly RejectionCode[];
  readonly sentBy: SentBy;
  readonly purpose: Pick<PurposeBehaviour<Subject>, 'signers'>;
  /** Rejects a draft that must not be issued. Claims nothing, except in `claim`. */
  readonly plan: (input: InputOf<Schemas>, context: PlanContext) => Promise<DraftPlan<Subject>>;
  /** True if a draft for `subject` replaces an earlier open draft of its creator for `other`. */
  readonly replaces?: (subject: Subject, other: DraftSubject) => boolean;
  /** Builds the response of the command; a repeated call returns the same response. */
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
  const { name, summary, description, route, input, output, sentBy, purpose, replaces } = definition;
  return commandsFor<DraftServices>()({
    name,
    summary,
    description,
    route: { method: 'POST', auth: 'wallet', ...route },
    input,
    output,
    rejections: [...new Set([...definition.rejections, ...REJECTIONS_OF_ALL])],
    stream: draft,
    // Drafts of all purposes share one lock per creator, because their limit is shared.
    lockOf: (_input, creator) => `drafts/${creator}`,
    streamId: (_input, { commandId }) => deriveId('draft', commandId),

    async prepare(given, { services: unlimited, call: { actor: creator, partner, network }, cause }) {
      const timeLimit = createTimeLimit(ASKED_WITHIN);
      const services = { ...unlimited, chain: timeLimit.chain(unlimited.chain) };
      const transactionId = deriveId('draft', cause.commandId);
      const lifetime = sentBy === 'client' ? 'recent-blockhash' : services.policy.draftLifetimeKind;
      const context: PlanContext = { services, transactionId, creator, partner, network, cause, lifetime };
      const plan = await definition.plan(given, context);
      const { state: before } = await services.executor.load(draft, transactionId, { trust: 'cached' });
      if (before.status !== 'absent') return undefined;
      if (sentBy === 'service')
        await requireFewDrafts(context, (other) => replaces?.(plan.subject, other) ?? false);
      const priced = await priceAndSimulate(context, plan, purpose, timeLimit);

      // Nothing is recorded before this line. Lease and claim name the draft, and lapse if the draft is never recorded.
      const { message, giveBack, ...rest } = await withLifetime(context, plan, priced);
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

    decide: (state, _input, facts) => (facts === undefined ? [] : decideIssue(state, facts)),

    async respond(state, _input, { services, cause, observed }) {
      if (!isOnRecord(state)) throw new Error('the recorded draft is missing from its stream');
      // A draft with this command's id always has this command's kind of subject.
      const issued = state.issued as IssuedDraft & { readonly subject: Subject };
      if (replaces !== undefined) {
        const isReplaced = (other: DraftSubject) => replaces(issued.subject, other);
        await endReplaced(issued, isReplaced, services, cause, observed).catch(unlessUnavailable);
      }
      return definition.answer(issued, { services });
    },
  });
}

/** `abandonments`: number of abandonments when the draft was prepared. */
function decideIssue(
  state: DraftState,
  { abandonments, issued }: { readonly abandonments: number; readonly issued: IssuedDraft },
): readonly DraftEvent[] {
  // A concurrent run of the same command was first.
  if (isOnRecord(state)) return [];
  if (state.status !== 'absent' || state.abandonments !== abandonments) {
    throw rejection('CONCURRENT_CHANGE', 'The draft was abandoned during its preparation; try again.', {
      retryAfterSeconds: 1,
    });
  }
  return [DraftIssued(issued)];
}

/**
 * Ends the replaced drafts on a best-effort basis: only one of the drafts can be submitted in any case. A repeated call does
 * not end drafts that are newer than its own.
 */
async function endReplaced(
  { transactionId, creator }: IssuedDraft,
  isReplaced: (other: DraftSubject) => boolean,
  { executor, readModel }: DraftServices,
  cause: Cause,
  observed: (position: Position) => void,
): Promise<void> {
  const open = await readModel.find(transactions, 'open', creator);
  const others = open.filter(
    (other) => other.transactionId !== transactionId && isReplaced(other.issued.subject),
  );
  if (others.length === 0) return;
  const { events } = await executor.load(draft, transactionId, { trust: 'cached' });
  const issuedAt = events.find(({ type }) => type === 'DraftIssued')?.metadata.occurredAt ?? '';
  for (const other of others) {
    if (`${other.createdAt} ${other.transactionId}` > `${issuedAt} ${transactionId}`) continue;
    const { position } = await executor.execute(draft, other.transactionId, cause, (state) =>
      decideSuperseding(state, { transactionId: other.transactionId, by: transactionId }),
    );
    if (position !== undefined) observed(position);
  }
}

function unlessUnavailable(error: unknown): void {
  const isAway =
    error instanceof StoreUnavailable || (error instanceof Rejection && error.kind === 'unavailable');
  if (!isAway) throw error;
}

async function requireFewDrafts(
  { services, creator }: PlanContext,
  isReplaced: (other: DraftSubject) => boolean,
): Promise<void> {
  // Wait, so that drafts issued just now count as well.
  await services.readModelsCaughtUp().catch((cause: unknown) => {
    throw storeUnavailableRejection(cause);
  });
  const now = services.clock.now().toISOString();
  const found = await services.readModel.find(transactions, 'open', creator);
  const open = found.filter(({ issued }) => issued.expiresAt > now);
  // Replaced drafts hold their nonce accounts until they are ended, so at most one of them is left out of the count.
  const replaced = open.some(({ issued }) => isReplaced(issued.subject)) ? 1 : 0;
  if (open.length - replaced < services.policy.openDraftsPerWallet) return;
  throw rejection(
    'TOO_MANY_DRAFTS',
    `A wallet may have ${services.policy.openDraftsPerWallet} open drafts; sign one or let it expire.`,
  );
}
