/** Submission of signed transactions by purpose, with the text of each outcome. */
import type { GetTransactionAnswer, LevyClient } from 'levy-client';
import type { ComponentChildren } from 'preact';
import { percentText, SOL_DECIMALS } from '../format/amounts.ts';
import { Address, Detail, Exact, PageLink, Time, Words } from '../parts/basics.tsx';
import type { Signed } from '../parts/use-signing.ts';

interface Submission {
  readonly verb: string;
  /** Submits the transaction with the signer's client. */
  readonly submit: (signed: Signed, client: LevyClient, mintAddress: string) => Promise<ComponentChildren>;
}

export const CREATION: Submission = {
  verb: 'Sign and create',
  async submit(body, client) {
    const { mintAddress, signature, token } = await client.post('/tokens/submit', { body });
    return (
      <>
        <h2>
          <Words text={token.name} /> is on the chain
        </h2>
        <dl class="sums">
          <Detail name="Mint">
            <Address of={mintAddress} name="the mint’s address" on="address" />
          </Detail>
          <Detail name="Signature">
            <Address of={signature} name="the signature" on="tx" />
          </Detail>
        </dl>
        <p>
          <PageLink to={`tokens/${mintAddress}`}>View token</PageLink>
        </p>
      </>
    );
  },
};

export const PROMOTION: Submission = {
  verb: 'Sign and pay',
  async submit(body, client) {
    const { promotion } = await client.post('/featured/submit', { body });
    return (
      <p>
        <strong>Paid.</strong> The promotion ends <Time at={promotion.endsAt} />.
      </p>
    );
  },
};

export const TAX_CHANGE: Submission = {
  verb: 'Sign change',
  async submit(body, client, mintAddress) {
    const { pendingTransferFee: next } = await client.post('/tokens/{mintAddress}/transfer-fee/submit', {
      params: { path: { mintAddress } },
      body,
    });
    return (
      <p>
        <strong>Changed.</strong>{' '}
        {next !== undefined &&
          `The chain takes ${percentText(next.transferFeePercent)} from its epoch ${next.fromEpoch} on.`}
      </p>
    );
  },
};

export const LAUNCH: Submission = {
  verb: 'Sign and launch',
  async submit(body, client, mintAddress) {
    await client.post('/launchpad/submit', { body });
    return (
      <p>
        <strong>Launched.</strong> <PageLink to={`tokens/${mintAddress}`}>View its progress</PageLink>
      </p>
    );
  },
};

export type LaunchTerms = NonNullable<GetTransactionAnswer['launch']>;

export function LaunchLines({
  launch: { tokenAmount, decimals, targetMarketCap, curve },
  symbol = 'tokens',
}: {
  readonly launch: LaunchTerms;
  readonly symbol: string | undefined;
}) {
  return (
    <>
      <Detail name="For sale">
        <Exact units={tokenAmount} decimals={decimals} unit={symbol} />
      </Detail>
      <Detail name="Target">
        <Exact units={targetMarketCap} decimals={SOL_DECIMALS} unit="SOL" /> of market cap
      </Detail>
      <Detail name="Price">
        {curve.startPrice} lamports per token at the start, {curve.endPrice} at the target
      </Detail>
      <Detail name="Liquidity">locked permanently</Detail>
    </>
  );
}

const BY_PURPOSE: { readonly [purpose: string]: Submission } = {
  'token-creation': CREATION,
  'promotion-purchase': PROMOTION,
  'transfer-fee-change': TAX_CHANGE,
  launch: LAUNCH,
};

/** Undefined for a purpose that this version of the console does not support. */
export const submissionOf = (purpose: string): Submission | undefined => BY_PURPOSE[purpose];
