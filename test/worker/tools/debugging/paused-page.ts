// Opens pages with the debugger on, and pauses them.
import assert from "node:assert/strict";
import { refOf, type WorkerSession } from "../../../harness/worker.ts";
import type { Site } from "../../../site/serve.ts";

/** A button that runs `add`, whose line 4 has code. */
export const ADDING = `<title>Cart</title><button onclick="add(2)">Add</button><output id=out></output><script>
function add(n) {
  let total = 1;
  total = total + n;
  out.textContent = total;
  return total;
}
</script>`;

/** Opens a page and turns the debugger on. Returns its address and its text. */
export async function debugged(
  session: WorkerSession,
  site: Site,
  html: string,
): Promise<{ url: string; page: string }> {
  const url = site.page(html);
  const page = await session.open(url);
  await session.do("debugger_enable");
  return { url, page };
}

/** Opens a page with {@link ADDING}, and pauses it in that line. Returns its address. */
export async function pausedAt(
  session: WorkerSession,
  site: Site,
  line: number,
  html = ADDING,
): Promise<string> {
  const { url, page } = await debugged(session, site, html);
  await session.do("debugger_breakpoint", { action: "set", url, line });
  const { text } = await session.do("browser_click", { ref: refOf(page, "Add") });
  assert.match(text, /Paused at /);
  return url;
}
