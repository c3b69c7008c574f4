// `troupe login ROLE` saves a role's login to its auth file. A person or a script of steps logs in.
import { ownPath } from "../../../proto/machine/program.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { replaceProcess } from "../terminal/exec.ts";

const PROGRAM = ownPath("daemon/startup/login.ts");

export const login: CommandDefinition = {
  usage: "login <role> [auth-file] [url]",
  summary: "log in by hand in a visible browser, or by a script, and save the role's login to its auth file",
  options: [
    ["--script <file>", "steps in YAML or JSON instead of a person: navigate, type, click, select, wait_for"],
  ],
  json: false,
  examples: [
    "troupe login customer",
    "troupe login customer --script login.yaml",
    "troupe login customer auth/customer.json https://shop.example/login    a role that no configuration has",
    "",
    "A script ends with what only who is logged in sees. What is typed is in text, in the variable that",
    "env names, or in the file that file names (passwords never in text):",
    "  - navigate: https://shop.example/login",
    "  - type: { role: textbox, name: User name, text: carla }",
    "  - type: { role: textbox, name: Password, env: SHOP_PASSWORD }",
    "  - click: { role: button, name: Log in }",
    "  - wait_for: { role: heading, name: My account }",
  ],
  // The daemon's login program takes over, because it knows the configuration.
  run: ({ words, flags, env }) => {
    const given = [flags.config, flags.script].flatMap((value, index) =>
      typeof value === "string" ? [index === 0 ? "--config" : "--script", value] : [],
    );
    return replaceProcess(PROGRAM, [...given, "--", ...words], env);
  },
};
