// One run of a daemon uses every kind of secret, with a failure for each. No output may have a secret.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { main } from "../../client/cli/program.ts";
import { connect, TroupeError } from "../../client/sdk/index.ts";
import { certificateFolder } from "../harness/certificates.ts";
import { McpProcess, textOf } from "../harness/mcp/mcp-process.ts";
import { allStats, read } from "../harness/proc.ts";
import { startProgram } from "../harness/program.ts";
import { shared } from "../harness/shared.ts";
import { tempDir } from "../harness/temp-dir.ts";
import { sha256 } from "../harness/tokens.ts";
import { type Site, serveSite } from "../site/serve.ts";
import { keep, leaksIn, type Outputs, type Secrets } from "./leaks.ts";

const DAEMON = fileURLToPath(new URL("../../daemon/main.ts", import.meta.url));
const DEADLINE = { timeout: 240_000 };
const SESSION = "the-run-that-is-searched";
const SECRETS = {
  token: "token/7f3a91+c04d",
  "wrong token": "wrong/91be07+5ad3",
  "state key": "c3".repeat(16) + "5d".repeat(16),
  "login's cookie": "login-cookie.2b6e",
  "login's storage": 'login "storage" 8d1c',
  "broken login": 'broken "login" 44aa',
  password: 'pass "word"/0c77é',
  "site's cookie": "site-cookie.9e15",
  "page's storage": "page storage/63f0",
  userinfo: "userinfo-5b2c81",
};
/** Content of the page itself, which the search must find. */
const SHOWN = "shown-to-everybody";

const temp = shared(tempDir());
const stateDir = path.join(temp.dir, "state");
const outputs: Record<string, string | Buffer> = {};
const certificates = shared(certificateFolder());
const site = shared(await serveSite());
writeFileSync(path.join(temp.dir, "state.key"), `${SECRETS["state key"]}\n`, { mode: 0o600 });
const origins = [
  { origin: site.origin, localStorage: [{ name: "kept", value: SECRETS["login's storage"] }] },
];
const cookie = {
  name: "login",
  value: SECRETS["login's cookie"],
  domain: "127.0.0.1",
  path: "/",
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: "Lax",
};
file("auth.json", JSON.stringify({ cookies: [cookie], origins }));
file("broken.json", `{"cookies": [{"name": "login", "value": ${JSON.stringify(SECRETS["broken login"])}`);
const key = readFileSync(certificates.tls.key, "utf8");
file("server.key", key);
configure(certificates.tls.cert, "server.key");
const secrets: Secrets = { ...SECRETS, "TLS key": key.split("\n").slice(1, 3).join("\n") };
const daemon = shared(
  startProgram([DAEMON, "--config", path.join(temp.dir, "troupe.yaml"), "--state-dir", stateDir], {
    env: { ...process.env, TROUPE_LOG_LEVEL: "debug" },
    timeoutMs: DEADLINE.timeout,
  }),
);
await daemon.said(/is ready/);
const note = JSON.parse(readFileSync(path.join(stateDir, "daemon.json"), "utf8"));
const [tcp, https] = [note.addresses[1], note.http[0]];

function file(name: string, text: string): void {
  writeFileSync(path.join(temp.dir, name), text, { mode: 0o600 });
}

function configure(cert: string, key: string): void {
  const digest = sha256(SECRETS.token);
  file(
    "troupe.yaml",
    JSON.stringify({
      listen: ["unix:default", "127.0.0.1:0"],
      http: "127.0.0.1:0",
      tls: { cert, key },
      tokens: [{ name: "ci", sha256: digest, control: "write" }],
      stateKeys: ["state.key"],
      roles: { customer: { auth: "auth.json" }, broken: { auth: "broken.json" } },
    }),
  );
}

