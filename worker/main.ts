// Runs a role's worker. It serves its tools on a unix socket, and ends with its browser, its daemon, or a signal.
import { parseArgs } from "node:util";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { keepHeapSmall } from "../proto/machine/heap-upkeep.ts";
import { startTracing } from "../proto/tracing/sdk.ts";
import { serviceDefinition } from "../proto/wire/service.ts";
import { Redactor } from "./secrets/redactor.ts";
import { browserService } from "./service/browser-service.ts";
import { openLog } from "./service/log.ts";
import { RoleHost } from "./service/worker-service.ts";
import { openThreads } from "./threads/threads.ts";

/** The records of all sessions come in one request. */
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;
/** If Chrome does not close by then, it is killed with this process, because it hangs on the process's pipe. */
const CLOSE_MS_MAX = 5_000;

const { values } = parseArgs({ options: { role: { type: "string" }, socket: { type: "string" } } });
const { role: name, socket } = values;
if (!name || !socket) throw new Error("usage: worker/main.ts --role NAME --socket PATH");

const credentials = new Redactor();
// Logs and events are of all sessions, so what persons type in any of them stays out, too.
const redactor = new Redactor(credentials);
const log = openLog(name, redactor);
const tracing = await startTracing("troupe-worker", process.env, (reason) =>
  log.warn({ reason }, "spans could not be exported"),
);
// Chrome gets this environment. It needs no key of the collector.
for (const variable of Object.keys(process.env))
  if (variable.startsWith("OTEL_")) delete process.env[variable];
const threads = openThreads();
const ended = Promise.withResolvers<{ reason: string; code: number }>();
const host = new RoleHost({ name, log, credentials, redactor }, (reason) =>
  ended.resolve({ reason, code: 70 }),
);
// Node's own report would have the words of a page, and so perhaps a secret.
process.once("uncaughtException", (err) => {
  log.error({ err }, "the worker breaks");
  process.exit(1);
});
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => ended.resolve({ reason: signal, code: 0 }));
// The daemon holds the other end, and writes nothing.
process.stdin.once("end", () => ended.resolve({ reason: "the daemon is gone", code: 70 })).resume();

const server = new Server({ "grpc.max_receive_message_length": REQUEST_BYTES_MAX });
server.addService(
  serviceDefinition("Browser", "bytes"),
  browserService({
    role: () => host.role,
    browserLives: () => host.browserLives,
    evidence: (evidence) => host.send({ evidence }),
    threads,
    log,
    redactor,
  }),
);
server.addService(serviceDefinition("Worker"), host.service());
process.umask(0o177);
await bind(server, socket);
process.umask(0o077);
process.stdout.write("listening\n");
keepHeapSmall();

const { reason, code } = await ended.promise;
log.info({ reason }, "worker ends");
setTimeout(() => process.exit(code), CLOSE_MS_MAX).unref();
await host.close();
await tracing?.close();
process.exit(code);

function bind(on: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  on.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), (error) =>
    error ? reject(error) : resolve(),
  );
  return promise;
}
