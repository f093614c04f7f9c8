/** All tokens: the featured ones, a search, and the newest first, a page at a time. */
import type { FeaturedPromotion, TokenCard } from 'levy-client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { grouped, percentText } from '../format/amounts.ts';
import { Amount, PageLink, State, Time, TokenPicture, Words } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { SplitBar } from '../parts/split-bar.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { levy, useAnswer } from '../service.ts';

const SOL_DECIMALS = 9;
const PER_PAGE = 24;
const REFRESHED = 15_000;
/** Milliseconds after the last key until a search is made. */
const TYPING = 250;

export function Explore() {
  usePageTitle('Explore');
  const { query, path, route } = useLocation();
  const search = query.search ?? '';
  const page = Math.max(1, Math.trunc(Number(query.page ?? '1')) || 1);
  const goTo = (next: { readonly search?: string; readonly page?: number }, replace = false) => {
    const asked = new URLSearchParams();
    if (next.search) asked.set('search', next.search);
    if (next.page !== undefined && next.page > 1) asked.set('page', String(next.page));
    const text = asked.toString();
    route(`${path}/${text === '' ? '' : `?${text}`}`, replace);
  };

  const list = useAnswer(
    `tokens ${search} ${page}`,
    () =>
      levy.get('/tokens', {
        params: { query: { page, limit: PER_PAGE, ...(search !== '' && { search }) } },
      }),
    { every: REFRESHED },
  );
  const { data } = list;
  const isFirst = search === '' && page === 1;
  return (
    <>
      <section class="head">
        <div class="grow">
          <h1>Tokens that share their tax</h1>
          <p class="meta">
            Each transfer is taxed on the chain. What is collected is burned, and paid to those who hold the
            token.
          </p>
        </div>
        <SearchField value={search} onSearch={(text) => goTo({ search: text }, true)} />
      </section>
      {isFirst && <Featured />}
      <section aria-label="Tokens">
        <h2>
          {search === '' ? 'Newest' : 'Found'}
          <span class="sub" role="status">
            {data !== undefined && countText(data.pagination.total)}
          </span>
        </h2>
        {data === undefined && list.isLoading && <Loading what="tokens" />}
        {data === undefined && list.failed !== undefined && (
          <Failed what="The tokens" sentence={list.failed} again={list.again} />
        )}
        {data !== undefined && data.tokens.length === 0 && (
          <NoTokens isSearch={search !== ''} isPast={page > 1} onClear={() => goTo({})} />
        )}
        {data !== undefined && data.tokens.length > 0 && (
          <ul class="cards">
            {data.tokens.map((token) => (
              <li key={token.id}>
                <Card token={token} />
              </li>
            ))}
          </ul>
        )}
        {data !== undefined && (
          <Pager
            page={page}
            pages={Math.ceil(data.pagination.total / PER_PAGE)}
            onPage={(next) => goTo({ search, page: next })}
          />
        )}
      </section>
    </>
  );
}

function countText(total: number): string {
  return total === 1 ? '1 token' : `${grouped(total)} tokens`;
}

function SearchField({
  value,
  onSearch,
}: {
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const [typed, type] = useState(value);
  useEffect(() => type(value), [value]);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onSearch(typed.trim()), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search class="search">
      <label>
        Search by name or symbol
        <input
          type="search"
          value={typed}
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      </label>
    </search>
  );
}

function NoTokens({
  isSearch,
  isPast,
  onClear,
}: {
  readonly isSearch: boolean;
  readonly isPast: boolean;
  readonly onClear: () => void;
}) {
  if (!isSearch && !isPast)
    return (
      <Empty title="There are no tokens yet.">
        <p>The first one that is created shows up here by itself.</p>
      </Empty>
    );
  return (
    <Empty title={isSearch ? 'No name or symbol begins like this.' : 'There is nothing on this page.'}>
      <p>
        <button type="button" class="quiet" onClick={onClear}>
          Show all tokens
        </button>
      </p>
    </Empty>
  );
}

function Featured() {
  const { data } = useAnswer('featured', () => levy.get('/featured'), { every: REFRESHED });
  if (data === undefined || data.featured.length === 0) return null;
  return (
    <section aria-label="Featured">
      <h2>Featured</h2>
      <ul class="cards featured">
        {data.featured.map((promotion: FeaturedPromotion) => (
          <li key={promotion.id}>
            <FeaturedCard promotion={promotion} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FeaturedCard({ promotion }: { readonly promotion: FeaturedPromotion }) {
  const { token, mintAddress, endsAt } = promotion;
  return (
    <article class="card token-card">
      <TokenPicture uri={token.imageUri} size={40} />
      <h3>
        <PageLink to={`tokens/${mintAddress}`}>
          <Words text={token.name} />
        </PageLink>{' '}
        <small>
          <Words text={token.symbol} />
        </small>
      </h3>
      <p class="meta">
        Promoted until <Time at={endsAt} />
      </p>
    </article>
  );
}

function Card({ token }: { readonly token: TokenCard }) {
  const { burnPercent, developerFeePercent, paidToHolders, decimals } = token;
  return (
    <article class="card token-card">
      <TokenPicture uri={token.imageUri} size={40} />
      <h3>
        <PageLink to={`tokens/${token.mintAddress}`}>
          <Words text={token.name} />
        </PageLink>{' '}
        <small>
          <Words text={token.symbol} />
        </small>
      </h3>
      <b class="rate">{percentText(token.transferFeePercent)}</b>
      {burnPercent !== undefined && developerFeePercent !== undefined && (
        <SplitBar burnPercent={burnPercent} developerFeePercent={developerFeePercent} />
      )}
      <dl class="facts">
        <div>
          <dt>Paid to holders</dt>
          <dd>
            {paidToHolders === undefined ? (
              '—'
            ) : (
              <Amount units={paidToHolders.sol} decimals={SOL_DECIMALS} unit="SOL" />
            )}
            {paidToHolders !== undefined && paidToHolders.token !== '0' && decimals !== undefined && (
              <Amount units={paidToHolders.token} decimals={decimals} unit={token.symbol} />
            )}
          </dd>
        </div>
        <div>
          <dt>Next run</dt>
          <dd>
            <NextRun token={token} />
          </dd>
        </div>
      </dl>
    </article>
  );
}

function NextRun({ token: { distributionState, nextDistributionAt } }: { readonly token: TokenCard }) {
  if (distributionState === 'halted') return <State kind="bad">halted</State>;
  if (distributionState === 'running') return <State kind="run">running now</State>;
  if (nextDistributionAt === undefined) return <State kind="off">switched off</State>;
  return <Time at={nextDistributionAt} />;
}

function Pager({
  page,
  pages,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}) {
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="quiet" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </button>
      <span>
        Page {grouped(page)} of {grouped(pages)}
      </span>
      <button type="button" class="quiet" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Older
      </button>
    </nav>
  );
}
