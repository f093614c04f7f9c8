/** A wallet's payments and owed amounts for a token, with reasons and proofs. */

import type {
  DistributionHolderRun,
  DistributionPayment,
  GetHolderAnswer,
  GetTokenAnswer,
} from 'levy-client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { SOL_DECIMALS } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Address, Detail, Exact, Time } from '../parts/basics.tsx';
import { CheckedProof } from '../parts/checked-proof.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { levy, useAnswer } from '../service.ts';
import { address } from '../wallet.ts';

/** Minimum characters of an address; shorter input triggers no request. */
const MIN_ADDRESS = 32;

type Token = GetTokenAnswer['token'];

export function MyShare({ token, closed }: { readonly token: Token; readonly closed: number }) {
  const { query, path, route } = useLocation();
  const wallet = query.wallet ?? '';
  const [typed, type] = useState(wallet);
  useEffect(() => type(wallet), [wallet]);
  const lookUp = (text: string) => {
    type(text);
    const asked = text.trim();
    if (asked.length >= MIN_ADDRESS || (asked === '' && wallet !== ''))
      route(asked === '' ? path : `${path}?${new URLSearchParams({ wallet: asked })}`, true);
  };
  return (
    <section class="card share" aria-labelledby="share">
      <h2 id="share">My share</h2>
      <label>
        Wallet
        <input
          class="mono"
          value={typed}
          maxLength={64}
          placeholder="Any address"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => lookUp(currentTarget.value)}
        />
      </label>
      {address.value !== undefined && address.value !== wallet && (
        <p class="actions">
          <button type="button" class="quiet" onClick={() => lookUp(address.value ?? '')}>
            Look up my wallet
          </button>
        </p>
      )}
      {wallet === '' ? (
        <p class="meta">Payments, amounts owed and proofs of any wallet.</p>
      ) : (
        <Share key={wallet} token={token} wallet={wallet} closed={closed} />
      )}
    </section>
  );
}

function Share({
  token,
  wallet,
  closed,
}: {
  readonly token: Token;
  readonly wallet: string;
  readonly closed: number;
}) {
  const { data, failed, isLoading, code, again } = useAnswer(`share ${token.id} ${wallet} ${closed}`, () =>
    levy.get('/distribution/{tokenId}/holders/{wallet}', { params: { path: { tokenId: token.id, wallet } } }),
  );
  if (data === undefined) {
    if (isLoading) return <Loading what="the share" />;
    if (code === 'INVALID_ADDRESS')
      return (
        <p class="fault" role="alert">
          {failed}
        </p>
      );
    return <Failed what="The share" sentence={failed ?? ''} again={again} />;
  }
  return (
    <>
      <Sums token={token} holder={data} />
      {data.runs.map((run) =>
        run.payments.map((payment) => (
          <Payment key={`${run.runId} ${payment.index}`} token={token} run={run} payment={payment} />
        )),
      )}
    </>
  );
}

function Sums({ token, holder }: { readonly token: Token; readonly holder: GetHolderAnswer }) {
  return (
    <dl class="sums" aria-live="polite">
      <Detail name="Paid so far">
        <BothAssets token={token} sums={holder.paidByAsset} />
      </Detail>
      <Detail name="Owed">
        <BothAssets token={token} sums={holder.owedByAsset} />
        <small>{owedText(holder)}</small>
      </Detail>
    </dl>
  );
}

function owedText({ owedByAsset: owed, reason, runs }: GetHolderAnswer): string {
  if (reason === 'planned' && owed.sol === '0' && owed.token === '0') return 'Everything was paid.';
  if (reason !== null) return reasonText(reason);
  return runs.length === 0
    ? 'There was no run yet.'
    : 'The last run did not find this wallet among the holders.';
}

/** Amounts by asset. An asset is shown if the token pays it now or its amount is not zero. */
function BothAssets({
  token,
  sums,
}: {
  readonly token: Token;
  readonly sums: GetHolderAnswer['paidByAsset'];
}) {
  const hasToken = sums.token !== '0' || token.rewardToken === 'SELF';
  const hasSol = sums.sol !== '0' || token.rewardToken !== 'SELF';
  return (
    <>
      {hasSol && <Exact units={sums.sol} decimals={SOL_DECIMALS} unit="SOL" />}
      {hasSol && hasToken && <br />}
      {hasToken && <Exact units={sums.token} decimals={token.decimals} unit={token.symbol} />}
    </>
  );
}

export const KINDS = {
  costs: 'costs of the distributor',
  developer: 'as developer',
  holder: 'as holder',
  debt: 'owed from earlier runs',
};

function Payment({
  token,
  run,
  payment,
}: {
  readonly token: Token;
  readonly run: DistributionHolderRun;
  readonly payment: DistributionPayment;
}) {
  const decimals = payment.asset === 'sol' ? SOL_DECIMALS : token.decimals;
  const unit = payment.asset === 'sol' ? 'SOL' : token.symbol;
  const isOpen = run.closedAt === null;
  return (
    <section class="payment">
      <h3>
        Run #{run.number} ·{' '}
        <Exact units={isOpen ? payment.planned : payment.paid} decimals={decimals} unit={unit} />{' '}
        <small>{payment.kind === 'holder' ? '' : KINDS[payment.kind]}</small>
      </h3>
      <p>
        <small>
          {run.closedAt === null ? (
            'This run is open; the payment is pending.'
          ) : payment.signature === null ? (
            reasonText(payment.reason)
          ) : (
            <>
              Paid <Time at={run.closedAt} /> by{' '}
              <Address of={payment.signature} name="the signature" on="tx" />
            </>
          )}
        </small>
      </p>
      {!isOpen && <CheckedProof tokenId={token.id} runId={run.runId} number={run.number} payment={payment} />}
    </section>
  );
}
