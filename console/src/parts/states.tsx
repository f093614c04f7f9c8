/** What stands where there is nothing to show: yet, at all, or because of a fault. */
import type { ComponentChildren } from 'preact';
import type { Answer } from '../service.ts';

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="waiting" role="status">
      Loading {what} …
    </p>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

export function Failed({
  what,
  sentence,
  again,
}: {
  readonly what: string;
  readonly sentence: string;
  readonly again?: () => void;
}) {
  return (
    <div class="failed" role="alert">
      <p>
        <strong>{what} could not be loaded.</strong> {sentence}
      </p>
      {again !== undefined && (
        <p>
          <button type="button" class="quiet" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

/** What an answer holds, once it is there; before, that it is awaited, or why there is none. `title` stands where there is no heading yet. */
export function Shown<Data>({
  title,
  what,
  answer: { data, failed, isLoading, again },
  children,
}: {
  readonly title?: string;
  /** Within a sentence: `the board`. */
  readonly what: string;
  readonly answer: Answer<Data>;
  readonly children: (data: Data) => ComponentChildren;
}) {
  if (data !== undefined) return <>{children(data)}</>;
  return (
    <>
      {title !== undefined && (
        <section class="head">
          <h1>{title}</h1>
        </section>
      )}
      {isLoading ? (
        <Loading what={what} />
      ) : (
        <Failed what={what.replace(/^t/, 'T')} sentence={failed ?? ''} again={again} />
      )}
    </>
  );
}
