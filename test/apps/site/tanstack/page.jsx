// A thousand stocks in a table of TanStack that shows only the rows in view, sorts, filters, and edits in place.
import * as t from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

const features = t.tableFeatures({
  rowSortingFeature: t.rowSortingFeature,
  columnFilteringFeature: t.columnFilteringFeature,
  sortedRowModel: t.createSortedRowModel(),
  filteredRowModel: t.createFilteredRowModel(),
  filterFns: { includesString: t.filterFn_includesString },
  sortFns: { alphanumeric: t.sortFn_alphanumeric },
});
const places = ["Berlin", "Oslo", "Rome"];
const first = Array.from({ length: 1_000 }, (_, index) => ({
  id: String(2000 + index),
  place: places[index % 3],
  amount: (index * 37) % 500,
}));

function Stock() {
  const [data, setData] = useState(first);
  const [sorting, setSorting] = useState([]);
  const [filter, setFilter] = useState("");
  const scrolled = useRef(null);
  const columns = useMemo(
    () => [
      { accessorKey: "id", header: "Part", enableSorting: false },
      { accessorKey: "place", header: "Place", filterFn: "includesString" },
      { accessorKey: "amount", header: "Amount", sortFn: "alphanumeric" },
    ],
    [],
  );
  const table = t.useTable({
    features,
    data,
    columns,
    getRowId: ({ id }) => id,
    state: { sorting, columnFilters: filter ? [{ id: "place", value: filter }] : [] },
    onSortingChange: setSorting,
  });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => 40,
    getItemKey: (index) => rows[index].id,
    overscan: 3,
  });
  const order = (id, by) => {
    setData((all) => all.map((each) => (each.id === id ? { ...each, amount: each.amount + by } : each)));
    say(`${by} more of ${id}`);
  };
  const sign = { asc: "ascending", desc: "descending" };
  return (
    <main>
      <h1>Stock</h1>
      <input aria-label="Place" value={filter} onChange={(event) => setFilter(event.target.value)} />
      <p role="status">{rows.length} parts</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={scrolled} tabIndex={0} aria-label="Parts" style={{ height: 320, overflow: "auto" }}>
        <table style={{ display: "block", height: virtual.getTotalSize() + 40 }}>
          <thead>
            <tr>
              {table.getHeaderGroups()[0].headers.map(({ column }) => (
                <th key={column.id} aria-sort={sign[column.getIsSorted()]}>
                  {column.getCanSort() ? (
                    <button type="button" onClick={column.getToggleSortingHandler()}>
                      {column.columnDef.header}
                    </button>
                  ) : (
                    column.columnDef.header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody style={{ display: "block", position: "relative" }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => (
              <tr
                key={key}
                style={{ position: "absolute", height: 40, top: 0, transform: `translateY(${start}px)` }}
              >
                {rows[index].getAllCells().map((cell) => (
                  <td key={cell.id}>{cell.getValue()}</td>
                ))}
                <td>
                  <button type="button" onClick={() => order(rows[index].id, 10)}>
                    Order
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </main>
  );
}

createRoot(document.querySelector("#root")).render(<Stock />);
