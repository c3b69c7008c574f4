// Loads the effective configuration: command line before environment before file before defaults, with absolute paths.
import { existsSync } from "node:fs";
import path from "node:path";
import { type Address, hostPort, parseAddress } from "../../proto/machine/address.ts";
import { findConfigFile, type StateFiles, stateFiles } from "../../proto/machine/locations.ts";
import { openDoors } from "../admission/listener-checks.ts";
import { readTls, type TlsMaterial } from "../admission/tls.ts";
import type { Configuration } from "../config-schema/definition.ts";
import type { RoleDefinition } from "../config-schema/role-definition.ts";
import type { Path } from "../config-schema/schema-walk.ts";
import { readStateKey } from "../core/key-ring.ts";
import { CONFIGURATION_KIB_MAX, readSmallFile } from "../core/small-file.ts";
import { StartupError } from "../core/startup-error.ts";
import type { CredentialSettings } from "../credentials/read-source.ts";
import { attachedWarnings } from "./attached-roles.ts";
import type { Flags } from "./command-line.ts";
import { credentialsOf } from "./credential-settings.ts";
import { checkConfiguration, type ReadConfiguration, readConfiguration, spelled } from "./read.ts";
import type { Problem } from "./yaml-text.ts";

/** A role, with the values that `browser` gives all roles. */
export interface RoleSettings extends Omit<RoleDefinition, "auth" | "browser" | "credentials"> {
  name: string;
  /** The absolute path of the login file, and the path as it was written. */
  auth?: { file: string; shown: string };
  /** The secrets that can be typed by name. */
  credentials?: Readonly<Record<string, CredentialSettings>>;
  /** `executableShown` is the path as the configuration writes it. */
  browser: Configuration["browser"] & { executableShown?: string };
}

/** How the daemons of one store reach each other. */
export interface PeerSettings {
  listen: Address;
  /** HOST:PORT for the others; a port of 0 stands for the port that the door gets. */
  address: string;
  /** The authority of the others is `clientCa`. */
  tls: TlsMaterial;
}

export interface DaemonConfig
  extends Omit<Configuration, "roles" | "listen" | "http" | "tls" | "stateKeys" | "peers"> {
  /** The configuration file; undefined without one. */
  file?: string;
  /** True if no file was found and the example's file took its place. */
  example: boolean;
  state: StateFiles;
  /** The absolute paths, and the paths as they were written; undefined for the state folder's own key. */
  stateKeys: { file: string; shown: string }[] | undefined;
  listen: Address[];
  http: HttpAddress[];
  /** The content of the files at the time of the load. */
  tls?: TlsMaterial;
  peers?: PeerSettings;
  /** The roles in the configuration's order. A new session starts in the first one. */
  roles: RoleSettings[];
  warnings: string[];
  idleExitMs?: number;
}

export interface HttpAddress {
  host: string;
  port: number;
  /** No configuration names this address, so any free port does if it is taken. */
  preferred?: boolean;
}

/** The inputs of the search for the configuration. */
export interface LoadFrom {
  flags: Flags;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The file to use if no configuration is found. */
  fallbackFile?: string;
}

const HTTP_PORT = 7421;
/** The most problems that one error lists. One mistake can make a problem of each line after it. */
const PROBLEMS_SAID = 50;

/** Loads and checks the configuration. Throws a StartupError that names every problem. */
export function loadConfig({ flags, env, cwd, fallbackFile }: LoadFrom): DaemonConfig {
  const surroundings = { cwd, env, config: flags.config, stateDir: flags.stateDir };
  const found = findConfigFile(surroundings);
  const file = found ?? fallbackFile;
  const read = withFlags(file ? readFile(file, cwd) : undefined, flags, env, cwd);
  const { configuration } = read;
  const state = stateFiles(surroundings, file);
  const base = file ? path.dirname(file) : cwd;
  const warnings = attachedWarnings(configuration, read.given.roles);
  const given = { ...read, shown: file ? path.relative(cwd, file) || file : "" };
  const listen = configuration.listen.map((text, index) =>
    listenAddress(text, index, given, { state, base }),
  );
  const http = httpAddresses(given);
  checkListeners(given, listen, http);
  const { tls, peers, ...others } = configuration;
  return {
    ...others,
    ...(peers && { peers: peerSettings(peers, env, given, base) }),
    ...(tls && { tls: materialOf(tls, base, given) }),
    ...(file && { file }),
    example: found === undefined && file !== undefined,
    state,
    stateKeys: keyFiles(given, base),
    listen,
    http,
    roles: Object.entries(configuration.roles).map(([name, role]) =>
      settingsOf(name, role, configuration.browser, {
        base,
        authBase: role.auth === flagged(flags, name) ? cwd : base,
      }),
    ),
    warnings,
    ...(flags.idleExitMs !== undefined && { idleExitMs: flags.idleExitMs }),
  };
}

