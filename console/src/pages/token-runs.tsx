/** The runs of a token, the newest first: what each collected and paid, and what it waits for. */
import type { DistributionRun, GetTokenAnswer, ListRunsAnswer } from 'levy-client';
import { grouped, SOL_DECIMALS } from '../format/amounts.ts';
import { Amount, Exact, PageLink, State, Time } from '../parts/basics.tsx';
import { LaterPages } from '../parts/later-pages.tsx';
import { Lines } from '../parts/lines.tsx';
import { Empty } from '../parts/states.tsx';
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
      <Empty title="No run yet.">
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
      {({ runs }) => <Table token={token} runs={runs} waiting={waiting} />}
    </LaterPages>
  );
}

function Table({
  token,
  runs,
  waiting,
}: {
  readonly token: Token;
  readonly runs: readonly DistributionRun[];
  readonly waiting: string | undefined;
}) {
  return (
    <Lines
      columns={['Run', 'When', ['Collected', 'n'], ['Holders paid', 'n'], ['Paid to holders', 'n'], 'State']}
    >
      {runs.map((run) => (
        <tr key={run.runId}>
          <td data-name="Run">
            <PageLink to={`tokens/${token.mintAddress}/runs/${run.runId}`}>#{run.number}</PageLink>
          </td>
          <td data-name="When">
            <Time at={run.closedAt ?? run.openedAt} />
          </td>
          <td class="n" data-name="Collected">
            <Amount units={run.collected} decimals={token.decimals} />
          </td>
          <td class="n" data-name="Holders paid">
            {run.walletsPaid === null ? '—' : grouped(run.walletsPaid)}
          </td>
          <td class="n" data-name="Paid">
            {run.paidTo ? (
              <Exact
                units={run.paidTo.holders}
                decimals={run.asset === 'sol' ? SOL_DECIMALS : token.decimals}
              />
            ) : (
              '—'
            )}
          </td>
          <td data-name="State">
            <RunState run={run} waiting={waiting} />
          </td>
        </tr>
      ))}
    </Lines>
  );
}

function RunState({
  run: { status },
  waiting,
}: {
  readonly run: DistributionRun;
  readonly waiting: string | undefined;
}) {
  if (status === 'completed') return <State kind="ok">closed</State>;
  if (status === 'halted') return <State kind="bad">halted: {waiting}</State>;
  return <State kind="run">{waiting ?? 'running'}</State>;
}
