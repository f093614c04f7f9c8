/** Names the page in the browser's tab. */
import { useEffect } from 'preact/hooks';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Levy`;
  }, [title]);
}
