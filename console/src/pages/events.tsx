/** Live view of the public feed. The filter is in the URL. */
import type { EventWish, TokenEvent } from 'levy-client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { grouped } from '../format/amounts.ts';
import { eventText, FAMILIES } from '../format/event-texts.ts';
import { cutAddress, visibleText } from '../format/texts.ts';
import { MAX_EVENTS, useLiveEvents } from '../live-events.ts';
import { PageHead, PageLink, State, Time, Words } from '../parts/basics.tsx';
import { controlOf, Field, TextField } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed } from '../parts/states.tsx';
import { fieldsNamedBy, sentenceOf } from '../service.ts';
import { connected, lost } from '../wallet.ts';

interface Filter {
  readonly kind: string;
  readonly token: string;
  readonly creator: string;
  /** `start` includes earlier events. */
  readonly from: string;
}

const EVERYTHING: Filter = { kind: '', token: '', creator: '', from: '' };

export function Events() {
  usePageTitle('Live events');
  const { query, path, route } = useLocation();
  const { kind = '', token = '', creator = '', from = '' } = query;
  const filter: Filter = { kind, token, creator, from };
  const [round, next] = useState(0);
  const goTo = (to: Filter) => {
    const given = Object.entries(to).filter(([, value]) => value !== '');
    const text = new URLSearchParams(given).toString();
    route(`${path}${text === '' ? '' : `?${text}`}`, true);
  };
  const live = useLiveEvents(JSON.stringify([filter, round]), wishOf(filter), connected.value?.client);
  const { rows, waiting, isPaused, isOpen, failed } = live;
  return (
    <>
      <PageHead title="Live events" about="Tokens, runs, launches and promotions, as they are recorded." />
      {lost.value !== undefined && (
        <p class="fault" role="alert">
          {lost.value}
        </p>
      )}
      <Filters filter={filter} faults={fieldsNamedBy(failed)} onFilter={goTo} />
      <section class="card" aria-labelledby="feed">
        <div class="feed-head">
          <h2 id="feed">
            Newest first{' '}
            <span class="sub" role="status">
              {failed !== undefined ? (
                <State kind="bad">stopped</State>
              ) : isPaused ? (
                <State kind="off">paused; {grouped(waiting)} new</State>
              ) : isOpen ? (
                <State kind="run">live</State>
              ) : (
                <State kind="off">connecting …</State>
              )}
            </span>
          </h2>
          <button type="button" class="quiet" onClick={isPaused ? live.resume : live.pause}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
        </div>
        {failed !== undefined && (
          <Failed what="The events" sentence={sentenceOf(failed)} again={() => next((count) => count + 1)} />
        )}
        {rows.length === 0 && failed === undefined && <Nothing isFromNow={from !== 'start'} />}
        {rows.length > 0 && <Feed rows={rows} />}
        {rows.length === MAX_EVENTS && (
          <p class="meta">The newest {MAX_EVENTS} are shown; the log keeps them all.</p>
        )}
      </section>
    </>
  );
}

function wishOf({ kind, token, creator, from }: Filter): EventWish {
  return {
    ...(kind !== '' && { types: [`${kind}.*`] }),
    ...(token !== '' && { token }),
    ...(creator !== '' && { creator }),
    ...(from === 'start' && { after: 'start' }),
  };
}

function Filters({
  filter,
  faults,
  onFilter,
}: {
  readonly filter: Filter;
  readonly faults: { readonly [field: string]: string };
  readonly onFilter: (filter: Filter) => void;
}) {
  const [typed, type] = useState(filter);
  useEffect(() => type(filter), [filter.kind, filter.token, filter.creator, filter.from]);
  const families = Object.entries(FAMILIES).filter(
    ([family]) => family !== 'submissions' || connected.value !== undefined || filter.kind === family,
  );
  return (
    <search aria-label="Filter the events">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onFilter({ ...typed, token: typed.token.trim(), creator: typed.creator.trim() });
        }}
      >
        <div class="fields">
          <Field name="kind" label="About" fault={faults.types}>
            <select
              {...controlOf('kind', faults.types)}
              value={typed.kind}
              onChange={({ currentTarget }) => onFilter({ ...typed, kind: currentTarget.value })}
            >
              <option value="">Everything</option>
              {families.map(([family, name]) => (
                <option key={family} value={family}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
          <TextField
            name="token"
            label="Token’s mint address or id"
            class="mono"
            fault={faults.token}
            value={typed.token}
            maxLength={64}
            spellcheck={false}
            onType={(token) => type({ ...typed, token })}
          />
          <TextField
            name="creator"
            label="Creator’s wallet"
            class="mono"
            fault={faults.creator}
            value={typed.creator}
            maxLength={64}
            spellcheck={false}
            onType={(creator) => type({ ...typed, creator })}
          />
        </div>
        <p class="actions">
          <button type="submit">Apply</button>
          <button
            type="button"
            class="quiet"
            onClick={() => onFilter({ ...filter, from: filter.from === '' ? 'start' : '' })}
          >
            {filter.from === '' ? 'Load earlier events' : 'Show new events only'}
          </button>
          {filter.kind + filter.token + filter.creator !== '' && (
            <button
              type="button"
              class="quiet"
              onClick={() => onFilter({ ...EVERYTHING, from: filter.from })}
            >
              Show everything
            </button>
          )}
        </p>
      </form>
    </search>
  );
}

function Nothing({ isFromNow }: { readonly isFromNow: boolean }) {
  return (
    <Empty title={isFromNow ? 'No events since you opened this page' : 'No events of this kind yet'}>
      <p>New events appear here.</p>
    </Empty>
  );
}

function Feed({ rows }: { readonly rows: readonly TokenEvent[] }) {
  const names = namesIn(rows);
  return (
    <ol class="feed">
      {rows.map((event) => (
        <Row key={event.id} event={event} names={names} />
      ))}
    </ol>
  );
}

/** Token names by mint address. Only creation events contain a name. */
function namesIn(rows: readonly TokenEvent[]): ReadonlyMap<unknown, string> {
  return new Map(
    rows.flatMap(({ data: { mintAddress, name } }) =>
      typeof name === 'string' && name !== '' ? [[mintAddress, name]] : [],
    ),
  );
}

function Row({ event, names }: { readonly event: TokenEvent; readonly names: ReadonlyMap<unknown, string> }) {
  const { title, detail } = eventText(event);
  const { mintAddress } = event.data;
  const name = names.get(mintAddress);
  return (
    <li>
      <p class="what">
        <strong>{title}</strong> {detail !== undefined && <Words text={detail} />}
      </p>
      <p class="when">
        <Time at={event.time} />
      </p>
      {typeof mintAddress === 'string' && (
        <p class="of">
          <PageLink to={`tokens/${mintAddress}`}>
            {name === undefined ? <span class="mono">{cutAddress(mintAddress)}</span> : <Words text={name} />}
          </PageLink>
        </p>
      )}
      <details>
        <summary>
          Details<span class="heard"> of: {title}</span>
        </summary>
        <pre class="mono">{visibleText(JSON.stringify(event, undefined, 2))}</pre>
      </details>
    </li>
  );
}
