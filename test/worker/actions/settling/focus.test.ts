// Tests that typing waits for the scripts that heard of the field's focus, and for nothing if none did.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf, stage, type WorkerSession } from "../../../harness/worker.ts";

const { worker, site } = await stage({ evaluate: true });

/** All scripts of a document take the numbers of their frames from one counter, the worker's too. */
async function framesSoFar(session: WorkerSession): Promise<number> {
  const { result } = await session.do("browser_evaluate", {
    function: "() => { const n = requestAnimationFrame(() => 0); cancelAnimationFrame(n); return n; }",
  });
  return Number(result);
}

test("a text in a field whose focus no script hears of is awaited no longer than the next one", async () => {
  await using session = worker.session();
  const names = ["One", "Two", "Three", "Four", "Five"];
  const shown = await session.open(site.page(names.map((name) => `<input aria-label=${name}>`).join("")));
  const framesOfTyping = async (name: string) => {
    const before = await framesSoFar(session);
    await session.do("browser_type", { ref: refOf(shown, name), text: "Ada" });
    return (await framesSoFar(session)) - before;
  };
  const isAwaitedLonger: boolean[] = [];
  for (const name of names) {
    const first = await framesOfTyping(name);
    isAwaitedLonger.push(first > (await framesOfTyping(name)));
  }
  // On a busy machine, a late frame of the worker's own may count as a script that heard.
  assert.ok(isAwaitedLonger.includes(false), isAwaitedLonger.join(" "));
});

for (const [type, target] of [
  ["focus", "field"],
  ["focusin", "document"],
  ["select", "field"],
  ["selectionchange", "document"],
] as const)
  test(`what a page shows after the field's ${type} is in the reply`, async () => {
    await using session = worker.session();
    const shown = await session.open(
      site.page(`<button>Away</button><input id=field aria-label=Name value=old><p id=out></p><script>
        let times = 0;
        const hear = () => { ${target}.removeEventListener("${type}", hear); setTimeout(() => { out.textContent = "hint " + ++times }, 100) };
        const listen = () => ${target}.addEventListener("${type}", hear);
        listen();
        document.querySelector("button").onclick = listen;</script>`),
    );
    for (const hint of [/hint 1/, /hint 2/]) {
      const { text } = await session.do("browser_type", { ref: refOf(shown, "Name"), text: "Ada" });
      assert.match(text, hint);
      await session.do("browser_click", { ref: refOf(shown, "Away") });
    }
  });
