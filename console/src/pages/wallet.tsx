/** Wallet page: payments and owed amounts in all tokens, with reasons and proofs. */
import type { WalletShare } from 'levy-client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { exactAmount, grouped, SOL_DECIMALS } from '../format/amounts.ts';
import { reasonText } from '../format/reasons.ts';
import { Amount, Detail, PageHead, PageLink, TokenPicture, Words } from '../parts/basics.tsx';
import { LaterPages } from '../parts/cursor-pages.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { NextRun } from '../parts/token-card.tsx';
import { WalletField } from '../parts/wallet-field.tsx';
import { BothAssets, WalletPayments } from '../parts/wallet-payments.tsx';
import { levy, pageAddress, useAnswer } from '../service.ts';

const PER_PAGE = 50;
/** Milliseconds between refreshes, because the list includes a closed run only some seconds after the event of the run. */
const REFRESH_PAUSE = 90_000;

export function Wallet() {
  usePageTitle('Wallet');
  const { wallet = '' } = useRoute().params;
  const { route } = useLocation();
  return (
    <>
      <PageHead title="Wallet" about="Payments, amounts owed and proofs of any wallet, in all tokens." />
      <section class="card share">
        <WalletField
          wallet={wallet}
          onLookUp={(asked) => route(pageAddress(asked === '' ? 'wallets' : `wallets/${asked}`), true)}
        />
      </section>
      {wallet !== '' && <Shares key={wallet} wallet={wallet} />}
    </>
  );
}

function Shares({ wallet }: { readonly wallet: string }) {
  const ask = (after?: string) =>
    levy.get('/wallets/{wallet}/shares', {
      params: { path: { wallet }, query: { limit: PER_PAGE, ...(after !== undefined && { after }) } },
    });
  const answer = useAnswer(`wallet ${wallet}`, () => ask(), {
    changedBy: ({ type }) => type === 'levy.distributions.completed',
    every: REFRESH_PAUSE,
  });
  if (answer.code === 'INVALID_ADDRESS')
    return (
      <p class="fault" role="alert">
        {answer.failed}
      </p>
    );
  return (
    <Loaded what="the payments of this wallet" answer={answer}>
      {(first) => (
        <LaterPages of={`wallet ${wallet}`} what="the payments of this wallet" first={first} ask={ask}>
          {({ shares, next }) =>
            shares.length === 0 && next === null ? (
              <Empty title="This wallet has earned nothing yet">
                <p class="meta">A wallet appears here after the first run that found it among the holders.</p>
              </Empty>
            ) : (
              <>
                <Sums shares={shares} isAll={first.next === null} />
                {shares.map((share) => (
                  <Share key={share.tokenId} wallet={wallet} share={share} />
                ))}
              </>
            )
          }
        </LaterPages>
      )}
    </Loaded>
  );
}

function Sums({ shares, isAll }: { readonly shares: readonly WalletShare[]; readonly isAll: boolean }) {
  const extent = isAll ? 'in all tokens' : 'in the tokens of this page';
  const sumOf = (sums: 'paidByAsset' | 'owedByAsset') => {
    const units = shares.reduce((total, share) => total + BigInt(share[sums].sol), 0n).toString();
    return (
      <>
        <Amount units={units} decimals={SOL_DECIMALS} unit="SOL" />
        <small>
          {exactAmount(units, SOL_DECIMALS)} {extent}
        </small>
      </>
    );
  };
  return (
    <dl class="figures">
      <Detail name="SOL paid so far">{sumOf('paidByAsset')}</Detail>
      <Detail name="SOL owed">{sumOf('owedByAsset')}</Detail>
      <Detail name="Tokens">
        {grouped(shares.length)}
        <small>that this wallet has earned from</small>
      </Detail>
    </dl>
  );
}

function Share({ wallet, share }: { readonly wallet: string; readonly share: WalletShare }) {
  const { tokenId: id, mintAddress, name, symbol, decimals, imageUri, rewardToken, reason, lastRun } = share;
  const token = { id, symbol, decimals, rewardToken };
  const [isOpen, open] = useState(false);
  return (
    <article class="card wallet-share">
      <TokenPicture uri={imageUri} size={40} />
      <h2>
        <PageLink to={`tokens/${mintAddress}?wallet=${wallet}`}>
          <Words text={name} />
        </PageLink>{' '}
        <small>
          <Words text={symbol} />
        </small>
      </h2>
      <dl class="sums">
        <Detail name="Paid so far">
          <BothAssets token={token} sums={share.paidByAsset} />
        </Detail>
        <Detail name="Owed">
          <BothAssets token={token} sums={share.owedByAsset} />
          {reason !== null && reason !== 'planned' && <small>{reasonText(reason)}</small>}
        </Detail>
        <Detail name="Next run">
          <NextRun token={share} />
        </Detail>
      </dl>
      <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>Payments and proofs</summary>
        {isOpen && <WalletPayments token={token} wallet={wallet} lastRun={lastRun.runId} />}
      </details>
    </article>
  );
}