test("every secret is used, with a failure for each", DEADLINE, async () => {
  await using troupe = await connect({ address: tcp, ca: ca(), token: SECRETS.token, session: "watcher" });
  const events: unknown[] = [];
  const watching = new AbortController();
  const watched = keep(troupe.events({}, { signal: watching.signal }), events);
  await using agent = await McpProcess.start(["--address", tcp, "--ca", ca(), "--session", SESSION], {
    TROUPE_TOKEN: SECRETS.token,
  });
  const call = async (tool: string, args: object = {}) => {
    const reply = await agent.call(tool, { ...args });
    outputs[`MCP ${Object.keys(outputs).length} ${tool}`] = withoutArguments(reply);
    return { reply, text: textOf(reply) };
  };
  const address = pageOf(site);
  const page = await call("browser_navigate", { url: address.replace("//", `//user:${SECRETS.userinfo}@`) });
  assert.match(page.text, new RegExp(SHOWN));
  const ref = refOf(page.text, "Password");
  assert.ok(!(await call("browser_type", { ref, text: SECRETS.password })).reply.isError);
  await call("browser_snapshot", { full: true });
  await call("browser_find", { text: "Password" });
  await call("browser_click", { ref: refOf(page.text, '"Renew"') });
  const wrong = [
    await call("browser_type", { ref, text: SECRETS.password }),
    await call("browser_type", { ref: "e999", text: SECRETS.password }),
    await call("browser_type", { reff: ref, text: SECRETS.password }),
    await call("browser_type", { ref: { is: SECRETS.password }, text: 5 }),
    await call("browser_typo", { ref, text: SECRETS.password }),
    await call("browser_navigate", { url: `http://user:${SECRETS.userinfo}@127.0.0.1:1/` }),
    await call("browser_navigate", { url: `http//user:${SECRETS.userinfo}@127.0.0.1` }),
  ];
  assert.deepEqual(
    wrong.map(({ reply }) => reply.isError),
    wrong.map(() => true),
  );
  await call("browser_console_messages");
  // Chrome's own error page contains the address.
  await call("browser_snapshot", { full: true });
  await call("browser_find", { text: "127.0.0.1" });
  await call("browser_navigate", { url: address });
  await call("browser_navigate", { url: site.page("<h1>Elsewhere</h1>"), role: "broken" });
  for (const role of ["customer", "broken"]) await call("get_failures", { role });

  await overHttp();
  await overGrpc();
  kill("customer");
  await call("browser_snapshot");
  assert.match((await call("browser_snapshot", { full: true })).text, new RegExp(SHOWN));
  for (const { pid, text } of processes()) outputs[`process ${pid}`] = text;
  await configuredWrongly();
  for (const command of [
    ["status"],
    ["roles"],
    ["sessions"],
    ["sessions", SESSION],
    ["failures", "customer"],
    ["failures", "broken"],
  ])
    outputs[`troupe ${command.join(" ")}`] = (await told([...command, "--json"])) + (await told(command));
  for (const [name, asked] of Object.entries({
    ListCalls: troupe.calls({ limit: 1000 }),
    ListSessions: troupe.sessions(),
    GetStatus: troupe.status(),
    GetFailures: troupe.failures("broken"),
  }))
    outputs[name] = JSON.stringify(await asked);
  watching.abort();
  await watched;
  outputs.WatchEvents = JSON.stringify(events);
  daemon.child.kill("SIGTERM");
  outputs["state while it ends"] = stateOf();
  const { out, err } = await daemon.ended;
  outputs["state afterwards"] = stateOf();
  outputs.log = out + err;
});

test("all outputs are recorded, and the search finds known content in them", () => {
  const { length } = Object.keys(outputs);
  assert.ok(length > 30, `${length} outputs`);
  for (const where of [
    "ListCalls",
    "ListSessions",
    "WatchEvents",
    "log",
    "state while it ends",
    "state afterwards",
    "troupe sessions",
  ])
    assert.deepEqual(leaksIn({ [where]: outputs[where] ?? "" }, { session: SESSION }), [
      `${where}: session (plain)`,
    ]);
  assert.match(String(outputs["HTTP /metrics"]), /troupe_calls_total/);
  const commands = Object.values(outputs).filter((text) =>
    /worker\/main\.ts|--type=renderer/.test(String(text)),
  );
  assert.ok(commands.length >= 2, "a worker and a browser");
  assert.match(String(outputs["troupe failures broken"]), /broken\.json/);
  const planted: Outputs = {
    ...outputs,
    planted: Buffer.from(`login=${SECRETS["site's cookie"]}`).toString("base64"),
  };
  assert.deepEqual(
    leaksIn(planted, secrets).filter((leak) => leak.startsWith("planted")),
    ["planted: site's cookie (base64 after 0)"],
  );
});

test("no output has a secret", () => {
  const own = readFileSync(path.join(stateDir, "token"), "utf8").trim();
  assert.deepEqual(leaksIn(outputs, { ...secrets, "the daemon's own token": own }), []);
});

/** A page with a cookie, a storage, and a password field that can be rendered again. */
function pageOf({ route }: Site): string {
  return route((_request, response) => {
    const cookie = `session=${SECRETS["site's cookie"]}; HttpOnly; Path=/; Max-Age=86400`;
    response.writeHead(200, { "content-type": "text/html", "set-cookie": cookie });
    response.end(`<title>Secrets</title><h1>${SHOWN}</h1><p><label>Password <input type=password></label>
      <button onclick="document.querySelector('p').innerHTML = '<label>Password <input type=password></label>'">Renew</button>
      <script>localStorage.token = ${JSON.stringify(SECRETS["page's storage"])}; console.log("written")</script>`);
  });
}

