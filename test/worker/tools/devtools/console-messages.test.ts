// Tests browser_console_messages: what a page logs and throws, from the start of its load, with stacks in its sources.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { stage, startWorker } from "../../../harness/worker.ts";
import { type Site, serveSite } from "../../../site/serve.ts";

const { worker, site } = await stage();

/** Opens a page that runs the script, and returns its console. */
async function consoleOf(script: string, args = {}): Promise<string> {
  await using session = worker.session();
  await session.open(site.page(`<script>${script}</script>`));
  return (await session.do("browser_console_messages", args)).text;
}

/** A program in TypeScript, bundled to one minified script that names its map. */
async function bundled(place: Site, map: "linked" | "inline", origin = place.origin) {
  const { outputFiles } = await build({
    stdin: {
      contents: `interface Order { id: number }
function total(orders: Order[]): number {
  // A comment that the bundle lacks.
  if (orders.length === 0) throw new Error("no orders");
  return orders.length;
}
console.warn("begin");
setTimeout(() => total([]));`,
      sourcefile: "src/orders.ts",
      loader: "ts",
    },
    bundle: true,
    minify: true,
    sourcemap: map === "linked" ? "external" : "inline",
    write: false,
    outfile: "orders.js",
  });
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const served = (body: string) =>
    place.route((_request, response) => response.end(body)).replace(place.origin, origin);
  const mapUrl = map === "linked" ? served(text(".map")) : undefined;
  const comment = mapUrl ? `\n//# sourceMappingURL=${mapUrl}\n` : "";
  return { script: served(text(".js") + comment), mapUrl };
}

test("objects, errors and format specifiers are shown as a console shows them", async () => {
  const text = await consoleOf(`
    console.log("%cstyled %s of %d%%", "color: red", "part", 5, {left: [1, "two"], map: new Map([["a", 1]])});
    console.info(new Set([1]), [undefined, null, 12n], function named() {}, document.createElement("p"));
    console.error(new TypeError("first\\nsecond"));
    console.debug(Symbol("x"), -0, NaN);`);
  assert.match(
    text,
    /\[info\] "styled part of 5% \{left: \[1, \\"two\\"\], map: Map\(1\)\}"|left: Array\(2\), map: Map\(1\)/,
  );
  assert.match(text, /\[info\] "Set\(1\) \{1\} \[undefined, null, 12n?\] function named\(\) \{\} p"/);
  assert.match(text, /\[error\] "TypeError: first\\nsecond"/);
  assert.match(text, /\[debug\] "Symbol\(x\) -0 NaN"/);
});

test("errors that no script caught and rejections that none handled are errors of the console", async () => {
  const text = await consoleOf(`
    setTimeout(() => { throw new RangeError("thrown") });
    setTimeout(() => { throw "plain" });
    Promise.reject(new Error("rejected"));
    Promise.reject({code: 7});`);
  assert.match(text, /\[error\] "Uncaught RangeError: thrown" \(http[^)]*:2\)/);
  assert.match(text, /\[error\] "Uncaught plain"/);
  assert.match(text, /\[error\] "Uncaught \(in promise\) Error: rejected"/);
  assert.match(text, /\[error\] "Uncaught \(in promise\) \{code: 7\}"/);
});

test("equal messages are one line with their number, and those that differ in numbers are folded", async () => {
  await using session = worker.session();
  const opened = await session.open(
    site.page(`<script>for (let at = 0; at < 5; at++) console.error("again");
      for (let at = 0; at < 40; at++) console.log("tick " + at);</script>`),
  );
  assert.match(opened, /Console: 5 errors/);
  const { text, messages } = await session.do("browser_console_messages");
  assert.match(text, /\[error\] "again" \(\S+:1\) ×5\n/);
  assert.match(text, /\[info\] "tick 39" \(\S+\) and 39 more with other numbers \(pattern lists them\)$/);
  assert.equal((messages as unknown[]).length, 2);
  const each = await session.do("browser_console_messages", { pattern: "tick 1\\d" });
  assert.equal((each.messages as unknown[]).length, 10);
});

