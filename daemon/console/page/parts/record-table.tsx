// A table with a name. On a narrow screen it hides its less important columns.
import type { ComponentChildren } from "preact";

interface Column {
  label: string;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Numbers stand at the right. */
  isNumber?: boolean;
  /** Its text may be long and without spaces. */
  isFree?: boolean;
}

interface Row {
  key: string;
  cells: ComponentChildren[];
}

interface RecordTableProps {
  name: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** The words in place of an empty table. */
  empty: string;
}

export function RecordTable({ name, columns, rows, empty }: RecordTableProps) {
  if (rows.length === 0) return <p class="note">{empty}</p>;
  return (
    <table>
      <caption>{name}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" class={classOf(column)}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={columns[index]?.label} class={classOf(columns[index])}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf(column: Column | undefined): string {
  const { isMinor = false, isNumber = false, isFree = false } = column ?? {};
  return [isMinor && "minor", isNumber && "number", isFree && "free"].filter(Boolean).join(" ");
}
