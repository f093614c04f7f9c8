/** Buttons to the next and the first page, hidden for a single page. */

export function TurnPages({
  isFirst,
  next,
  onTurn,
}: {
  readonly isFirst: boolean;
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
  readonly onTurn: (to: string | undefined) => void;
}) {
  if (isFirst && next === null) return null;
  return (
    <p class="actions">
      {!isFirst && (
        <button type="button" class="quiet" onClick={() => onTurn(undefined)}>
          First page
        </button>
      )}
      {next !== null && (
        <button type="button" class="quiet" onClick={() => onTurn(next)}>
          Next page
        </button>
      )}
    </p>
  );
}
