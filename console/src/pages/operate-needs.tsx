/** Items that need attention, one per cause: failing checks, undecodable events, halted distributions, stuck runs. */
import type {
  GetReadinessAnswer,
  LevyClient,
  ListDistributionsAnswer,
  ListUndecodableEventsAnswer,
} from 'levy-client';
import { useState } from 'preact/hooks';
import { grouped } from '../format/amounts.ts';
import { PageHead, PageLink, Time, Words } from '../parts/basics.tsx';
import { Particulars, Trouble } from '../parts/trouble.tsx';
import { apiAddress } from '../service.ts';
import { Act } from './operate-actions.tsx';
import { type Distribution, TokenLink } from './operate-distributions.tsx';
import { QuarantineAct, UndecodableFacts } from './operate-quarantine.tsx';

/** Distributions requested per kind. */
export const MAX = 100;
/** Events shown here; the quarantine page has all. */
const MAX_EVENTS = 3;
/** Tokens of one cause shown initially. */
const MAX_TOKENS = 10;

/** Checks of `/ready` that the lists of distributions show in more detail. */
const OF_ONE_TOKEN: ReadonlySet<string> = new Set(['stuck distribution', 'halted distribution']);
/** Failing check that causes a wait, by the code of the wait. */
const CHECK_OF_WAIT: { readonly [code: string]: string } = {
  'chain-unavailable': 'chain',
  'distributor-unfunded': 'distributor',
};

const GUIDES = {
  checks: 'docs/guides/how-to/operate/monitor.md#health',
  halts: 'docs/guides/how-to/operate/distribute-tax.md#a-check-has-halted-a-token',
  runs: 'docs/guides/how-to/operate/monitor.md#a-stuck-run',
} as const;

interface Found {
  readonly checks: GetReadinessAnswer['checks'];
  readonly events: ListUndecodableEventsAnswer['events'];
  readonly halted: ListDistributionsAnswer;
  readonly stuck: ListDistributionsAnswer;
  readonly allHalted: ListDistributionsAnswer['allHalted'];
}

