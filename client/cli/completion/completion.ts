// `troupe completion SHELL` prints the script that completes troupe's commands in a shell.
import { EXIT, usageError } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";

/** `all` returns every command. This one is among them, so they are known only later. */
export function completionOf(all: () => readonly CommandDefinition[]): CommandDefinition {
  return {
    usage: "completion <shell>",
    summary: "print the completion script for bash, zsh or fish: commands, flags, tools and roles",
    ownOptions: [],
    json: false,
    examples: [
      "troupe completion bash >> ~/.bashrc",
      `troupe completion zsh > "\${fpath[1]}/_troupe"`,
      "troupe completion fish > ~/.config/fish/completions/troupe.fish",
    ],
    run: async ({ words: [shell = ""], cwd, env, print }) => {
      if (shell === "roles") {
        // The scripts ask this at each completion of a role.
        const { roleNames } = await import("./role-names.ts");
        print(
          roleNames({ cwd, env })
            .map((name) => `${name}\n`)
            .join(""),
        );
        return EXIT.ok;
      }
      const script = await scriptOf(shell);
      const { vocabulary } = await import("./vocabulary.ts");
      print(script(vocabulary(all())));
      return EXIT.ok;
    },
  };
}

async function scriptOf(shell: string) {
  switch (shell) {
    case "bash":
      return (await import("./bash.ts")).bashScript;
    case "zsh":
      return (await import("./zsh.ts")).zshScript;
    case "fish":
      return (await import("./fish.ts")).fishScript;
    default:
      throw usageError(`there is no completion for ${JSON.stringify(shell)}; there are bash, zsh and fish`);
  }
}
