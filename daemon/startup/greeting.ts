// Writes the text for a person who starts the daemon: its addresses, and the configuration of an MCP client.
import path from "node:path";
import { isBuilt, ownPath, packageRoot } from "../../proto/machine/program.ts";
import { VERSION } from "../../proto/machine/version.ts";
import type { DaemonConfig } from "../config/load.ts";
import { roleWarnings } from "../config/role-warnings.ts";
import type { Daemon } from "../daemon.ts";
import { loginOf } from "../supervisor/role-message.ts";
import type { RoleView } from "../supervisor/supervision.ts";

export interface Greeting {
  config: DaemonConfig;
  daemon: Pick<Daemon, "addresses" | "http" | "portWarnings" | "supervisor">;
  /** The token that the console's address carries, for a person who sees this text alone. */
  token?: string | undefined;
  /** The example's shop and its logins. */
  shop?: { url: string; logins: string };
}

export function greetingText(greeting: Greeting): string {
  const { config, daemon, shop } = greeting;
  const { addresses, http } = daemon;
  const roles = [...daemon.supervisor.roles.values()];
  const width = Math.max(...roles.map(({ name }) => name.length));
  return [
    `Troupe ${VERSION} is ready.`,
    "",
    `  gRPC       ${addresses.join("  ")}`,
    `  HTTP       ${http.length > 0 ? `${http.join("  ")}  (MCP at /mcp, tools at /v1/tools, metrics at /metrics)` : "off"}`,
    ...http.slice(0, 1).map((address) => `  console    ${consoleUrl(address, greeting.token)}`),
    `  state      ${config.state.dir}`,
    `  config     ${config.file ?? withoutFile(config)}`,
    ...(shop ? [`  shop       ${shop.url}  (${shop.logins})`] : []),
    "",
    "  roles",
    ...roles.map((role) => `    ${role.name.padEnd(width)}  ${aboutRole(role)}`),
    "",
    "To use it from an MCP client, paste this into its configuration:",
    "",
    JSON.stringify(clientConfiguration(greeting), undefined, 2),
    "",
    ...[...config.warnings, ...daemon.portWarnings, ...roleWarnings(config.roles, Date.now())].map(
      (warning) => `Warning: ${warning}`,
    ),
    ...(config.example
      ? [
          `Commands find it with --state-dir, such as: troupe status --state-dir ${config.state.dir}`,
          `In another terminal, once for all commands and programs: export TROUPE_STATE_DIR=${config.state.dir}`,
        ]
      : []),
    "Ctrl-C ends it.",
    "",
  ].join("\n");
}

/** A fragment is never sent to the server, and the page takes it out of the address at once. */
function consoleUrl(address: string, token: string | undefined): string {
  return `${address}/console${token === undefined ? "" : `#token=${token}`}`;
}

function withoutFile({ roles }: DaemonConfig): string {
  const isDefault = roles.length === 1 && roles[0]?.name === "default";
  return isDefault ? "none: one role without login" : "none: the roles of the command line";
}

function aboutRole(role: RoleView): string {
  return [role.stand.state, loginOf(role), role.settings.startUrl].filter(Boolean).join(", ");
}

/**
 * Returns the `mcpServers` entry that finds this daemon from any folder. The example's entry has a fixed address: if
 * the shim started another daemon, that one would have none of its roles.
 */
function clientConfiguration({ config, daemon }: Greeting): object {
  const [address = ""] = daemon.addresses;
  const server = {
    command: isBuilt ? process.execPath : path.join(packageRoot, "node_modules/.bin/node"),
    args: [ownPath("client/cli.ts"), "mcp", ...(config.example ? ["--address", address] : [])],
    ...(!config.example && {
      env: {
        ...(config.file && { TROUPE_CONFIG: config.file }),
        TROUPE_STATE_DIR: config.state.dir,
        ...credentialsFor(config, address),
      },
    }),
  };
  return { mcpServers: { troupe: server } };
}

/** A client needs them at a TCP door alone. Only the operator knows the files. */
function credentialsFor({ tokens, oidc, tls }: DaemonConfig, address: string): Record<string, string> {
  if (address.startsWith("unix:")) return {};
  return {
    ...((tokens || oidc) && { TROUPE_TOKEN_FILE: "FILE with the client's token" }),
    ...(tls && { TROUPE_CA: "FILE with the certificate's authority" }),
  };
}
