/** The read models: how far each has followed the log, and to build one anew. */
import type { LevyClient, ListProjectionsAnswer, operations } from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { durationText } from '../format/times.ts';
import { PageLink, State, Time } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { OperatorAct } from '../parts/operator-act.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Shown } from '../parts/states.tsx';
import { useAnswer } from '../service.ts';

const REFRESHED = 5_000;
/** Milliseconds, while one is built. */
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
    <Shown title="Projections" what="the projections" answer={answer}>
      {({ head, projections }) => (
        <>
          <section class="head">
            <div class="grow">
              <h1>
                <span role="status">{titleOf(projections)}</span>
              </h1>
              <p class="meta">
                The read models that queries are answered from. The log ends at position{' '}
                <Position of={head} />.
              </p>
            </div>
          </section>
          <section class="card">
            <Lines columns={['Projection', 'State', 'Position', 'Last event', '']}>
              {projections.map((each) => (
                <Row key={each.name} client={client} projection={each} onDone={answer.again} />
              ))}
            </Lines>
          </section>
        </>
      )}
    </Shown>
  );
}

function titleOf(projections: readonly Projection[]): string {
  const stopped = projections.filter(({ state }) => state === 'failed').length;
  const building = projections.filter(({ state }) => state === 'building').length;
  if (stopped > 0)
    return stopped === 1 ? 'One projection has stopped' : `${stopped} projections have stopped`;
  if (building > 0)
    return building === 1 ? 'One projection is being built' : `${building} projections are being built`;
  return 'All projections follow the log';
}

function Row({
  client,
  projection,
  onDone,
}: {
  readonly client: LevyClient;
  readonly projection: Projection;
  readonly onDone: () => void;
}) {
  const { name, projectionVersion: version, position, lag, lastEventAt } = projection;
  const rebuild = async () => {
    const { started } = await client.post('/operator/projections/{name}/rebuild', {
      params: { path: { name: name as Rebuilt } },
    });
    onDone();
    if (!started) throw new Error('It is being built already.');
  };
  return (
    <tr>
      <td data-name="Projection">
        <span>
          {name} <small>version {version}</small>
        </span>
      </td>
      <td data-name="State">
        <StateOf projection={projection} />
      </td>
      <td data-name="Position">
        <span>
          <Position of={position} />{' '}
          {lag.count > 0 && (
            <small>
              {grouped(lag.count)} {lag.unit} behind
            </small>
          )}
        </span>
      </td>
      <td data-name="Last event">
        {lastEventAt === null ? 'none since the start' : <Time at={lastEventAt} />}
      </td>
      <td data-name="">
        {projection.state !== 'building' && (
          <OperatorAct
            name="Rebuild …"
            does="Fills it anew from the whole log. The documents that are there are read, and kept up to date, until the new ones have caught up. Nothing is recorded: they follow from the log alone."
            button="Rebuild it"
            takesReason={false}
            act={rebuild}
          />
        )}
      </td>
    </tr>
  );
}

function StateOf({
  projection: { state, behind, projectionVersion: version, served, current, progress, error, blockedBy },
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
      {progress !== null && <Progress of={progress} />}
      {served === null ? (
        <small class="below">Queries that need it are answered with 503.</small>
      ) : (
        (served !== version || !current) && (
          <small class="below">
            Queries read version {served}
            {!current && ', which is not kept up to date'}.
          </small>
        )
      )}
      {blockedBy !== null && (
        <small class="below">
          It waits at an event that cannot be decoded: <PageLink to="operate/quarantine">Quarantine</PageLink>
        </small>
      )}
      {error !== null && blockedBy === null && <small class="below fault">{error}</small>}
    </div>
  );
}

function Progress({
  of: { unit, done, of, percent, perSecond, secondsLeft },
}: {
  readonly of: NonNullable<Projection['progress']>;
}) {
  return (
    <>
      <progress aria-label="How much of the log is read" max={100} value={percent} />
      <small class="below">
        {percent} %: {grouped(done)} of {grouped(of)} {unit}
        {perSecond !== null && `, ${grouped(perSecond)} a second`}
        {secondsLeft !== null && secondsLeft > 0 && `, ${durationText(secondsLeft * 1_000)} left`}
      </small>
    </>
  );
}

/** Without the zeros in front, which stores need to compare positions as text. */
function Position({ of }: { readonly of: string }) {
  return <span class="mono">{of.replace(/^0+(?=.)/, '')}</span>;
}
