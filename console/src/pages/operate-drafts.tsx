/** Drafts and submissions; pending ones first. */
import type { LevyClient, ListDraftsAnswer, ListSubmissionsAnswer } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { purposeText } from '../format/texts.ts';
import { Address, PageHead, State, Time } from '../parts/basics.tsx';
import { controlOf, Field } from '../parts/field.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { TurnPages } from '../parts/pager.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useAnswer } from '../service.ts';
import { UnknownOutcome } from './operate-conclude.tsx';

const REFRESHED = 5_000;

type Draft = ListDraftsAnswer['drafts'][number];
type Submission = ListSubmissionsAnswer['submissions'][number];
type Listed = Draft | Submission;

interface Page {
  readonly listed: readonly Listed[];
  readonly next: string | null;
}

/** States ordered by urgency. */
const WAITING = ['unknown', 'unrecorded', 'submitted', 'confirmed', 'open'] as const;
const OVER = ['failed', 'finalized', 'expired', 'superseded', 'cancelled'] as const;
type Kind = (typeof WAITING)[number] | (typeof OVER)[number];

const TITLES: { readonly [kind in Kind]: string } = {
  unknown: 'Outcome unknown',
  unrecorded: 'Landed, not yet recorded',
  submitted: 'Submitted',
  confirmed: 'Landed, not yet final',
  open: 'Waiting for a signature',
  failed: 'Failed',
  finalized: 'Final',
  expired: 'Expired unsigned',
  superseded: 'Replaced by a newer draft',
  cancelled: 'Cancelled',
};

export function Drafts({ client }: { readonly client: LevyClient }) {
  usePageTitle('Drafts and submissions');
  const { query, path, route } = useLocation();
  const kind = [...WAITING, ...OVER].find((each) => each === query.show);
  const { after } = query;
  const goTo = (show: string, to?: string) => {
    const given = new URLSearchParams({
      ...(show !== '' && { show }),
      ...(to !== undefined && { after: to }),
    });
    route(`${path}${given.size === 0 ? '' : `?${given}`}`);
  };
  const kinds = kind === undefined ? WAITING : [kind];
  const answer = useAnswer(
    `drafts ${kind} ${after}`,
    () => Promise.all(kinds.map((each) => pageOf(client, each, kind === undefined ? undefined : after))),
    { every: REFRESHED },
  );
  return (
    <>
      <PageHead
        title="Drafts and submissions"
        about="Unsigned transactions, and the outcomes of signed ones."
      >
        <Choice kind={kind} onChoose={(show) => goTo(show)} />
      </PageHead>
      <Loaded what="the drafts and submissions" answer={answer}>
        {(pages) => (
          <div class="stack">
            {pages.every(({ listed }) => listed.length === 0) && (
              <section class="card">
                <Empty title={kind === undefined ? 'Nothing is pending' : 'None'} />
              </section>
            )}
            {kinds.map((each, index) => {
              const page = pages[index];
              if (page === undefined || page.listed.length === 0) return null;
              return (
                <List key={each} client={client} kind={each} listed={page.listed} onDone={answer.again}>
                  {kind === undefined ? (
                    page.next !== null && (
                      <p class="actions">
                        <button type="button" class="quiet" onClick={() => goTo(each)}>
                          Show all of them
                        </button>
                      </p>
                    )
                  ) : (
                    <TurnPages
                      isFirst={after === undefined}
                      next={page.next}
                      onTurn={(to) => goTo(each, to)}
                    />
                  )}
                </List>
              );
            })}
          </div>
        )}
      </Loaded>
    </>
  );
}

async function pageOf(client: LevyClient, kind: Kind, after: string | undefined): Promise<Page> {
  const isOver = OVER.some((each) => each === kind);
  const rest = {
    order: isOver ? ('newest' as const) : ('oldest' as const),
    ...(after !== undefined && { after }),
  };
  if (kind === 'open' || kind === 'expired' || kind === 'superseded' || kind === 'cancelled') {
    const { drafts, next } = await client.get('/operator/drafts', {
      params: { query: { state: kind, ...rest } },
    });
    return { listed: drafts, next };
  }
  const { submissions, next } = await client.get('/operator/submissions', {
    params: { query: { state: kind, ...rest } },
  });
  return { listed: submissions, next };
}

