// A note in Lexical: typed, made bold, turned into a heading and a list, taken back, and sent.

import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { $generateHtmlFromNodes } from "@lexical/html";
import { INSERT_UNORDERED_LIST_COMMAND, ListItemNode, ListNode, registerList } from "@lexical/list";
import { $createHeadingNode, HeadingNode, registerRichText } from "@lexical/rich-text";
import { $setBlocksType } from "@lexical/selection";
import {
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $getSelection,
  $isRangeSelection,
  $selectAll,
  createEditor,
  FORMAT_TEXT_COMMAND,
  UNDO_COMMAND,
} from "lexical";

document.body.innerHTML = `<h1>Note</h1><div role="toolbar" aria-label="Format"><button id="bold" aria-pressed="false">Bold</button><button id="heading">Heading</button><button id="list">List</button><button id="undo">Undo</button></div><div id="editor" contenteditable role="textbox" aria-multiline="true" aria-label="Note"></div><button id="send">Send</button><p role="status"></p>`;
const $ = (id) => document.getElementById(id);
const editor = createEditor({
  namespace: "note",
  nodes: [HeadingNode, ListNode, ListItemNode],
  onError: (error) => say(`error ${error.message}`),
});
editor.setRootElement($("editor"));
registerRichText(editor);
registerList(editor);
registerHistory(editor, createEmptyHistoryState(), 0);
editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode("Call Ann"))), {
  tag: "history-merge",
});
editor.registerUpdateListener(({ editorState }) =>
  editorState.read(() => {
    const selection = $getSelection();
    const isBold = $isRangeSelection(selection) && selection.hasFormat("bold");
    $("bold").setAttribute("aria-pressed", String(isBold));
  }),
);
// What has the focus keeps it: the selection in the editor is what the button is about.
document.querySelector("[role=toolbar]").addEventListener("mousedown", (event) => event.preventDefault());
const onAll = (work) => () =>
  editor.update(() => {
    $selectAll();
    work();
  });
$("bold").onclick = onAll(() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold"));
$("heading").onclick = onAll(() => $setBlocksType($getSelection(), () => $createHeadingNode("h2")));
$("list").onclick = onAll(() => editor.dispatchCommand(INSERT_UNORDERED_LIST_COMMAND, undefined));
$("undo").onclick = () => editor.dispatchCommand(UNDO_COMMAND, undefined);
$("send").onclick = () =>
  editor.read(() => {
    say(`sent ${$generateHtmlFromNodes(editor).replace(/<(\w+)[^>]*>/g, "<$1>")}`);
    document.querySelector("[role=status]").textContent = `sent ${$getRoot().getTextContentSize()} letters`;
  });
