/** Page for unknown addresses. */
import { PageHead, PageLink } from '../parts/basics.tsx';
import { usePageTitle } from '../parts/page-title.ts';

export function NotFound() {
  usePageTitle('Page not found');
  return (
    <PageHead
      title="Page not found"
      about={
        <>
          Check the address or <PageLink to="">search for a token</PageLink>.
        </>
      }
    />
  );
}
