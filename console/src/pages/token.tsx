/** Token page: tax and split, launch, payments, runs, and a wallet's share. */
import type { GetTokenAnswer, LaunchStatus } from 'levy-client';
import { lazy, useRoute } from 'preact-iso';
import { configuration } from '../configuration.ts';
import { assetOf, exactAmount, grouped, percentText, SOL_DECIMALS, unitOfAsset } from '../format/amounts.ts';
import { countdown, intervalText } from '../format/times.ts';
import {
  Address,
  Amount,
  Detail,
  Exact,
  InTheLog,
  PageLink,
  State,
  StrangersLink,
  Time,
  TokenPicture,
  Words,
} from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { PaidChart } from '../parts/paid-chart.tsx';
import { SplitBar, SplitLegend } from '../parts/split-bar.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { isAbout, levy, now, useAnswer } from '../service.ts';
import { connected } from '../wallet.ts';
import { MyShare } from './my-share.tsx';
import { RunPreview } from './run-preview.tsx';
import { Holders } from './token-holders.tsx';
import { Runs } from './token-runs.tsx';
import { TransferCalculator } from './transfer-calculator.tsx';

/** Loaded only with the embedded chain. */
const TestTransfer = lazy(() => import('./test-transfer.tsx').then(({ TestTransfer: part }) => part));

/** Milliseconds between refreshes. The feed has no events for trades. */
const REFRESHED = 90_000;

type Token = GetTokenAnswer['token'];

export function Token() {
  const { mint = '' } = useRoute().params;
  const answer = useAnswer(
    `token ${mint}`,
    () =>
      levy.get('/tokens/{mintAddress}', {
        params: { path: { mintAddress: mint }, query: { include: 'tax,runs,launch,settings' } },
      }),
    { changedBy: isAbout(mint), every: REFRESHED },
  );
  const { data } = answer;
  usePageTitle(data === undefined ? 'Token' : data.token.name);
  if (data === undefined)
    return (
      <section>
        <h1>{answer.code === 'TOKEN_NOT_FOUND' ? 'Token not found' : 'Token'}</h1>
        {answer.isLoading ? (
          <Loading what="the token" />
        ) : answer.code === 'TOKEN_NOT_FOUND' ? (
          <Empty title="Token not found, or hidden by an operator" />
        ) : (
          <Failed what="The token" sentence={answer.failed ?? ''} again={answer.again} />
        )}
      </section>
    );
  const { token, tax, runs, launch, settings } = data;
  return (
    <>
      <Head token={token} />
      <Figures {...data} />
      {token.description !== '' && (
        <p class="about">
          <Words text={token.description} />
        </p>
      )}
      <section class="card">
        <h2>Where the tax goes</h2>
        <SplitBar {...token} />
        <SplitLegend
          {...token}
          developer={<Address of={token.developerWallet} name="the developer’s address" />}
          holders={holdersText(token)}
        />
        <DeveloperShares settings={settings} />
      </section>
      {configuration.value?.faucet && connected.value !== undefined && (
        <TestTransfer token={token} runs={runs?.runs ?? []} />
      )}
      {launch && <Launch launch={launch} token={token} />}
      <div class="two">
        <section class="card">
          <h2>
            Runs <span class="sub">{unitOfAsset(assetOf(token), token).unit} to holders</span>
          </h2>
          {(tax?.runsClosed ?? 0) > 0 && <PaidChart token={token} closed={tax?.runsClosed ?? 0} />}
          {runs === undefined ? (
            <Failed what="The runs" sentence="Reloading …" />
          ) : (
            <Runs token={token} first={runs} waiting={tax?.waitingFor.detail} />
          )}
        </section>
        <MyShare token={token} closed={tax?.runsClosed ?? 0} />
      </div>
      {connected.value !== undefined && <RunPreview client={connected.value.client} token={token} />}
      {(tax?.runsClosed ?? 0) > 0 && <Holders token={token} closed={tax?.runsClosed ?? 0} />}
      <TransferCalculator token={token} />
      <InTheLog
        streams={{ [`token-${token.id}`]: 'the token', [`distribution-${token.id}`]: 'its distribution' }}
      />
    </>
  );
}

/** Wallets that get a share of the developer's part, besides the developer's own. */
function DeveloperShares({ settings }: Pick<GetTokenAnswer, 'settings'>) {
  const { partnerShare, developerWallets = [] } = settings ?? {};
  const shares = [...developerWallets, ...(partnerShare === undefined ? [] : [partnerShare])];
  if (shares.length === 0) return null;
  return (
    <p class="meta">
      Of the developer’s part:{' '}
      {shares.map(({ wallet, basisPoints }, index) => (
        <span key={`${index} ${wallet}`}>
          {index > 0 && ', '}
          {percentText(basisPoints / 100)} to <Address of={wallet} name="the wallet’s address" />
        </span>
      ))}
      {partnerShare !== undefined && (
        <>
          {' '}
          (<Words text={partnerShare.partner} />, through which the token was created)
        </>
      )}
    </p>
  );
}

