/** What needs an operator now: checks that fail, events that nobody can decode, halted distributions and runs that wait. */
import type {
  GetReadinessAnswer,
  LevyClient,
  ListDistributionsAnswer,
  ListUndecodableEventsAnswer,
} from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { isLate } from '../format/late-runs.ts';
import { PageLink, Words } from '../parts/basics.tsx';
import { Particulars, Trouble } from '../parts/trouble.tsx';
import { apiAddress, now } from '../service.ts';
import { Act } from './operate-act.tsx';
import { type Distribution, TokenLink } from './operate-distributions.tsx';
import { QuarantineAct, UndecodableFacts } from './operate-quarantine.tsx';

/** Distributions that need somebody, of each kind, that are asked for. */
export const MOST = 100;
/** Events that are shown here; their page has all. */
const EVENTS_SHOWN = 3;
/** Distributions that are shown before all are asked for: what stands below them is still found. */
const STUCK_SHOWN = 10;

interface Found {
  readonly checks: GetReadinessAnswer['checks'];
  readonly events: ListUndecodableEventsAnswer['events'];
  readonly halted: ListDistributionsAnswer;
  readonly running: ListDistributionsAnswer;
  readonly allHalted: ListDistributionsAnswer['allHalted'];
}

export function Needs({
  client,
  found: { checks, events, halted, running, allHalted },
  onDone,
}: {
  readonly client: LevyClient;
  readonly found: Found;
  readonly onDone: () => void;
}) {
  const [isWhole, showAll] = useState(false);
  const stuckTokens = new Set(checks.flatMap(({ name, tokenId }) => (name === STUCK ? [tokenId] : [])));
  const waiting = running.distributions.filter(
    (each) => stuckTokens.has(each.tokenId) || isLate(each, now.value),
  );
  const stuck = [...halted.distributions, ...waiting];
  // What follows from a run or an event that is shown by itself is no trouble of its own.
  const causes = new Set<unknown>([
    ...stuck.map(({ tokenId }) => tokenId),
    ...events.map(({ eventId }) => eventId),
  ]);
  const failing = checks.filter(({ ok }) => !ok);
  const wrong = failing.filter(
    ({ name, tokenId, eventId }) => !causes.has(name === STUCK ? tokenId : eventId),
  );
  const faults = alike(wrong);
  const count = faults.length + events.length + stuck.length + (allHalted === null ? 0 : 1);
  const isPartial = halted.next !== null || running.next !== null;
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>
            <span role="status">
              {count === 0
                ? `Nothing ${isPartial ? 'of what is looked at ' : ''}needs you`
                : count === 1
                  ? 'One thing needs you'
                  : `${count} things need you`}
            </span>
          </h1>
          <p class="meta">
            {checks.length - failing.length} of {checks.length} checks of{' '}
            <a href={apiAddress('ready')}>/ready</a> are well.
          </p>
        </div>
      </section>
      {(count > 0 || isPartial) && (
        <section class="card" aria-label="What needs you">
          {faults.map(({ names, particulars }) => (
            <Trouble key={names.join()} title={titleOf(names)}>
              <Particulars of={particulars} />
            </Trouble>
          ))}
          {events.slice(0, EVENTS_SHOWN).map((event) => (
            <Trouble key={event.eventId} title="An event cannot be decoded" since={event.since}>
              <UndecodableFacts
                event={event}
                waiting={failing.filter(({ eventId }) => eventId === event.eventId).map(({ name }) => name)}
              />
              <QuarantineAct client={client} event={event} onDone={onDone} />
            </Trouble>
          ))}
          {events.length > EVENTS_SHOWN && (
            <p>
              <PageLink to="operate/quarantine">All {events.length} events that cannot be decoded</PageLink>
            </p>
          )}
          {allHalted !== null && (
            <Trouble title="All distributions are halted" since={allHalted.since}>
              <Words text={allHalted.reason} /> — {allHalted.by}
              <Act client={client} what="resume-all" onDone={onDone} />
            </Trouble>
          )}
          {stuck.slice(0, isWhole ? stuck.length : STUCK_SHOWN).map((each) => (
            <Stuck key={each.tokenId} client={client} distribution={each} onDone={onDone} />
          ))}
          {!isWhole && stuck.length > STUCK_SHOWN && (
            <p class="actions">
              <button type="button" class="quiet" onClick={() => showAll(true)}>
                Show all {grouped(stuck.length)} distributions that need you
              </button>
            </p>
          )}
          {isPartial && (
            <p>
              Only the first {MOST} halted distributions and the first {MOST} open runs are looked at here.
            </p>
          )}
        </section>
      )}
    </>
  );
}

interface Fault {
  readonly names: readonly string[];
  readonly particulars: { readonly [name: string]: unknown };
}

/** Checks that say the same have one cause, and are shown together. */
function alike(checks: Found['checks']): readonly Fault[] {
  const faults = new Map<string, { names: string[]; particulars: Fault['particulars'] }>();
  for (const { name, ok: _, ...particulars } of checks) {
    const said = JSON.stringify(particulars);
    const known = faults.get(said);
    if (known === undefined) faults.set(said, { names: [name], particulars });
    else known.names.push(name);
  }
  return [...faults.values()];
}

function titleOf(names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.pop();
  return quoted.length === 0 ? `The check ${last} fails` : `The checks ${quoted.join(', ')} and ${last} fail`;
}

/** The check of `/ready` for a run that does not go on. */
const STUCK = 'stuck distribution';

function Stuck({
  client,
  distribution,
  onDone,
}: {
  readonly client: LevyClient;
  readonly distribution: Distribution;
  readonly onDone: () => void;
}) {
  const { tokenId, mintAddress, halted, progress, openRun } = distribution;
  const token = <TokenLink of={distribution} />;
  const run = openRun !== null && (
    <p>
      <PageLink to={`tokens/${mintAddress}/runs/${openRun.runId}`}>The run, step by step</PageLink>
    </p>
  );
  if (halted !== null)
    return (
      <Trouble title={<>Halted: {token}</>} since={halted.since}>
        <p>
          <code>{halted.code}</code> <Words text={halted.reason} /> — {halted.by}
        </p>
        {run}
        <Act client={client} what="resume" tokenId={tokenId} onDone={onDone} />
      </Trouble>
    );
  if (progress === undefined) return null;
  const { step, movedAt, waitingFor } = progress;
  return (
    <Trouble
      title={
        <>
          A run waits in its step “{step}”: {token}
        </>
      }
      since={waitingFor?.since ?? movedAt}
    >
      {waitingFor === null ? (
        <p>Nothing was recorded of it since. The process that distributes knows why; its log says so.</p>
      ) : (
        <p>
          <code>{waitingFor.code}</code> {waitingFor.detail}{' '}
          {waitingFor.error !== null && <code>{waitingFor.error}</code>}
        </p>
      )}
      {run}
      <Act client={client} what="halt" tokenId={tokenId} onDone={onDone} />
    </Trouble>
  );
}
