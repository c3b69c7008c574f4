// Writes TOOLS.md from the catalogue of tools.

import { type Argument, PROFILES, rpcs, type Tool, tools, toolsOf } from "../../../proto/tools/read-tools.ts";
import { mcpTools, toolList } from "../../../proto/tools/tool-list.ts";
import { code, document, table } from "./markdown.ts";

export function toolsDocument(): string {
  return document([
    "# Tools",
    "Each tool is an rpc of `troupe.v1.Browser`, and has the same name, arguments and texts at every door. Every tool takes a `role` besides its own arguments: the role for this call alone. `element`, a description in words, is accepted beside `ref` and not used; `target`, `uid` and `selector` are taken for `ref`.",
    profiles(),
    table(
      ["tool", "profile", "what it does"],
      tools().map(({ name, profile, description }) => [`[${code(name)}](#${name})`, profile, description]),
    ),
    ...tools().flatMap(section),
    "## For programs",
    ...rpcs()
      .filter(({ offered }) => !offered)
      .map((rpc) => `\`${rpc.rpc}\` (gRPC): ${rpc.description}`),
  ]);
}

function profiles(): string {
  const rows = PROFILES.filter(
    (profile) => profile === "small" || toolsOf(profile).some((tool) => tool.profile === profile),
  ).map((profile) => {
    const list = mcpTools(profile);
    const bytes = Buffer.byteLength(JSON.stringify({ tools: list }));
    return [code(profile), String(list.length), bytes.toLocaleString("en-US")];
  });
  return `A profile holds the tools of those before it.\n\n${table(["profile", "tools", "bytes of tools/list"], rows)}`;
}

function section(tool: Tool): string[] {
  const flags = [
    `profile ${code(tool.profile)}`,
    `rpc ${code(tool.rpc)}`,
    tool.readOnly && "only reads",
    tool.destructive && "may do what cannot be undone",
    tool.answeredByDaemon && "answered by the daemon",
    tool.control && "waits for no turn",
    tool.query && "expected problems are part of its result",
    tool.aliases.length > 0 && `also understood: ${tool.aliases.map(code).join(", ")}`,
  ];
  return [
    `## ${tool.name}`,
    tool.description,
    flags.filter(Boolean).join(" · "),
    tool.arguments.length > 0 ? argumentTable(tool) : "It takes no arguments.",
  ];
}

function argumentTable(tool: Tool): string {
  const small = new Set(
    Object.keys(toolList("small").find(({ name }) => name === tool.name)?.inputSchema.properties ?? {}),
  );
  const rows = tool.arguments.map((argument) => [
    code(argument.name),
    kindOf(argument),
    [
      argument.required ? "required" : "",
      tool.profile === "small" && !small.has(argument.name) ? "not listed in small" : "",
    ]
      .filter(Boolean)
      .join(", "),
    argument.description,
  ]);
  return table(["argument", "type", "", "what it is"], rows);
}

function kindOf({ type, allowed, repeated, minimum, maximum }: Argument): string {
  const one = allowed ? allowed.map(code).join(", ") : type;
  const bounds = [minimum !== undefined && `from ${minimum}`, maximum !== undefined && `to ${maximum}`];
  return [repeated ? `list of ${one}` : one, ...bounds].filter(Boolean).join(" ");
}