function holdersText({ rewardToken, symbol, decimals, minimumHoldingRequirement: least }: Token) {
  return (
    <>
      , in {rewardToken === 'SELF' ? <Words text={symbol} /> : 'SOL'}, by balance
      {least !== undefined && least !== '0' && (
        <>
          , from {exactAmount(least, decimals)} <Words text={symbol} />
        </>
      )}
    </>
  );
}

function Head({ token }: { readonly token: Token }) {
  const links = [
    ['website', token.website],
    ['X', token.twitter],
    ['Telegram', token.telegram],
  ] as const;
  return (
    <section class="head">
      <TokenPicture uri={token.imageUri} size={72} />
      <div class="grow">
        <h1>
          <Words text={token.name} />{' '}
          <small>
            <Words text={token.symbol} />
          </small>
        </h1>
        <p class="meta">
          <Address of={token.mintAddress} name="the mint’s address" on="address" />
          {token.creator !== undefined && ' by '}
          {token.creator !== undefined && <Address of={token.creator} name="the creator’s address" />}
          {' · created '}
          <Time at={token.createdAt} />
          {' · '}
          <PageLink to={`events?token=${token.mintAddress}&from=start`}>events</PageLink>
          {token.creator !== undefined && token.creator === connected.value?.account.address && (
            <>
              {' · '}
              <PageLink to={`tokens/${token.mintAddress}/settings`}>settings</PageLink>
            </>
          )}
          {links.map(
            ([name, href]) =>
              href !== '' && (
                <span key={name}>
                  {' · '}
                  <StrangersLink href={href}>{name}</StrangersLink>
                </span>
              ),
          )}
        </p>
        {token.hidden && (
          <p class="meta">
            <State kind="bad">Hidden by an operator; only you see this page.</State>
          </p>
        )}
      </div>
      <div class="tax">
        <b>{percentText(token.transferFeePercent)}</b>
        <span>
          tax on every transfer
          {token.pendingTransferFee !== undefined && (
            <>, {percentText(token.pendingTransferFee.transferFeePercent)} soon</>
          )}
        </span>
      </div>
    </section>
  );
}

function Figures({ token, tax }: GetTokenAnswer) {
  const { decimals, currentSupply, holderCount } = token;
  const { lifetime: paid, last24Hours } = token.paidToHolders;
  const asset = assetOf(token);
  const unit = unitOfAsset(asset, token);
  return (
    <dl class="figures">
      <Detail name="Paid to holders">
        <Amount units={paid[asset]} {...unit} />
        <small>
          {exactAmount(paid[asset], unit.decimals)} in{' '}
          {tax?.runsClosed === 1 ? '1 run' : `${grouped(tax?.runsClosed ?? 0)} runs`}
        </small>
        <small>{exactAmount(last24Hours[asset], unit.decimals)} in the last 24 hours</small>
      </Detail>
      <Detail name="Holders">
        {grouped(holderCount)}
        <small>{tax?.runsClosed ? 'found by the last run’s scan' : 'at creation'}</small>
      </Detail>
      <NextRun token={token} waiting={tax?.waitingFor.detail} />
      <Detail name="Supply">
        <Amount units={currentSupply.amount} decimals={decimals} />
        <small>{exactAmount(currentSupply.burned, decimals)} burned</small>
      </Detail>
    </dl>
  );
}

function NextRun({ token, waiting }: { readonly token: Token; readonly waiting: string | undefined }) {
  const { distributionState, nextDistributionAt, distributionInterval } = token;
  const at = nextDistributionAt;
  return (
    <Detail name="Next run">
      {distributionState === 'halted' ? (
        <State kind="bad">halted</State>
      ) : distributionState === 'running' ? (
        <State kind="run">running</State>
      ) : at === undefined ? (
        '—'
      ) : (
        <time dateTime={at}>{countdown(at, now.value)}</time>
      )}
      <small>
        {distributionState === 'halted' || at === undefined ? waiting : intervalText(distributionInterval)}
      </small>
    </Detail>
  );
}

function Launch({ launch, token }: { readonly launch: LaunchStatus; readonly token: Token }) {
  const { status, progress, solCollected, targetMarketCap, tokensSold, totalTokens } = launch;
  const words = {
    pending: 'not confirmed yet',
    active: 'open for buyers',
    completed: 'target reached',
    expired: 'never confirmed',
  } as const;
  return (
    <section class="card">
      <h2>
        Launch <span class="sub">{words[status]}</span>
      </h2>
      <progress max={100} value={progress} aria-label="Progress of the launch" />
      <p class="meta">
        {percentText(progress)} of the way to a market cap of{' '}
        <Exact units={targetMarketCap} decimals={SOL_DECIMALS} unit="SOL" />
        {' · '}
        <Exact units={solCollected} decimals={SOL_DECIMALS} unit="SOL" /> collected {' · '}
        <Amount units={tokensSold} decimals={token.decimals} /> of{' '}
        <Amount units={totalTokens} decimals={token.decimals} unit={token.symbol} /> sold
      </p>
    </section>
  );
}
