// A daemon's role logs in with credentials of every kind on a page that repeats them. No output may have one of them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { main } from "../../client/cli/program.ts";
import { connect, TroupeError } from "../../client/sdk/index.ts";
import { McpProcess, textOf } from "../harness/mcp/mcp-process.ts";
import { startProgram } from "../harness/program.ts";
import { shared } from "../harness/shared.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { serveSite } from "../site/serve.ts";
import { keep, leaksIn, type Outputs } from "./leaks.ts";

const DAEMON = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));
const DEADLINE = { timeout: 240_000 };
const SESSION = "the-agent-that-logs-in";
const SECRETS = {
  file: 'from "a file"/3c90é',
  rotated: "rotated-value/88a1",
  variable: "from-a-variable/51f7",
  command: "from-a-command/d20e",
};
const SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const SHOWN = "shown-to-everybody";

const temp = shared(tempDir());
const stateDir = path.join(temp.dir, "state");
const outputs: Record<string, string | Buffer> = {};
const site = shared(await serveSite());
write("password", `${SECRETS.file}\n`);
write("printed", SECRETS.command);
write("seed", `otpauth://totp/Shop:carla?secret=${SEED}`);
write(
  "troupe.yaml",
  JSON.stringify({
    http: "127.0.0.1:0",
    roles: {
      customer: {
        startUrl: loginPage(),
        credentials: {
          password: { file: "password" },
          token: { env: "SHOP_TOKEN" },
          key: { command: ["cat", "printed"] },
          code: { totp: { file: "seed" } },
          elsewhere: { file: "password", origins: ["https://shop.example"] },
        },
      },
    },
  }),
);
const daemon = shared(
  startProgram([DAEMON, "--config", path.join(temp.dir, "troupe.yaml"), "--state-dir", stateDir], {
    env: { ...process.env, TROUPE_LOG_LEVEL: "debug", SHOP_TOKEN: SECRETS.variable },
    timeoutMs: DEADLINE.timeout,
  }),
);
await daemon.said(/is ready/);
const note = JSON.parse(readFileSync(path.join(stateDir, "daemon.json"), "utf8"));
const address = note.addresses[0] as string;
/** The values that the page received. */
const received = new Set<string>();

function write(name: string, text: string): void {
  writeFileSync(path.join(temp.dir, name), text, { mode: 0o600 });
}

/** A page that repeats what is typed in all that agents and operators are shown. */
function loginPage(): string {
  const sink = site.route((request, response) => {
    received.add(decodeURIComponent((request.url ?? "").split("?")[1] ?? ""));
    response.end();
  });
  return site.page(`<title>Log in</title><h1>${SHOWN}</h1>
    <label>Password <input id=field></label><button onclick="alert(field.value)">Ask</button><p id=out></p>
    <a id=kept download=kept.bin href="">Keep</a>
    <script>kept.addEventListener("click", () => {
      const { value } = field;
      const wide = Uint16Array.from(value, (each) => each.charCodeAt(0));
      const parts = ["${SHOWN}", new Uint8Array(300_000).fill(255), value, new Uint8Array(2_000_000), wide];
      kept.href = URL.createObjectURL(new Blob(parts));
    });
    field.addEventListener("input", () => {
      const { value } = field;
      fetch("${sink}?" + encodeURIComponent(value));
      out.textContent = "typed " + value;
      document.title = value;
      history.replaceState({}, "", "?q=" + encodeURIComponent(value) + "#" + btoa(unescape(encodeURIComponent(value))));
      console.error("rejected", value, { value });
      localStorage.setItem("typed", value);
      setTimeout(() => { throw new Error("rejected " + value) });
    })</script>`);
}

