/** Pages of a list. The first one is part of the page's data; later ones are requested individually. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../service.ts';
import { TurnPages } from './pager.tsx';
import { Loaded } from './states.tsx';

export function LaterPages<Page extends { readonly next: string | null }>({
  of,
  what,
  first,
  ask,
  children,
}: {
  /** Unique key of the list. */
  readonly of: string;
  /** Name within a sentence: `the runs`. */
  readonly what: string;
  readonly first: Page;
  readonly ask: (after: string) => Promise<Page>;
  readonly children: (page: Page) => ComponentChildren;
}) {
  const [after, turn] = useState<string>();
  const answer = useAnswer(`${of} ${after}`, async () => (after === undefined ? first : ask(after)));
  const page = after === undefined ? first : answer.data;
  return (
    <>
      <Loaded what={what} answer={{ ...answer, data: page }}>
        {children}
      </Loaded>
      <TurnPages isFirst={after === undefined} next={page?.next ?? null} onTurn={turn} />
    </>
  );
}
