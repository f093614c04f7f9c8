/** What an address leads to that is none. */
import { PageLink } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';

export function Nothing() {
  usePageTitle('No such page');
  return (
    <section class="head">
      <div class="grow">
        <h1>There is no such page</h1>
        <p class="meta">
          The address may be mistyped. <PageLink to="">Look for a token</PageLink> instead.
        </p>
      </div>
    </section>
  );
}