function Choice({
  kind,
  onChoose,
}: {
  readonly kind: Kind | undefined;
  readonly onChoose: (kind: string) => void;
}) {
  return (
    <Field name="show" label="Show">
      <select
        {...controlOf('show', undefined)}
        value={kind ?? ''}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">All pending</option>
        {[...WAITING, ...OVER].map((each) => (
          <option key={each} value={each}>
            {TITLES[each]}
          </option>
        ))}
      </select>
    </Field>
  );
}

function List({
  client,
  kind,
  listed,
  onDone,
  children,
}: {
  readonly client: LevyClient;
  readonly kind: Kind;
  readonly listed: readonly Listed[];
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card" aria-labelledby={`list-${kind}`}>
      <h2 id={`list-${kind}`}>
        {TITLES[kind]}{' '}
        <span class="sub">{OVER.some((each) => each === kind) ? 'newest first' : 'oldest first'}</span>
      </h2>
      {kind === 'unknown' ? (
        listed.map((each) => (
          <UnknownOutcome key={each.transactionId} client={client} of={each} onDone={onDone} />
        ))
      ) : (
        <Transactions listed={listed} />
      )}
      {children}
    </section>
  );
}

function Transactions({ listed }: { readonly listed: readonly Listed[] }) {
  return (
    <Table
      rows={listed}
      keyOf={({ transactionId }) => transactionId}
      columns={[
        {
          name: 'Purpose',
          cell: ({ purpose, transactionId }) => (
            <span>
              {purposeText(purpose)} <Address of={transactionId} name="the transaction’s id" />
            </span>
          ),
        },
        {
          name: 'Token',
          cell: ({ mintAddress }) => <Address of={mintAddress} name="the mint’s address" on="address" />,
        },
        {
          name: 'Creator',
          cell: ({ creator }) => <Address of={creator} name="the creator’s wallet" on="address" />,
        },
        {
          name: 'Since',
          cell: (each) => <Time at={('acceptedAt' in each ? each.acceptedAt : null) ?? each.createdAt} />,
        },
        { name: 'State', cell: (each) => <StateOf of={each} /> },
      ]}
    />
  );
}

function StateOf({ of }: { readonly of: Listed }) {
  const { conclusion } = of;
  return (
    <div class="grow">
      {'signature' in of ? <SubmissionState of={of} /> : <DraftState of={of} />}
      {of.historyFloodedSince !== null && (
        <small class="below">
          Very many transactions name its account, so the search has been slow since{' '}
          <Time at={of.historyFloodedSince} />.
        </small>
      )}
      {conclusion !== null && (
        <small class="below">
          {conclusion.by} recorded this <Time at={conclusion.at} />: {conclusion.reason}
        </small>
      )}
    </div>
  );
}

function DraftState({ of: { state, expiresAt } }: { readonly of: Draft }) {
  if (state !== 'open') return <State kind="off">{state}</State>;
  return (
    <State kind="run">
      expires <Time at={expiresAt} />
    </State>
  );
}

function SubmissionState({ of }: { readonly of: Submission }) {
  const { state, signature, deadline, overdueSince, settledAt, recorded, failure } = of;
  const isUnderWay = state === 'submitted' || state === 'confirmed';
  return (
    <>
      <State kind={state === 'failed' ? 'bad' : isUnderWay ? 'run' : recorded ? 'ok' : 'run'}>
        {state === 'finalized' && !recorded ? 'landed, not recorded yet' : state}{' '}
        {settledAt !== null && <Time at={settledAt} />}
      </State>{' '}
      {signature !== null && <Address of={signature} name="the signature" on="tx" />}
      {overdueSince !== null ? (
        <small class="below">
          Timed out <Time at={overdueSince} />; its nonce is being advanced so that it cannot land later.
        </small>
      ) : (
        isUnderWay &&
        deadline !== null && (
          <small class="below">
            Resent until <Time at={deadline} />.
          </small>
        )
      )}
      {failure !== null && (
        <small class="below">
          <code>{failure.code}</code> {failure.message}
        </small>
      )}
      {failure !== null && failure.logs.length > 0 && (
        <details>
          <summary>Chain logs</summary>
          <pre>{failure.logs.join('\n')}</pre>
        </details>
      )}
    </>
  );
}
