/** A table of things a line each; on a telephone each line becomes a block, which names its cells by `data-name`. */
import type { ComponentChildren } from 'preact';

/** A name, or a name and the class of its cells. Empty for what can be done with a line. */
type Column = string | readonly [name: string, cells: string];

export function Lines({
  columns,
  children,
}: {
  readonly columns: readonly Column[];
  /** Rows. */
  readonly children: ComponentChildren;
}) {
  return (
    <table class="lines">
      <thead>
        <tr>
          {columns.map((column) => {
            const [name, cells] = typeof column === 'string' ? [column] : column;
            return (
              <th key={name} class={cells}>
                {name === '' ? <span class="heard">What you can do</span> : name}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
