/** Each token's distribution, with what an operator may do to it. */
import type { LevyClient, ListDistributionsAnswer } from 'levy-client';
import { logAddress } from '../format/log-address.ts';
import { Address, PageLink, State, Time, Words } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { Act } from './operate-act.tsx';

export type Distribution = ListDistributionsAnswer['distributions'][number];

/** By its name, and by its mint where the list of tokens does not show it yet. */
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
    <Lines columns={['Token', 'State', 'Last run', '']}>
      {distributions.map((each) => (
        <tr key={each.tokenId}>
          <td data-name="Token">
            <span>
              <TokenLink of={each} /> <Address of={each.mintAddress} name="the mint’s address" />{' '}
              <PageLink to={logAddress({ stream: `distribution-${each.tokenId}` })}>Its events</PageLink>
            </span>
          </td>
          <td data-name="State">
            <span>
              <StateOf distribution={each} />{' '}
              {each.openRun !== null && (
                <PageLink to={`tokens/${each.mintAddress}/runs/${each.openRun.runId}`}>The run</PageLink>
              )}
            </span>
          </td>
          <td data-name="Last run">
            {each.lastClosedAt === null ? 'none' : <Time at={each.lastClosedAt} />}
          </td>
          <td data-name="">
            {each.state === 'halted' ? (
              <Act client={client} what="resume" tokenId={each.tokenId} onDone={onDone} />
            ) : (
              <span>
                {each.state === 'idle' && (
                  <Act
                    client={client}
                    what="run"
                    tokenId={each.tokenId}
                    isOffered={!each.requested}
                    onDone={onDone}
                  />
                )}{' '}
                <Act client={client} what="halt" tokenId={each.tokenId} onDone={onDone} />
              </span>
            )}
          </td>
        </tr>
      ))}
    </Lines>
  );
}

function StateOf({
  distribution: { state, requested, progress, skipped },
}: {
  readonly distribution: Distribution;
}) {
  if (state === 'halted') return <State kind="bad">halted</State>;
  if (state === 'running') return <State kind="run">a run is in its step “{progress?.step ?? '…'}”</State>;
  if (state === 'disabled') return <State kind="off">switched off by its creator</State>;
  if (requested) return <State kind="run">a run is asked for</State>;
  return (
    <>
      <State kind="ok">between runs</State>
      {skipped !== null && <small> {skipped.detail}</small>}
    </>
  );
}
