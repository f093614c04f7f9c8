/** Creator actions that need a signature: promotion, tax change, launch. */
import type { GetTokenAnswer, LevyClient } from 'levy-client';
import { useState } from 'preact/hooks';
import { configuration } from '../configuration.ts';
import { amountFault, percentFault, percentText, SOL_DECIMALS, unitsOf } from '../format/amounts.ts';
import { Detail, Exact, PageLink, Time } from '../parts/basics.tsx';
import { TextField } from '../parts/field.tsx';
import { NoAction, SignedAction, type Signing } from '../parts/signed-action.tsx';
import { levy, useAnswer } from '../service.ts';
import { LAUNCH, LaunchLines, PROMOTION, TAX_CHANGE } from './submissions.tsx';

interface ActionProps {
  readonly client: LevyClient;
  readonly answer: GetTokenAnswer;
  readonly signing: Signing;
}

export function Promote({ client, answer: { token }, signing }: ActionProps) {
  const [days, type] = useState('1');
  const { data: list } = useAnswer('featured', () => levy.get('/featured'));
  const promotions = configuration.value?.promotions;
  const title = 'Promote';
  if (promotions?.available !== true)
    return (
      <NoAction id="promote" title={title}>
        {promotions === undefined ? 'Loading the price …' : 'Promotions are not available on this service.'}
      </NoAction>
    );
  const count = /^\d{1,3}$/.test(days.trim()) ? Number(days) : 0;
  const isCount = count >= 1 && count <= promotions.maxDays;
  const price = (BigInt(promotions.pricePerDay) * BigInt(count)).toString();
  return (
    <SignedAction
      id="promote"
      title={title}
      about={
        <>
          A place on the featured list costs{' '}
          <Exact units={promotions.pricePerDay} decimals={SOL_DECIMALS} unit="SOL" /> a day. It starts when
          the payment is final and any running promotion has ended. There is no refund if an operator ends it
          or hides the token.
          {list !== undefined && list.nextPlaceAt === null && (
            <>
              {' '}
              {list.freePlaces} of {promotions.places} places are free.
            </>
          )}
          {list !== undefined && list.nextPlaceAt !== null && (
            <>
              {' '}
              All places are taken. The next place becomes free <Time at={list.nextPlaceAt} />.
            </>
          )}
        </>
      }
      verb={PROMOTION.verb}
      faults={{ days: isCount ? undefined : `Must be a whole number from 1 to ${promotions.maxDays}.` }}
      fields={({ days: fault }) => (
        <TextField
          name="days"
          label="Days"
          hint={
            isCount && (
              <>
                Costs <Exact units={price} decimals={SOL_DECIMALS} unit="SOL" />, plus the chain’s fee.
              </>
            )
          }
          fault={fault}
          value={days}
          inputMode="decimal"
          maxLength={3}
          onType={type}
        />
      )}
      prepare={() =>
        client.post('/featured/create-unsigned', { body: { tokenMint: token.mintAddress, days: count } })
      }
      lines={(draft) => (
        <>
          <Detail name="Featured for">{count === 1 ? '1 day' : `${count} days`}</Detail>
          <Detail name="Price">
            <Exact units={draft.price} decimals={SOL_DECIMALS} unit="SOL" />
          </Detail>
        </>
      )}
      submit={(body, own) => PROMOTION.submit(body, own, token.mintAddress)}
      signing={signing}
    />
  );
}

