/** Placeholders for empty, missing and failed content. */
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

/** Renders a response, or its loading or failed state. `title` is the heading before the data is loaded. */
export function Loaded<Data>({
  title,
  what,
  answer: { data, failed, isLoading, again },
  children,
}: {
  readonly title?: string;
  /** Name within a sentence: `the overview`. */
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
