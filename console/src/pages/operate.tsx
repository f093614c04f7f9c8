/** Operator pages and their overview: items that need attention, and distributions with their actions. */
import type { LevyClient } from 'levy-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { PageLink } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { TurnPages } from '../parts/pager.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { readiness, useAnswer } from '../service.ts';
import { NotFound } from './not-found.tsx';
import { Act } from './operate-actions.tsx';
import { Distributions } from './operate-distributions.tsx';
import { Drafts } from './operate-drafts.tsx';
import { AnotherKey, forgetKey, KeyNeeded } from './operate-key.tsx';
import { Log } from './operate-log.tsx';
import { MAX, Needs } from './operate-needs.tsx';
import { Projections } from './operate-projections.tsx';
import { Quarantine } from './operate-quarantine.tsx';
import { Safety } from './operate-safety.tsx';
import { Status } from './operate-status.tsx';

const REFRESHED = 5_000;

/** Operator pages by the last segment of their path. */
const PAGES = [
  ['', 'Overview', Overview],
  ['drafts', 'Drafts', Drafts],
  ['projections', 'Projections', Projections],
  ['log', 'Log', Log],
  ['quarantine', 'Quarantine', Quarantine],
  ['safety', 'Proof and backup', Safety],
] as const;

/** Frame of the operator pages. It stays mounted between them, so they share the key. */
export function Operate() {
  const { page = '' } = useRoute().params;
  const [client, use] = useState<LevyClient>();
  const [, title, Page] = PAGES.find(([path]) => path === page) ?? ['', '', undefined];
  if (Page === undefined) return <NotFound />;
  if (client === undefined) return <KeyNeeded title={title} onKey={use} />;
  return (
    <>
      <nav class="tabs" aria-label="Operator pages">
        {PAGES.map(([path, name]) => (
          <PageLink
            key={path}
            to={path === '' ? 'operate' : `operate/${path}`}
            {...(path === page && { 'aria-current': 'page' as const })}
          >
            {name}
          </PageLink>
        ))}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            forgetKey();
            use(undefined);
          }}
        >
          Remove the key
        </button>
      </nav>
      <AnotherKey onKey={use} />
      <Page client={client} />
    </>
  );
}

function Overview({ client }: { readonly client: LevyClient }) {
  usePageTitle('Operate');
  const [after, turn] = useState<string>();
  const of = (query: { state?: 'halted' | 'stuck'; limit: number; after?: string }) =>
    client.get('/operator/distributions', { params: { query } });
  const answer = useAnswer(
    `board ${after}`,
    () =>
      Promise.all([
        readiness(),
        client.get('/operator/events/undecodable'),
        of({ state: 'halted', limit: MAX }),
        of({ state: 'stuck', limit: MAX }),
        of({ limit: 20, ...(after !== undefined && { after }) }),
        client.get('/operator/overview'),
        client.get('/operator/projections'),
      ]),
    { every: REFRESHED },
  );
  const { again } = answer;
  return (
    <Loaded title="Operate" what="the overview" answer={answer}>
      {([{ checks }, { events }, halted, stuck, page, overview, projections]) => (
        <>
          <Needs
            client={client}
            found={{ checks, events, halted, stuck, allHalted: page.allHalted }}
            onDone={again}
          />
          <Status overview={overview} projections={projections} />
          <section class="card">
            <h2>Distributions</h2>
            {page.distributions.length === 0 ? (
              <Empty title="No tokens yet" />
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
    </Loaded>
  );
}
