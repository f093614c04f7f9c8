/** The operator's board: what is wrong now, first; then each token's distribution, to halt, resume or run with a reason. */
import { createLevyClient, type GetReadinessAnswer, type LevyClient } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { isLate } from '../format/late-runs.ts';
import { PageLink, Time, Words } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useAction } from '../parts/use-action.ts';
import { API_ADDRESS, apiAddress, now, useAnswer } from '../service.ts';
import { Nothing } from './nothing.tsx';
import { Act } from './operate-act.tsx';
import { type Distribution, Distributions, TokenLink } from './operate-distributions.tsx';
import { Log } from './operate-log.tsx';

const REFRESHED = 5_000;
/** Distributions that need somebody, of each kind. */
const MOST = 100;

export function Operate() {
  const { page = '' } = useRoute().params;
  usePageTitle(page === 'log' ? 'Log' : 'Operate');
  /** In the memory of this page alone: it is gone when the page is left. */
  const [client, use] = useState<LevyClient>();
  if (page !== '' && page !== 'log') return <Nothing />;
  if (client === undefined) return <Key onKey={use} />;
  return page === 'log' ? <Log client={client} /> : <Board client={client} />;
}

function Key({ onKey }: { readonly onKey: (client: LevyClient) => void }) {
  const [key, type] = useState('');
  const { isBusy, fault, run } = useAction(async () => {
    const client = createLevyClient({ baseUrl: API_ADDRESS, operatorKey: key.trim() });
    await client.get('/operator/distributions', { params: { query: { limit: 1 } } });
    onKey(client);
  });
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>Operate</h1>
          <p class="meta">For those who run this service.</p>
        </div>
      </section>
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field
          name="operator-key"
          label="Your operator key"
          hint="It stays in this page’s memory, and is gone when you leave the page."
          fault={fault}
        >
          <input
            {...controlOf('operator-key', fault)}
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        </Field>
        <p class="actions">
          <button type="submit" disabled={isBusy || key.trim() === ''}>
            {isBusy ? 'Opening …' : 'Open the board'}
          </button>
        </p>
      </form>
    </>
  );
}

/** A service that is not ready answers 503, and says in the same words what is wrong. */
async function readiness(): Promise<GetReadinessAnswer> {
  return (await fetch(apiAddress('ready'))).json();
}

function Board({ client }: { readonly client: LevyClient }) {
  const [after, turn] = useState<string>();
  const of = (query: { state?: 'halted' | 'running'; limit: number; after?: string }) =>
    client.get('/operator/distributions', { params: { query } });
  const { data, failed, isLoading, again } = useAnswer(
    `board ${after}`,
    () =>
      Promise.all([
        readiness(),
        of({ state: 'halted', limit: MOST }),
        of({ state: 'running', limit: MOST }),
        of({ limit: 20, ...(after !== undefined && { after }) }),
      ]),
    { every: REFRESHED },
  );
  if (data === undefined)
    return (
      <>
        <section class="head">
          <h1>Operate</h1>
        </section>
        {isLoading ? (
          <Loading what="the board" />
        ) : (
          <Failed what="The board" sentence={failed ?? ''} again={again} />
        )}
      </>
    );
  const [{ checks }, halted, running, page] = data;
  const wrong = checks.filter(({ ok }) => !ok);
  const stuck = [...halted.distributions, ...running.distributions.filter((each) => isLate(each, now.value))];
  const count = wrong.length + stuck.length + (page.allHalted === null ? 0 : 1);
  const isPartial = halted.next !== null || running.next !== null;
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>
            <span role="status">
              {count === 0
                ? `Nothing ${isPartial ? 'of what is looked at ' : ''}needs you`
                : count === 1
                  ? 'One thing needs you'
                  : `${count} things need you`}
            </span>
          </h1>
          <p class="meta">
            {checks.length - wrong.length} of {checks.length} checks of{' '}
            <a href={apiAddress('ready')}>/ready</a> are well.{' '}
            <PageLink to="operate/log">Look into the log</PageLink>.
          </p>
        </div>
      </section>
      <div class="stack">
        {(count > 0 || isPartial) && (
          <section class="card" aria-label="What needs you">
            {page.allHalted !== null && (
              <Trouble title="All distributions are halted" since={page.allHalted.since}>
                <Words text={page.allHalted.reason} /> — {page.allHalted.by}
                <Act client={client} what="resume-all" onDone={again} />
              </Trouble>
            )}
            {stuck.map((each) => (
              <Stuck key={each.tokenId} client={client} distribution={each} onDone={again} />
            ))}
            {isPartial && (
              <p>
                Only the first {MOST} halted distributions and the first {MOST} open runs are looked at here.
              </p>
            )}
            {wrong.map(({ name, ok: _, ...rest }) => (
              <Trouble key={name} title={`The check “${name}” fails`}>
                <Particulars of={rest} />
              </Trouble>
            ))}
          </section>
        )}
        <section class="card">
          <h2>Distributions</h2>
          {page.distributions.length === 0 ? (
            <Empty title="There are no tokens yet." />
          ) : (
            <Distributions client={client} distributions={page.distributions} onDone={again} />
          )}
          <p class="actions">
            {after !== undefined && (
              <button type="button" class="quiet" onClick={() => turn(undefined)}>
                First page
              </button>
            )}
            {page.next !== null && (
              <button type="button" class="quiet" onClick={() => turn(page.next ?? undefined)}>
                Next page
              </button>
            )}
            {page.allHalted === null && <Act client={client} what="halt-all" onDone={again} />}
          </p>
        </section>
      </div>
    </>
  );
}

function Trouble({
  title,
  since,
  children,
}: {
  readonly title: ComponentChildren;
  readonly since?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="trouble">
      <h2>
        {title}{' '}
        {since !== undefined && (
          <span class="sub">
            <Time at={since} />
          </span>
        )}
      </h2>
      <div>{children}</div>
    </div>
  );
}

function Stuck({
  client,
  distribution,
  onDone,
}: {
  readonly client: LevyClient;
  readonly distribution: Distribution;
  readonly onDone: () => void;
}) {
  const { tokenId, mintAddress, halted, progress, openRun } = distribution;
  const token = <TokenLink of={distribution} />;
  const run = openRun !== null && (
    <p>
      <PageLink to={`tokens/${mintAddress}/runs/${openRun.runId}`}>The run, step by step</PageLink>
    </p>
  );
  if (halted !== null)
    return (
      <Trouble title={<>Halted: {token}</>} since={halted.since}>
        <p>
          <code>{halted.code}</code> <Words text={halted.reason} /> — {halted.by}
        </p>
        {run}
        <Act client={client} what="resume" tokenId={tokenId} onDone={onDone} />
      </Trouble>
    );
  if (progress === undefined) return null;
  const { step, movedAt, waitingFor } = progress;
  return (
    <Trouble
      title={
        <>
          A run waits in its step “{step}”: {token}
        </>
      }
      since={waitingFor?.since ?? movedAt}
    >
      {waitingFor === null ? (
        <p>Nothing was recorded of it since. The process that distributes knows why; its log says so.</p>
      ) : (
        <p>
          <code>{waitingFor.code}</code> {waitingFor.detail}{' '}
          {waitingFor.error !== null && <code>{waitingFor.error}</code>}
        </p>
      )}
      {run}
      <Act client={client} what="halt" tokenId={tokenId} onDone={onDone} />
    </Trouble>
  );
}

/** What a check says beside its name. */
function Particulars({ of }: { readonly of: { readonly [name: string]: unknown } }) {
  return (
    <dl class="sums">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
