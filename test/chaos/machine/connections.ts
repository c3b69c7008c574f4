// Connections to both doors that are idle, send one byte at a time, or send nonsense.
import { once } from "node:events";
import net from "node:net";
import { setInterval } from "node:timers/promises";
import { CONNECTION_BOUNDS } from "../../../daemon/grpc/connections.ts";
import { HTTP_TIMES } from "../../../daemon/http/http-server.ts";
import { descriptorsOf, pssMiB, read, statOf } from "../../harness/proc.ts";
import { within } from "../../harness/within.ts";
import { Agent } from "../scenario/agent.ts";
import { Bystander } from "../scenario/bystander.ts";
import type { Figure } from "../scenario/figures.ts";
import { type OwnDaemon, startOwnDaemon } from "../scenario/own-daemon.ts";

const CONFIG = { http: "127.0.0.1:0", roles: { green: {} } };
const OPEN = "http://a.test/";
const AT_REST = 10_000;
/** Fewer connections than the backlog of a listening socket. */
const AT_ONCE = 100;
const AGAIN_MS = 10;
/** The descriptors that this program and the daemon need besides. */
const DESCRIPTORS_SPARE = 500;
const MEMORY_EACH_KIB_MAX = 64;
const BACK_MS_MAX = 20_000;
const WORKED_MS_MAX = 20_000;
const SLOW = 200;
/** At this interval not even the 24 bytes of HTTP/2's preface arrive in the time. */
const SLOW_EVERY_MS = 5000;
/** By this time both doors have checked, and a last byte has shown it. */
const SLOW_MS_MAX =
  Math.max(HTTP_TIMES.headersMs + HTTP_TIMES.lookMs, CONNECTION_BOUNDS.firstCallMs) + 2 * SLOW_EVERY_MS;
const SLOW_S = SLOW_MS_MAX / 1000;

/** Opens half of the connections at each door, then closes all. */
export async function connectionsAtRest(interrupted: AbortSignal): Promise<Figure[] | { skipped: string }> {
  const may = descriptorsMax();
  if (may < AT_REST + DESCRIPTORS_SPARE)
    return { skipped: `a process may have ${may} descriptors here; ulimit -n ${2 * AT_REST} would let it` };
  await using daemon = await startOwnDaemon("standIn", CONFIG, interrupted);
  await using other = new Bystander({ address: daemon.address, role: "green", url: OPEN });
  await worked(other);
  const before = { descriptors: descriptorsOf(daemon.pid), memory: pssMiB(daemon.pid) };
  const sockets: net.Socket[] = [];
  for (const door of doorsOf(daemon))
    for (let open = 0; open < AT_REST / 2; open += AT_ONCE) sockets.push(...(await connected(door, AT_ONCE)));
  const taken = descriptorsOf(daemon.pid) - before.descriptors;
  await worked(other);
  const memory = pssMiB(daemon.pid) - before.memory;
  const live = await isLive(daemon);
  const fresh = await freshCall(daemon);
  for (const socket of sockets) socket.destroy();
  const kept = () => descriptorsOf(daemon.pid) - before.descriptors;
  await within(BACK_MS_MAX, () => kept() <= 1);
  return [
    ...other.figures(),
    { name: "connections at rest", value: sockets.length, bar: { least: AT_REST } },
    { name: "  that the daemon holds", value: taken, bar: { most: AT_REST / 2 } },
    {
      name: "memory for them",
      value: memory,
      unit: "MiB",
      bar: { most: (AT_REST * MEMORY_EACH_KIB_MAX) / 1024 },
    },
    { name: "a client that comes then is served", value: fresh, bar: { least: 1 } },
    { name: "the HTTP door answers then", value: live, bar: { least: 1 } },
    { name: "descriptors kept after they are gone", value: kept(), bar: { most: 1 } },
  ];
}

