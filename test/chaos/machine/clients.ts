// Clients that come and go: hundreds that vanish during their calls, and some that never read their replies.
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import net from "node:net";
import { ROLE, SESSION } from "../../../proto/wire/metadata.ts";
import { encode, messageType } from "../../../proto/wire/schema.ts";
import { testClient } from "../../harness/daemon.ts";
import { descriptorsOf, pssMiB } from "../../harness/proc.ts";
import { within } from "../../harness/within.ts";
import { Agent } from "../scenario/agent.ts";
import { Bystander } from "../scenario/bystander.ts";
import type { Figure } from "../scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "../scenario/own-daemon.ts";

const CONFIG = {
  limits: { callTimeout: "20s", queueWait: "5s" },
  roles: { red: { sessions: 20 }, green: {} },
};
const VANISHING = 400;
const AT_ONCE = 20;
const FREED_MS_MAX = 10_000;
const GROWN_MIB_MAX = 60;
const DEAF = 8;
/** Chunks of 64 KiB for each client that does not read: 64 MiB in all. */
const CHUNKS = 1024;
const OPEN = "http://a.test/";

/** Begins calls that hang in the worker, and destroys their clients' sockets. */
export async function vanishingClients(interrupted: AbortSignal): Promise<Figure[]> {
  await using daemon = await startOwnDaemon("standIn", CONFIG, interrupted);
  await using other = new Bystander({ address: daemon.address, role: "green", url: OPEN });
  // The first calls make the daemon's lasting objects.
  await vanish(daemon, AT_ONCE);
  const before = { descriptors: descriptorsOf(daemon.pid), memory: pssMiB(daemon.pid) };
  for (let gone = 0; gone < VANISHING; gone += AT_ONCE) await vanish(daemon, AT_ONCE);
  const control = testClient(daemon.address);
  const underWay = async () => (await control.ask("GetStatus", {})).ok?.callsUnderWay ?? Number.NaN;
  // One call of the other session may be under way.
  await within(FREED_MS_MAX, async () => (await underWay()) <= 1);
  const left = await underWay();
  control.close();
  const descriptors = () => descriptorsOf(daemon.pid) - before.descriptors;
  await within(FREED_MS_MAX, () => descriptors() <= 0);
  using agent = new Agent({ address: daemon.address, role: "red", name: "gone-0" });
  const again = await agent.call("browser_navigate", { url: OPEN });
  return [
    ...other.figures(),
    { name: "clients that vanished", value: VANISHING + AT_ONCE },
    { name: "calls under way after that", value: left, bar: { most: 1 } },
    {
      name: "more descriptors",
      value: descriptors(),
      bar: { most: 1 },
      note: `${before.descriptors} at first`,
    },
    {
      name: "more memory",
      value: pssMiB(daemon.pid) - before.memory,
      unit: "MiB",
      bar: { most: GROWN_MIB_MAX },
    },
    {
      name: "a call in the turn of one of them is answered",
      value: again.answer === "ok" ? 1 : 0,
      bar: { least: 1 },
      note: again.text.slice(0, 100),
    },
    { name: "  after", value: again.endedMs - again.beganMs, unit: "ms", bar: { most: 5000 } },
  ];
}

/** Begins streams of megabytes without a reader. */
export async function deafClients(interrupted: AbortSignal): Promise<Figure[]> {
  await using daemon = await startOwnDaemon("standIn", CONFIG, interrupted);
  await using other = new Bystander({ address: daemon.address, role: "green", url: OPEN });
  using warm = new Agent({ address: daemon.address, role: "red", name: "warm" });
  await warm.call("browser_navigate", { url: OPEN });
  const before = pssMiB(daemon.pid);
  const clients = Array.from({ length: DEAF }, (_, index) =>
    call(daemon, "Snapshot", { depth: CHUNKS }, `deaf-${index}`),
  );
  const events = call(daemon, "WatchEvents", {}, "deaf-events", "Control");
  for (const { stream } of [...clients, events]) stream.pause();
  const calls = () => other.agent.outcomes.length;
  const begin = calls();
  await within(20_000, () => calls() >= begin + 100);
  const grown = pssMiB(daemon.pid) - before;
  // Their calls end by their deadline, even without a reader.
  const control = testClient(daemon.address);
  const underWay = async () => (await control.ask("GetStatus", {})).ok?.callsUnderWay ?? Number.NaN;
  const ended = await within(30_000, async () => (await underWay()) <= 1);
  const left = await underWay();
  control.close();
  for (const { session } of [...clients, events]) session.destroy();
  return [
    ...other.figures(),
    { name: "streams that nobody reads", value: DEAF + 1 },
    { name: "more memory of the daemon", value: grown, unit: "MiB", bar: { most: GROWN_MIB_MAX } },
    { name: "calls under way after their deadline", value: ended ? 0 : left, bar: { most: 0 } },
  ];
}

/** Begins that many calls, each on its own connection, and cuts these once the calls hang in the worker. */
async function vanish(daemon: OwnDaemon, many: number): Promise<void> {
  const calls = Array.from({ length: many }, (_, index) =>
    call(daemon, "Navigate", { url: "http://do/hang" }, `gone-${index}`),
  );
  const control = testClient(daemon.address);
  const isThere = async () => ((await control.ask("GetStatus", {})).ok?.callsUnderWay ?? 0) >= many;
  await within(FREED_MS_MAX, isThere);
  control.close();
  for (const { socket } of calls) socket.destroy();
}

interface OwnCall {
  socket: net.Socket;
  session: ClientHttp2Session;
  stream: ClientHttp2Stream;
}

function call(daemon: OwnDaemon, rpc: string, request: object, id: string, service = "Browser"): OwnCall {
  const socket = net.connect(daemon.address.replace(/^unix:/, ""));
  const session = connect("http://localhost", { createConnection: () => socket });
  // The test breaks these connections on purpose.
  session.on("error", () => undefined);
  const stream = session.request({
    ":method": "POST",
    ":path": `/troupe.v1.${service}/${rpc}`,
    "content-type": "application/grpc",
    te: "trailers",
    [SESSION]: id,
    [ROLE]: "red",
  });
  stream.on("error", () => undefined);
  const body = encode(messageType(`troupe.v1.${rpc}Request`), request);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  stream.end(Buffer.concat([head, body]));
  return { socket, session, stream };
}
