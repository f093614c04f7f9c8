/**
 * Defines the commands that accept a signed draft. After the acceptance, the service is responsible for it and returns its
 * outcome on the chain; a repeated call returns the same outcome.
 */

import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { AcceptedForLater, commandsFor } from '../kernel/runtime/define-command.ts';
import type { InputSchemas, Route } from '../kernel/runtime/define-route.ts';
import type { DomainEvent } from '../kernel/runtime/define-stream.ts';
import type { Recorded } from '../kernel/runtime/event-codec.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { Rejection } from '../kernel/runtime/rejection.ts';
import { draft } from '../streams/draft.ts';
import { type IssuedDraft, nonceOf, SubmissionAccepted } from '../streams/draft-events.ts';
import { type DraftState, type FailedDraft, isUnderWay } from '../streams/draft-state.ts';
import type { DraftSubject } from '../streams/purposes/index.ts';
import { type RejectionCode, rejection } from '../streams/rejections.ts';
import { HISTORY_SEARCHED } from '../views/transaction-view.ts';
import { checkSubmission, countersign, simulationMessage } from './countersign.ts';
import type { LandedDraft, PurposeBehaviour } from './purposes/purpose-behaviour.ts';
import {
  draftExpiredRejection,
  requireOpen,
  requireOwn,
  simulationFailedRejection,
} from './require-draft.ts';
import type { DraftServices } from './services.ts';

