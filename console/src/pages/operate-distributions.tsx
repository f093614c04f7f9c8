/** Table of the distributions with their operator actions. */
import type { LevyClient, ListDistributionsAnswer } from 'levy-client';
import { logAddress } from '../format/log-address.ts';
import { Address, PageLink, State, Time, Words } from '../parts/basics.tsx';
import { Table } from '../parts/table.tsx';
import { Act } from './operate-actions.tsx';

export type Distribution = ListDistributionsAnswer['distributions'][number];

/** Link by name, or by mint address if the token is not in the list of tokens yet. */
export function TokenLink({ of: { mintAddress, name } }: { readonly of: Distribution }) {
  return (
    <PageLink to={`tokens/${mintAddress}`}>{name === null ? mintAddress : <Words text={name} />}</PageLink>
  );
}

export function Distributions({
  client,
  distributions,
  onDone,
}: {
  readonly client: LevyClient;
  readonly distributions: readonly Distribution[];
  readonly onDone: () => void;
}) {
  return (
    <Table
      rows={distributions}
      keyOf={({ tokenId }) => tokenId}
      columns={[
        {
          name: 'Token',
          cell: (each) => (
            <span>
              <TokenLink of={each} /> <Address of={each.mintAddress} name="the mint’s address" />{' '}
              <PageLink to={logAddress({ stream: `distribution-${each.tokenId}` })}>Events</PageLink>
            </span>
          ),
        },
        {
          name: 'State',
          cell: (each) => (
            <span>
              <StateOf distribution={each} />{' '}
              {each.openRun !== null && (
                <PageLink to={`tokens/${each.mintAddress}/runs/${each.openRun.runId}`}>Open run</PageLink>
              )}
            </span>
          ),
        },
        {
          name: 'Last run',
          cell: ({ lastClosedAt }) => (lastClosedAt === null ? 'none' : <Time at={lastClosedAt} />),
        },
        {
          name: '',
          cell: ({ tokenId, state, requested }) =>
            state === 'halted' ? (
              <Act client={client} what="resume" tokenId={tokenId} onDone={onDone} />
            ) : (
              <span>
                {state === 'idle' && (
                  <Act client={client} what="run" tokenId={tokenId} isOffered={!requested} onDone={onDone} />
                )}{' '}
                <Act client={client} what="halt" tokenId={tokenId} onDone={onDone} />
              </span>
            ),
        },
      ]}
    />
  );
}

function StateOf({
  distribution: { state, requested, currentStep, skipped, halted },
}: {
  readonly distribution: Distribution;
}) {
  if (halted !== null)
    return (
      <>
        <State kind="bad">halted</State> <small>{halted.code}</small>
      </>
    );
  if (currentStep?.stuck)
    return (
      <>
        <State kind="bad">
          {currentStep.step === 'consider' ? 'run cannot be opened' : `stuck in step “${currentStep.step}”`}
        </State>{' '}
        <small>{currentStep.waitingFor?.detail}</small>
      </>
    );
  if (state === 'running') return <State kind="run">running: step “{currentStep?.step ?? '…'}”</State>;
  if (state === 'disabled') return <State kind="off">switched off by the creator</State>;
  if (requested) return <State kind="run">run requested</State>;
  return (
    <>
      <State kind="ok">between runs</State>
      {skipped !== null && <small> {skipped.detail}</small>}
    </>
  );
}
