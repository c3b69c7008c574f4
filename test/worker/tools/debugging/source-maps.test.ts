// Tests breakpoints and places in the original files of source maps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { transform } from "esbuild";
import { refOf, stage, type WorkerSession } from "../../../harness/worker.ts";

const { worker, site } = await stage({ debugger: true });

const ORIGINAL = `interface Item {
  price: number;
}

// Adds up.
export function sum(items: readonly Item[]): number {
  let total = 0;
  for (const { price } of items) total += price;

  return total;
}

(globalThis as any).sum = sum;
`;
const { code, map } = await transform(ORIGINAL, {
  loader: "ts",
  sourcemap: "external",
  sourcefile: "src/cart.ts",
  minify: true,
});

/** Serves a page whose script names its source map so. */
function pageWith(sourceMap: string): string {
  const script = site.route((_request, response) =>
    response
      .writeHead(200, { "content-type": "text/javascript" })
      .end(`${code}\n//# sourceMappingURL=${sourceMap}\n`),
  );
  return site.page(
    `<script type=module src="${script}"></script><button onclick="sum([{price: 2}, {price: 3}])">Sum</button>`,
  );
}

const external = () => site.route((_request, response) => response.writeHead(200).end(map));
const inline = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;

for (const [name, address] of [
  ["inline", inline],
  ["external", external()],
] as const)
  test(`with an ${name} source map, breakpoints, places and the stack are in original files`, async () => {
    await using session = worker.session();
    const url = pageWith(address);
    const page = await session.open(url);
    await session.do("debugger_enable");
    const set = await session.do("debugger_breakpoint", { action: "set", url: "src/cart.ts", line: 9 });
    assert.match(
      set.text,
      /\nLine 9 has no code, so it was moved to line 10\. It is at \S+src\/cart\.ts:10:/,
    );
    const clicked = await session.do("browser_click", { ref: refOf(page, "Sum") });
    assert.match(clicked.text, /Paused at cart\.ts:10 in \w+ \(breakpoint b1\)/);
    const stack = await session.do("debugger_call_stack");
    assert.match(stack.text, /\n> 10: {3}return total;\n/);
    assert.match(stack.text, /\n {2}0 \w+ http\S+src\/cart\.ts:10:\d+\n/);
    await session.do("debugger_execution", { action: "resume" });
    await session.do("browser_reload");
    const again = await session.do("browser_click", { ref: "e1" });
    assert.match(again.text, /Paused at cart\.ts:10 /);
  });

test("a breakpoint in an original file that is loaded later pauses in it", async () => {
  await using session = worker.session();
  await session.open(site.page("<h1>Empty</h1>"));
  await session.do("debugger_enable");
  const set = await session.do("debugger_breakpoint", { action: "set", url: "cart.ts", line: 10 });
  assert.match(set.text, /No script of this address has been loaded yet/);
  const page = await session.open(pageWith(external()));
  const { text } = await session.do("debugger_breakpoint", { action: "list" });
  assert.match(text, /^b1 cart\.ts:10\. It is at \S+src\/cart\.ts:10:/);
  const clicked = await session.do("browser_click", { ref: refOf(page, "Sum") });
  assert.match(clicked.text, /Paused at cart\.ts:10 /);
});

test("source maps that are broken, missing or late are named, and the script is debugged without them", async () => {
  const held = site.hold();
  for (const [address, reason] of [
    ["data:application/json,{nonsense", /source map .* cannot be used/],
    ["data:application/json,{}", /source map .* cannot be used/],
    [`${site.origin}/missing.map`, /HTTP status 404/],
    ["file:///etc/passwd", /not of the web/],
    [held.url, /did not come within/],
  ] as const) {
    await using session = worker.session();
    await pausedInScript(session, address, reason);
  }
  held.release();
});

async function pausedInScript(session: WorkerSession, address: string, reason: RegExp): Promise<void> {
  const page = await session.open(pageWith(address));
  await session.do("debugger_enable");
  const set = await session.do(
    "debugger_breakpoint",
    { action: "set", url: "cart.ts", line: 10 },
    { deadlineMs: 10_000 },
  );
  assert.match(set.text, reason);
  const script = /(\S+):\d+:\d+/.exec(
    (await session.do("debugger_pause_on_exceptions", { state: "all" })).text,
  );
  assert.equal(script, null);
  await session.do("debugger_execution", { action: "pause" });
  const clicked = await session.do("browser_click", { ref: refOf(page, "Sum") });
  assert.match(clicked.text, /Paused at /);
}