test(
  "every kind of credential reaches the page, and every door is asked for what it says",
  DEADLINE,
  async () => {
    await using troupe = await connect({ address, session: "watcher" });
    const events: unknown[] = [];
    const watching = new AbortController();
    const watched = keep(troupe.events({}, { signal: watching.signal }), events);
    await using agent = await McpProcess.start(["--address", address, "--session", SESSION]);
    const call = async (tool: string, args: object = {}) => {
      const reply = await agent.call(tool, { ...args });
      outputs[`MCP ${Object.keys(outputs).length} ${tool}`] = JSON.stringify(reply);
      return { reply, text: textOf(reply) };
    };
    const roles = await call("list_current_roles");
    assert.match(roles.text, /can type \{\{customer\.password\}\} \{\{customer\.token\}\}/);
    const ref = refOf((await call("browser_snapshot")).text, "Password");
    for (const name of ["password", "token", "key", "code"]) {
      const { text } = await call("browser_type", { ref, text: `{{customer.${name}}}`, submit: true });
      assert.match(text, /Typed into/);
      await call("browser_snapshot", { full: true });
    }
    write("password", SECRETS.rotated);
    await call("browser_steps", { steps: [{ type: { ref, text: "{{customer.password}}" } }] });
    const denied = await call("browser_type", { ref, text: "{{customer.elsewhere}}" });
    assert.match(denied.text, /typed only into documents of https:\/\/shop\.example/);
    await call("browser_type", { ref, text: "{{customer.pasword}}" });
    await call("browser_find", { text: "typed" });
    await call("browser_console_messages");
    await call("browser_click", {
      ref: refOf((await call("browser_snapshot", { full: true })).text, '"Ask"'),
    });
    await call("browser_snapshot");
    await call("browser_handle_dialog", { accept: true });
    await call("browser_tabs", { action: "list" });
    await call("get_failures");

    for (const [tool, body] of [
      ["browser_type", { ref, text: "{{customer.password}}" }],
      ["browser_snapshot", { full: true }],
    ] as const)
      outputs[`REST ${tool}`] = await rest(tool, body);
    const shown = JSON.parse(outputs["REST browser_snapshot"] as string).text;
    await rest("browser_type", { ref: refOf(shown, "Password"), text: "{{customer.password}}" });
    await rest("browser_click", { ref: refOf(shown, '"Keep"') });
    await rest("browser_downloads", { action: "get", id: "d1" });
    outputs["REST file"] = await downloaded("d1");
    outputs["HTTP /metrics"] = await (await fetch(new URL("/metrics", note.http[0]))).text();
    await overGrpc();
    for (const command of [
      ["status"],
      ["roles"],
      ["sessions"],
      ["sessions", SESSION],
      ["failures", "customer"],
    ])
      outputs[`troupe ${command.join(" ")}`] = (await told([...command, "--json"])) + (await told(command));
    outputs.ListCalls = JSON.stringify(await troupe.calls({ limit: 1000 }));
    outputs.ListSessions = JSON.stringify(await troupe.sessions());
    watching.abort();
    await watched;
    outputs.WatchEvents = JSON.stringify(events);
    daemon.child.kill("SIGTERM");
    const { out, err } = await daemon.ended;
    outputs.log = out + err;
    outputs["state afterwards"] = stateOf();
  },
);

test("the page received each value, and the codes of the seed", () => {
  for (const value of Object.values(SECRETS)) assert.ok(received.has(value), value);
  assert.equal(codes().length > 0, true);
});

test("all outputs are recorded", () => {
  assert.ok(Object.keys(outputs).length > 25);
  for (const where of ["log", "ListCalls", "troupe sessions"])
    assert.deepEqual(leaksIn({ [where]: outputs[where] ?? "" }, { session: SESSION }), [
      `${where}: session (plain)`,
    ]);
  const replies = Object.values(outputs).filter((text) => String(text).includes(SHOWN));
  assert.ok(replies.length > 4);
});

test("no output has a credential's value, its seed or a code", () => {
  // The log's own numbers have six digits, too.
  const inReplies: Outputs = Object.fromEntries(
    Object.entries(outputs).filter(([where]) => /^(?:MCP|REST|gRPC)/.test(where)),
  );
  const ofCodes = Object.fromEntries(codes().map((code) => [`code ${code}`, code]));
  assert.deepEqual(leaksIn(outputs, { ...SECRETS, seed: SEED }), []);
  assert.deepEqual(leaksIn(inReplies, ofCodes), []);
});

function codes(): string[] {
  return [...received].filter((value) => /^\d{6}$/.test(value));
}

async function rest(tool: string, body: object): Promise<string> {
  const answer = await fetch(new URL(`/v1/tools/${tool}`, note.http[0]), {
    method: "POST",
    headers: { ...restHeaders(), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await answer.text();
}

/** Returns a download's bytes. */
async function downloaded(id: string): Promise<Buffer> {
  const answer = await fetch(new URL(`/v1/files/${id}`, note.http[0]), { headers: restHeaders() });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.ok(answer.ok && bytes.length > 2_300_000, bytes.subarray(0, 500).toString());
  return bytes;
}

function restHeaders(): Record<string, string> {
  const token = readFileSync(path.join(stateDir, "token"), "utf8").trim();
  return {
    authorization: `Bearer ${token}`,
    "x-troupe-session": "over-rest",
    "x-troupe-role": "customer",
    "x-troupe-profile": "full",
  };
}

async function overGrpc(): Promise<void> {
  await using client = await connect({ address, session: SESSION, role: "customer" });
  const updates = client.session.watch();
  for await (const update of updates) {
    outputs["gRPC Watch"] = JSON.stringify(update);
    break;
  }
  const failed = await client.session
    .type({ ref: "e997", text: "{{customer.token}}" })
    .catch((error: unknown) => error);
  assert.ok(failed instanceof TroupeError);
  outputs["gRPC error"] = JSON.stringify(failed.detail) + failed.text;
}

async function told(command: string[]): Promise<string> {
  let text = "";
  const print = (more: string) => {
    text += more;
  };
  await main(command, { cwd: "/", env: { TROUPE_ADDRESS: address }, print, complain: print });
  return text;
}

function stateOf(): Buffer {
  const files = readdirSync(stateDir, { recursive: true, encoding: "utf8" }).map((name) =>
    path.join(stateDir, name),
  );
  return Buffer.concat(files.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name)));
}

/** Returns the ref on the first line with this text. */
function refOf(snapshot: string, text: string): string {
  const line = snapshot.split("\n").find((each) => each.includes(text) && each.includes("[ref="));
  return /\[ref=(\w+)\]/.exec(line ?? "")?.[1] ?? assert.fail(`no ${text} in:\n${snapshot}`);
}
