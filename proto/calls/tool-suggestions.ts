// Suggests calls for a tool that does not exist or that the profile lacks. It compares spelling and other servers'
// names.

import { nearest } from "../text/nearest.ts";
import { findTool, inProfile, type Profile, tools, toolsOf } from "../tools/read-tools.ts";
import type { JsonObject } from "../wire/struct.ts";
import { understood } from "./arguments.ts";
import { FOREIGN, type Instead } from "./foreign-tools.ts";
import { NO_TABS, SUBSTITUTES, say } from "./substitutes.ts";

/**
 * Returns the calls that do the same in this profile, or words. It returns neither if the meaning is unclear. `meant`:
 * the tool.
 */
export function insteadOfTool(
  name: string,
  args: JsonObject,
  profile: Profile,
): Instead & { meant?: string } {
  const { calls, words } = meantBy(name, args, profile);
  const parts = calls.map((call) => inThisProfile(call, profile));
  const said = [words && wordsFor(words, profile), ...parts.map((part) => part.words)].filter(Boolean);
  const meant = calls
    .map(({ tool }) => tool)
    .find((tool) => inProfile(findTool(tool)?.profile ?? "debug", profile));
  return {
    calls: parts.flatMap((part) => part.calls),
    ...(said.length > 0 && { words: [...new Set(said)].join(". ") }),
    ...(meant && { meant }),
  };
}

function meantBy(name: string, args: JsonObject, profile: Profile): Instead {
  const plain = plainToolName(name);
  const own = findTool(name) ?? findTool(plain);
  const foreign = own ? undefined : FOREIGN.get(plain);
  if (foreign) return foreign(args);
  const alike = own ?? findTool(`browser_${plain}`) ?? ofRpc(plain);
  if (alike) return { calls: [{ tool: alike.name, arguments: args }] };
  // Names are compared without the prefix that ours share: with it, any short word would be near to one of them.
  const known = new Map(toolsOf(profile).map((tool) => [ownWord(tool.name), tool.name]));
  const meant = known.get(nearest(ownWord(plain), [...known.keys()]) ?? "");
  return { calls: meant ? [{ tool: meant, arguments: args }] : [] };
}

function ownWord(name: string): string {
  return name.replace(/^browser_/, "");
}

/** Removes the prefixes that clients add and uses snake_case: mcp__troupe__browserClick is browser_click. */
function plainToolName(name: string): string {
  return name
    .slice(0, 128)
    .trim()
    .replace(/^(?:mcp__\w+?__|(?:functions|tools|troupe|playwright|chrome-?devtools)[._:/-]+)+/i, "")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/[\s.\-/]+/g, "_")
    .toLowerCase();
}

function ofRpc(plain: string) {
  const rpc = plain.replaceAll("_", "");
  return tools().find((tool) => tool.rpc.toLowerCase() === rpc);
}

/** Returns the call with its tool's arguments. If the profile lacks the tool, it returns the nearest substitute. */
function inThisProfile({ tool: name, arguments: args }: Instead["calls"][number], profile: Profile): Instead {
  const tool = findTool(name);
  if (!tool) return { calls: [] };
  const { role } = args;
  const { args: own, missing } = understood(tool, args);
  if (!inProfile(tool.profile, profile)) {
    const substitute = SUBSTITUTES.get(tool.name)?.(own, args);
    return substitute ? insteadIn(substitute, role, profile) : { calls: [] };
  }
  if (missing.includes("ref")) {
    const words = `Call ${tool.name} with the ref of the element that is meant`;
    return { calls: [{ tool: "browser_snapshot", arguments: {} }], words };
  }
  if (missing.length > 0) return say(`Call ${tool.name} with ${missing.join(" and ")} instead`);
  const withRole = typeof role === "string" && !("role" in own) ? { ...own, role } : own;
  return { calls: [{ tool: tool.name, arguments: withRole }] };
}

function insteadIn(
  { calls, words }: Instead,
  role: JsonObject[string] | undefined,
  profile: Profile,
): Instead {
  const parts = calls.map((call) =>
    inThisProfile(
      { ...call, arguments: { ...call.arguments, ...(role !== undefined && { role }) } },
      profile,
    ),
  );
  return { calls: parts.flatMap((part) => part.calls), ...(words && { words }) };
}

/** Words about a tool that the profile lacks would mislead. */
function wordsFor(words: string, profile: Profile): string {
  return profile === "small" && words.includes("browser_tabs") ? NO_TABS : words;
}