function readFile(file: string, cwd: string): ReadConfiguration {
  const shown = path.relative(cwd, file) || file;
  const found = readSmallFile(file, CONFIGURATION_KIB_MAX);
  if ("why" in found)
    throw new StartupError(
      "configuration",
      `Cannot read the configuration ${shown}: it ${found.why}\nName another with --config or TROUPE_CONFIG`,
    );
  const read = readConfiguration(found.bytes.toString());
  if ("problems" in read) throw startupErrorOf(shown, read.problems);
  return read;
}

function startupErrorOf(shown: string, problems: Problem[]): StartupError {
  const lines = problems.slice(0, PROBLEMS_SAID).map(({ line, text }) => {
    const where = line > 0 ? `${shown}:${line}` : shown;
    return onOneLine(where ? `${where}: ${text}` : text);
  });
  if (problems.length > PROBLEMS_SAID) lines.push(`and ${problems.length - PROBLEMS_SAID} problems more`);
  return new StartupError("configuration", lines.join("\n"));
}

/** Keys and paths may hold line breaks or control codes of a terminal. */
function onOneLine(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Lays the values of flags and environment over the file's. */
function withFlags(
  read: ReadConfiguration | undefined,
  flags: Flags,
  env: LoadFrom["env"],
  cwd: string,
): ReadConfiguration {
  const given = read?.given ?? {};
  const listen =
    flags.listen.length > 0 ? flags.listen : env.TROUPE_ADDRESS ? [env.TROUPE_ADDRESS] : undefined;
  const http = flags.http ?? env.TROUPE_HTTP;
  const over = {
    ...given,
    ...(listen && { listen: listen.map((address) => absoluteSocket(address, cwd)) }),
    ...(http && { http }),
    ...(env.TROUPE_STORE && { store: env.TROUPE_STORE }),
    ...(env.TROUPE_LOG_LEVEL && { log: { level: env.TROUPE_LOG_LEVEL } }),
    ...(flags.roles.length > 0 && { roles: { ...flagRoles(flags), ...othersThan(flags, given.roles) } }),
  };
  const checked = checkConfiguration(over);
  if ("problems" in checked) throw startupErrorOf("command line or environment", checked.problems);
  const elsewhere = { listen: listen !== undefined, http: Boolean(http) };
  const lineOf = (path: Path) =>
    elsewhere[String(path[0]) as keyof typeof elsewhere] ? 0 : (read?.lineOf(path) ?? 0);
  return { ...checked, lineOf };
}

function flagRoles(flags: Flags): Record<string, object> {
  return Object.fromEntries(
    flags.roles.map(({ name, auth, url }) => [
      name,
      { ...(auth && { auth }), ...(url && { startUrl: url }) },
    ]),
  );
}

function othersThan(flags: Flags, roles: unknown): object {
  const named = new Set(flags.roles.map(({ name }) => name));
  return Object.fromEntries(Object.entries((roles ?? {}) as object).filter(([name]) => !named.has(name)));
}

function flagged(flags: Flags, name: string): string | undefined {
  return flags.roles.find((role) => role.name === name)?.auth;
}

/** A socket path on the command line is relative to the working folder. One in the file is relative to the file. */
function absoluteSocket(address: string, cwd: string): string {
  return address.startsWith("unix:") && address !== "unix:default" && address !== "unix:"
    ? `unix:${path.resolve(cwd, address.slice(5))}`
    : address;
}

/** A configuration that was read, with its file's name for messages. */
type Shown = ReadConfiguration & { shown: string };

function listenAddress(
  text: string,
  index: number,
  read: Shown,
  { state, base }: { state: StateFiles; base: string },
): Address {
  if (text === "unix:default") return { kind: "unix", path: state.socket };
  const address = parseAddress(text);
  if (!address) {
    const allowed = "unix:default, unix:PATH or HOST:PORT with a port up to 65535";
    throw errorAt(read, {
      path: ["listen", index],
      text: `is ${text}, which is no address; allowed: ${allowed}`,
    });
  }
  return address.kind === "unix" ? { kind: "unix", path: path.resolve(base, address.path) } : address;
}

function httpAddresses(read: Shown): HttpAddress[] {
  const { http } = read.configuration;
  if (http === undefined) return [{ host: "127.0.0.1", port: HTTP_PORT, preferred: true }];
  const texts = http === "off" ? [] : [http].flat();
  return texts.map((text, index) => {
    const address = parseAddress(text);
    if (address?.kind === "tcp") return { host: address.host, port: address.port };
    const allowed = "HOST:PORT with a port up to 65535, a list of them, or off";
    throw errorAt(read, {
      path: httpPath(read, index),
      text: `is ${text}, which is no address; allowed: ${allowed}`,
    });
  });
}

function httpPath({ given }: Shown, index: number): Path {
  return Array.isArray(given.http) ? ["http", index] : ["http"];
}

function checkListeners(read: Shown, listen: Address[], http: HttpAddress[]): void {
  const open = openDoors(read.configuration, [
    ...listen.map((address, index) => ({ path: ["listen", index], address })),
    ...http.map((each, index) => ({
      path: httpPath(read, index),
      address: { kind: "tcp", ...each } as const,
    })),
  ]);
  if (open.length > 0)
    throw startupErrorOf(
      read.shown,
      open.map((each) => atLine(read, each)),
    );
}

function materialOf(tls: NonNullable<Configuration["tls"]>, base: string, read: Shown): TlsMaterial {
  const found = readTls(tls, base);
  if ("material" in found) return found.material;
  throw errorAt(read, { path: ["tls", found.key], text: found.text });
}

function peerSettings(
  { listen, address, tls: { cert, key, ca } }: NonNullable<Configuration["peers"]>,
  env: LoadFrom["env"],
  read: Shown,
  base: string,
): PeerSettings {
  const parsed = parseAddress(listen);
  if (parsed?.kind !== "tcp")
    throw errorAt(read, { path: ["peers", "listen"], text: `is ${listen}, which is no HOST:PORT` });
  const found = readTls({ cert, key, clientCa: ca }, base);
  if (!("material" in found)) {
    const key = found.key === "clientCa" ? "ca" : found.key;
    throw errorAt(read, { path: ["peers", "tls", key], text: found.text });
  }
  const given = env.TROUPE_PEER_ADDRESS ?? address ?? listen;
  // An address of a machine alone, such as a pod's, goes with the door's own port.
  const whole = /:\d+$/.test(given) && !/^[0-9a-f:]+$/i.test(given) ? given : hostPort(given, parsed.port);
  return { listen: parsed, address: whole, tls: found.material };
}

function keyFiles(read: Shown, base: string): DaemonConfig["stateKeys"] {
  return read.configuration.stateKeys?.map((shown, index) => {
    const file = path.resolve(base, shown);
    const found = readStateKey(file);
    if ("bytes" in found) return { file, shown };
    throw errorAt(read, { path: ["stateKeys", index], text: `is ${shown}, which ${found.why}` });
  });
}

function errorAt(read: Shown, wrong: { path: Path; text: string }): StartupError {
  return startupErrorOf(read.shown, [atLine(read, wrong)]);
}

function atLine({ lineOf }: ReadConfiguration, { path, text }: { path: Path; text: string }): Problem {
  return { line: lineOf(path), text: `${spelled(path)} ${text}` };
}

function settingsOf(
  name: string,
  role: RoleDefinition,
  browser: Configuration["browser"],
  { base, authBase }: { base: string; authBase: string },
): RoleSettings {
  const { auth, browser: own, credentials, ...rest } = role;
  const merged = { ...browser, ...own };
  const { executable } = merged;
  return {
    ...rest,
    name,
    ...(auth && { auth: { file: path.resolve(authBase, auth), shown: auth } }),
    ...(credentials && { credentials: credentialsOf(role, base) }),
    browser: {
      ...merged,
      ...(executable && { executable: executablePath(executable, base), executableShown: executable }),
    },
  };
}

/** `embedded` is no path: it stands for the browser inside a package. */
function executablePath(executable: string, base: string): string {
  if (executable === "embedded" && !existsSync(path.resolve(base, executable))) return executable;
  return path.resolve(base, executable);
}
