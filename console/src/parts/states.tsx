/** What stands where there is nothing to show: yet, at all, or because of a fault. */
import type { ComponentChildren } from 'preact';

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
