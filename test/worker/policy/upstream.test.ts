// Tests the network's own proxy, which browser.args names: connections beyond the machine go through it.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { after, test } from "node:test";
import { goesPast, upstreamOf } from "../../../worker/policy/upstream.ts";
import { startWorker } from "../../harness/worker.ts";

test("a proxy is read from the arguments of Chrome", () => {
  const past = { past: [] };
  for (const [args, upstream] of [
    [["--lang=de"], undefined],
    [["--proxy-server=http://proxy.corp:3128"], { host: "proxy.corp", port: 3128, ...past }],
    [["--proxy-server=proxy.corp"], { host: "proxy.corp", port: 80, ...past }],
    [["--proxy-server=[::1]:3128"], { host: "::1", port: 3128, ...past }],
    [["--proxy-server=a:1", "--proxy-server=b:2"], { host: "b", port: 2, ...past }],
    [["--proxy-server=a:1", "--no-proxy-server"], undefined],
    [
      ["--proxy-server=a:1", "--proxy-bypass-list=*.Corp.example; <local>"],
      { host: "a", port: 1, past: ["*.corp.example", "<local>"] },
    ],
  ] as const)
    assert.deepEqual(upstreamOf(args), upstream);
  for (const arg of [
    "--proxy-pac-url=http://a/",
    "--proxy-server=socks5://a:1",
    "--proxy-server=http=a:1;https=b:1",
  ])
    assert.throws(() => upstreamOf([arg]), /proxy-server/, arg);
});

test("loopback and the hosts of the bypass list have direct connections", () => {
  const upstream = { host: "a", port: 1, past: ["*.corp.example", "exact.example", "<local>"] };
  for (const host of [
    "localhost",
    "a.localhost",
    "127.0.0.1",
    "::1",
    "x.corp.example",
    "exact.example",
    "printer",
  ])
    assert.ok(goesPast(host, upstream), host);
  for (const host of ["corp.example.org", "shop.example", "10.0.0.1", "sub.exact.example"])
    assert.ok(!goesPast(host, upstream), host);
  assert.ok(!goesPast("127.0.0.1", { ...upstream, past: ["<-loopback>"] }));
});

test("a role's pages come through that proxy, and its refusals are reported as such", async () => {
  const asked: string[] = [];
  const tunnels = new Set<Duplex>();
  const site = createServer(
    (_request, response) => void response.setHeader("content-type", "text/html").end("<h1>Shop</h1>"),
  );
  await once(site.listen(0, "127.0.0.1"), "listening");
  const proxy = createServer().on("connect", ({ url = "" }, client) => {
    asked.push(url);
    tunnels.add(client);
    if (!url.startsWith("shop.invalid:")) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const server = connect((site.address() as AddressInfo).port, "127.0.0.1");
    client.write("HTTP/1.1 200 OK\r\n\r\n");
    server.pipe(client).pipe(server);
    client.on("error", () => server.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  after(() => {
    for (const server of [site, proxy]) server.close().closeAllConnections();
    for (const socket of tunnels) socket.destroy();
  });
  {
    const args = [`--proxy-server=http://127.0.0.1:${port}`];
    await using worker = await startWorker({ browser: { headless: true, sandbox: "auto", args } });
    await using session = worker.session();
    assert.match(await session.open("http://shop.invalid/"), /heading "Shop"/);
    const refused = await session.refuse("NAVIGATION_FAILED", "browser_navigate", {
      url: "https://other.invalid/",
    });
    assert.equal(refused.details.cause, "proxy");
    // Chrome sends requests of its own.
    const pages = asked.filter((place) => place.includes(".invalid:"));
    assert.deepEqual([...new Set(pages)], ["shop.invalid:80", "other.invalid:443"]);
    // The role's policy still blocks forbidden places beyond the network's proxy.
    await session.refuse("NAVIGATION_BLOCKED", "browser_navigate", {
      url: "http://metadata.google.internal/",
    });
    proxy.close().closeAllConnections();
    for (const socket of tunnels) socket.destroy();
    const down = await session.refuse("NAVIGATION_FAILED", "browser_navigate", {
      url: "http://third.invalid/",
    });
    assert.equal(down.details.cause, "proxy");
  }
});
