// Tests requests other than documents: none reaches an origin outside a role's lists, by any way.
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { startPersonsChrome } from "../../harness/browser/persons-chrome.ts";
import { afterEvents } from "../../harness/events/after-events.ts";
import { refOf, startWorker, type Worker } from "../../harness/worker.ts";
import { headersOf, REDIRECTS, ways } from "./ways-out.ts";

const HOST = "127.0.0.2";
/** The ways that a page tries at least. Some need what a browser may lack. */
const WAYS_MIN = 70;
const seen = { connections: 0, datagrams: 0, paths: new Set<string>() };
const arrivals = new EventEmitter();
const arrived = ({ url = "" }: IncomingMessage) => {
  seen.paths.add(url.slice(1));
  arrivals.emit("request");
};
const forbidden = createServer((request, response) => {
  arrived(request);
  response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-methods", "*").end();
});
forbidden.on("connection", () => seen.connections++);
forbidden.on("upgrade", (request: IncomingMessage, socket) => {
  arrived(request);
  socket.destroy();
});
const port = await listening(forbidden, HOST);
const udp = createSocket("udp4", () => seen.datagrams++).bind(port, HOST);
await once(udp, "listening");
const to = `http://${HOST}:${port}`;
/** The ways that depend on most. A page that no longer tries them would prove nothing. */
const OPEN_WAYS = [
  "socket",
  "worker-socket",
  "shared-fetch",
  "service-fetch",
  "popup",
  "form",
  "beacon",
  "ping",
  "refresh-header",
  "header-preload",
  "csp-report",
  "srcdoc-fetch",
  "srcdoc-socket",
  "blob-image",
  "worker-events",
  "nested-worker",
  "xml-style",
  "face",
  "download",
];
const site = createServer(answer);
const origin = `http://127.0.0.1:${await listening(site, "127.0.0.1")}`;
after(() => {
  udp.close();
  for (const server of [forbidden, site]) server.close().closeAllConnections();
});

test("some eighty ways out of a page reach listed origins, and none reaches another", async () => {
  // The same page in a role without lists reaches the origin. This proves that the ways work.
  await using open = await startWorker();
  await tryAll(open, () => [
    ...OPEN_WAYS.filter((way) => !seen.paths.has(way)),
    ...(seen.paths.size < WAYS_MIN ? [`more than ${[...seen.paths].join(" ")}`] : []),
  ]);

  seen.paths.clear();
  Object.assign(seen, { connections: 0, datagrams: 0 });
  await using walled = await startWorker({ allow: [origin], allowRequests: ["https://cdn.example"] });
  const text = await tryAll(walled);
  assert.deepEqual([...seen.paths], []);
  assert.equal(seen.connections, 0);
  assert.equal(seen.datagrams, 0);
  assert.match(text, new RegExp(`- Blocked: \\d+ requests to .*${to}.* \\(not allowed\\)`));
});

test("in an attached browser, no way out of a page reaches another origin either", async () => {
  await using chrome = await startPersonsChrome();
  seen.paths.clear();
  Object.assign(seen, { connections: 0, datagrams: 0 });
  const browser = { connect: chrome.address };
  await using walled = await startWorker({
    browser,
    allow: [origin],
    allowRequests: ["https://cdn.example"],
  });
  const text = await tryAll(walled);
  assert.deepEqual([...seen.paths], []);
  assert.deepEqual([seen.connections, seen.datagrams], [0, 0]);
  assert.match(text, new RegExp(`- Blocked: \\d+ requests to .*${to}.* \\(not allowed\\)`));
});

test("an origin in the list of requests is reached, but not shown as a document", async () => {
  seen.paths.clear();
  await using walled = await startWorker({ allow: [origin], allowRequests: [to] });
  await tryAll(walled);
  for (const way of ["fetch", "image", "script", "socket", "worker-fetch", "shared-socket", "service-import"])
    assert.ok(seen.paths.has(way), `${way} did not get through`);
  for (const way of [
    "frame",
    "redirected-frame",
    "form",
    "popup",
    "unasked-popup",
    "targeted",
    "refresh",
    "refresh-header",
    "srcdoc-frame",
    "html-object",
    "download",
    "object",
    "embed",
  ])
    assert.ok(!seen.paths.has(way), `${way} is a document, and was asked for`);
});

/**
 * Opens the page that tries all ways, and its popup by a click. Returns the page's final text when no way is `missing`.
 */
async function tryAll(worker: Worker, missing: () => string[] = () => []): Promise<string> {
  await using session = worker.session();
  const page = await session.open(`${origin}/page`);
  await session.do("browser_wait_for", { text: "All tried", tab: "t1", time: 20 });
  // Its layout is stable only now. The click may be refused, which another test covers.
  await session.call("browser_click", { ref: refOf(page, '"Popup"'), tab: "t1" });
  // The session's popups end with it, even those that have not requested their address yet.
  const areTried = () => missing().length === 0;
  await afterEvents(arrivals, "request", areTried, "all ways").catch(() =>
    assert.fail(`not tried: ${missing().join(", ")}`),
  );
  return await session.read({ tab: "t1" });
}

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const name = url.slice(1);
  const script = ways.scripts[name];
  if (name === "page")
    response.writeHead(200, { "content-type": "text/html", ...headersOf(to) }).end(ways.page(to, port));
  else if (name === "refreshed")
    response.writeHead(200, { "content-type": "text/html", refresh: `0;url=${to}/refresh-header` }).end();
  else if (script) response.setHeader("content-type", script.type).end(script.body(to));
  else if (REDIRECTS.some((each) => name === `to/${each}`))
    response.writeHead(302, { location: `${to}/${name.slice(3)}` }).end();
  else response.writeHead(404).end();
}

async function listening(server: ReturnType<typeof createServer>, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
