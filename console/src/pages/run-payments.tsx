/** Payments of a run by wallet, paged in ledger order. */
import type {
  DistributionPayment,
  DistributionRunDetail,
  GetTokenAnswer,
  ListPaymentsAnswer,
} from 'levy-client';
import { useState } from 'preact/hooks';
import { unitOfAsset } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Address, Exact, PageLink } from '../parts/basics.tsx';
import { TurnPages } from '../parts/pager.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { KINDS } from '../parts/wallet-payments.tsx';
import { levy, useAnswer } from '../service.ts';

/** Wallets per page. */
const PAGE_SIZE = 50;

type Token = GetTokenAnswer['token'];

export function RunPayments({ run, token }: { readonly run: DistributionRunDetail; readonly token: Token }) {
  const [after, turn] = useState<string>();
  const path = { tokenId: token.mintAddress, runId: run.runId };
  // The list changes only when the ledger is recorded and when the run closes.
  const answer = useAnswer(`payments ${run.runId} ${after} ${JSON.stringify(run.ledger)}`, async () => {
    const query = { limit: PAGE_SIZE, ...(after !== undefined && { after }) };
    const page = await levy.get('/distribution/{tokenId}/runs/{runId}/payments', { params: { path, query } });
    // The API returns CSV only on request.
    return page as ListPaymentsAnswer;
  });
  return (
    <section class="card" aria-labelledby="payments">
      <h2 id="payments">
        Payments <span class="sub">one line per wallet and kind of payment</span>
      </h2>
      <Loaded what="the payments" answer={answer}>
        {({ payments, next }) =>
          payments.length === 0 ? (
            <Empty title="Payments are not computed yet" />
          ) : (
            <>
              <Payments payments={payments} token={token} isOpen={run.closedAt === null} />
              <TurnPages isFirst={after === undefined} next={next} onTurn={turn} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Payments({
  payments,
  token,
  isOpen,
}: {
  readonly payments: readonly DistributionPayment[];
  readonly token: Token;
  readonly isOpen: boolean;
}) {
  const amount = (units: string, asset: DistributionPayment['asset']) => (
    <Exact units={units} {...unitOfAsset(asset, token)} />
  );
  return (
    <Table
      rows={payments}
      keyOf={({ index }) => index}
      columns={[
        {
          name: 'Wallet',
          class: 'whole',
          cell: ({ wallet }) => (
            <span>
              <Address of={wallet} name="the wallet" on="address" />{' '}
              <PageLink to={`tokens/${token.mintAddress}?wallet=${wallet}`}>View holder</PageLink>
            </span>
          ),
        },
        { name: 'Paid as', class: 'whole', cell: ({ kind }) => KINDS[kind] },
        {
          name: 'Paid',
          class: 'n',
          cell: ({ asset, planned, paid }) => amount(isOpen ? planned : paid, asset),
        },
        { name: 'Still owed', class: 'n', cell: ({ asset, owedAfter }) => amount(owedAfter, asset) },
        {
          name: 'Transaction or reason',
          cell: ({ signature, reason }) =>
            signature !== null ? (
              <Address of={signature} name="the signature" on="tx" />
            ) : (
              <small>{isOpen && reason === 'planned' ? 'to be paid by this run' : reasonText(reason)}</small>
            ),
        },
      ]}
    />
  );
}
