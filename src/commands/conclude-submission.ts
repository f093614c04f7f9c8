/**
 * Ends a draft whose outcome the chain does not show, by the claim of an operator. Records both the claim and the
 * outcome, so that all consequences of an outcome follow as usual.
 */
import { Type } from '@sinclair/typebox';
import { decideConclusion, type OutcomeClaim } from '../drafts/concluding/decide-conclusion.ts';
import { lookUpOutcome } from '../drafts/concluding/look-up-outcome.ts';
import type { DraftServices } from '../drafts/services.ts';
import { commandsFor } from '../kernel/runtime/define-command.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import { draft } from '../streams/draft.ts';
import { CheckedBy, ConcludedOutcome } from '../streams/draft-events.ts';
import { conclusionOf, isOutcomeOpen } from '../streams/draft-state.ts';
import { rejection } from '../streams/rejections.ts';
import { Amount, described, orNull, Signature } from '../streams/value-types.ts';
import { operatorName, Reason, readReason } from './operator-reason.ts';

const Body = Type.Object(
  {
    outcome: ConcludedOutcome,
    signature: Type.Optional(
      described(Signature, 'Signature of the transaction that landed; only with `landed`.'),
    ),
    slot: Type.Optional(
      described(
        Amount,
        "Slot in which the transaction landed; required if the service's node does not show the transaction.",
      ),
    ),
    reason: Reason,
  },
  {
    additionalProperties: false,
    examples: [{ outcome: 'not-landed', reason: 'Two other nodes show no such transaction.' }],
  },
);

export const concludeSubmission = commandsFor<DraftServices>()({
  name: 'ConcludeSubmission',
  summary: 'Conclude a transaction',
  description:
    'Records the outcome of a transaction whose outcome is unknown (`GET /operator/submissions?state=unknown`). Check ' +
    'it on other nodes first. Refused while the transaction can still land, and if the chain contradicts the outcome. ' +
    '`landed` is checked against the transaction; if the node does not show it, against the account that it creates; otherwise ' +
    'against the signature. `not-landed` is refused if an account exists that only this transaction can create. The ' +
    'service then acts as after any other outcome.',
  route: {
    method: 'POST',
    url: '/operator/submissions/:transactionId/conclude',
    auth: 'operator',
    limit: 'operator',
  },
  input: { params: Type.Object({ transactionId: Uuid }), body: Body },
  output: Type.Object({
    transactionId: Uuid,
    outcome: ConcludedOutcome,
    signature: orNull(Signature),
    checked: CheckedBy,
    reason: Type.String({ examples: Reason.examples }),
    by: Type.String({ examples: ['alice'] }),
  }),
  rejections: [
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_NOT_SUBMITTED',
    'OUTCOME_KNOWN',
    'OUTCOME_OPEN',
    'OUTCOME_CONTRADICTED',
    'CONCURRENT_CHANGE',
    'CHAIN_UNAVAILABLE',
  ],
  stream: draft,
  streamId: ({ params }) => params.transactionId,

  async prepare({ params: { transactionId }, body }, { services: { executor, chain } }) {
    const reason = readReason(body.reason);
    const claim = readClaim(body);
    const { state } = await executor.load(draft, transactionId);
    const lookedUp = isOutcomeOpen(state) ? await lookUpOutcome(chain, state, claim) : undefined;
    return { claim, reason, lookedUp };
  },

  decide: (state, { params }, facts, actor) =>
    decideConclusion(state, params, { ...facts, by: operatorName(actor) }),

  respond(state) {
    const concluded = conclusionOf(state);
    if (concluded === undefined) throw new Error('the draft has no conclusion after ConcludeSubmission');
    return concluded;
  },
});

function readClaim({
  outcome,
  signature,
  slot,
}: {
  readonly outcome: OutcomeClaim['outcome'];
  readonly signature?: string;
  readonly slot?: string;
}): OutcomeClaim {
  if (outcome === 'landed') {
    if (signature === undefined)
      throw invalidConclusionRejection('signature', 'is required with the outcome `landed`');
    return { outcome, signature, slot };
  }
  if (signature !== undefined || slot !== undefined)
    throw invalidConclusionRejection(
      signature === undefined ? 'slot' : 'signature',
      'must be omitted with the outcome `not-landed`',
    );
  return { outcome };
}

function invalidConclusionRejection(path: string, message: string) {
  return rejection('VALIDATION_FAILED', 'Outcome and signature do not match; see the details.', {
    details: [{ path: [path], message }],
  });
}
