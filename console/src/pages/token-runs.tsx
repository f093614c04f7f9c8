/** Runs of a token, newest first, with collected and paid amounts and current waits. */
import type { DistributionRun, GetTokenAnswer, ListRunsAnswer } from 'levy-client';
import { grouped, SOL_DECIMALS } from '../format/amounts.ts';
import { Amount, Exact, PageLink, State, Time } from '../parts/basics.tsx';
import { LaterPages } from '../parts/cursor-pages.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { levy } from '../service.ts';

type Token = GetTokenAnswer['token'];

export function Runs({
  token,
  first,
  waiting,
}: {
  readonly token: Token;
  readonly first: ListRunsAnswer;
  readonly waiting: string | undefined;
}) {
  if (first.runs.length === 0)
    return (
      <Empty title="No runs yet">
        <p>{waiting}</p>
      </Empty>
    );
  return (
    <LaterPages
      of={`runs ${token.id}`}
      what="the runs"
      first={first}
      ask={(after) =>
        levy.get('/distribution/{tokenId}/runs', {
          params: { path: { tokenId: token.mintAddress }, query: { after } },
        })
      }
    >
      {({ runs }) => <RunTable token={token} runs={runs} waiting={waiting} />}
    </LaterPages>
  );
}

function RunTable({
  token,
  runs,
  waiting,
}: {
  readonly token: Token;
  readonly runs: readonly DistributionRun[];
  readonly waiting: string | undefined;
}) {
  return (
    <Table
      rows={runs}
      keyOf={({ runId }) => runId}
      columns={[
        {
          name: 'Run',
          cell: ({ runId, number }) => (
            <PageLink to={`tokens/${token.mintAddress}/runs/${runId}`}>#{number}</PageLink>
          ),
        },
        { name: 'Time', cell: ({ closedAt, openedAt }) => <Time at={closedAt ?? openedAt} /> },
        {
          name: 'Collected',
          class: 'n',
          cell: ({ collected }) => <Amount units={collected} decimals={token.decimals} />,
        },
        {
          name: 'Holders paid',
          class: 'n',
          cell: ({ walletsPaid }) => (walletsPaid === null ? '—' : grouped(walletsPaid)),
        },
        {
          name: 'Paid to holders',
          class: 'n',
          cell: ({ paidTo, asset }) =>
            paidTo ? (
              <Exact units={paidTo.holders} decimals={asset === 'sol' ? SOL_DECIMALS : token.decimals} />
            ) : (
              '—'
            ),
        },
        { name: 'State', cell: (run) => <RunState run={run} waiting={waiting} /> },
      ]}
    />
  );
}

function RunState({
  run: { status },
  waiting,
}: {
  readonly run: DistributionRun;
  readonly waiting: string | undefined;
}) {
  if (status === 'completed') return <State kind="ok">completed</State>;
  if (status === 'halted') return <State kind="bad">halted: {waiting}</State>;
  return <State kind="run">{waiting ?? 'running'}</State>;
}
