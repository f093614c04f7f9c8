/** Token list with featured tokens, search, sort order and pages. */
import type { FeaturedPromotion } from 'levy-client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { grouped } from '../format/amounts.ts';
import { PageHead } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Card, FeaturedCard } from '../parts/token-card.tsx';
import { levy, useAnswer } from '../service.ts';

const PER_PAGE = 24;
/** Milliseconds between refreshes. The feed has no event for the end of a promotion. */
const REFRESHED = 180_000;
/** Events that change the cards or their list. */
const CHANGES =
  /^levy\.(tokens|launches|promotions)\.|^levy\.distributions\.(started|completed|configured|halted|resumed)$/;
/** Milliseconds after the last keystroke until the search starts. */
const TYPING = 250;

const SORTS = {
  newest: 'Newest',
  trending: 'Most paid in 24 hours',
  paid: 'Most paid to holders',
  holders: 'Most holders',
  'market-cap': 'Market cap',
} as const;

type Sort = keyof typeof SORTS;

const isSort = (text: string | undefined): text is Sort => text !== undefined && Object.hasOwn(SORTS, text);

/** List parameters in the URL. */
interface Asked {
  readonly search?: string;
  readonly sort?: Sort;
  readonly page?: number;
  readonly after?: string | undefined;
}

export function Explore() {
  usePageTitle('Explore');
  const { query, path, route } = useLocation();
  const search = query.search ?? '';
  const sort = isSort(query.sort) ? query.sort : 'newest';
  const hasPages = sort === 'newest' || (search !== '' && sort !== 'trending');
  const page = hasPages ? Math.max(1, Math.trunc(Number(query.page ?? '1')) || 1) : 1;
  const after = hasPages ? undefined : query.after;
  const goTo = (next: Asked, replace = false) => {
    const asked = new URLSearchParams();
    if (next.search) asked.set('search', next.search);
    if (next.sort !== undefined && next.sort !== 'newest') asked.set('sort', next.sort);
    if (next.page !== undefined && next.page > 1) asked.set('page', String(next.page));
    if (next.after !== undefined) asked.set('after', next.after);
    const text = asked.toString();
    route(`${path}/${text === '' ? '' : `?${text}`}`, replace);
  };

  const isFirst = search === '' && page === 1 && after === undefined;
  return (
    <>
      <PageHead
        title="Tokens that share their tax"
        about="Each transfer is taxed on the chain. The tax is burned and paid to the holders."
      >
        <SearchField value={search} onSearch={(text) => goTo({ search: text, sort }, true)} />
      </PageHead>
      {isFirst && <Featured />}
      <TokenList
        search={search}
        sort={sort}
        page={hasPages ? page : undefined}
        after={after}
        isFirst={isFirst}
        goTo={goTo}
      />
    </>
  );
}

/** Token list, paged by number or, if the list has none, by cursor. */
function TokenList({
  search,
  sort,
  page,
  after,
  isFirst,
  goTo,
}: {
  readonly search: string;
  readonly sort: Sort;
  readonly page: number | undefined;
  readonly after: string | undefined;
  readonly isFirst: boolean;
  readonly goTo: (next: Asked) => void;
}) {
  const list = useAnswer(
    `tokens ${search} ${sort} ${page ?? ''} ${after ?? ''}`,
    () =>
      levy.get('/tokens', {
        params: {
          query: {
            limit: PER_PAGE,
            sort,
            ...(page !== undefined && { page }),
            ...(after !== undefined && { after }),
            ...(search !== '' && { search }),
          },
        },
      }),
    { changedBy: ({ type }) => CHANGES.test(type), every: REFRESHED },
  );
  const { data } = list;
  return (
    <section aria-label="Tokens">
      <div class="list-head">
        <h2>
          {search === '' ? 'All tokens' : 'Found'}
          <span class="sub" role="status">
            {data !== undefined && countText(data.pagination.total)}
          </span>
        </h2>
        <SortField value={sort} onSort={(chosen) => goTo({ search, sort: chosen })} />
      </div>
      {data === undefined && list.isLoading && <Loading what="tokens" />}
      {data === undefined && list.failed !== undefined && (
        <Failed what="The tokens" sentence={list.failed} again={list.again} />
      )}
      {data !== undefined && data.tokens.length === 0 && (
        <NoTokens isSearch={search !== ''} isPast={!isFirst} onClear={() => goTo({ sort })} />
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
      {data !== undefined && page !== undefined && (
        <Pager
          page={page}
          pages={Math.ceil(data.pagination.total / PER_PAGE)}
          isNewest={sort === 'newest'}
          onPage={(next) => goTo({ search, sort, page: next })}
        />
      )}
      {data !== undefined && page === undefined && (
        <Onward
          isFirst={isFirst}
          next={data.next ?? undefined}
          onPage={(next) => goTo({ sort, after: next })}
        />
      )}
    </section>
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

function SortField({ value, onSort }: { readonly value: Sort; readonly onSort: (sort: Sort) => void }) {
  return (
    <label class="sort">
      Sort by
      <select
        value={value}
        onChange={({ currentTarget }) => isSort(currentTarget.value) && onSort(currentTarget.value)}
      >
        {Object.entries(SORTS).map(([sort, name]) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </select>
    </label>
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
      <Empty title="No tokens yet">
        <p>New tokens appear here.</p>
      </Empty>
    );
  return (
    <Empty title={isSearch ? 'No name, symbol or mint address matches' : 'This page is empty'}>
      <p>
        <button type="button" class="quiet" onClick={onClear}>
          Show all tokens
        </button>
      </p>
    </Empty>
  );
}

function Featured() {
  const { data } = useAnswer('featured', () => levy.get('/featured'), {
    changedBy: ({ type }) => /^levy\.(promotions|tokens)\./.test(type),
    every: REFRESHED,
  });
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

function Pager({
  page,
  pages,
  isNewest,
  onPage,
}: {
  readonly page: number;
  readonly pages: number;
  readonly isNewest: boolean;
  readonly onPage: (page: number) => void;
}) {
  if (pages < 2) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="quiet" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {isNewest ? 'Newer' : 'Previous page'}
      </button>
      <span>
        Page {grouped(page)} of {grouped(pages)}
      </span>
      <button type="button" class="quiet" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {isNewest ? 'Older' : 'Next page'}
      </button>
    </nav>
  );
}

/** Pager of a list without page numbers. The browser's Back button returns to the previous page. */
function Onward({
  isFirst,
  next,
  onPage,
}: {
  readonly isFirst: boolean;
  readonly next: string | undefined;
  readonly onPage: (after?: string) => void;
}) {
  if (isFirst && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" class="quiet" disabled={isFirst} onClick={() => onPage()}>
        First page
      </button>
      <button type="button" class="quiet" disabled={next === undefined} onClick={() => onPage(next)}>
        Next page
      </button>
    </nav>
  );
}
