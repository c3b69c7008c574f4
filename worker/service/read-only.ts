// Refuses calls that act on a page of an origin that may only be looked at.
import { fail } from "../../proto/errors/catalogue.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { onlyReads, type Tool } from "../../proto/tools/read-tools.ts";
import { isListed } from "../policy/origins.ts";
import { parseRef } from "../refs/ref-text.ts";
import type { CallContext } from "./call-context.ts";

/** These change how the page is seen, or what its session has. */
const LOOKS: ReadonlySet<string> = new Set([
  "browser_scroll",
  "browser_hover",
  "browser_resize",
  "browser_emulate",
  "browser_initialize",
  "browser_save_auth",
  "browser_pdf_save",
]);

/** Throws PERMISSION_DENIED if the call acts and its page, or the frame of its ref, may only be looked at. */
export async function checkLooking(tool: Tool, context: CallContext): Promise<void> {
  const { call, role } = context;
  const { readOnly } = role.config;
  if (readOnly.length === 0 || !mayAct(tool, call.arguments)) return;
  const { tab } = await context.page();
  const { ref } = call.arguments;
  const number = typeof ref === "string" ? (parseRef(ref)?.frame ?? 0) : 0;
  const frame = tab.frames.numbered(number);
  const urls = [tab.url, ...(frame && frame !== "gone" ? [frame.url] : [])];
  const url = urls.find((each) => URL.canParse(each) && isListed(new URL(each), readOnly));
  if (url === undefined) return;
  throw fail("PERMISSION_DENIED", {
    what: `${tool.name} on ${redactedAddress(url)}`,
    reason: "The role may only look at pages of this origin.",
    causes: ["The configuration lists the origin as read-only (allow)"],
    steps: [
      "Read the page with browser_snapshot, browser_find and browser_scroll",
      "Follow a link by browser_navigate with its address, which the snapshot shows",
      "If something must be changed there, ask the operator to list the origin without read-only, or a person to do it",
    ],
  });
}

function mayAct(tool: Tool, args: { action?: unknown }): boolean {
  return !onlyReads(tool, args) && !tool.control && !tool.arrival && !LOOKS.has(tool.name);
}
