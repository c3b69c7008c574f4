// Tests how the address of an attached browser is found, and what else may listen there.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { findActivePorts, profileFolders, socketIn } from "../../../worker/chrome/active-port.ts";
import { attachChrome } from "../../../worker/chrome/attach.ts";
import { findEndpoints, reachedAt } from "../../../worker/chrome/endpoint.ts";
import { openSocket } from "../../../worker/chrome/web-socket.ts";
import { accept, type SpokenBrowser, serveBrowser } from "../../harness/browser/spoken-browser.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const named =
  (webSocketDebuggerUrl: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify({ webSocketDebuggerUrl }));

const listeners: [what: string, answer: RequestListener, why: RegExp][] = [
  [
    "a page",
    (_request, response) => void response.end("<h1>Hello</h1>"),
    /no browser's debugging address: .* not JSON/,
  ],
  ["JSON of something else", named(undefined), /names no WebSocket/],
  ["an address that is no WebSocket", named("http://127.0.0.1/x"), /names no WebSocket/],
  [
    "a Chrome that answers over a WebSocket only",
    (_request, response) => void response.writeHead(404).end(),
    /404.*connect: auto/,
  ],
  ["an error", (_request, response) => void response.writeHead(500).end(), /answers with HTTP 500/],
  [
    "a redirect",
    (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    /did not answer/,
  ],
  ["a connection that is closed", ({ socket }) => void socket.destroy(), /did not answer/],
  [
    "a body that is too long",
    (_request, response) => void response.write("x".repeat(100_000)),
    /no browser's debugging address/,
  ],
  ["silence", () => undefined, /did not answer within 5 s/],
  ["a WebSocket that is not there", named("ws://127.0.0.1/devtools/browser/x"), /refused the connection/],
];

for (const [what, answer, why] of listeners)
  test(`an address where ${what} answers is no browser`, { timeout: 30_000 }, async () => {
    await using server = await listening(createServer(answer));
    const connect = `http://127.0.0.1:${server.port}`;
    await assert.rejects(attachChrome({ connect, shown: connect }), why);
  });

test("a WebSocket that speaks something else is no browser", { timeout: 30_000 }, async () => {
  const server = createServer();
  server.on("upgrade", ({ headers }, socket) => {
    const key = headers["sec-websocket-key"];
    socket.on("error", () => undefined);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept(String(key))}\r\n\r\n`,
    );
    socket.end(Buffer.from([0x81, 5, ...Buffer.from("hello")]));
  });
  await using open = await listening(server);
  const connect = `ws://127.0.0.1:${open.port}/x`;
  await assert.rejects(attachChrome({ connect, shown: connect }), /DevTools protocol|closed/);
});

test("a browser that breaks the protocol is not connected", { timeout: 30_000 }, async () => {
  await using browser: SpokenBrowser = await serveBrowser(({ method }) => {
    if (method === "Browser.getVersion") browser.say({ method: "Target.attachedToTarget" });
  });
  await assert.rejects(attachChrome({ connect: browser.address, shown: "it" }), {
    name: "NotConnected",
    message: /does not speak the DevTools protocol/,
  });
});

test("a fragment of an address is left out, and an address of no WebSocket is no browser", async () => {
  const [configured] = await findEndpoints("ws://127.0.0.1:1/a?b#c", {});
  assert.equal(configured?.socket, "ws://127.0.0.1:1/a?b");
  await using server = await listening(createServer(named("ws://localhost:1/a#b")));
  const [given] = await findEndpoints(`http://127.0.0.1:${server.port}/#c`, {});
  assert.equal(given?.socket, `ws://127.0.0.1:${server.port}/a`);
  await assert.rejects(openSocket("ws://127.0.0.1:1/a#b", 1_000), { name: "NotConnected" });
});

const bases: [base: string, given: string, socket: string][] = [
  ["http://chrome.internal", "ws://localhost:9222/a", "ws://chrome.internal/a"],
  ["https://chrome.internal", "ws://localhost:9222/a", "wss://chrome.internal/a"],
  ["https://chrome.internal", "ws://localhost:443/a", "wss://chrome.internal/a"],
  ["http://[::1]:9333", "ws://localhost/a", "ws://[::1]:9333/a"],
];

for (const [base, given, socket] of bases)
  test(`at ${base}, the WebSocket ${given} is ${socket}`, () => {
    assert.equal(reachedAt(new URL(base), new URL(given)).href, socket);
  });

test("auto goes past the port of a browser that crashed, even if a program refuses there", async () => {
  using temp = tempDir();
  const env = { HOME: temp.dir, XDG_CONFIG_HOME: temp.dir };
  await using other = await listening(createServer((_request, response) => void response.end()));
  await using live = await serveBrowser();
  await using further = await serveBrowser();
  const ports = [1, other.port, new URL(live.address).port, new URL(further.address).port];
  const names = ["google-chrome-beta", "google-chrome-unstable", "google-chrome", "chromium"];
  for (const [i, name] of names.entries()) writePort(path.join(temp.dir, name), Number(ports[i]), 9_000 - i);
  const chrome = await attachChrome({ connect: "auto", shown: "auto", env });
  assert.equal(chrome.isConnected, true);
  await chrome.close();
  assert.equal(live.connections, 1);
  assert.equal(further.connections, 0);
});

test("the address that a browser names for itself is reached where the configuration says", async () => {
  await using server = await listening(createServer(named("ws://localhost:1/devtools/browser/a")));
  const [found] = await findEndpoints(`http://127.0.0.1:${server.port}`, {});
  assert.equal(found?.socket, `ws://127.0.0.1:${server.port}/devtools/browser/a`);
});

test("the profile folders are those of Chrome and Chromium, on Linux and macOS", () => {
  const linux = profileFolders({ HOME: "/home/ada" }, "linux");
  assert.equal(linux[0], "/home/ada/.config/google-chrome");
  assert.ok(linux.includes("/home/ada/.config/chromium"));
  assert.ok(profileFolders({ HOME: "/h", XDG_CONFIG_HOME: "/x" }, "linux").includes("/x/chromium"));
  const mac = profileFolders({ HOME: "/Users/ada" }, "darwin");
  assert.equal(mac[0], "/Users/ada/Library/Application Support/Google/Chrome");
});

const texts: [text: string, socket: string | undefined][] = [
  ["9222\n/devtools/browser/a-1", "ws://127.0.0.1:9222/devtools/browser/a-1"],
  ["9222\r\n/devtools/browser/a-1\r\n", "ws://127.0.0.1:9222/devtools/browser/a-1"],
  ["9222", undefined],
  ["0\n/devtools/browser/a", undefined],
  ["99999\n/devtools/browser/a", undefined],
  ["9222\n@evil.example/devtools/browser/a", undefined],
  ["9222\n/devtools/browser/../../x", undefined],
  ["", undefined],
];

for (const [text, socket] of texts)
  test(`the file of a port with ${JSON.stringify(text)} leads to ${socket}`, () => {
    assert.equal(socketIn(text), socket);
  });

test("of several browsers, the one that wrote its port last comes first; none is an error that says so", async () => {
  using temp = tempDir();
  const env = { HOME: temp.dir, XDG_CONFIG_HOME: temp.dir };
  await assert.rejects(findActivePorts(env), /no Chrome or Chromium .* has remote debugging switched on/);
  writePort(path.join(temp.dir, "google-chrome"), 1111, 1_000);
  writePort(path.join(temp.dir, "chromium"), 2222, 2_000);
  assert.deepEqual(await findActivePorts(env), [
    "ws://127.0.0.1:2222/devtools/browser/chromium",
    "ws://127.0.0.1:1111/devtools/browser/google-chrome",
  ]);
});

/** Writes the file of a browser's port, as this browser does. */
function writePort(folder: string, port: number, atSeconds: number): void {
  mkdirSync(folder);
  const file = path.join(folder, "DevToolsActivePort");
  writeFileSync(file, `${port}\n/devtools/browser/${path.basename(folder)}`);
  utimesSync(file, atSeconds, atSeconds);
}

async function listening(server: Server): Promise<{ port: number } & AsyncDisposable> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
    },
  };
}
