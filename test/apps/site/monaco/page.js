// A query in Monaco, in each of its two ways to take input.
import * as monaco from "monaco-editor/editor/editor.api.js";

self.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob([""]))) };
let editor;
function make(editContext) {
  editor?.dispose();
  editor = monaco.editor.create(document.querySelector("#editor"), {
    value: "select 1",
    ariaLabel: "Query",
    editContext,
    minimap: { enabled: false },
  });
}
make(false);
document
  .querySelector("#input")
  .addEventListener("change", ({ target }) => make(target.value === "EditContext"));
document.querySelector("#run").addEventListener("click", () => {
  say(`ran ${editor.getValue()}`);
  document.querySelector("[role=status]").textContent = `ran ${editor.getValue()}`;
});
