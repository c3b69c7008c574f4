// Tests browser_press_key with combinations, sequences, and a paste of the session's own text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage } from "../../harness/worker.ts";

const { worker, site } = await stage();

test("a page's shortcuts get their combinations and sequences as trusted keys", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<output id=out></output><script>onkeydown = (e) => {
      if (/^(Control|Shift|Alt|Meta)$/.test(e.key)) return;
      const held = ['ctrlKey', 'shiftKey', 'altKey', 'metaKey'].filter((name) => e[name]);
      out.textContent += ' ' + [...held, e.code, e.key, e.isTrusted].join(':');
    };</script>`),
  );
  await session.do("browser_press_key", { key: "Control+Shift+K" });
  await session.do("browser_press_key", { key: "g i" });
  const { text } = await session.do("browser_press_key", { key: "Control+K Control+S" });
  assert.match(
    text,
    /ctrlKey:shiftKey:KeyK:K:true KeyG:g:true KeyI:i:true ctrlKey:KeyK:k:true ctrlKey:KeyS:s:true/,
  );
  const mod = await session.do("browser_press_key", { key: "ControlOrMeta+B" });
  assert.match(mod.text, /(?:ctrl|meta)Key:KeyB:b:true/);
});

test("a dialog ends a sequence", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<output id=out></output><script>onkeydown = (e) => {
      out.textContent += e.key;
      if (e.key === 'a') alert('Stop');
    };</script>`),
  );
  assert.match((await session.do("browser_press_key", { key: "a b c" })).text, /alert.*Stop/);
  await session.do("browser_handle_dialog", { accept: true });
  assert.match(await session.read(), /status: a$/m);
});

test("Control+V pastes the session's own text, into plain fields and into editors that listen to it", async () => {
  await using session = worker.session();
  const page = await session.open(
    site.page(`<input aria-label=Plain value=ab><textarea aria-label=Editor></textarea><output id=out></output><script>
      document.querySelector('textarea').onpaste = (e) => {
        e.preventDefault();
        out.textContent = 'took ' + e.clipboardData.getData('text/plain').toUpperCase();
      };
      document.querySelector('input').onfocus = ({ target }) => target.setSelectionRange(1, 1);</script>`),
  );
  await session.do("browser_click", { ref: refOf(page, "Plain") });
  const plain = await session.do("browser_press_key", { key: "Control+V", clipboard: "secret-x" });
  assert.match(plain.text, /^Pressed Control\+V, which pasted\n[\s\S]*textbox "Plain".*secret-x/);
  await session.do("browser_click", { ref: refOf(page, "Editor") });
  const editor = await session.do("browser_press_key", { key: "ctrl+v", clipboard: "hello" });
  assert.match(editor.text, /took HELLO/);
  assert.doesNotMatch(await session.read(), /Editor".*hello/);
  const wrong = await session.refuse("INVALID_ARGUMENT", "browser_press_key", {
    key: "Enter",
    clipboard: "pa55",
  });
  assert.doesNotMatch(wrong.text, /pa55/);
});
