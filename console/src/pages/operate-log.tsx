/** Log page for operators: events by stream, type, category, correlation and time, and details of the selected event. */
import type { LevyClient, ListEventsAnswer } from 'levy-client';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { grouped } from '../format/amounts.ts';
import {
  askedOf,
  cutStream,
  type EventPlace,
  filterIn,
  type LogFilter,
  logAddress,
  logTime,
  NO_FILTER,
  openedIn,
} from '../format/log-address.ts';
import { cutAddress } from '../format/texts.ts';
import { exactTime } from '../format/times.ts';
import { countText, type LogSearch, PAGE, useLogSearch } from '../log-search.ts';
import { PageHead, PageLink, State, Words } from '../parts/basics.tsx';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Cells, type Column, ColumnNames } from '../parts/table.tsx';
import { pageAddress } from '../service.ts';
import { LoggedEvent } from './operate-log-event.tsx';

type RecordedEvent = ListEventsAnswer['events'][number];

const rowOf = ({ stream, revision }: EventPlace) => `${stream}@${revision}`;

export function Log({ client }: { readonly client: LevyClient }) {
  usePageTitle('Log');
  const { query, route } = useLocation();
  const filter = filterIn(query);
  const opened = openedIn(query);
  const search = useLogSearch(client, filter);
  useFocusOnClose(opened);
  // Searching closes the event: on a phone it would hide the results.
  const goTo = (to: LogFilter) => {
    const address = logAddress(to);
    if (address === logAddress(filter, opened)) search.again();
    else route(pageAddress(address));
  };
  return (
    <>
      <PageHead title="Log" about="Every recorded event, with private data." />
      <Filters filter={filter} faults={search.faults} onFilter={goTo} />
      <div class={opened === undefined ? 'log' : 'log pair'}>
        {opened !== undefined && (
          <LoggedEvent key={rowOf(opened)} client={client} place={opened} filter={filter} />
        )}
        <section class="card" aria-labelledby="found">
          <h2 id="found">
            {filter.order === 'oldest' ? 'Oldest first' : 'Newest first'}{' '}
            <span class="sub" role="status">
              {search.pages.length > 0 && countText(search.pages)}
            </span>
          </h2>
          <Results search={search} filter={filter} opened={opened} />
        </section>
      </div>
    </>
  );
}

/** Returns the focus to the row that opened the event. */
function useFocusOnClose(opened: EventPlace | undefined): void {
  const before = useRef<EventPlace | undefined>(undefined);
  const place = opened && rowOf(opened);
  useEffect(() => {
    if (opened === undefined && before.current !== undefined)
      document.getElementById(rowOf(before.current))?.focus();
    before.current = opened;
  }, [place]);
}

function Filters({
  filter,
  faults,
  onFilter,
}: {
  readonly filter: LogFilter;
  readonly faults: { readonly [field: string]: string };
  readonly onFilter: (filter: LogFilter) => void;
}) {
  const [typed, type] = useState(filter);
  // A layout effect: a later effect would overwrite characters typed after the first paint.
  useLayoutEffect(() => type(filter), [JSON.stringify(filter)]);
  const field = (name: keyof LogFilter, label: string, hint?: string) => (
    <TextField
      name={name}
      label={label}
      hint={hint}
      class="mono"
      fault={faults[name]}
      value={typed[name]}
      maxLength={300}
      spellcheck={false}
      onType={(text) => type({ ...typed, [name]: text })}
    />
  );
  return (
    <search aria-label="Filter the log">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onFilter({ ...NO_FILTER, ...askedOf(typed) });
        }}
      >
        <div class="fields narrow">
          {field('stream', 'Stream', 'The full name.')}
          {field('type', 'Event type', 'Such as TokenHidden.')}
          {field('hide', 'Hidden types', 'Separated by commas.')}
          {field('category', 'Category', 'Such as token.')}
          {field('correlationId', 'Correlation id', 'Finds the events of one request in all streams.')}
          {field('since', 'Since', 'Such as 2h, or 2026-05-04T03:00:00Z.')}
          {field('until', 'Until', 'Such as 10m, or a time.')}
          <Field name="order" label="Order" fault={faults.order}>
            <select
              {...controlOf('order', faults.order)}
              value={typed.order}
              onChange={({ currentTarget }) =>
                onFilter({ ...typed, order: currentTarget.value === 'oldest' ? 'oldest' : '' })
              }
            >
              <option value="">Newest first</option>
              <option value="oldest">Oldest first</option>
            </select>
          </Field>
        </div>
        <p class="actions">
          <button type="submit">Find</button>
          {Object.keys(askedOf({ ...filter, order: '' })).length > 0 && (
            <button
              type="button"
              class="quiet"
              onClick={() => onFilter({ ...NO_FILTER, order: filter.order })}
            >
              Show everything
            </button>
          )}
        </p>
      </form>
    </search>
  );
}

