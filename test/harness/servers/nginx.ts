// A real nginx with the configuration that Troupe ships, at a port of its own on loopback.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";
import { allStats, descendants } from "../proc.ts";
import { tempDir } from "../temp-dir.ts";
import { until } from "../within.ts";
import { asServant, servant } from "./servant.ts";

/** The configuration that Troupe ships. */
export const SHIPPED = fileURLToPath(new URL("../../../deploy/proxy/nginx.conf", import.meta.url));
const LOG_CHARS_MAX = 20_000;

/** The addresses of the daemons' doors. */
export interface Daemons {
  grpc: readonly string[];
  http: readonly string[];
}

export interface NginxOptions extends Daemons {
  /** The folder with `server.*` and `ca.crt`, which both sides use. Without it, all is plain text. */
  certificates?: { file(name: string): string };
}

/** Its disposal ends nginx and its connections. */
export interface Nginx extends AsyncDisposable {
  /** HOST:PORT for gRPC; with certificates also for HTTP. */
  grpc: string;
  /** HOST:PORT for HTTP. */
  http: string;
  /** Passes calls to these daemons from now on. Calls under way go on. */
  reload(daemons: Daemons): Promise<void>;
  /** Returns its output so far. */
  said(): string;
}

/** The reason to skip a test that needs nginx. In CI nothing is left out. */
export const skipWithoutNginx: string | false =
  process.env.CI || program() ? false : "nginx is not installed; on Debian: apt-get install nginx";

export async function startNginx({ certificates, ...first }: NginxOptions): Promise<Nginx> {
  const nginx = program();
  if (!nginx) throw new Error("there is no nginx; on Debian: apt-get install nginx");
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(tempDir());
  const ports = certificates ? [await freePort()] : [await freePort(), await freePort()];
  const file = path.join(dir, "nginx.conf");
  const configure = (daemons: Daemons) =>
    writeFileSync(
      file,
      configured(readFileSync(SHIPPED, "utf8"), daemons, ports, certificates !== undefined),
    );
  configure(first);
  if (certificates) {
    const [from, to] = [
      ["server.crt", "server.key", "ca.crt"],
      ["entry.crt", "entry.key", "ca.crt"],
    ];
    for (const [at, name] of from.entries())
      copyFileSync(certificates.file(name), path.join(dir, to[at] ?? name));
  }
  mkdirSync(path.join(dir, "tmp"));
  const user = servant("www-data");
  if (user)
    for (const name of ["", "tmp", ...(certificates ? ["entry.key"] : [])])
      chownSync(path.join(dir, name), user.uid, user.gid);
  const [command = "", ...args] = asServant(user, [
    nginx,
    ...["-p", dir, "-c", file, "-e", "stderr", "-g", "daemon off;"],
  ]);
  const child = spawn(command, args, { cwd: dir, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "close");
  open.defer(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const output = heard(child);
  const workers = () => descendants([child.pid ?? 0], allStats()).filter(({ pid }) => pid !== child.pid);
  await until(() => {
    if (child.exitCode !== null) throw new Error(`nginx has ended:\n${output.text}`);
    return output.text.includes("start worker process ");
  }, "nginx has a worker");
  const parts = open.move();
  return {
    grpc: `127.0.0.1:${ports[0]}`,
    http: `127.0.0.1:${ports.at(-1)}`,
    said: () => output.text,
    async reload(daemons) {
      const before = new Set(workers().map(({ pid }) => pid));
      configure(daemons);
      child.kill("SIGHUP");
      await until(() => workers().some(({ pid }) => !before.has(pid)), "nginx has new workers");
      // The old ones take connections until they begin to end.
      await until(() => [...before].every(isEnding), "nginx's old workers take no more connections");
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** nginx says so in the name of the process. */
function isEnding(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("shutting down");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
}

/** Debian's is outside the PATH of some users. */
function program(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin"];
  return folders.map((folder) => path.join(folder, "nginx")).find((file) => existsSync(file));
}

/** Fills in the shipped configuration what differs from place to place. */
function configured(
  shipped: string,
  { grpc, http }: Daemons,
  ports: readonly number[],
  tls: boolean,
): string {
  let text = replaced(shipped, /^http \{\n/, `http {\n${temporaryPaths("tmp")}`);
  text = replaced(text, /worker_processes auto/, "worker_processes 1");
  text = replaced(text, /^pid [^;]+/, "pid nginx.pid");
  text = replaced(text, /^error_log [^;]+/, "error_log stderr notice");
  text = replaced(text, /access_log [^ ]+ /, "access_log access.log ");
  text = withServers(text, 7420, grpc);
  text = withServers(text, 7421, http);
  const listen = ports.map((port) => `listen 127.0.0.1:${port}`);
  if (tls) {
    text = replaced(text, /_ssl_name troupe;/, "_ssl_name 127.0.0.1;");
    return replaced(text, /listen 443 ssl http2;/, `${listen[0]} ssl http2;`);
  }
  text = replaced(text, /listen 443 ssl http2;/, `${listen[0]} http2; ${listen[1]};`);
  text = replaced(text, /^ +(?:ssl|grpc_ssl|proxy_ssl)_.*\n/, "");
  return replaced(text, /(grpc|http)s:\/\//, "$1://");
}

/** Returns settings that leave the machine's own folders alone. */
export function temporaryPaths(folder: string): string {
  return ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${folder}/${name};\n`)
    .join("");
}

function withServers(text: string, port: number, addresses: readonly string[]): string {
  const lines = addresses.map((address) => `    server ${address} max_fails=1 fail_timeout=2s;\n`);
  return replaced(
    text,
    new RegExp(`(?: +server [^\\n]+:${port} max_fails=1 fail_timeout=2s;\\n)+`),
    lines.join(""),
  );
}

/** Replaces each place. Throws if there is none. */
function replaced(text: string, words: RegExp, by: string): string {
  const all = new RegExp(words, "gm");
  if (!all.test(text)) throw new Error(`the shipped configuration has no ${words}`);
  return text.replace(all, by);
}

function heard(child: ChildProcessByStdio<null, Readable, Readable>): { text: string } {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text: Buffer) => {
      if (output.text.length < LOG_CHARS_MAX) output.text += text;
    });
  }
  return output;
}
