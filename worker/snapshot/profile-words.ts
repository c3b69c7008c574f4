// Names other tools in replies, if the client's profile has them. Holds each profile's default budget.
import { findTool, inProfile, type Profile, SNAPSHOT_TOKENS } from "../../proto/tools/read-tools.ts";
import type { Call } from "../core/call.ts";

const TOKENS_DEFAULT = 6_000;

/**
 * Returns the budget of a reply, in tokens: the requested one, or the default of the client or its profile. 0 means no
 * bound.
 */
export function tokensFor(
  { profile, maxTokens }: Pick<Call, "profile" | "maxTokens">,
  asked?: number,
): number {
  return asked ?? maxTokens ?? SNAPSHOT_TOKENS[profile] ?? TOKENS_DEFAULT;
}

/** Returns ` (browser_tabs lists them)`, or nothing if the client has no such tool. */
export function pointer(profile: Profile, tool: string, does: string): string {
  return has(profile, tool) ? ` (${tool} ${does})` : "";
}

/** Says how to work in a tab that the page opened. */
export function tabPointer(profile: Profile): string {
  const words = has(profile, "browser_tabs")
    ? "browser_tabs lists and selects tabs"
    : "any call takes its tab";
  return ` (${words})`;
}

/** Says how to see what a budget left out. */
export function moreWays(profile: Profile): string {
  return profile === "small"
    ? "browser_find finds in all of them, browser_snapshot with a ref shows a part"
    : "browser_find finds in all of them, ref or depth shows a part, maxTokens=0 everything";
}

/** Returns true if a client of the profile is offered the tool. */
export function has(profile: Profile, tool: string): boolean {
  return inProfile(findTool(tool)?.profile ?? "debug", profile);
}
