// Writes the completion script for fish.
import type { CompletedCommand, Flag, Values } from "./vocabulary.ts";

export function fishScript(commands: readonly CompletedCommand[]): string {
  const names = ["help", ...commands.map(({ name }) => name)].join(" ");
  return `# Completion of troupe for fish. To use it: troupe completion fish | source
complete -c troupe -f
complete -c troupe -n "not __fish_seen_subcommand_from ${names}" -a help -d 'show the help of a command'
${commands.flatMap((command) => linesOf(command, names)).join("\n")}
`;
}

function linesOf({ name, summary, flags, arguments: all }: CompletedCommand, names: string): string[] {
  const here = `-n "__fish_seen_subcommand_from ${name}"`;
  return [
    `complete -c troupe -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${quoted(summary)}`,
    ...flags.map((flag) => `complete -c troupe ${here} ${flagOf(flag)}`),
    ...all.flatMap((values) => {
      const offered = offer(values);
      return offered ? [`complete -c troupe ${here} ${offered}`] : [];
    }),
  ];
}

function flagOf({ name, description, values }: Flag): string {
  const long = `-l ${name.replace(/^--/, "")} -d ${quoted(description)}`;
  if (values === undefined) return long;
  // -r offers files beside the values, -x does not.
  return `${long} ${values === "files" ? "-r" : "-x"} ${offer(values)}`.trimEnd();
}

function offer(values: Values): string {
  if (values === "any") return "";
  if (values === "files") return "-F";
  if (values === "folders") return '-a "(__fish_complete_directories)"';
  return values === "roles" ? '-a "(troupe completion roles 2>/dev/null)"' : `-a "${values.join(" ")}"`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
