// A price list in AG Grid: sorted, filtered, edited in its cells, selected by boxes.
import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";

ModuleRegistry.registerModules([AllCommunityModule]);
document.body.innerHTML = `<h1>Prices</h1><label>Find <input id="find"></label><div id="grid" style="height: 360px; width: 700px"></div><p role="status"></p>`;
const rows = ["Apple", "Banana", "Cherry", "Date", "Elder"].map((name, index) => ({
  name,
  price: [3, 1, 5, 2, 4][index],
  organic: index % 2 === 0,
}));
const tell = (what) => {
  say(what);
  document.querySelector("[role=status]").textContent = what;
};
const grid = createGrid(document.querySelector("#grid"), {
  rowData: rows,
  rowSelection: { mode: "multiRow" },
  columnDefs: [
    { field: "name" },
    { field: "price", editable: true, cellDataType: "number" },
    { field: "organic", editable: true },
  ],
  onCellValueChanged: ({ data, colDef, newValue }) => tell(`${data.name} ${colDef.field} ${newValue}`),
  onSelectionChanged: ({ api }) => tell(`${api.getSelectedRows().length} selected`),
});
document
  .querySelector("#find")
  .addEventListener("input", ({ target }) => grid.setGridOption("quickFilterText", target.value));
