/** Undecodable events with the checks that they block, and quarantined events, which every reader skips. */
import type { LevyClient, ListQuarantinedEventsAnswer, ListUndecodableEventsAnswer } from 'levy-client';
import { useState } from 'preact/hooks';
import { Detail, PageHead, Time, Words } from '../parts/basics.tsx';
import { OperatorAct } from '../parts/operator-action.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { TurnPages } from '../parts/pager.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { apiAddress, useAnswer } from '../service.ts';

const REFRESHED = 5_000;
/** Quarantined events per page. */
const PAGE_SIZE = 20;

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
          params: { query: { limit: PAGE_SIZE, ...(after !== undefined && { after }) } },
        }),
      ]),
    { every: REFRESHED },
  );
  return (
    <Loaded title="Quarantine" what="the events" answer={answer}>
      {([{ events }, { events: skipped, next }]) => (
        <>
          <PageHead
            title="Quarantine"
            about="Events that cannot be decoded, and quarantined events, which all readers skip."
          />
          <section class="card" aria-labelledby="undecodable">
            <h2 id="undecodable">
              Cannot be decoded <span class="sub">found by this process since its start</span>
            </h2>
            {events.length === 0 ? (
              <Empty title="No undecodable events" />
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
            {skipped.length === 0 ? <Empty title="No quarantined events" /> : <Skipped events={skipped} />}
            <TurnPages isFirst={after === undefined} next={next} onTurn={turn} />
          </section>
        </>
      )}
    </Loaded>
  );
}

/** `waiting`: checks that the event blocks. */
export function UndecodableFacts({
  event: { eventType, stream, revision, problem },
  waiting = [],
}: {
  readonly event: Undecodable;
  readonly waiting?: readonly string[];
}) {
  return (
    <dl class="sums">
      <Detail name="Why">
        <Words text={problem} />
      </Detail>
      <Detail name="Where">
        <Place stream={stream} revision={revision} /> <small>{eventType}</small>
      </Detail>
      {waiting.length > 0 && (
        <Detail name="Checks">
          {waiting.join(', ')} <small>fail until the event is quarantined or decodable.</small>
        </Detail>
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
      <p>
        A newer release recorded this event and can decode it. Start that release. The event cannot be
        quarantined.
      </p>
    );
  return (
    <OperatorAct
      name="Quarantine …"
      does={
        <>
          All processes skip the event from now on. It stays in the log, and this cannot be undone.{' '}
          <a href={apiAddress('docs/guides/how-to/operate/quarantine-an-event.md')}>When to quarantine</a>
        </>
      }
      button="Quarantine event"
      // A process locates an event that it has not read by its stream and revision.
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
    <Table
      rows={events}
      keyOf={({ eventId }) => eventId}
      columns={[
        {
          name: 'Event',
          cell: ({ eventType, problem }) => (
            <span>
              {eventType} <small>{problem}</small>
            </span>
          ),
        },
        {
          name: 'Position',
          cell: ({ stream, revision }) => (
            <span>
              <Place stream={stream} revision={revision} />
            </span>
          ),
        },
        {
          name: 'Reason',
          cell: ({ reason, by }) => (
            <span>
              <Words text={reason} /> — {by}
            </span>
          ),
        },
        { name: 'Since', cell: ({ quarantinedAt }) => <Time at={quarantinedAt} /> },
      ]}
    />
  );
}
