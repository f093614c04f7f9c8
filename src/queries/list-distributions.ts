/** Returns the state of each token's distribution for operators: halts with their reasons, and the waits of open runs. */

import { type Static, Type } from '@sinclair/typebox';
import type { DistributionServices, RunProgress } from '../distribution/services.ts';
import type { ReadModel } from '../kernel/ports/read-model.ts';
import { queriesFor } from '../kernel/runtime/define-query.ts';
import { Uuid } from '../kernel/runtime/ids.ts';
import type { RuntimeServices } from '../kernel/runtime/services.ts';
import { type DistributionRunDocument, distributionRuns } from '../projections/distribution-runs.ts';
import { distributionSwitch } from '../projections/distribution-switch.ts';
import { type DistributionDocument, distributions } from '../projections/distributions.ts';
import { type TokenDocument, tokens } from '../projections/tokens.ts';
import { HaltCode, SkipReason } from '../streams/distribution.ts';
import { DISTRIBUTION_SWITCH } from '../streams/distribution-switch.ts';
import { TokenCreation } from '../streams/purposes/token-creation.ts';
import { unsoldSentence } from '../streams/unsold-reasons.ts';
import { Address, Amount, described, orNull, Timestamp } from '../streams/value-types.ts';
import { stepView } from '../views/run-views.ts';
import { DistributionState } from '../views/token-views.ts';
import { CursorQuery, cutPage, Next, unknownCursorRejection } from './pages.ts';

const By = Type.String({
  description: 'Name of an operator, or of a part of the service.',
  examples: ['alice'],
});
const Reason = Type.String({ examples: ['The node and its witness disagree.'] });

const Distribution = Type.Object({
  tokenId: Uuid,
  mintAddress: Address,
  name: orNull(TokenCreation.properties.name),
  symbol: orNull(TokenCreation.properties.symbol),
  distributionWallet: Address,
  state: DistributionState,
  hidden: Type.Boolean({ examples: [false] }),
  requested: Type.Boolean({ description: 'True while a requested run is not open yet.', examples: [false] }),
  lastDueAt: orNull(Timestamp),
  openRun: orNull(Type.Object({ runId: Uuid, openedAt: Timestamp })),
  lastClosedAt: orNull(Timestamp),
  halted: orNull(Type.Object({ code: HaltCode, reason: Reason, by: By, since: Timestamp })),
  skipped: orNull(
    Type.Object({
      reason: SkipReason,
      detail: Type.String({ examples: ['No tax is withheld.'] }),
      since: Timestamp,
    }),
  ),
  unsold: orNull(
    Type.Object(
      {
        reason: Type.String({ examples: ['price-below-reference'] }),
        detail: orNull(
          Type.String({ examples: ['The price of the pool is far below its price of the last half hour.'] }),
        ),
        tries: Type.Integer({ minimum: 0, description: 'Number of recorded sales.', examples: [0] }),
        runId: Uuid,
        since: Timestamp,
      },
      { description: 'Reason why the last run with tax to sell sold nothing; null if it sold.' },
    ),
  ),
  owedByAsset: Type.Object(
    { sol: Amount, token: Amount },
    { description: 'Earned and unpaid amounts of wallets: lamports, and base units of the token.' },
  ),
  currentStep: Type.Optional(
    Type.Object(
      {
        step: Type.String({ description: 'Step of the run.', examples: ['pay'] }),
        since: described(Timestamp, 'Recorded start of the step.'),
        movedAt: described(Timestamp, 'Time of the last recorded event of the run.'),
        stuck: Type.Boolean({
          description:
            'True if the run needs an operator: its wait does not end by itself, or its step has exceeded its time limit.',
          examples: [true],
        }),
        waitingFor: orNull(
          Type.Object(
            {
              code: Type.String({
                description: 'See the reference of steps and waits. More codes may be added.',
                examples: ['chain-unavailable'],
              }),
              detail: Type.String({
                description: 'A sentence with details.',
                examples: ['The chain node does not respond.'],
              }),
              since: Timestamp,
              errorMessage: orNull(
                Type.String({
                  description: 'Error message of the chain or a store, verbatim.',
                  examples: ['fetch failed'],
                }),
              ),
              failedAttempts: Type.Integer({
                minimum: 0,
                description: 'Failed attempts since the run last advanced.',
                examples: [3],
              }),
              nextAttemptAt: orNull(described(Timestamp, 'Null during an attempt.')),
            },
            { title: 'DistributionWait' },
          ),
        ),
      },
      {
        description:
          'Current step of the open run. `consider`: the run is due or requested and not open yet; only the process that ' +
          'distributes returns this. Absent without a run. `waitingFor` is null in processes that do not distribute.',
      },
    ),
  ),
});

