/** Projections with their progress, and an action that rebuilds one. */
import type { LevyClient, ListProjectionsAnswer, operations } from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { durationText } from '../format/times.ts';
import { PageHead, PageLink, State, Time } from '../parts/basics.tsx';
import { OperatorAct } from '../parts/operator-action.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useAnswer } from '../service.ts';

const REFRESHED = 5_000;
/** Milliseconds between refreshes while a projection is rebuilt. */
const REFRESHED_SOON = 1_000;

type Projection = ListProjectionsAnswer['projections'][number];
type Rebuilt = operations['rebuildProjection']['parameters']['path']['name'];

export function Projections({ client }: { readonly client: LevyClient }) {
  usePageTitle('Projections');
  const [isBuilding, build] = useState(false);
  const answer = useAnswer('projections', () => client.get('/operator/projections'), {
    every: isBuilding ? REFRESHED_SOON : REFRESHED,
  });
  const building = answer.data?.projections.filter(({ state }) => state === 'building').length ?? 0;
  if (building > 0 !== isBuilding) build(!isBuilding);
  return (
    <Loaded title="Projections" what="the projections" answer={answer}>
      {({ head, projections }) => (
        <>
          <PageHead
            title={<span role="status">{titleOf(projections)}</span>}
            about={
              <>
                Read models that serve queries. The log ends at position <Position of={head} />.
              </>
            }
          />
          <section class="card">
            <ProjectionTable client={client} projections={projections} onDone={answer.again} />
          </section>
        </>
      )}
    </Loaded>
  );
}

function titleOf(projections: readonly Projection[]): string {
  const stopped = projections.filter(({ state }) => state === 'failed').length;
  const building = projections.filter(({ state }) => state === 'building').length;
  if (stopped > 0) return stopped === 1 ? '1 projection has stopped' : `${stopped} projections have stopped`;
  if (building > 0)
    return building === 1 ? '1 projection is being built' : `${building} projections are being built`;
  return 'All projections are up to date';
}

function ProjectionTable({
  client,
  projections,
  onDone,
}: {
  readonly client: LevyClient;
  readonly projections: readonly Projection[];
  readonly onDone: () => void;
}) {
  const rebuild = async (name: string) => {
    const { started } = await client.post('/operator/projections/{name}/rebuild', {
      params: { path: { name: name as Rebuilt } },
    });
    onDone();
    if (!started) throw new Error('A rebuild is already running.');
  };
  return (
    <Table
      rows={projections}
      keyOf={({ name }) => name}
      columns={[
        {
          name: 'Projection',
          cell: ({ name, projectionVersion }) => (
            <span>
              {name} <small>version {projectionVersion}</small>
            </span>
          ),
        },
        { name: 'State', cell: (projection) => <StateOf projection={projection} /> },
        {
          name: 'Position',
          cell: ({ position, lag }) => (
            <span>
              <Position of={position} />{' '}
              {lag.count > 0 && (
                <small>
                  {grouped(lag.count)} {lag.unit} behind
                </small>
              )}
            </span>
          ),
        },
        {
          name: 'Last event',
          cell: ({ lastEventAt }) =>
            lastEventAt === null ? 'none since startup' : <Time at={lastEventAt} />,
        },
        {
          name: '',
          cell: ({ name, state }) =>
            state !== 'building' && (
              <OperatorAct
                name="Rebuild …"
                does="Builds the read model again from the whole log. The current documents are served and updated until the new ones have caught up. Nothing is recorded."
                button="Rebuild"
                takesReason={false}
                act={() => rebuild(name)}
              />
            ),
        },
      ]}
    />
  );
}

function StateOf({
  projection: { state, behind, projectionVersion: version, served, current, build, errorMessage, blockedBy },
}: {
  readonly projection: Projection;
}) {
  return (
    <div class="grow">
      {state === 'failed' ? (
        <State kind="bad">stopped</State>
      ) : state === 'building' ? (
        <State kind="run">being built</State>
      ) : behind ? (
        <State kind="run">catching up</State>
      ) : (
        <State kind="ok">up to date</State>
      )}
      {build !== null && <Progress of={build} />}
      {served === null ? (
        <small class="below">Queries that need it return 503.</small>
      ) : (
        (served !== version || !current) && (
          <small class="below">
            Queries read version {served}
            {!current && ', which is no longer updated'}.
          </small>
        )
      )}
      {blockedBy !== null && (
        <small class="below">
          Blocked by an undecodable event: <PageLink to="operate/quarantine">Quarantine</PageLink>
        </small>
      )}
      {errorMessage !== null && blockedBy === null && <small class="below fault">{errorMessage}</small>}
    </div>
  );
}

function Progress({
  of: { unit, done, of, percent, perSecond, secondsLeft },
}: {
  readonly of: NonNullable<Projection['build']>;
}) {
  return (
    <>
      <progress aria-label="Progress of the build" max={100} value={percent} />
      <small class="below">
        {percent} %: {grouped(done)} of {grouped(of)} {unit}
        {perSecond !== null && `, ${grouped(perSecond)} a second`}
        {secondsLeft !== null && secondsLeft > 0 && `, ${durationText(secondsLeft * 1_000)} left`}
      </small>
    </>
  );
}

/** Log position without leading zeros, which the stores need to compare positions as text. */
function Position({ of }: { readonly of: string }) {
  return <span class="mono">{of.replace(/^0+(?=.)/, '')}</span>;
}
