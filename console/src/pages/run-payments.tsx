/** What a run paid to whom, page by page in the order of its ledger: by wallet. */
import type {
  DistributionPayment,
  DistributionRunDetail,
  GetTokenAnswer,
  ListPaymentsAnswer,
} from 'levy-client';
import { useState } from 'preact/hooks';
import { SOL_DECIMALS } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Address, Exact, PageLink } from '../parts/basics.tsx';
import { Lines } from '../parts/lines.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { TurnPages } from '../parts/turn-pages.tsx';
import { levy, useAnswer } from '../service.ts';
import { KINDS } from './my-share.tsx';

/** Wallets on a page. */
const SHOWN = 50;

type Token = GetTokenAnswer['token'];

export function RunPayments({ run, token }: { readonly run: DistributionRunDetail; readonly token: Token }) {
  const [after, turn] = useState<string>();
  const path = { tokenId: token.mintAddress, runId: run.runId };
  // What is in it changes when the run has decided who gets how much, and when it is closed.
  const answer = useAnswer(`payments ${run.runId} ${after} ${JSON.stringify(run.ledger)}`, async () => {
    const query = { limit: SHOWN, ...(after !== undefined && { after }) };
    const page = await levy.get('/distribution/{tokenId}/runs/{runId}/payments', { params: { path, query } });
    // As CSV it comes only to who asks for that.
    return page as ListPaymentsAnswer;
  });
  return (
    <section class="card" aria-labelledby="payments">
      <h2 id="payments">
        Who gets what <span class="sub">by wallet; everybody whom the run found or who was owed</span>
      </h2>
      <Shown what="the payments" answer={answer}>
        {({ payments, next }) =>
          payments.length === 0 ? (
            <Empty title="The run has not decided yet who gets how much." />
          ) : (
            <>
              <Lines columns={['Wallet', 'For', ['Paid', 'n'], ['Owed after it', 'n'], 'Why']}>
                {payments.map((payment) => (
                  <Payment
                    key={payment.index}
                    payment={payment}
                    token={token}
                    isOpen={run.closedAt === null}
                  />
                ))}
              </Lines>
              <TurnPages isFirst={after === undefined} next={next} onTurn={turn} />
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Payment({
  payment: { wallet, kind, asset, planned, paid, owedAfter, reason, signature },
  token,
  isOpen,
}: {
  readonly payment: DistributionPayment;
  readonly token: Token;
  readonly isOpen: boolean;
}) {
  const decimals = asset === 'sol' ? SOL_DECIMALS : token.decimals;
  const unit = asset === 'sol' ? 'SOL' : token.symbol;
  return (
    <tr>
      <td class="whole" data-name="Wallet">
        <span>
          <Address of={wallet} name="the wallet" on="address" />{' '}
          <PageLink to={`tokens/${token.mintAddress}?wallet=${wallet}`}>its share</PageLink>
        </span>
      </td>
      <td class="whole" data-name="For">
        {KINDS[kind]}
      </td>
      <td class="n" data-name="Paid">
        <Exact units={isOpen ? planned : paid} decimals={decimals} unit={unit} />
      </td>
      <td class="n" data-name="Owed after it">
        <Exact units={owedAfter} decimals={decimals} unit={unit} />
      </td>
      <td data-name="Why">
        {signature !== null ? (
          <Address of={signature} name="the signature" on="tx" />
        ) : (
          <small>{isOpen && reason === 'planned' ? 'to be paid by this run' : reasonText(reason)}</small>
        )}
      </td>
    </tr>
  );
}
