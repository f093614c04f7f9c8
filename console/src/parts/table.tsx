/** Table defined by its columns. On a phone each row becomes a block whose cells are labelled by `data-name`. */
import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Column heading; empty for actions. */
  readonly name: string;
  /** CSS class of the cells. */
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
}

export function Table<Row>({
  columns,
  rows,
  keyOf,
}: {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}) {
  return (
    <table class="lines">
      <ColumnNames of={columns} />
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <Cells columns={columns} row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ColumnNames<Row>({ of }: { readonly of: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {of.map(({ name, class: ofCells }) => (
          <th key={name} class={ofCells}>
            {name === '' ? <span class="heard">Actions</span> : name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function Cells<Row>({
  columns,
  row,
}: {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
}) {
  return (
    <>
      {columns.map(({ name, class: ofCells, cell }) => (
        <td key={name} class={ofCells} data-name={name}>
          {cell(row)}
        </td>
      ))}
    </>
  );
}
