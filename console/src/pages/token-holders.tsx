/** Top holders of a token at its last closed run, by balance or by payments, and a download of all holders as CSV. */
import type { GetTokenAnswer, Holder } from 'levy-client';
import { useState } from 'preact/hooks';
import { percentText, unitOfAsset } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Address, Amount, PageLink, Time } from '../parts/basics.tsx';
import { download } from '../parts/download.ts';
import { Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useAction } from '../parts/use-action.ts';
import { apiAddress, levy, useAnswer } from '../service.ts';

type Token = GetTokenAnswer['token'];

const SHOWN = 10;
const MORE = 100;
const SORTS = { balance: 'By balance', paid: 'By payments' } as const;

/** `closed`: number of closed runs; the list is requested again when it changes. */
export function Holders({ token, closed }: { readonly token: Token; readonly closed: number }) {
  const [sort, order] = useState<keyof typeof SORTS>('balance');
  const [limit, extend] = useState(SHOWN);
  const answer = useAnswer(`holders ${token.id} ${sort} ${limit} ${closed}`, () =>
    levy.get('/distribution/{tokenId}/holders', {
      params: { path: { tokenId: token.mintAddress }, query: { sort, limit } },
    }),
  );
  const runId = answer.data?.lastRun?.runId;
  const { isBusy, fault, run } = useAction(async () => {
    const path = `distribution/${token.mintAddress}/runs/${runId}/payments`;
    const response = await fetch(apiAddress(path), { headers: { accept: 'text/csv' } });
    if (!response.ok) throw new Error(`The list could not be loaded (${response.status}).`);
    download(await response.blob(), `holders-${token.symbol}.csv`);
  });
  return (
    <section class="card" aria-labelledby="holders">
      <div class="list-head">
        <h2 id="holders">
          Top holders{' '}
          {answer.data?.lastRun != null && (
            <span class="sub">
              at the last run, <Time at={answer.data.lastRun.closedAt} />
            </span>
          )}
        </h2>
        <label class="sort">
          Order
          <select
            value={sort}
            onChange={({ currentTarget }) => order(currentTarget.value === 'paid' ? 'paid' : 'balance')}
          >
            {Object.entries(SORTS).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded what="the holders" answer={answer}>
        {({ topHolders: holders }) => (
          <>
            <HolderTable holders={holders} token={token} />
            <p class="actions">
              {limit === SHOWN && holders.length === SHOWN && (
                <button type="button" class="quiet" onClick={() => extend(MORE)}>
                  Show {MORE}
                </button>
              )}
              <button
                type="button"
                class="quiet"
                disabled={isBusy || runId === undefined}
                onClick={() => void run()}
              >
                Download all as CSV
              </button>
            </p>
          </>
        )}
      </Loaded>
      <p class="fault" role="alert">
        {fault}
      </p>
    </section>
  );
}

function HolderTable({ holders, token }: { readonly holders: readonly Holder[]; readonly token: Token }) {
  const supply = BigInt(token.currentSupply.amount);
  return (
    <Table
      rows={holders}
      keyOf={({ wallet }) => wallet}
      columns={[
        {
          name: 'Wallet',
          class: 'whole',
          cell: ({ wallet, reason }) => (
            <span>
              <Address of={wallet} name="the wallet" on="address" />{' '}
              <PageLink to={`wallets/${wallet}`}>View wallet</PageLink>
              {(reason === 'pool' || reason.startsWith('excluded')) && <small> {reasonText(reason)}</small>}
            </span>
          ),
        },
        {
          name: 'Balance',
          class: 'n',
          cell: ({ balance }) => <Amount units={balance} decimals={token.decimals} unit={token.symbol} />,
        },
        {
          name: 'Share of the supply',
          class: 'n',
          cell: ({ balance }) =>
            percentText(supply === 0n ? 0 : Number((BigInt(balance) * 10_000n) / supply) / 100),
        },
        {
          name: 'Paid so far',
          class: 'n',
          cell: ({ asset, paidAfter }) => <Amount units={paidAfter} {...unitOfAsset(asset, token)} />,
        },
      ]}
    />
  );
}
