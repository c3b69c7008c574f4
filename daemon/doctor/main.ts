// The part of `troupe doctor` with the configuration and the state folder. It prints its findings as JSON.
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Finding } from "../../proto/machine/finding.ts";
import { stateFiles } from "../../proto/machine/locations.ts";
import type { DaemonConfig } from "../config/load.ts";
import { browserFindings } from "./browsers.ts";
import { clockFinding } from "./clock.ts";
import { configurationFinding } from "./configuration.ts";
import { credentialFindings } from "./credentials.ts";
import { issuerFindings } from "./issuer.ts";
import { loadFrom } from "./load-from.ts";
import { loginFinding } from "./logins.ts";
import { peerFindings } from "./peers.ts";
import { type Door, isOwn, portFinding } from "./ports.ts";
import { diskFinding, permissionsFinding, socketFinding } from "./state-folder.ts";
import { storeFindings } from "./store.ts";

const { values } = parseArgs({ options: { config: { type: "string" }, "state-dir": { type: "string" } } });
process.stdout.write(`${JSON.stringify(await findings(values.config, values["state-dir"]))}\n`);

async function findings(named: string | undefined, stateDir: string | undefined): Promise<Finding[]> {
  const cwd = process.cwd();
  const nowMs = Date.now();
  // A client's TROUPE_ADDRESS is the address of a running daemon, not an address to listen at.
  const { TROUPE_ADDRESS: _address, ...env } = process.env;
  const given = {
    ...(named !== undefined && { config: named }),
    ...(stateDir !== undefined && { stateDir }),
  };
  const { config, finding } = configurationFinding(loadFrom(given, { env, cwd }));
  const files = config?.state ?? stateFiles({ cwd, env, ...given });
  const { dir, note, journal } = files;
  const clock = clockFinding(nowMs, [fileURLToPath(import.meta.url), note, journal].flatMap(writtenMs));
  const folder = [socketFinding(dir), permissionsFinding(dir), diskFinding(dir)];
  if (!config) return [finding, ...folder, clock];
  return [
    finding,
    ...(await browserFindings(config.roles)),
    ...folder,
    ...(await Promise.all(doorsOf(config).map((door) => portFinding(door, isOwn(door, files))))),
    clock,
    ...(await issuerFindings(config.oidc)),
    ...(await storeFindings(config.store)),
    ...(await peerFindings(config.peers, nowMs)),
    ...config.roles.map((role) => loginFinding(role, nowMs)),
    ...config.roles.flatMap((role) => credentialFindings(role, { env, nowMs })),
  ];
}

function doorsOf({ listen, http, peers }: DaemonConfig): Door[] {
  const tcp = (key: Door["key"], addresses: DaemonConfig["listen"]): Door[] =>
    addresses.flatMap((each) => (each.kind === "tcp" ? [{ ...each, key }] : []));
  return [
    ...tcp("listen", listen),
    ...http.map((each) => ({ ...each, key: "http" as const })),
    ...tcp("peers.listen", peers ? [peers.listen] : []),
  ];
}

function writtenMs(file: string): number[] {
  return existsSync(file) ? [statSync(file).mtimeMs] : [];
}
