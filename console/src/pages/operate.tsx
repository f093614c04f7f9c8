/** The operator's pages, and the first of them: what is wrong now, then each token's distribution, to halt, resume or run with a reason. */
import { createLevyClient, type LevyClient } from 'levy-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PageLink } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { TurnPages } from '../parts/turn-pages.tsx';
import { useAction } from '../parts/use-action.ts';
import { API_ADDRESS, readiness, useAnswer } from '../service.ts';
import { Nothing } from './nothing.tsx';
import { Act } from './operate-act.tsx';
import { Distributions } from './operate-distributions.tsx';
import { Drafts } from './operate-drafts.tsx';
import { Log } from './operate-log.tsx';
import { MOST, Needs } from './operate-needs.tsx';
import { Projections } from './operate-projections.tsx';
import { Quarantine } from './operate-quarantine.tsx';
import { Safety } from './operate-safety.tsx';

const REFRESHED = 5_000;

/** By the last part of their paths. */
const PAGES = [
  ['', 'Board', Board],
  ['drafts', 'Drafts', Drafts],
  ['projections', 'Projections', Projections],
  ['log', 'Log', Log],
  ['quarantine', 'Quarantine', Quarantine],
  ['safety', 'Proof and backup', Safety],
] as const;

/** Stays while its reader goes from one of its pages to another, so the key serves them all, and is gone with the last. */
export function Operate() {
  const { page = '' } = useRoute().params;
  const [client, use] = useState<LevyClient>();
  const [, title, Page] = PAGES.find(([path]) => path === page) ?? ['', '', undefined];
  if (Page === undefined) return <Nothing />;
  if (client === undefined) return <Key title={title} onKey={use} />;
  return (
    <>
      <nav class="tabs" aria-label="Operator’s pages">
        {PAGES.map(([path, name]) => (
          <PageLink
            key={path}
            to={path === '' ? 'operate' : `operate/${path}`}
            {...(path === page && { 'aria-current': 'page' as const })}
          >
            {name}
          </PageLink>
        ))}
      </nav>
      <Page client={client} />
    </>
  );
}

function Key({ title, onKey }: { readonly title: string; readonly onKey: (client: LevyClient) => void }) {
  usePageTitle(title === 'Board' ? 'Operate' : title);
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
          hint="It stays in this page’s memory, serves all of the operator’s pages, and is gone when you leave them."
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
            {isBusy ? 'Opening …' : title === 'Board' ? 'Open the board' : 'Open the page'}
          </button>
        </p>
      </form>
    </>
  );
}

function Board({ client }: { readonly client: LevyClient }) {
  usePageTitle('Operate');
  const [after, turn] = useState<string>();
  const of = (query: { state?: 'halted' | 'running'; limit: number; after?: string }) =>
    client.get('/operator/distributions', { params: { query } });
  const answer = useAnswer(
    `board ${after}`,
    () =>
      Promise.all([
        readiness(),
        client.get('/operator/events/undecodable'),
        of({ state: 'halted', limit: MOST }),
        of({ state: 'running', limit: MOST }),
        of({ limit: 20, ...(after !== undefined && { after }) }),
      ]),
    { every: REFRESHED },
  );
  const { again } = answer;
  return (
    <Shown title="Operate" what="the board" answer={answer}>
      {([{ checks }, { events }, halted, running, page]) => (
        <>
          <Needs
            client={client}
            found={{ checks, events, halted, running, allHalted: page.allHalted }}
            onDone={again}
          />
          <section class="card">
            <h2>Distributions</h2>
            {page.distributions.length === 0 ? (
              <Empty title="There are no tokens yet." />
            ) : (
              <Distributions client={client} distributions={page.distributions} onDone={again} />
            )}
            <TurnPages isFirst={after === undefined} next={page.next} onTurn={turn} />
            {page.allHalted === null && (
              <p class="actions">
                <Act client={client} what="halt-all" onDone={again} />
              </p>
            )}
          </section>
        </>
      )}
    </Shown>
  );
}