function Results({
  search,
  filter,
  opened,
}: {
  readonly search: LogSearch;
  readonly filter: LogFilter;
  readonly opened: EventPlace | undefined;
}) {
  const { pages, isLoading, failed, faults, again, further } = search;
  const last = pages.at(-1);
  if (last === undefined) {
    if (isLoading) return <Loading what="the log" />;
    if (failed !== undefined) return <Failed what="The log" sentence={failed} again={again} />;
    return <p class="meta">{Object.keys(faults).length > 0 && 'Correct the search and try again.'}</p>;
  }
  const isFull = last.events.length === PAGE;
  return (
    <>
      {pages.every(({ events }) => events.length === 0) ? (
        <Empty title={last.next === null ? 'No matching events' : 'None found so far'}>
          {last.next !== null && <p>The search is not complete.</p>}
        </Empty>
      ) : (
        <Events pages={pages} filter={filter} opened={opened} />
      )}
      {further.fault !== undefined && (
        <p class="fault" role="alert">
          {further.fault}
        </p>
      )}
      {(last.next !== null || further.isBusy) && (
        <p class="actions">
          {further.isBusy ? (
            <button type="button" class="quiet" onClick={further.stop}>
              Stop
            </button>
          ) : (
            <button type="button" class="quiet" onClick={further.run}>
              {isFull ? 'Show more' : 'Continue search'}
            </button>
          )}
        </p>
      )}
    </>
  );
}

function Events({
  pages,
  filter,
  opened,
}: {
  readonly pages: readonly ListEventsAnswer[];
  readonly filter: LogFilter;
  readonly opened: EventPlace | undefined;
}) {
  const current = opened && rowOf(opened);
  return (
    <table class="lines">
      <ColumnNames of={COLUMNS} />
      <tbody>
        {pages.map(({ events }, index) => (
          <Rows key={index} events={events} filter={filter} current={current} />
        ))}
      </tbody>
    </table>
  );
}

/** Rows of one page, memoised because drawing a thousand rows per response is slow. */
function Rows({
  events,
  filter,
  current,
}: {
  readonly events: readonly RecordedEvent[];
  readonly filter: LogFilter;
  readonly current: string | undefined;
}) {
  const open = events.some((event) => rowOf(event) === current) ? current : undefined;
  return useMemo(
    () => (
      <>
        {events.map((event) => (
          <tr key={event.position} class={rowOf(event) === open ? 'open' : ''}>
            <Cells columns={COLUMNS} row={{ event, filter, isOpen: rowOf(event) === open }} />
          </tr>
        ))}
      </>
    ),
    [events, JSON.stringify(filter), open],
  );
}

interface RowOfLog {
  readonly event: RecordedEvent;
  readonly filter: LogFilter;
  readonly isOpen: boolean;
}

const COLUMNS: readonly Column<RowOfLog>[] = [
  {
    name: 'Time',
    cell: ({
      event: {
        metadata: { occurredAt },
      },
    }) =>
      typeof occurredAt === 'string' ? (
        <time dateTime={occurredAt} title={exactTime(occurredAt)}>
          {logTime(occurredAt)}
        </time>
      ) : (
        'unknown'
      ),
  },
  {
    name: 'Event',
    cell: ({ event, filter, isOpen }) => (
      <span>
        <a
          id={rowOf(event)}
          class="event"
          href={pageAddress(logAddress(filter, event))}
          {...(isOpen && { 'aria-current': 'true' as const })}
        >
          <Words text={event.type} />
        </a>
        {event.unreadable !== undefined && (
          <>
            {' '}
            <State kind="bad">undecodable</State>
          </>
        )}
      </span>
    ),
  },
  {
    name: 'Stream',
    cell: ({ event: { stream } }) => (
      <PageLink to={logAddress({ stream })} class="mono">
        <span title={stream}>
          <Words text={cutStream(stream)} />
        </span>
      </PageLink>
    ),
  },
  { name: 'Revision', class: 'n', cell: ({ event }) => grouped(event.revision) },
  {
    name: 'Correlation',
    class: 'correlation',
    cell: ({
      event: {
        metadata: { correlationId },
      },
    }) =>
      typeof correlationId === 'string' && (
        <PageLink to={logAddress({ correlationId })} class="mono">
          <span title={correlationId}>
            <Words text={cutAddress(correlationId)} />
          </span>
        </PageLink>
      ),
  },
];
