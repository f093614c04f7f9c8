/** Details of an event: data and metadata, related events, the state of its stream after it, and changed values. */
import { type GetStreamStateAnswer, type LevyClient, LevyError } from 'levy-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { grouped } from '../format/amounts.ts';
import { type EventPlace, type LogFilter, logAddress } from '../format/log-address.ts';
import { visibleText } from '../format/texts.ts';
import { exactTime } from '../format/times.ts';
import { Detail, PageLink, State, Words } from '../parts/basics.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { pageAddress, sentenceOf, useAnswer } from '../service.ts';

/** Characters of a text shown initially. */
const MAX = 20_000;
/** Maximum characters of a changed value; the full state shows the rest. */
const MAX_OF_A_VALUE = 300;

type RecordedEvent = GetStreamStateAnswer['event'];

interface Opened {
  readonly event: RecordedEvent;
  /** Undefined if the service cannot fold the stream. */
  readonly shown: GetStreamStateAnswer | undefined;
  /** Error message in that case. */
  readonly sentence: string | undefined;
}

/** Loads an event with the state of its stream; without the state if the stream is unknown or cannot be folded. */
async function open(client: LevyClient, { stream, revision }: EventPlace): Promise<Opened> {
  try {
    const shown = await client.get('/operator/streams/{stream}/state', {
      params: { path: { stream }, query: { revision } },
    });
    return { event: shown.event, shown, sentence: undefined };
  } catch (error) {
    if (!(error instanceof LevyError)) throw error;
    const { events } = await client.get('/operator/events', {
      params: {
        query: {
          stream,
          order: 'oldest',
          limit: 1,
          ...(revision > 0 && { after: String(revision - 1) }),
        },
      },
    });
    const [event] = events;
    if (event?.revision !== revision) throw error;
    return { event, shown: undefined, sentence: sentenceOf(error) };
  }
}

export function LoggedEvent({
  client,
  place,
  filter,
}: {
  readonly client: LevyClient;
  readonly place: EventPlace;
  readonly filter: LogFilter;
}) {
  const { stream, revision } = place;
  const { route } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, failed, isLoading, again } = useAnswer(`event ${stream}@${revision}`, () =>
    open(client, place),
  );
  const closed = logAddress(filter);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      class="card opened"
      aria-labelledby="opened"
      onKeyDown={({ key }) => {
        if (key === 'Escape') route(pageAddress(closed));
      }}
    >
      <div class="feed-head">
        <h2 id="opened" tabIndex={-1} ref={heading}>
          {data === undefined ? 'Event' : <Words text={data.event.type} />}{' '}
          <span class="sub">revision {grouped(revision)}</span>
        </h2>
        <PageLink to={closed} class="close">
          Close
        </PageLink>
      </div>
      <p class="mono">
        <Words text={stream} />
      </p>
      <Neighbours place={place} filter={filter} />
      {data !== undefined ? (
        <Content opened={data} />
      ) : isLoading ? (
        <Loading what="the event" />
      ) : (
        <Failed what="The event" sentence={failed ?? ''} again={again} />
      )}
    </section>
  );
}

function Neighbours({ place, filter }: { readonly place: EventPlace; readonly filter: LogFilter }) {
  const { stream, revision } = place;
  return (
    <nav class="beside" aria-label="Neighbouring events">
      {revision > 0 && (
        <PageLink to={logAddress(filter, { stream, revision: revision - 1 })}>
          ← Revision {grouped(revision - 1)}
        </PageLink>
      )}
      <PageLink to={logAddress(filter, { stream, revision: revision + 1 })}>
        Revision {grouped(revision + 1)} →
      </PageLink>
      <PageLink to={logAddress({ stream }, place)}>Whole stream</PageLink>
    </nav>
  );
}

function Content({ opened: { event, shown, sentence } }: { readonly opened: Opened }) {
  return (
    <>
      {event.unreadable !== undefined && (
        <p>
          <State kind="bad">Undecodable: {event.unreadable}.</State>
        </p>
      )}
      {shown?.isQuarantined && (
        <p>
          <State kind="bad">Quarantined: not part of the state.</State>
        </p>
      )}
      <Particulars event={event} />
      <h3>Data</h3>
      <Json of={event.data} />
      <h3>Changes</h3>
      {shown === undefined ? (
        <p class="meta">The stream state is unavailable. {sentence}</p>
      ) : (
        <>
          <Changes changes={shown.changes} />
          <h3>Stream state after this event</h3>
          {shown.firstRevision > 0 && (
            <p class="meta">
              The stream’s events before revision {grouped(shown.firstRevision)} are not stored, so the state
              does not include them.
            </p>
          )}
          <Json of={shown.state} />
        </>
      )}
      <h3>Metadata</h3>
      <Json of={event.metadata} />
    </>
  );
}

function Particulars({ event: { metadata, position, stream, revision } }: { readonly event: RecordedEvent }) {
  const { occurredAt, actor, correlationId } = metadata;
  return (
    <dl class="sums">
      {typeof occurredAt === 'string' && (
        <Detail name="Time">
          <time dateTime={occurredAt}>{exactTime(occurredAt)}</time>
        </Detail>
      )}
      {typeof actor === 'string' && (
        <Detail name="By">
          <Words text={actor} />
        </Detail>
      )}
      {typeof correlationId === 'string' && (
        <Detail name="Correlation">
          <span class="mono">
            <Words text={correlationId} />
          </span>
          <small>
            <PageLink to={logAddress({ correlationId }, { stream, revision })}>
              Events with this correlation id
            </PageLink>
          </small>
        </Detail>
      )}
      <div>
        <dt>Position</dt>
        <dd class="mono">{position}</dd>
      </div>
    </dl>
  );
}

function Changes({ changes }: { readonly changes: GetStreamStateAnswer['changes'] }) {
  if (changes.length === 0) return <p class="meta">No change to the stream state.</p>;
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.member}>
          <code>{visibleText(change.member) || 'the whole state'}</code>
          {'before' in change && <del>{valueText(change.before)}</del>}
          {'after' in change && <ins>{valueText(change.after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

function valueText(value: unknown): string {
  const text = visibleText(JSON.stringify(value) ?? '');
  return text.length <= MAX_OF_A_VALUE ? text : `${text.slice(0, MAX_OF_A_VALUE)} …`;
}

function Json({ of }: { readonly of: unknown }) {
  const [isWhole, show] = useState(false);
  const text = visibleText(JSON.stringify(of, undefined, 2) ?? 'null');
  if (isWhole || text.length <= MAX) return <pre class="mono">{text}</pre>;
  return (
    <>
      <pre class="mono">{text.slice(0, MAX)}</pre>
      <button type="button" class="quiet" onClick={() => show(true)}>
        Show all {grouped(text.length)} characters
      </button>
    </>
  );
}
