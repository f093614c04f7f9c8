/** Sets the document title. */
import { useEffect } from 'preact/hooks';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - Levy`;
  }, [title]);
}
