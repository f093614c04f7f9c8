/** Application shell: header, router and the notice that the service is unreachable. */

import { useEffect, useRef } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { configuration } from './configuration.ts';
import { exactTime } from './format/times.ts';
import { Explore } from './pages/explore.tsx';
import { NotFound } from './pages/not-found.tsx';
import { PageLink } from './parts/basics.tsx';
import { pageOf } from './parts/lazy-page.tsx';
import { WalletButton } from './parts/wallet-button.tsx';
import { apiAddress, awaySince, CONSOLE, pageAddress, refusals } from './service.ts';

const Verify = pageOf(() => import('./pages/verify.tsx').then(({ Verify: page }) => page));
const Create = pageOf(() => import('./pages/create.tsx').then(({ Create: page }) => page));
const Events = pageOf(() => import('./pages/events.tsx').then(({ Events: page }) => page));
const Mine = pageOf(() => import('./pages/my-tokens.tsx').then(({ Mine: page }) => page));
const Operate = pageOf(() => import('./pages/operate.tsx').then(({ Operate: page }) => page));
const Run = pageOf(() => import('./pages/run.tsx').then(({ Run: page }) => page));
const Settings = pageOf(() => import('./pages/settings.tsx').then(({ Settings: page }) => page));
const Token = pageOf(() => import('./pages/token.tsx').then(({ Token: page }) => page));
const Wallet = pageOf(() => import('./pages/wallet.tsx').then(({ Wallet: page }) => page));

export function App() {
  return (
    <LocationProvider scope={CONSOLE}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Header />
      <Away />
      <main id="main" tabIndex={-1}>
        <Pages />
      </main>
      <footer class="bottom">
        <PageLink to="operate">Operate</PageLink>
        <a href={apiAddress('docs/')}>API</a>
        <a href={apiAddress('docs/guides/README.md')}>Guides</a>
      </footer>
    </LocationProvider>
  );
}

function Pages() {
  const { path } = useLocation();
  const first = useRef(path);
  // Moves the focus to the new page, for screen readers and keyboard users.
  useEffect(() => {
    if (path === first.current) return;
    first.current = path;
    scrollTo(0, 0);
    document.getElementById('main')?.focus();
  }, [path]);
  return (
    <Router>
      <Route path={pageAddress('')} component={Explore} />
      <Route path={pageAddress('tokens/:mint')} component={Token} />
      <Route path={pageAddress('tokens/:mint/settings')} component={Settings} />
      <Route path={pageAddress('tokens/:mint/runs/:runId')} component={Run} />
      <Route path={pageAddress('wallets/:wallet?')} component={Wallet} />
      <Route path={pageAddress('events')} component={Events} />
      <Route path={pageAddress('verify')} component={Verify} />
      <Route path={pageAddress('create')} component={Create} />
      <Route path={pageAddress('mine')} component={Mine} />
      <Route path={pageAddress('operate/:page?')} component={Operate} />
      <Route default component={NotFound} />
    </Router>
  );
}

function Header() {
  const { path } = useLocation();
  const isExplore = `${path}/` === CONSOLE;
  return (
    <header class="top">
      <PageLink to="" class="brand">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 4h4v12h12v4H4z" />
          <circle cx="17" cy="8" r="4" />
        </svg>
        Levy
      </PageLink>
      <nav aria-label="Pages">
        <PageLink to="" {...(isExplore && { 'aria-current': 'page' as const })}>
          Explore
        </PageLink>
        <PageLink to="create" {...(path === pageAddress('create') && { 'aria-current': 'page' as const })}>
          Create
        </PageLink>
        <PageLink to="mine" {...(path === pageAddress('mine') && { 'aria-current': 'page' as const })}>
          My tokens
        </PageLink>
        <PageLink
          to="wallets"
          {...(path.startsWith(pageAddress('wallets')) && { 'aria-current': 'page' as const })}
        >
          Wallets
        </PageLink>
        <PageLink to="events" {...(path === pageAddress('events') && { 'aria-current': 'page' as const })}>
          Events
        </PageLink>
        <PageLink to="verify" {...(path === pageAddress('verify') && { 'aria-current': 'page' as const })}>
          Verify
        </PageLink>
      </nav>
      {configuration.value?.faucet && <span class="net">embedded chain</span>}
      <WalletButton />
    </header>
  );
}

/** Notice above a page whose data is cached: the service is unreachable or the rate limit is reached. */
function Away() {
  const since = awaySince.value;
  const [refusal] = refusals.value.values();
  const trouble =
    since === undefined
      ? refusal
      : `The service has been unreachable since ${exactTime(new Date(since).toISOString())}.`;
  return (
    <div role="status">
      {trouble !== undefined && <p class="away">{trouble} Showing cached data; retrying.</p>}
    </div>
  );
}
