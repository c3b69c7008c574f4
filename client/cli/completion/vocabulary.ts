// The words that can be completed: the commands with their flags, and the values that each flag or argument takes.
import { PROFILES, toolsOf } from "../../../proto/tools/read-tools.ts";
import { CLIENTS } from "../init/clients.ts";
import { type CommandDefinition, nameAndWords } from "../terminal/command.ts";
import { optionsOf } from "../terminal/common-options.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** The values of a flag or argument: a list, files, folders, the configuration's roles, or any text. */
export type Values = readonly string[] | "files" | "folders" | "roles" | "any";

export interface Flag {
  name: string;
  description: string;
  /** Undefined for a flag without a value. */
  values: Values | undefined;
}

export interface CompletedCommand {
  name: string;
  summary: string;
  flags: Flag[];
  arguments: Values[];
}

/** Returns what the shells complete. The names in `<name>` and `[name]` decide the values. */
export function vocabulary(commands: readonly CommandDefinition[]): CompletedCommand[] {
  return commands.map((command) => {
    const [name, ...words] = nameAndWords(command);
    const flags = optionsOf(command).map(([form, description]) => {
      const [flag = "", value] = form.split(" ");
      return { name: flag, description, values: value === undefined ? undefined : valuesOf(flag, value) };
    });
    const help = { name: "--help", description: "show the help", values: undefined };
    return {
      name,
      summary: command.summary,
      flags: [...flags, help],
      arguments: words.map((word) => valuesOf("", word)),
    };
  });
}

function valuesOf(flag: string, word: string): Values {
  if (flag === "--role") return "roles";
  return VALUES[word.replaceAll(/[<>[\]]/g, "")] ?? "any";
}

const VALUES: Readonly<Record<string, Values>> = {
  role: "roles",
  tool: toolsOf("debug").map(({ name }) => name),
  profile: PROFILES,
  names: CLIENTS,
  shell: SHELLS,
  file: "files",
  "auth-file": "files",
  dir: "folders",
};
