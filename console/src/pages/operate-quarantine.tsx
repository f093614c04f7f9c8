/** Recorded events that nobody can decode: what waits at them, and which of them every reader skips by an operator's word. */
import type { LevyClient, ListQuarantinedEventsAnswer, ListUndecodableEventsAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import { Time, Words } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { OperatorAct } from '../parts/operator-act.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Shown } from '../parts/states.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { TurnPages } from '../parts/turn-pages.tsx';
import { apiAddress, useAnswer } from '../service.ts';

const REFRESHED = 5_000;
/** Quarantined events on a page. */
const SHOWN = 20;

type Undecodable = ListUndecodableEventsAnswer['events'][number];
type Quarantined = ListQuarantinedEventsAnswer['events'][number];

export function Quarantine({ client }: { readonly client: LevyClient }) {
  usePageTitle('Quarantine');
  const [after, turn] = useState<string>();
  const answer = useAnswer(
    `quarantine ${after}`,
    () =>
      Promise.all([
        client.get('/operator/events/undecodable'),
        client.get('/operator/events/quarantined', {
          params: { query: { limit: SHOWN, ...(after !== undefined && { after }) } },
        }),
      ]),
    { every: REFRESHED },
  );
  return (
    <Shown title="Quarantine" what="the events" answer={answer}>
      {([{ events }, { events: skipped, next }]) => (
        <>
          <section class="head">
            <div class="grow">
              <h1>Quarantine</h1>
              <p class="meta">
                Events of the log that no release can decode, and those that every reader skips since an
                operator said so.
              </p>
            </div>
          </section>
          <section class="card" aria-labelledby="undecodable">
            <h2 id="undecodable">
              Cannot be decoded <span class="sub">as this process has met them since its start</span>
            </h2>
            {events.length === 0 ? (
              <Empty title="Every event that was read can be decoded." />
            ) : (
              events.map((event) => (
                <Trouble key={event.eventId} title={event.eventType} since={event.since}>
                  <UndecodableFacts event={event} />
                  <QuarantineAct client={client} event={event} onDone={answer.again} />
                </Trouble>
              ))
            )}
          </section>
          <section class="card" aria-labelledby="quarantined">
            <h2 id="quarantined">
              Quarantined <span class="sub">newest first</span>
            </h2>
            {skipped.length === 0 ? <Empty title="No event is skipped." /> : <Skipped events={skipped} />}
            <TurnPages isFirst={after === undefined} next={next} onTurn={turn} />
          </section>
        </>
      )}
    </Shown>
  );
}

/** `waiting`: the checks of what waits at it. */
export function UndecodableFacts({
  event: { eventType, stream, revision, problem },
  waiting = [],
}: {
  readonly event: Undecodable;
  readonly waiting?: readonly string[];
}) {
  return (
    <dl class="sums">
      <div>
        <dt>Why</dt>
        <dd>
          <Words text={problem} />
        </dd>
      </div>
      <div>
        <dt>Where</dt>
        <dd>
          <Place stream={stream} revision={revision} /> <small>{eventType}</small>
        </dd>
      </div>
      {waiting.length > 0 && (
        <div>
          <dt>Checks</dt>
          <dd>
            {waiting.join(', ')} <small>fail until it is quarantined or can be decoded.</small>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Place({ stream, revision }: Pick<Undecodable, 'stream' | 'revision'>) {
  return (
    <>
      <span class="mono">{stream}</span>, revision {revision}
    </>
  );
}

export function QuarantineAct({
  client,
  event: { eventId, stream, revision, isNewer },
  onDone,
}: {
  readonly client: LevyClient;
  readonly event: Undecodable;
  readonly onDone: () => void;
}) {
  if (isNewer)
    return (
      <p>A newer release has recorded it and can decode it: start that release. It cannot be quarantined.</p>
    );
  return (
    <OperatorAct
      name="Quarantine …"
      does={
        <>
          Every reader of every process skips the event from then on. It stays in the log, and this cannot be
          taken back. <a href={apiAddress('docs/guides/how-to/operate/give-up-an-event.md')}>When to do so</a>
        </>
      }
      button="Quarantine it"
      // By its place a process finds it that has not met it.
      act={async (reason) => {
        await client.post('/operator/events/{eventId}/quarantine', {
          params: { path: { eventId } },
          body: { reason, stream, revision },
        });
        onDone();
      }}
    />
  );
}

function Skipped({ events }: { readonly events: readonly Quarantined[] }) {
  return (
    <Lines columns={['Event', 'Where', 'Reason', 'Since']}>
      {events.map(({ eventId, eventType, stream, revision, problem, reason, by, quarantinedAt }) => (
        <tr key={eventId}>
          <td data-name="Event">
            <span>
              {eventType} <small>{problem}</small>
            </span>
          </td>
          <td data-name="Where">
            <span>
              <Place stream={stream} revision={revision} />
            </span>
          </td>
          <td data-name="Reason">
            <span>
              <Words text={reason} /> — {by}
            </span>
          </td>
          <td data-name="Since">
            <Time at={quarantinedAt} />
          </td>
        </tr>
      ))}
    </Lines>
  );
}
