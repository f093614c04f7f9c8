/** Timeline of a run: its steps with times, waits, transactions and results. */
import type { DistributionRunDetail, DistributionRunStepTaken, GetTokenAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { grouped, SOL_DECIMALS, unitOfAsset } from '../format/amounts.ts';
import { type Fact, factsAfter, STEPS } from '../format/run-timeline.ts';
import { clockTime, durationText, exactTime } from '../format/times.ts';
import {
  Address,
  Amount,
  Detail,
  Exact,
  InTheLog,
  PageHead,
  PageLink,
  State,
  Time,
  Words,
} from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { isAbout, levy, now, useAnswer } from '../service.ts';
import { RunPayments } from './run-payments.tsx';

/** Milliseconds between refreshes. The feed has no events for the waits of a run. */
const REFRESHED = 90_000;
/** Payment transactions per page. */
const BATCHES = 20;

type Token = GetTokenAnswer['token'];

export function Run() {
  const { mint = '', runId = '' } = useRoute().params;
  const [isOver, end] = useState(false);
  const answer = useAnswer(
    `run ${mint} ${runId}`,
    () => levy.get('/distribution/{tokenId}/runs/{runId}', { params: { path: { tokenId: mint, runId } } }),
    isOver ? {} : { changedBy: isAbout(mint), every: REFRESHED },
  );
  const about = useAnswer(`token ${mint}`, () =>
    levy.get('/tokens/{mintAddress}', { params: { path: { mintAddress: mint } } }),
  );
  const run = answer.data?.run;
  const token = about.data?.token;
  usePageTitle(run === undefined ? 'Run' : `Run #${run.number} of ${token?.name}`);
  if (run !== undefined && run.closedAt !== null && !isOver) end(true);
  if (run === undefined || token === undefined) {
    const { code, failed, isLoading, again } = run === undefined ? answer : about;
    const isMissing = code === 'RUN_NOT_FOUND' || code === 'TOKEN_NOT_FOUND' || code === 'VALIDATION_FAILED';
    return (
      <section>
        <h1>{isMissing ? 'Run not found' : 'Run'}</h1>
        {isLoading ? (
          <Loading what="the run" />
        ) : isMissing ? (
          <Empty title="Run not found, or hidden by an operator">
            <p>
              <PageLink to={`tokens/${mint}`}>The token’s page</PageLink>
            </p>
          </Empty>
        ) : (
          <Failed what="The run" sentence={failed ?? ''} again={again} />
        )}
      </section>
    );
  }
  return (
    <>
      <Head run={run} token={token} />
      <Figures run={run} token={token} />
      <section class="card">
        <h2>
          Timeline <span class="sub">{dayText(run.openedAt)}</span>
        </h2>
        <ol class="timeline">
          {run.steps.map((step) => (
            <Step key={step.begunAt + step.step} run={run} step={step} token={token} />
          ))}
        </ol>
      </section>
      <RunPayments run={run} token={token} />
      <InTheLog
        streams={{ [`run-${run.runId}`]: 'the run', [`distribution-${token.id}`]: 'the distribution' }}
      />
    </>
  );
}

function Head({ run, token }: { readonly run: DistributionRunDetail; readonly token: Token }) {
  return (
    <PageHead
      title={
        <>
          Run #{grouped(run.number)}{' '}
          <small>
            of{' '}
            <PageLink to={`tokens/${token.mintAddress}`}>
              <Words text={token.name} />
            </PageLink>
          </small>
        </>
      }
      about={
        <>
          {run.requested ? 'Requested by an operator' : 'Due'} <Time at={run.dueAt} />
          {' · opened '}
          <Time at={run.openedAt} />
          {run.closedAt !== null && (
            <>
              {' · completed '}
              <Time at={run.closedAt} />
            </>
          )}
          {' · '}
          <Address of={run.runId} name="the run’s id" />
        </>
      }
    />
  );
}

/** Key figures of the run. The current step shows its own wait. */
function Figures({ run, token }: { readonly run: DistributionRunDetail; readonly token: Token }) {
  const took = Date.parse(run.closedAt ?? new Date(now.value).toISOString()) - Date.parse(run.openedAt);
  return (
    <dl class="figures">
      <Detail name="State">
        {run.status === 'completed' ? (
          <State kind="ok">completed</State>
        ) : run.status === 'halted' ? (
          <State kind="bad">halted</State>
        ) : (
          <State kind="run">{run.step === null ? 'running' : STEPS[run.step].title.toLowerCase()}</State>
        )}
        <small>
          {run.closedAt === null ? 'open for' : 'took'} {durationText(took)}
        </small>
      </Detail>
      <Detail name="Collected">
        <Amount units={run.collected} decimals={token.decimals} unit={token.symbol} />
        <small>
          <Exact units={run.collected} decimals={token.decimals} />
        </small>
      </Detail>
      <Detail name="Paid">
        <Amount units={run.paidTo?.holders ?? run.paid} {...unitOfAsset(run.asset, token)} />
        <small>{run.paidTo ? 'to holders' : 'so far'}</small>
      </Detail>
      <Detail name={run.walletsPaid === null ? 'Payments made' : 'Holders paid'}>
        {grouped(run.walletsPaid ?? run.paymentCount)}
        <small>{run.ledger === null ? 'no ledger yet' : `of ${grouped(run.ledger.records)} records`}</small>
      </Detail>
    </dl>
  );
}

function Step({
  run,
  step,
  token,
}: {
  readonly run: DistributionRunDetail;
  readonly step: DistributionRunStepTaken;
  readonly token: Token;
}) {
  const { begunAt, endedAt, waits, transactions } = step;
  const isNow = endedAt === null;
  const facts = factsAfter(run, step);
  const length = (endedAt === null ? now.value : Date.parse(endedAt)) - Date.parse(begunAt);
  return (
    <li
      class={isNow ? (run.status === 'halted' ? 'stands' : 'now') : ''}
      {...(isNow && { 'aria-current': 'step' as const })}
    >
      <div class="when">
        <time dateTime={begunAt} title={exactTime(begunAt)}>
          {clockTime(begunAt)}
        </time>
        <small>
          {isNow && 'for '}
          {durationText(length)}
        </small>
      </div>
      <div class="what">
        <h3>{STEPS[step.step].title}</h3>
        <p class="meta">{STEPS[step.step].does}</p>
        {waits.map((wait) => (
          <Wait key={wait.since + wait.code} {...wait} />
        ))}
        {isNow &&
          run.waitingFor !== null &&
          !waits.some(({ code, until }) => until === null && code === run.waitingFor?.code) && (
            <Wait {...run.waitingFor} until={null} />
          )}
        {facts.length > 0 && (
          <dl class="after">
            {facts.map((fact) => (
              <Detail key={fact.name} name={fact.name}>
                <FactValue fact={fact} asset={run.asset} token={token} />
              </Detail>
            ))}
          </dl>
        )}
        {transactions.length > 0 && (
          <ul class="signatures" aria-label={`Transactions of the step ${STEPS[step.step].title}`}>
            {transactions.map(({ signature, at }) => (
              <li key={signature}>
                <Address of={signature} name="the signature" /> <small>final by {clockTime(at)}</small>
              </li>
            ))}
          </ul>
        )}
        {step.batchCount > 0 && <Batches run={run} token={token} />}
      </div>
    </li>
  );
}

function Wait({
  code,
  detail,
  since,
  until,
}: {
  readonly code: string;
  readonly detail: string | null;
  readonly since: string;
  readonly until: string | null;
}) {
  const length = (until === null ? now.value : Date.parse(until)) - Date.parse(since);
  return (
    <p class={`wait${until === null ? ' lasts' : ''}`}>
      {until === null ? 'Waits' : 'Waited'} for {durationText(length)}: {detail ?? code} <code>{code}</code>
    </p>
  );
}

function FactValue({
  fact: { value, unit },
  asset,
  token,
}: {
  readonly fact: Fact;
  readonly asset: 'sol' | 'token';
  readonly token: Token;
}) {
  if (unit === undefined) return <>{/^\d+$/.test(value) ? grouped(value) : value}</>;
  const isSol = unit === 'sol' || (unit === 'paid' && asset === 'sol');
  return (
    <Exact
      units={value}
      decimals={isSol ? SOL_DECIMALS : token.decimals}
      unit={isSol ? 'SOL' : token.symbol}
    />
  );
}

function Batches({ run, token }: { readonly run: DistributionRunDetail; readonly token: Token }) {
  /** Cursors of the pages up to the current one. */
  const [before, turn] = useState<readonly (string | undefined)[]>([]);
  const after = before.at(-1);
  const { data, failed, isLoading, again } = useAnswer(
    `batches ${run.runId} ${after} ${run.paymentCount}`,
    () =>
      levy.get('/distribution/{tokenId}/runs/{runId}/batches', {
        params: {
          path: { tokenId: token.mintAddress, runId: run.runId },
          query: { limit: BATCHES, ...(after !== undefined && { after }) },
        },
      }),
  );
  if (data === undefined)
    return isLoading ? (
      <Loading what="the payments’ transactions" />
    ) : (
      <Failed what="The payments’ transactions" sentence={failed ?? ''} again={again} />
    );
  return (
    <>
      <ul class="signatures" aria-label="Transactions of payments">
        {data.batches.map(({ signature, at, paymentCount, amount, asset }) => (
          <li key={signature}>
            <Address of={signature} name="the signature" />{' '}
            <span>
              {paymentCount === 1 ? '1 payment' : `${grouped(paymentCount)} payments`},{' '}
              <Exact units={amount} {...unitOfAsset(asset, token)} />
            </span>{' '}
            <small>final by {clockTime(at)}</small>
          </li>
        ))}
      </ul>
      {(before.length > 0 || data.next !== null) && (
        <p class="actions">
          {before.length > 0 && (
            <button type="button" class="quiet" onClick={() => turn(before.slice(0, -1))}>
              Earlier transactions
            </button>
          )}
          {data.next !== null && (
            <button type="button" class="quiet" onClick={() => turn([...before, data.next ?? undefined])}>
              Later transactions
            </button>
          )}
        </p>
      )}
    </>
  );
}

/** Date in the local time zone. */
function dayText(moment: string): string {
  return new Date(moment).toLocaleDateString(undefined, { dateStyle: 'medium' });
}
