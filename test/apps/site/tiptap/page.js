// A letter in TipTap: typed, made bold, turned into a heading and a list, and sent.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

document.body.innerHTML = `<h1>Letter</h1><div role="toolbar" aria-label="Format"><button id="bold" aria-pressed="false">Bold</button><button id="heading" aria-pressed="false">Heading</button><button id="list" aria-pressed="false">List</button></div><div id="editor"></div><button id="send">Send</button><p role="status"></p>`;
const $ = (id) => document.getElementById(id);
const editor = new Editor({
  element: $("editor"),
  extensions: [StarterKit.configure({ trailingNode: false })],
  content: "<p>Dear Ann</p>",
  editorProps: { attributes: { "aria-label": "Letter", role: "textbox", "aria-multiline": "true" } },
  onTransaction: ({ editor: now }) => {
    for (const [id, name] of [
      ["bold", "bold"],
      ["heading", "heading"],
      ["list", "bulletList"],
    ])
      $(id).setAttribute("aria-pressed", now.isActive(name));
  },
});
$("bold").onclick = () => editor.chain().focus().selectAll().toggleBold().run();
$("heading").onclick = () => editor.chain().focus().toggleHeading({ level: 2 }).run();
$("list").onclick = () => editor.chain().focus().toggleBulletList().run();
$("send").onclick = () => {
  say(`sent ${editor.getHTML()}`);
  document.querySelector("[role=status]").textContent = `sent ${editor.getText().trim().length} letters`;
};
