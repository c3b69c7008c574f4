// A page that a script of its own holds: noticed while a call waits for it, and freed when the call has ended in vain.
import { fail, type TroupeError } from "../../proto/errors.ts";
import { findTool } from "../../proto/tools.ts";
import type { Call } from "../tab/call.ts";
import { isGone } from "../tab/gone.ts";
import type { Page } from "../tab/page.ts";

/** Asked so far into its call, a page that has not answered by the end has been held for the rest of it. */
const ASKED_AT = 0.5;
/** How long a page may take to answer once its script has been stopped. */
const FREED_MS = 1_000;

/** Has the call know, from its middle on, whether the page answers at all. */
export function watchForHang(page: Page): void {
  const { call, tab } = page;
  const leftMs = call.deadline - Date.now();
  const timer = setTimeout(() => ask(page), Math.max(0, leftMs * ASKED_AT));
  const over = () => {
    clearTimeout(timer);
    if (call.silentPage === page && call.signal.reason?.type === "PAGE_UNRESPONSIVE")
      free(page).catch((error: Error) => isGone(error) || tab.failures.cleanup("free-hung-page", error));
  };
  call.signal.addEventListener("abort", over, { once: true });
}

/** The error of a call whose time is up: the page's fault, or that of what was waited for. */
export function outOfTime(call: Call, timeMs: number): TroupeError {
  const url = call.silentPage?.tab.url;
  if (url === undefined) return fail("TIMEOUT", { waitedFor: call.waitsFor, afterMs: timeMs });
  const effect = findTool(call.tool)?.readOnly ? "none" : "unknown";
  return fail("PAGE_UNRESPONSIVE", { url, effect });
}

function ask(page: Page): void {
  const { call, tab } = page;
  // Under a dialog, and while another page is on its way, Chrome asks the page nothing.
  if (!tab.isOpen || tab.dialog || tab.activity.navigating) return;
  call.silentPage = page;
  const answered = () => {
    if (call.silentPage === page) call.silentPage = undefined;
  };
  tab.client.send("Runtime.evaluate", { expression: "0" }).then(answered, answered);
}

/** Stops the script; a page that does not come to itself even so is crashed, which opens it again. */
async function free({ tab }: Page): Promise<void> {
  tab.failures.incident("page-unresponsive", `The page ${tab.url} did not respond; its script was stopped.`);
  const { client } = tab;
  await client.send("Runtime.terminateExecution");
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), FREED_MS);
  const asked = client.send("Runtime.evaluate", { expression: "0" });
  asked.catch((error: Error) => isGone(error) || tab.failures.cleanup("free-hung-page", error));
  const first = await Promise.race([asked, late]);
  clearTimeout(timer);
  if (first === "late" && tab.isOpen && !tab.dialog) await client.send("Page.crash");
}
