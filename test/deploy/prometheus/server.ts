// A Prometheus server in a folder of its own. It scrapes a daemon each second, and a test learns of each scrape.
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Lines } from "../../harness/events/lines.ts";
import { freePort } from "../../harness/free-port.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const READY_MS_MAX = 30_000;

/** One series of an answer. Its last value is not a number if the query had nothing to compute. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

export interface PrometheusServer extends AsyncDisposable {
  /** Emits `scraped` when a scrape of the daemon has been answered. */
  scrapes: EventEmitter<{ scraped: [contentType: string] }>;
  query(expr: string): Promise<Sample[]>;
  /** Returns the data of a path of its API. */
  ask<T>(apiPath: string): Promise<T>;
}

/** Starts the program. `http` is the daemon's address, `rules` the file of rules. Resolves when it answers queries. */
export async function startPrometheus(
  program: string,
  { http, rules }: { http: string; rules: string },
): Promise<PrometheusServer> {
  await using open = new AsyncDisposableStack();
  const temp = open.use(tempDir());
  const scrapes: PrometheusServer["scrapes"] = new EventEmitter();
  const target = open.use(await passScrapes(http, scrapes));
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [rules],
    scrape_configs: [{ job_name: "troupe", static_configs: [{ targets: [target.address] }] }],
  };
  const file = path.join(temp.dir, "prometheus.yml");
  writeFileSync(file, JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const flags = {
    "config.file": file,
    "storage.tsdb.path": path.join(temp.dir, "data"),
    "web.listen-address": address,
  };
  const child = spawn(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { cwd: temp.dir, stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(child, "exit");
  open.defer(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const lines = new Lines();
  lines.read(child.stderr);
  child.once("exit", () => lines.add("it has ended"));
  await lines.after(() => isReady(lines.all), "Prometheus is ready", READY_MS_MAX);
  const ask = async <T>(apiPath: string): Promise<T> => {
    const reply = await fetch(`http://${address}/api/v1/${apiPath}`);
    const { data, error } = (await reply.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(`${apiPath}: ${error}`);
    return data;
  };
  const opened = open.move();
  return {
    scrapes,
    ask,
    query: async (expr) => {
      const { result } = await ask<{ result: Sample[] }>(`query?${new URLSearchParams({ query: expr })}`);
      return result;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function isReady(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? "";
  if (last === "it has ended") throw new Error(lines.join("\n"));
  return lines.some((line) => line.includes("Server is ready to receive web requests"));
}

/** Passes scrapes to the daemon, and reports each. */
async function passScrapes(http: string, scrapes: PrometheusServer["scrapes"]) {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const accept = request.headers.accept ?? "";
    const reply = await fetch(new URL("/metrics", http), { headers: { accept } });
    const contentType = reply.headers.get("content-type") ?? "";
    response.writeHead(reply.status, { "content-type": contentType }).end(await reply.text());
    scrapes.emit("scraped", contentType);
  };
  const server = createServer((request, response) => {
    // The scrape fails as it would without this passage.
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