export function ChangeTax({ client, answer: { token }, signing }: ActionProps) {
  const [typed, type] = useState(String(token.transferFeePercent));
  const title = 'Change tax';
  if (token.transferFeeAdjustable !== true)
    return (
      <NoAction id="tax" title={title}>
        The tax is fixed at {percentText(token.transferFeePercent)} of each transfer.
      </NoAction>
    );
  const most = configuration.value?.tokens.maxTransferFeePercent;
  const pending = token.pendingTransferFee;
  return (
    <SignedAction
      id="tax"
      title={title}
      about={
        <>
          Now {percentText(token.transferFeePercent)} of each transfer
          {pending !== undefined &&
            `, ${percentText(pending.transferFeePercent)} from epoch ${pending.fromEpoch} of the chain`}
          . A change is public immediately. It takes effect after two epochs (about four days on mainnet).
        </>
      }
      verb={TAX_CHANGE.verb}
      faults={{
        transferFeePercent: percentFault(typed, configuration.value?.tokens.maxTransferFeePercent),
      }}
      fields={({ transferFeePercent: fault }) => (
        <TextField
          name="transferFeePercent"
          label="New tax on each transfer (%)"
          hint={most !== undefined && `At most ${percentText(most)}.`}
          fault={fault}
          value={typed}
          inputMode="decimal"
          maxLength={6}
          onType={type}
        />
      )}
      prepare={() =>
        client.post('/tokens/{mintAddress}/transfer-fee/create-unsigned', {
          params: { path: { mintAddress: token.mintAddress } },
          body: { transferFeePercent: Number(typed) },
        })
      }
      lines={() => (
        <Detail name="Tax">
          {percentText(Number(typed))} of each transfer, instead of {percentText(token.transferFeePercent)}
        </Detail>
      )}
      submit={(body, own) => TAX_CHANGE.submit(body, own, token.mintAddress)}
      signing={signing}
    />
  );
}

export function LaunchIt({ client, answer: { token, launch }, signing }: ActionProps) {
  const [amount, typeAmount] = useState('');
  const [target, typeTarget] = useState('');
  const title = 'Launch';
  const launches = configuration.value?.launches;
  if (launch && launch.status !== 'expired' && launch.launchedAt !== null)
    return (
      <NoAction id="launch" title={title}>
        Already launched. <PageLink to={`tokens/${token.mintAddress}`}>View its progress</PageLink>
      </NoAction>
    );
  if (launches?.available !== true)
    return (
      <NoAction id="launch" title={title}>
        {launches === undefined
          ? 'Checking the launch venue …'
          : launches.available === null
            ? 'The launch venue could not be checked. Reload the page later.'
            : 'The launch venue (Meteora DAMM v2) is not on this chain.'}
      </NoAction>
    );
  const [units, lamports] = [unitsOf(amount, token.decimals) ?? '', unitsOf(target, SOL_DECIMALS) ?? ''];
  return (
    <SignedAction
      id="launch"
      title={title}
      about={
        <>
          Offers your tokens in a Meteora DAMM v2 pool, to which you add no SOL. The price starts at a{' '}
          {launches.startRatio}th of the target and rises as tokens are bought.{' '}
          <strong>The liquidity is locked permanently</strong> and can never be withdrawn.
        </>
      }
      verb={LAUNCH.verb}
      faults={{
        tokenAmount: amount === '' ? undefined : amountFault(amount, token.decimals),
        targetMarketCap: target === '' ? undefined : amountFault(target, SOL_DECIMALS),
      }}
      fields={(faults) => (
        <>
          <TextField
            name="tokenAmount"
            label="Tokens to sell"
            hint="They leave your wallet; the transfer tax is deducted from them."
            fault={faults.tokenAmount}
            value={amount}
            inputMode="decimal"
            onType={typeAmount}
          />
          <TextField
            name="targetMarketCap"
            label="Target market cap (SOL)"
            fault={faults.targetMarketCap}
            value={target}
            inputMode="decimal"
            onType={typeTarget}
          />
        </>
      )}
      prepare={() =>
        client.post('/launchpad/create-unsigned', {
          body: { tokenMint: token.mintAddress, tokenAmount: units, targetMarketCap: lamports },
        })
      }
      lines={({ curve }) => (
        <LaunchLines
          launch={{ tokenAmount: units, decimals: token.decimals, targetMarketCap: lamports, curve }}
          symbol={token.symbol}
        />
      )}
      submit={(body, own) => LAUNCH.submit(body, own, token.mintAddress)}
      signing={signing}
    />
  );
}
