/** The operator's board: what is wrong now, first; then each token's distribution, to halt, resume or run with a reason. */
import {
  createLevyClient,
  type GetReadinessAnswer,
  type LevyClient,
  type ListDistributionsAnswer,
} from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Address, PageLink, State, Time, Words } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { API_ADDRESS, apiAddress, now, sentenceOf, useAnswer } from '../service.ts';
import { Act } from './operate-act.tsx';

export type Distribution = ListDistributionsAnswer['distributions'][number];

const REFRESHED = 5_000;
/** A run that waits for less is as it should be: it waits for the chain. */
const LATE = 120_000;
/** Distributions that need somebody, of each kind. */
const MOST = 100;

export function Operate() {
  usePageTitle('Operate');
  /** In the memory of this page alone: it is gone when the page is left. */
  const [client, use] = useState<LevyClient>();
  return client === undefined ? <Key onKey={use} /> : <Board client={client} />;
}

function Key({ onKey }: { readonly onKey: (client: LevyClient) => void }) {
  const [key, type] = useState('');
  const [isBusy, work] = useState(false);
  const [fault, tell] = useState<string>();
  const open = async () => {
    work(true);
    tell(undefined);
    const client = createLevyClient({ baseUrl: API_ADDRESS, operatorKey: key.trim() });
    try {
      await client.get('/operator/distributions', { params: { query: { limit: 1 } } });
      onKey(client);
    } catch (error) {
      tell(sentenceOf(error));
      work(false);
    }
  };
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
          void open();
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
  const isLate = ({ progress }: Distribution) =>
    progress?.waitingFor ? now.value - Date.parse(progress.waitingFor.since) > LATE : false;
  const stuck = [...halted.distributions, ...running.distributions.filter(isLate)];
  const count = wrong.length + stuck.length + (page.allHalted === null ? 0 : 1);
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>
            <span role="status">
              {count === 0
                ? 'Nothing needs you'
                : count === 1
                  ? 'One thing needs you'
                  : `${count} things need you`}
            </span>
          </h1>
          <p class="meta">
            {checks.length - wrong.length} of {checks.length} checks of{' '}
            <a href={apiAddress('ready')}>/ready</a> are well.
          </p>
        </div>
      </section>
      <div class="stack">
        {count > 0 && (
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
  distribution: { tokenId, mintAddress, halted, progress },
  onDone,
}: {
  readonly client: LevyClient;
  readonly distribution: Distribution;
  readonly onDone: () => void;
}) {
  const token = <PageLink to={`tokens/${mintAddress}`}>{mintAddress}</PageLink>;
  if (halted !== null)
    return (
      <Trouble title={<>Halted: {token}</>} since={halted.since}>
        <p>
          <code>{halted.code}</code> <Words text={halted.reason} /> — {halted.by}
        </p>
        <Act client={client} what="resume" tokenId={tokenId} onDone={onDone} />
      </Trouble>
    );
  const wait = progress?.waitingFor;
  if (!wait) return null;
  return (
    <Trouble
      title={
        <>
          A run waits in its step “{progress.step}”: {token}
        </>
      }
      since={wait.since}
    >
      <p>
        <code>{wait.code}</code> {wait.detail} {wait.error !== null && <code>{wait.error}</code>}
      </p>
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

function Distributions({
  client,
  distributions,
  onDone,
}: {
  readonly client: LevyClient;
  readonly distributions: readonly Distribution[];
  readonly onDone: () => void;
}) {
  return (
    <table class="lines">
      <thead>
        <tr>
          <th>Token</th>
          <th>State</th>
          <th>Last run</th>
          <th>
            <span class="heard">What you can do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {distributions.map((each) => (
          <tr key={each.tokenId}>
            <td data-name="Token">
              <span>
                <Address of={each.mintAddress} name="the mint’s address" />{' '}
                <PageLink to={`tokens/${each.mintAddress}`}>Its page</PageLink>
              </span>
            </td>
            <td data-name="State">
              <StateOf distribution={each} />
            </td>
            <td data-name="Last run">
              {each.lastClosedAt === null ? 'none' : <Time at={each.lastClosedAt} />}
            </td>
            <td data-name="">
              {each.state === 'halted' ? (
                <Act client={client} what="resume" tokenId={each.tokenId} onDone={onDone} />
              ) : (
                <span>
                  {each.state === 'idle' && (
                    <Act client={client} what="run" tokenId={each.tokenId} onDone={onDone} />
                  )}{' '}
                  <Act client={client} what="halt" tokenId={each.tokenId} onDone={onDone} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StateOf({
  distribution: { state, requested, progress, skipped },
}: {
  readonly distribution: Distribution;
}) {
  if (state === 'halted') return <State kind="bad">halted</State>;
  if (state === 'running') return <State kind="run">a run is in its step “{progress?.step ?? '…'}”</State>;
  if (state === 'disabled') return <State kind="off">switched off by its creator</State>;
  if (requested) return <State kind="run">a run is asked for</State>;
  return (
    <>
      <State kind="ok">between runs</State>
      {skipped !== null && <small> {skipped.detail}</small>}
    </>
  );
}