async function overHttp(): Promise<void> {
  const bearer = { authorization: `Bearer ${SECRETS.token}` };
  const body = JSON.stringify({ ref: "e998", text: SECRETS.password });
  for (const [name, headers, bytes] of [
    ["browser_type", bearer, body],
    ["browser_typo", bearer, body],
    ["browser_type", bearer, `${body}}`],
    ["browser_type", bearer, JSON.stringify({ text: { is: SECRETS.password } })],
    ["browser_type", { authorization: `Bearer ${SECRETS["wrong token"]}` }, body],
    ["browser_type", { authorization: SECRETS["wrong token"] }, body],
  ] as const)
    outputs[`HTTP ${Object.keys(outputs).length} ${name}`] = await http(
      "POST",
      `/v1/tools/${name}`,
      headers,
      bytes,
    );
  outputs["HTTP /metrics"] = await http("GET", "/metrics", bearer);
}

async function overGrpc(): Promise<void> {
  for (const token of [SECRETS["wrong token"], SECRETS.token]) {
    await using client = await connect({ address: tcp, ca: ca(), token, session: SESSION, role: "customer" });
    const failed = await client.session
      .type({ ref: "e997", text: SECRETS.password })
      .catch((error: unknown) => error);
    assert.ok(failed instanceof TroupeError);
    outputs[`gRPC ${Object.keys(outputs).length}`] =
      `${withoutArguments(failed.detail)} ${failed.text} ${failed.message}`;
  }
}

/** Makes the key file invalid, with another secret in it. */
async function configuredWrongly(): Promise<void> {
  file("server.key", `no key, but ${SECRETS.password}`);
  daemon.child.kill("SIGHUP");
  await daemon.said(/the configuration is not valid/, "err");
}

/** Returns an answer without the arguments that its caller must send again unchanged. */
function withoutArguments(value: CallToolResult | object): string {
  return JSON.stringify(value, (key, each) => (key === "arguments" ? undefined : each));
}

async function http(
  method: string,
  url: string,
  given: Record<string, string>,
  body?: string,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = { ...given, "x-troupe-session": SESSION, "content-type": "application/json" };
  const options = { method, headers, ca: readFileSync(ca()), agent: false };
  const sent = httpsRequest(new URL(url, https), options, (response) => {
    let text = "";
    response.on("data", (chunk) => (text += chunk));
    response.on("end", () => {
      const isJson = /json/.test(response.headers["content-type"] ?? "");
      const shown = isJson ? withoutArguments(JSON.parse(text)) : text;
      resolve(`${JSON.stringify(response.headers)}\n${shown}`);
    });
  });
  sent.on("error", reject);
  sent.end(body);
  return await promise;
}

async function told(command: string[]): Promise<string> {
  let text = "";
  const print = (more: string) => {
    text += more;
  };
  const env = { TROUPE_ADDRESS: tcp, TROUPE_CA: ca(), TROUPE_TOKEN: SECRETS.token };
  await main(command, { cwd: "/", env, print, complain: print });
  return text;
}

function kill(role: string): void {
  const worker = processes().find(
    ({ text }) => text.includes("worker/main.ts") && text.includes(`\0${role}\0`),
  );
  assert.ok(worker);
  process.kill(worker.pid, "SIGKILL");
}

/** Returns the daemon and all processes below it, with their command lines and environments. */
function processes(): { pid: number; text: string }[] {
  const all = allStats();
  const ours = new Set([daemon.child.pid]);
  for (let known = 0; known !== ours.size; ) {
    known = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all
    .filter(({ pid }) => ours.has(pid))
    .map(({ pid }) => ({ pid, text: `${read(`/proc/${pid}/cmdline`)} ${read(`/proc/${pid}/environ`)}` }));
}

/** Returns every file of the state folder. The token for HTTP has a file of its own and is left out. */
function stateOf(): Buffer {
  const files = readdirSync(stateDir, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(stateDir, name))
    .filter((name) => name !== path.join(stateDir, "token"));
  return Buffer.concat(files.map(contentOf));
}

/** Returns an empty buffer for an entry that is no file or that disappears while the daemon ends. */
function contentOf(name: string): Buffer {
  try {
    return statSync(name).isFile() ? readFileSync(name) : Buffer.alloc(0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

function ca(): string {
  return certificates.file("ca.crt");
}

/** Returns the ref on the first line with this text. */
function refOf(snapshot: string, text: string): string {
  const line = snapshot.split("\n").find((each) => each.includes(text) && each.includes("[ref="));
  return /\[ref=(\w+)\]/.exec(line ?? "")?.[1] ?? assert.fail(`no ${text} in:\n${snapshot}`);
}
