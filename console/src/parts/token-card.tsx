/** Token card: name, tax, split, total paid to holders, and time of the next run. */
import type { FeaturedPromotion, TokenCard } from 'levy-client';
import { assetOf, percentText, SOL_DECIMALS, unitOfAsset } from '../format/amounts.ts';
import { Amount, Detail, PageLink, State, Time, TokenPicture, Words } from './basics.tsx';
import { SplitBar } from './split-bar.tsx';

export function FeaturedCard({ promotion }: { readonly promotion: FeaturedPromotion }) {
  const { token, tokenMint: mintAddress, endsAt } = promotion;
  return (
    <article class="card token-card">
      <Heading token={token} mintAddress={mintAddress} />
      <p class="meta">
        Promoted until <Time at={endsAt} />
      </p>
    </article>
  );
}

export function Card({ token }: { readonly token: TokenCard }) {
  const { burnPercent, developerFeePercent, decimals, marketCap } = token;
  const { lifetime, last24Hours } = token.paidToHolders;
  const asset = assetOf(token);
  return (
    <article class="card token-card">
      <Heading token={token} mintAddress={token.mintAddress} />
      <b class="rate">{percentText(token.transferFeePercent)}</b>
      {burnPercent !== undefined && developerFeePercent !== undefined && (
        <SplitBar burnPercent={burnPercent} developerFeePercent={developerFeePercent} />
      )}
      <dl class="facts">
        <Detail name="Paid to holders">
          <Amount units={lifetime.sol} decimals={SOL_DECIMALS} unit="SOL" />
          {lifetime.token !== '0' && (
            <>
              <br />
              <Amount units={lifetime.token} decimals={decimals} unit={token.symbol} />
            </>
          )}
        </Detail>
        {last24Hours[asset] !== '0' && (
          <Detail name="Last 24 hours">
            <Amount units={last24Hours[asset]} {...unitOfAsset(asset, token)} />
          </Detail>
        )}
        {marketCap != null && (
          <Detail name="Market cap">
            <Amount units={marketCap.lamports} decimals={SOL_DECIMALS} unit="SOL" />
          </Detail>
        )}
        <Detail name="Next run">
          <NextRun token={token} />
        </Detail>
      </dl>
    </article>
  );
}

function Heading({
  token: { imageUri, name, symbol },
  mintAddress,
}: {
  readonly token: Pick<TokenCard, 'imageUri' | 'name' | 'symbol'>;
  readonly mintAddress: string;
}) {
  return (
    <>
      <TokenPicture uri={imageUri} size={40} />
      <h3>
        <PageLink to={`tokens/${mintAddress}`}>
          <Words text={name} />
        </PageLink>{' '}
        <small>
          <Words text={symbol} />
        </small>
      </h3>
    </>
  );
}

export function NextRun({
  token: { distributionState, nextDistributionAt },
}: {
  readonly token: Pick<TokenCard, 'distributionState' | 'nextDistributionAt'>;
}) {
  if (distributionState === 'halted') return <State kind="bad">halted</State>;
  if (distributionState === 'running') return <State kind="run">running now</State>;
  if (nextDistributionAt === undefined) return <State kind="off">switched off</State>;
  return <Time at={nextDistributionAt} />;
}
