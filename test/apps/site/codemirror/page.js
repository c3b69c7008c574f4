// A script in CodeMirror: typed, folded, searched, completed, and saved.
import { javascript } from "@codemirror/lang-javascript";
import { basicSetup, EditorView } from "codemirror";

document.body.innerHTML =
  '<h1>Script</h1><div id="editor"></div><button id="save">Save</button><p role="status"></p>';
const view = new EditorView({
  doc: "const one = 1;\nconst two = one + 1;\n",
  extensions: [basicSetup, javascript(), EditorView.contentAttributes.of({ "aria-label": "Script" })],
  parent: document.querySelector("#editor"),
});
document.querySelector("#save").addEventListener("click", () => {
  const lines = view.state.doc.lines;
  say(`saved ${JSON.stringify(view.state.doc.toString())}`);
  document.querySelector("[role=status]").textContent = `${lines} lines saved`;
});