export const listDistributions = queriesFor<RuntimeServices & DistributionServices>()({
  name: 'ListDistributions',
  summary: 'List distributions',
  description:
    'In order of creation. `allHalted` is set if an operator has halted all distributions. `name` and `symbol` are null ' +
    'until the list of tokens shows the token.',
  route: { method: 'GET', url: '/operator/distributions', auth: 'operator', limit: 'operator' },
  input: {
    query: Type.Object(
      {
        state: Type.Optional(
          Type.Union([...DistributionState.anyOf, Type.Literal('stuck')], {
            title: 'DistributionFilter',
            description:
              'All distributions if absent. `running`: a run is open. `stuck`: an open or due run does not advance; oldest first.',
            examples: ['stuck'],
          }),
        ),
        ...CursorQuery,
      },
      { additionalProperties: false },
    ),
  },
  output: Type.Object({
    allHalted: orNull(Type.Object({ reason: Reason, by: By, since: Timestamp })),
    distributions: Type.Array(Distribution),
    next: Next,
  }),
  rejections: ['STORE_UNAVAILABLE'],
  async answer({ query }, { services: { readModel, distributionProgress, stuckTokens, clock } }) {
    const { state, limit = 20, after } = query;
    if (after !== undefined && (await readModel.get(distributions, after)) === undefined)
      throw unknownCursorRejection('token');
    const stuck = await stuckTokens();
    const range = { limit: limit + 1, after };
    const found =
      state === 'stuck'
        ? await documentsOf(readModel, stuck, range)
        : await (state === undefined
            ? readModel.find(distributions, 'all', '', range)
            : readModel.find(distributions, 'state', state, range));
    const allHalted = await readModel.get(distributionSwitch, DISTRIBUTION_SWITCH);
    const { shown: page, next } = cutPage(found, limit, ({ tokenId }) => tokenId);
    const progress = distributionProgress();
    const now = clock.now();
    const listed = page.map(async (document) => {
      const { tokenId, openRunId } = document;
      return shown(document, {
        token: await readModel.get(tokens, tokenId),
        run: openRunId === null ? undefined : await readModel.get(distributionRuns, openRunId),
        seen: progress?.of(tokenId),
        isStuck: stuck.includes(tokenId),
        now,
      });
    });
    return { allHalted: allHalted ?? null, distributions: await Promise.all(listed), next };
  },
});

function shown(
  document: DistributionDocument,
  around: {
    readonly token: TokenDocument | undefined;
    readonly run: DistributionRunDocument | undefined;
    readonly seen: RunProgress | undefined;
    readonly isStuck: boolean;
    readonly now: Date;
  },
): Static<typeof Distribution> {
  const { tokenId, mint, distributionWallet, state, hidden, requested, halted, skipped, unsold, totals } =
    document;
  const { lastDueAt, openRunId, lastOpenedAt, lastClosedAt } = document;
  const { token, run, seen, isStuck, now } = around;
  // Before a run is opened, only the distributing process has its state.
  const step = run === undefined ? openingStep(seen) : stepView(run, now);
  return {
    tokenId,
    mintAddress: mint,
    name: token?.name ?? null,
    symbol: token?.symbol ?? null,
    distributionWallet,
    state,
    hidden,
    requested,
    lastDueAt,
    openRun:
      openRunId === null || lastOpenedAt === null ? null : { runId: openRunId, openedAt: lastOpenedAt },
    lastClosedAt,
    halted,
    skipped,
    unsold: unsold && { ...unsold, detail: unsoldSentence(unsold.reason) ?? null },
    owedByAsset: totals.owed,
    ...(step && {
      currentStep: {
        ...step,
        movedAt: run?.progress?.movedAt ?? step.since,
        stuck: isStuck,
        waitingFor: waitView(seen),
      },
    }),
  };
}

function waitView(seen: RunProgress | undefined) {
  if (seen?.waitingFor === undefined) return null;
  const { failed = 0, nextAt = null } = seen.retries ?? {};
  const { error = null, ...wait } = seen.waitingFor;
  return { ...wait, errorMessage: error, failedAttempts: failed, nextAttemptAt: nextAt };
}

async function documentsOf(
  readModel: ReadModel,
  tokenIds: readonly string[],
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<readonly DistributionDocument[]> {
  // Start again if the last token of the previous page is no longer stuck.
  const first = after === undefined ? 0 : tokenIds.indexOf(after) + 1;
  const ids = tokenIds.slice(first, first + limit);
  const found = await Promise.all(ids.map((tokenId) => readModel.get(distributions, tokenId)));
  return found.filter((document) => document !== undefined);
}

function openingStep(seen: RunProgress | undefined) {
  return seen?.step === 'consider' ? { step: seen.step, since: seen.since } : undefined;
}