test("a page that logs tens of thousands of messages costs no more than the newest thousand", async () => {
  await using session = worker.session();
  await session.open(
    site.page(`<script>for (let at = 0; at < 30_000; at++) console.log("row " + at.toString(36))</script>`),
  );
  const { text, messages } = await session.do("browser_console_messages", { limit: 1000 });
  assert.ok((messages as unknown[]).length <= 1000);
  assert.ok(text.length < 1_000_000, `${text.length} characters`);
});

test("stacks are shown on request, in the sources that the script was made from", async () => {
  for (const map of ["linked", "inline"] as const) {
    await using session = worker.session();
    const { script } = await bundled(site, map);
    await session.open(site.page(`<script src="${script}"></script>`));
    const plain = await session.do("browser_console_messages", {});
    assert.doesNotMatch(plain.text, /orders\.ts/);
    const { text, messages } = await session.do("browser_console_messages", { stacks: true, level: "error" });
    assert.match(
      text,
      /^\[error\] "Uncaught Error: no orders" .*\n {2}at .*\/src\/orders\.ts:4:\d+\)\n {2}at .*\/src\/orders\.ts:8:\d+\)/,
    );
    const [{ stack }] = messages as [{ stack: { url: string; line: number }[] }];
    assert.equal(stack[0]?.line, 4);
  }
});

test("a map that the role may not load, that is none, or that never comes leaves the stack as it is", async () => {
  await using elsewhere = await serveSite();
  await using walled = await startWorker({ allow: [site.origin] });
  await using session = walled.session();
  const { script, mapUrl = "" } = await bundled(site, "linked", site.otherOrigin);
  await session.open(site.page(`<script>console.error("here")\n//# sourceMappingURL=${mapUrl}</script>`));
  const refused = await session.do("browser_console_messages", { stacks: true });
  assert.match(refused.text, /\[error\] "here" .*\n {2}at \(http\S+:1:\d+\)/);
  assert.equal(site.count(script), 0);
  assert.deepEqual(elsewhere.requests, []);
  for (const body of [
    "no map",
    '{"version":3,"sources":7,"mappings":9}',
    `{"version":3,"sources":[],"mappings":"${";".repeat(4_000_000)}"}`,
  ]) {
    await using open = worker.session();
    const map = site.route((_request, response) => response.end(body));
    const broken = site.route((_request, response) =>
      response.end(`console.error("broken map")\n//# sourceMappingURL=${map}`),
    );
    await open.open(site.page(`<script src="${broken}"></script>`));
    const { text } = await open.do("browser_console_messages", { stacks: true });
    assert.match(text, /\[error\] "broken map" .*\n {2}at \(http\S+:1:\d+\)/);
  }
});

test("a worker's messages and errors are among those of its page", async () => {
  await using session = worker.session();
  const script = site.route((_request, response) =>
    response
      .writeHead(200, { "content-type": "text/javascript" })
      .end(
        `console.warn("from a worker", {a: 1}); onmessage = () => { throw new Error("in a worker") }; postMessage(1);`,
      ),
  );
  const page = await session.open(
    site.page(
      `<button onclick="made.postMessage(1)">Ask</button><p id=out></p><script>const made = new Worker("${script}"); made.onmessage = () => { out.textContent = "ready" }; made.onerror = () => { out.textContent = "failed" }</script>`,
    ),
  );
  await session.do("browser_wait_for", { text: "ready" });
  const ref = /button "Ask" \[ref=(e\d+)\]/.exec(page)?.[1] ?? "";
  await session.do("browser_click", { ref });
  await session.do("browser_wait_for", { text: "failed" });
  const { text } = await session.do("browser_console_messages");
  assert.match(text, /\[warning\] "from a worker \{a: 1\}"/);
  assert.match(text, /\[error\] "Uncaught Error: in a worker"/);
});
