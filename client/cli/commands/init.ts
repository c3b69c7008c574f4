// `troupe init` prepares the current folder: troupe.yaml, .gitignore, and the configuration of MCP clients.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { findConfigFile } from "../../../proto/machine/locations.ts";
import { nearest } from "../../../proto/text/nearest.ts";
import { EXIT, type ExitCode, usageError } from "../../connection/exit-code.ts";
import { CLIENTS, type ClientFile, type ClientName, clientFile } from "../init/clients.ts";
import { mergedIgnore, mergedJson, mergedToml } from "../init/merge.ts";
import { ownCommand, ownInstallation } from "../init/own-command.ts";
import { STARTER_CONFIG } from "../init/starter-config.ts";
import { type Outcome, writeMerged } from "../init/write.ts";
import type { CommandDefinition, Invocation } from "../terminal/command.ts";

export const init: CommandDefinition = {
  usage: "init",
  summary:
    "write a troupe.yaml here, keep logins out of git, and configure MCP clients; changes nothing that is there",
  options: [["--client <names>", `${CLIENTS.join(", ")}; several with commas`]],
  json: true,
  examples: [
    "troupe init",
    "troupe init --client claude",
    "troupe init --client cursor,vscode",
    "troupe init --client codex --json",
  ],
  run: initialize,
};

async function initialize(invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, flags, print } = invocation;
  const clients = clientsOf(flags.client);
  const above = existsSync(path.join(cwd, "troupe.yaml")) ? undefined : findConfigFile({ cwd, env: {} });
  const project = { dir: cwd, home: env.HOME || homedir(), command: ownCommand(cwd, ownInstallation(env)) };
  const outcomes: (Outcome & { note?: string })[] = [
    writeMerged(path.join(cwd, "troupe.yaml"), cwd, (text) =>
      text === undefined ? { text: STARTER_CONFIG } : { kept: "it is there already" },
    ),
    writeMerged(path.join(cwd, ".gitignore"), cwd, mergedIgnore),
    ...clients.map((name) => configured(clientFile(name, project), cwd)),
  ];
  const ok = outcomes.every(({ outcome }) => outcome !== "problem");
  if (flags.json) print(`${JSON.stringify({ ok, files: outcomes }, undefined, 2)}\n`);
  else print(`${outcomesText(outcomes, cwd, above, clients)}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

/** Reads `--client claude,cursor`. Throws a usage error. */
function clientsOf(given: unknown): ClientName[] {
  const names =
    given === undefined
      ? []
      : String(given)
          .split(",")
          .map((name) => name.trim());
  for (const name of names) {
    if ((CLIENTS as readonly string[]).includes(name)) continue;
    const meant = nearest(name, CLIENTS);
    throw usageError(
      `there is no client ${JSON.stringify(name)}; ${meant ? `did you mean ${meant}? ` : ""}there are ${CLIENTS.join(", ")}`,
    );
  }
  return [...new Set(names)] as ClientName[];
}

function configured({ file, form, key, server, note }: ClientFile, cwd: string): Outcome & { note?: string } {
  const merge = form === "json" ? mergedJson : mergedToml;
  const outcome = writeMerged(file, cwd, (text) => merge(text, key, server));
  return note !== undefined && outcome.outcome !== "problem" ? { ...outcome, note } : outcome;
}

function outcomesText(
  outcomes: readonly (Outcome & { note?: string })[],
  cwd: string,
  above: string | undefined,
  clients: readonly ClientName[],
): string {
  const shown = (file: string) => {
    const relative = path.relative(cwd, file);
    return relative.startsWith("..") ? file : relative;
  };
  const width = Math.max(...outcomes.map(({ file }) => shown(file).length));
  const lines = outcomes.flatMap(({ file, outcome, why, note, paste }) => [
    `${outcome === "problem" ? "PROBLEM" : outcome.padEnd(7)}  ${shown(file).padEnd(width)}${why ? `  ${why}` : ""}${note ? `  ${note}` : ""}`.trimEnd(),
    ...(paste ? ["", "Nothing was changed there. Put this in by hand:", "", paste] : []),
  ]);
  const next =
    clients.length > 0
      ? "Next: start the client in this folder; it starts Troupe by itself."
      : `Next: troupe init --client ${CLIENTS.join("|")}, or: troupe daemon`;
  return [
    ...lines,
    ...(above ? [`From here on, ${above} no longer holds in this folder.`] : []),
    "",
    next,
    "Roles and logins: edit troupe.yaml, then run: troupe login ROLE",
  ].join("\n");
}