export function Needs({
  client,
  found: { checks, events, halted, stuck, allHalted },
  onDone,
}: {
  readonly client: LevyClient;
  readonly found: Found;
  readonly onDone: () => void;
}) {
  const failing = checks.filter(({ ok }) => !ok);
  const quarantinable = new Set<unknown>(events.map(({ eventId }) => eventId));
  const faults = alike(
    failing.filter(({ name, eventId }) => !OF_ONE_TOKEN.has(name) && !quarantinable.has(eventId)),
  );
  const faulty = new Set(faults.flatMap(({ names }) => names));
  const waitingFor = (names: readonly string[]) =>
    stuck.distributions.filter((each) => names.includes(CHECK_OF_WAIT[codeOf(each)] ?? ''));
  const waitingAt = ({ stream }: Found['events'][number]) =>
    stuck.distributions.filter((each) => streamsOf(each).includes(stream));
  const shown = new Set([...waitingFor([...faulty]), ...events.flatMap(waitingAt)]);
  const causes = byCode([...halted.distributions, ...stuck.distributions.filter((each) => !shown.has(each))]);
  const count = faults.length + events.length + causes.length + (allHalted === null ? 0 : 1);
  const isPartial = halted.next !== null || stuck.next !== null;
  return (
    <>
      <PageHead
        title={
          <span role="status">
            {count === 0
              ? 'Nothing needs attention'
              : count === 1
                ? '1 item needs attention'
                : `${count} items need attention`}
          </span>
        }
        about={
          <>
            <a href={apiAddress('ready')}>
              {failing.length === 0
                ? `All ${checks.length}`
                : `${checks.length - failing.length} of ${checks.length}`}{' '}
              health checks
            </a>{' '}
            pass.
          </>
        }
      />
      {(count > 0 || isPartial) && (
        <section class="card" aria-label="Items that need attention">
          {faults.map(({ names, particulars }) => (
            <Trouble key={names.join()} title={titleOf(names)} guide={GUIDES.checks}>
              <Particulars of={particulars} />
              <Tokens client={client} tokens={waitingFor(names)} onDone={onDone} />
            </Trouble>
          ))}
          {events.slice(0, MAX_EVENTS).map((event) => (
            <Trouble key={event.eventId} title="An event cannot be decoded" since={event.since}>
              <UndecodableFacts
                event={event}
                waiting={failing.filter(({ eventId }) => eventId === event.eventId).map(({ name }) => name)}
              />
              <QuarantineAct client={client} event={event} onDone={onDone} />
              <Tokens client={client} tokens={waitingAt(event)} onDone={onDone} />
            </Trouble>
          ))}
          {events.length > MAX_EVENTS && (
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
          {causes.map((tokens) => (
            <Trouble
              key={codeOf(tokens[0])}
              title={causeOf(tokens)}
              guide={tokens[0].halted === null ? GUIDES.runs : GUIDES.halts}
            >
              <Tokens client={client} tokens={tokens} onDone={onDone} />
            </Trouble>
          ))}
          {isPartial && (
            <p>
              Only the first {MAX} halted distributions and the first {MAX} stuck runs are shown here.
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

/** Groups checks with equal details: they have one cause. */
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

type Tokens = readonly [Distribution, ...Distribution[]];

/** Code of the halt, or of the wait of the current step. */
function codeOf({ halted, currentStep }: Distribution): string {
  return halted?.code ?? currentStep?.waitingFor?.code ?? 'no wait';
}

/** Streams of the token's distribution and open run. */
function streamsOf({ tokenId, openRun }: Distribution): readonly string[] {
  return [`distribution-${tokenId}`, ...(openRun === null ? [] : [`run-${openRun.runId}`])];
}

function byCode(distributions: readonly Distribution[]): readonly Tokens[] {
  const causes = new Map<string, [Distribution, ...Distribution[]]>();
  for (const each of distributions) {
    const known = causes.get(codeOf(each));
    if (known === undefined) causes.set(codeOf(each), [each]);
    else known.push(each);
  }
  return [...causes.values()];
}

function causeOf(tokens: Tokens) {
  const [first] = tokens;
  if (first.halted !== null)
    return tokens.length === 1 ? 'A token is halted' : `${grouped(tokens.length)} tokens are halted`;
  return tokens.length === 1 ? 'A run does not advance' : `${grouped(tokens.length)} runs do not advance`;
}

/** Tokens with the same wait or halt code. */
function Tokens({
  client,
  tokens,
  onDone,
}: {
  readonly client: LevyClient;
  readonly tokens: readonly Distribution[];
  readonly onDone: () => void;
}) {
  const [isWhole, showAll] = useState(false);
  return (
    <>
      {tokens.slice(0, isWhole ? tokens.length : MAX_TOKENS).map((each) => (
        <div key={each.tokenId} class="of-token">
          <Stuck distribution={each} />
          <Act
            client={client}
            what={each.halted === null ? 'halt' : 'resume'}
            tokenId={each.tokenId}
            onDone={onDone}
          />
        </div>
      ))}
      {!isWhole && tokens.length > MAX_TOKENS && (
        <p class="actions">
          <button type="button" class="quiet" onClick={() => showAll(true)}>
            Show all {grouped(tokens.length)} tokens
          </button>
        </p>
      )}
    </>
  );
}

function Stuck({ distribution }: { readonly distribution: Distribution }) {
  const { mintAddress, halted, currentStep, openRun } = distribution;
  const token = <TokenLink of={distribution} />;
  const run = openRun !== null && (
    <PageLink to={`tokens/${mintAddress}/runs/${openRun.runId}`}>View run</PageLink>
  );
  if (halted !== null)
    return (
      <p>
        {token}: halted <Time at={halted.since} /> by {halted.by}. <code>{halted.code}</code>{' '}
        <Words text={halted.reason} /> {run}
      </p>
    );
  if (currentStep === undefined) return null;
  const { step, movedAt, waitingFor } = currentStep;
  return (
    <p>
      {token}: {step === 'consider' ? 'cannot be opened' : `in step “${step}”`} since{' '}
      <Time at={waitingFor?.since ?? movedAt} />.{' '}
      {waitingFor === null ? (
        'No events since then. See the log of the distributor process.'
      ) : (
        <>
          <code>{waitingFor.code}</code> {waitingFor.detail}{' '}
          {waitingFor.errorMessage !== null && <code>{waitingFor.errorMessage}</code>}{' '}
          {waitingFor.failedAttempts > 0 && `Failed attempts: ${grouped(waitingFor.failedAttempts)}. `}
          {waitingFor.nextAttemptAt !== null && (
            <>
              Next attempt <Time at={waitingFor.nextAttemptAt} />.
            </>
          )}
        </>
      )}{' '}
      {run}
    </p>
  );
}
