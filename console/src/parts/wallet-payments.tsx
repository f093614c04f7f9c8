/** A wallet's payments in the last runs of a token, each with its proof. */

import type {
  DistributionHolderRun,
  DistributionPayment,
  GetHolderAnswer,
  GetTokenAnswer,
} from 'levy-client';
import type { ComponentChildren } from 'preact';
import { SOL_DECIMALS, unitOfAsset } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { levy, useAnswer } from '../service.ts';
import { Address, Exact, Time } from './basics.tsx';
import { CheckedProof } from './checked-proof.tsx';
import { Failed, Loading } from './states.tsx';

export type PayingToken = Pick<GetTokenAnswer['token'], 'id' | 'symbol' | 'decimals' | 'rewardToken'>;

/** Payments of the last runs. `children` renders the sums above them. */
export function WalletPayments({
  token,
  wallet,
  lastRun,
  children,
}: {
  readonly token: PayingToken;
  readonly wallet: string;
  /** Number or id of the last closed run; the payments are requested again when it changes. */
  readonly lastRun: number | string;
  readonly children?: (holder: GetHolderAnswer) => ComponentChildren;
}) {
  const { data, failed, isLoading, code, again } = useAnswer(`share ${token.id} ${wallet} ${lastRun}`, () =>
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
      {children?.(data)}
      {data.runs.map((run) =>
        run.payments.map((payment) => (
          <Payment key={`${run.runId} ${payment.index}`} token={token} run={run} payment={payment} />
        )),
      )}
    </>
  );
}

/** Amounts by asset. An asset is shown if the token pays it now or its amount is not zero. */
export function BothAssets({
  token,
  sums,
}: {
  readonly token: PayingToken;
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
  readonly token: PayingToken;
  readonly run: DistributionHolderRun;
  readonly payment: DistributionPayment;
}) {
  const isOpen = run.closedAt === null;
  return (
    <section class="payment">
      <h3>
        Run #{run.number} ·{' '}
        <Exact units={isOpen ? payment.planned : payment.paid} {...unitOfAsset(payment.asset, token)} />{' '}
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