/** Sends one byte at a time, and bytes of no protocol. */
export async function rudeConnections(interrupted: AbortSignal): Promise<Figure[]> {
  await using daemon = await startOwnDaemon("standIn", CONFIG, interrupted);
  await using other = new Bystander({ address: daemon.address, role: "green", url: OPEN });
  await worked(other);
  const before = descriptorsOf(daemon.pid);
  const [grpc, http] = doorsOf(daemon) as [net.NetConnectOpts, net.NetConnectOpts];
  const nonsense: number[] = [];
  for (const text of NONSENSE)
    for (const door of [grpc, http]) nonsense.push(await answeredOrClosed(door, text));
  const slow = [...(await connected(grpc, SLOW)), ...(await connected(http, SLOW))];
  const beganMs = performance.now();
  let turn = 0;
  for await (const _ of setInterval(SLOW_EVERY_MS)) {
    const open = slow.filter(({ destroyed }) => !destroyed);
    for (const [index, socket] of slow.entries())
      if (!socket.destroyed) socket.write((index < SLOW ? PREFACE : REQUEST).charAt(turn));
    turn++;
    if (open.length === 0 || performance.now() - beganMs > SLOW_MS_MAX) break;
  }
  const open = (of: readonly net.Socket[]) => of.filter(({ destroyed }) => !destroyed).length;
  const [slowGrpc, slowHttp] = [open(slow.slice(0, SLOW)), open(slow.slice(SLOW))];
  for (const socket of slow) socket.destroy();
  const kept = () => descriptorsOf(daemon.pid) - before;
  await within(BACK_MS_MAX, () => kept() <= 1);
  return [
    ...other.figures(),
    { name: "pieces of nonsense", value: nonsense.length },
    {
      name: "  neither answered nor closed",
      value: nonsense.filter((each) => each === 0).length,
      bar: { most: 0 },
    },
    { name: "the daemon lives", value: statOf(daemon.pid) ? 1 : 0, bar: { least: 1 } },
    { name: `slow heads that HTTP still waits for after ${SLOW_S} s`, value: slowHttp, bar: { most: 0 } },
    {
      name: `slow beginnings that gRPC still waits for after ${SLOW_S} s`,
      value: slowGrpc,
      bar: { most: 0 },
    },
    { name: "descriptors kept after they are gone", value: kept(), bar: { most: 1 } },
  ];
}

/** The preface of HTTP/2, and a request of HTTP/1, for a slow connection. */
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const REQUEST = `GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ${"a".repeat(1000)}`;
const FRAME_SETTINGS = "\0\0\0\x04\0\0\0\0\0";
/** Each text is complete, so the server can answer or close. */
const NONSENSE = [
  "\0\0\0\0\0\0\0\0\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX-A: b\rc\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "GET /livez\r\nX-Injected: 1 HTTP/1.1\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${"y".repeat(100_000)}\r\n\r\n`,
  `${PREFACE}${FRAME_SETTINGS}\xff\xff\xff\x01\x05\0\0\0\x01`,
  `${PREFACE}${FRAME_SETTINGS}\0\0\x08\x07\0\0\0\0\x01aaaaaaaa`,
];
const ANSWER_MS_MAX = 10_000;

/** Returns 1 if bytes came or the connection was closed. */
async function answeredOrClosed(door: net.NetConnectOpts, text: string): Promise<number> {
  const socket = net.connect(door);
  socket.on("error", () => undefined);
  let came = 0;
  socket.on("data", () => {
    came = 1;
  });
  socket.write(Buffer.from(text, "latin1"));
  await within(ANSWER_MS_MAX, () => came === 1 || socket.destroyed || socket.readableEnded);
  const answered = came === 1 || socket.destroyed || socket.readableEnded;
  socket.destroy();
  return answered ? 1 : 0;
}

function doorsOf(daemon: OwnDaemon): net.NetConnectOpts[] {
  const { hostname, port } = new URL(daemon.http);
  return [{ path: daemon.address.replace(/^unix:/, "") }, { host: hostname, port: Number(port) }];
}

async function connected(door: net.NetConnectOpts, many: number): Promise<net.Socket[]> {
  return await Promise.all(Array.from({ length: many }, () => connectedOnce(door)));
}

/** Tries again if the socket's backlog is full. */
async function connectedOnce(door: net.NetConnectOpts): Promise<net.Socket> {
  for await (const _ of setInterval(AGAIN_MS)) {
    const socket = net.connect(door);
    try {
      await once(socket, "connect");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") continue;
      throw error;
    }
    // A connection that the server closes no longer counts as open.
    socket.on("error", () => undefined);
    socket.on("end", () => socket.destroy());
    return socket.resume();
  }
  throw new Error("the timer has ended");
}

async function worked({ agent }: Bystander): Promise<void> {
  const before = agent.outcomes.length;
  await within(WORKED_MS_MAX, () => agent.outcomes.length >= before + 20);
}

async function freshCall({ address }: OwnDaemon): Promise<number> {
  using agent = new Agent({ address, role: "green", name: "late" });
  return (await agent.call("browser_navigate", { url: OPEN })).answer === "ok" ? 1 : 0;
}

async function isLive({ http }: OwnDaemon): Promise<number> {
  try {
    return (await fetch(`${http}/livez`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })).ok ? 1 : 0;
  } catch (error) {
    if (error instanceof TypeError || (error as Error).name === "TimeoutError") return 0;
    throw error;
  }
}

/** Returns this process's limit. The daemon has the same. */
function descriptorsMax(): number {
  return Number(/^Max open files\s+(\d+)/m.exec(read(`/proc/${process.pid}/limits`) ?? "")?.[1] ?? 0);
}