export const SignedTransaction = Type.String({
  minLength: 1,
  maxLength: 8_192,
  description: 'Base64 or base64url, padded or not; line breaks are ignored.',
  examples: ['AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
});

const SubmissionBody = Type.Object(
  { transactionId: Uuid, signedTransaction: SignedTransaction },
  { additionalProperties: false, title: 'SignedTransaction' },
);

interface SubmissionDefinition<
  Subject extends DraftSubject,
  Event extends DomainEvent,
  Output extends TSchema,
  Params extends InputSchemas['params'],
> {
  readonly name: string;
  readonly summary: string;
  /** Markdown, for details that the summary and the schemas do not contain. */
  readonly description: string;
  readonly route: Pick<Route, 'url' | 'operationId'> & { readonly limit: string };
  readonly params?: Params;
  readonly purpose: PurposeBehaviour<Subject, Event>;
  readonly output: Output;
  /** Rejections of the purpose's claim, in addition to the rejections of all submissions. */
  readonly rejections?: readonly RejectionCode[];
  /** Response once the draft has landed and its event is recorded. */
  readonly answer: (draft: LandedDraft<Subject>, event: Recorded<Event>) => Static<Output>;
}

const REJECTIONS_OF_ALL: readonly RejectionCode[] = [
  'TRANSACTION_NOT_FOUND',
  'NOT_TRANSACTION_OWNER',
  'TRANSACTION_EXPIRED',
  'TRANSACTION_SUPERSEDED',
  'TRANSACTION_CANCELLED',
  'TRANSACTION_MISMATCH',
  'SIGNATURE_MISSING',
  'SIGNATURE_INVALID',
  'CHAIN_REJECTED',
  'CHAIN_UNAVAILABLE',
  'CONFIRMATION_PENDING',
];

export function defineSubmission<
  Subject extends DraftSubject,
  Event extends DomainEvent,
  Output extends TSchema,
  Params extends InputSchemas['params'] = undefined,
>(definition: SubmissionDefinition<Subject, Event, Output, Params>) {
  const { route, params, purpose, rejections = [] } = definition;
  return commandsFor<DraftServices>()({
    ...definition,
    route: { method: 'POST', auth: 'wallet', ...route },
    input: { body: SubmissionBody, ...(params === undefined ? {} : { params }) },
    respondsAsync: true,
    rejections: [...new Set([...rejections, ...REJECTIONS_OF_ALL])],
    stream: draft,
    streamId: ({ body }) => body.transactionId,

    async prepare({ body, params: given }, { services, call, cause }) {
      const { clock, chain, keyring, policy } = services;
      const now = clock.now();
      const { own, subject } = await services.executor.check(draft, body.transactionId, (state) => {
        const own = requireOwn(state, call.actor);
        const subject = requireOfKind<Subject>(own.issued, purpose.kind, given);
        if (!isUnderWay(own)) requireOpen(own, now.toISOString());
        return { own, subject };
      });
      const { issued } = own;
      const underWay = { now: now.toISOString(), accepted: undefined };
      if (isUnderWay(own)) return underWay;

      const { transactionId, creator } = issued;
      const checked = checkSubmission(issued, body.signedTransaction);
      const { error, logs, slot } = await chain.simulate(simulationMessage(checked));
      if (error !== undefined) {
        const { state: since } = await services.executor.load(draft, body.transactionId);
        if (judgeFailedSimulation(since, { now: now.toISOString() }) === 'under-way') return underWay;
        throw (
          (await purpose.refusal?.({ transactionId, creator, subject }, services)) ??
          (isBlockhashOver(issued, error) ? draftExpiredRejection() : simulationFailedRejection(error, logs))
        );
      }
      await purpose.claim?.({ transactionId, creator, subject }, services, cause);
      const keys = purpose.signers(keyring, transactionId, issued.lifetime.kind);
      const { wire, signature } = countersign(
        checked,
        creator,
        issued.lifetime.kind === 'durable-nonce' ? [...keys, keyring.nonceAuthority] : keys,
      );
      return {
        now: now.toISOString(),
        accepted: {
          transactionId,
          signature,
          signedTransaction: Buffer.from(wire).toString('base64'),
          deadline: new Date(now.getTime() + policy.settleDeadlineMs).toISOString(),
          ...(purpose.kind !== 'launch' && { afterSlot: slot.toString() }),
        },
      };
    },

    decide(state, _input, facts) {
      if (isUnderWay(state) || facts.accepted === undefined) return [];
      requireOpen(state, facts.now);
      return [SubmissionAccepted(facts.accepted)];
    },

    async respond(_state, { body: { transactionId } }, { services, call, observed }) {
      const { submitWaitMs: submitWait } = services.policy;
      const patience = Math.min(call.waitsFor ?? submitWait, submitWait);
      const settlement = await services.settlements.wait(transactionId, purpose, patience);
      switch (settlement.kind) {
        case 'recorded':
          observed(settlement.event.position);
          return definition.answer(settlement.draft, settlement.event);
        case 'failed':
          throw (
            (await refusalOf(purpose, settlement.draft, services)) ?? failedDraftRejection(settlement.draft)
          );
        case 'pending':
          // `submissions.*` on `GET /events` reports the outcome as well.
          if (call.waitsFor !== undefined) throw new AcceptedForLater(`/transactions/${transactionId}`);
          throw confirmationPending(settlement, await services.hasSettler().catch(() => true));
      }
    },
  });
}

function confirmationPending({ isSearched }: { readonly isSearched: boolean }, hasSettler: boolean) {
  const reason = !hasSettler
    ? 'No process of the service is sending submissions; this submission is sent as soon as a process does.'
    : isSearched
      ? HISTORY_SEARCHED
      : 'The outcome is pending.';
  return rejection('CONFIRMATION_PENDING', `${reason} Repeating the call is safe and returns the outcome.`, {
    retryAfterSeconds: 2,
  });
}

/**
 * Explains a failed simulation from a newer state of the draft. Throws if the draft has ended. `refused`: the chain would
 * reject the transaction.
 */
function judgeFailedSimulation(
  since: DraftState,
  { now }: { readonly now: string },
): 'under-way' | 'refused' {
  // In a concurrent run of the same call, the transaction may have landed and consumed the nonce.
  if (isUnderWay(since)) return 'under-way';
  // The draft may have ended in the meantime, and another draft may have used its nonce.
  requireOpen(since, now);
  return 'refused';
}

function isBlockhashOver(issued: IssuedDraft, error: string): boolean {
  return nonceOf(issued) === undefined && error.includes('BlockhashNotFound');
}

/** Each submit route accepts only drafts of its own create-unsigned route, for the token in its path. */
function requireOfKind<Subject extends DraftSubject>(
  { subject }: IssuedDraft,
  kind: Subject['kind'],
  params: object | undefined,
): Subject {
  const mintAddress =
    params !== undefined && 'mintAddress' in params ? params.mintAddress : subject.mintAddress;
  if (subject.kind !== kind || subject.mintAddress !== mintAddress) {
    throw rejection(
      'TRANSACTION_NOT_FOUND',
      'This transactionId belongs to another route or token; submit it there.',
    );
  }
  return subject as Subject;
}

/** Purpose-specific reason for a draft that the chain rejected. */
async function refusalOf<Subject extends DraftSubject, Event extends DomainEvent>(
  purpose: PurposeBehaviour<Subject, Event>,
  { issued, failed }: FailedDraft,
  services: DraftServices,
): Promise<Rejection | undefined> {
  if (failed.code !== 'CHAIN_REJECTED') return undefined;
  const { transactionId, creator } = issued;
  // The submission has checked that the draft is of this purpose.
  return purpose.refusal?.({ transactionId, creator, subject: issued.subject as Subject }, services);
}

/** Rejection with the chain's error and logs, or for a timeout. */
function failedDraftRejection({ failed: { code, message, logs } }: Pick<FailedDraft, 'failed'>): Rejection {
  if (code === 'TRANSACTION_EXPIRED') return rejection(code, message);
  return rejection(code, message, {
    details: logs.map((logged, line) => ({ path: ['logs', String(line)], message: logged })),
  });
}
