import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { test } from "node:test";
import { main } from "../../../client/cli/program.ts";
import { connect } from "../../../client/sdk/index.ts";
import type { ErrorType } from "../../../proto/errors/catalogue.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { failure } from "../../harness/failure.ts";
import { McpProcess, textOf } from "../../harness/mcp/mcp-process.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { sha256 } from "../../harness/tokens.ts";

const SECRETS = {
  ci: "ci-token-5f3a",
  boss: "boss-token-77",
  old: "old-token-9c",
  foreign: "foreign-token-1b",
};

const certificates = shared(certificateFolder());
const troupe = shared(
  await testDaemon({
    listen: ["unix:default", "0.0.0.0:0"],
    tls: certificates.tls,
    tokens: [
      { name: "ci", sha256: sha256(SECRETS.ci), roles: ["customer"], profiles: ["core"] },
      { name: "boss", sha256: sha256(SECRETS.boss), control: "write" },
      { name: "old", sha256: sha256(SECRETS.old), notAfter: "2020-01-01" },
    ],
    roles: { visitor: {}, customer: {} },
  }),
);
const tcp = `127.0.0.1:${troupe.daemon.addresses[1]?.split(":").at(-1)}`;

const ca = () => certificates.file("ca.crt");
const over = (token: string | undefined, more: object = {}) =>
  connect({ address: tcp, ca: ca(), token, session: "same", ...more });

const refused: [token: string | undefined, why: RegExp][] = [
  [undefined, /carries no token/],
  [SECRETS.foreign, /none that is configured/],
  [SECRETS.ci.slice(0, -1), /none that is configured/],
  [SECRETS.old, /ended on 2020-01-01/],
];

for (const [token, why] of refused) {
  test(`no door accepts the token ${token}, and no output repeats it`, async () => {
    await using troupeOf = await over(token);
    const failed = [
      await failure(() => troupeOf.session.navigate({ url: "http://a.test/" })),
      await failure(() => troupeOf.status()),
      await failure(async () => {
        for await (const event of troupeOf.events()) assert.fail(JSON.stringify(event));
      }),
    ];
    for (const { type, message, text } of failed) {
      assert.equal(type, "UNAUTHENTICATED" satisfies ErrorType);
      assert.match(message, why);
      assert.match(text, /Ask the operator for a token, and set TROUPE_TOKEN or TROUPE_TOKEN_FILE/);
    }
    for (const path of ["/v1/tools", "/metrics"]) {
      const { status, headers, body } = await http(path, token);
      assert.equal(status, 401);
      assert.match(headers["www-authenticate"] ?? "", /^Bearer realm="troupe"/);
      assert.equal(JSON.parse(body).error.type, "UNAUTHENTICATED");
      if (token) assert.ok(!body.includes(token));
    }
    await using shim = await McpProcess.start(["--address", tcp, "--ca", ca()], {
      TROUPE_TOKEN: token ?? "",
    });
    const answer = await shim.call("list_current_roles", {});
    const text = textOf(answer);
    assert.ok(answer.isError);
    assert.match(text, why);
    if (token)
      assert.ok(![...failed.map((each) => JSON.stringify(each.detail)), text].join().includes(token));
  });
}

test("rejected callers leave few log lines, without a token", async () => {
  await using nobody = await over(SECRETS.foreign);
  for (let index = 0; index < 30; index++)
    await failure(() => nobody.session.navigate({ url: "http://a.test/" }));
  const lines = troupe.lines.filter((line) => /browser_navigate.*UNAUTHENTICATED/.test(line));
  assert.ok(lines.length > 0 && lines.length <= 20, `${lines.length} lines`);
  for (const secret of Object.values(SECRETS)) assert.ok(!troupe.lines.join("\n").includes(secret));
});

test("a client has its roles, its profiles and its own sessions alone", async () => {
  await using ci = await over(SECRETS.ci);
  await using boss = await over(SECRETS.boss);
  assert.match((await ci.session.listCurrentRoles()).text, /^customer \(current\)[^\n]*$/);
  await ci.session.navigate({ url: "http://a.test/" });
  await boss.session.navigate({ url: "http://a.test/" });
  const denied = [
    await failure(() => ci.session.selectRole({ role: "visitor" })),
    await failure(() => ci.session.navigate({ url: "http://a.test/", role: "visitor" })),
    await failure(() => ci.newSession({ profile: "full" }).navigate({ url: "http://a.test/" })),
    await failure(() => ci.restart("customer")),
    await failure(() => ci.clearFailures("customer")),
    await failure(() => ci.drain()),
    await failure(() => ci.failures("visitor")),
  ];
  assert.deepEqual([...new Set(denied.map(({ type }) => type))], ["PERMISSION_DENIED"]);
  assert.deepEqual(
    (await ci.roles()).map(({ name }) => name),
    ["customer"],
  );
  assert.deepEqual(
    (await ci.sessions()).map(({ client, id }) => `${client} ${id}`),
    ["ci same"],
  );
  const all = (await boss.sessions()).map(({ client, id }) => `${client} ${id}`);
  assert.ok(all.includes("ci same") && all.includes("boss same"), all.join());
  const own = new Set((await ci.calls()).map(({ requestId }) => requestId));
  const every = await boss.calls({ limit: 1000 });
  assert.ok(own.size > 0 && own.size < every.length);
  const { configFile, stateDir, warnings } = await ci.status();
  assert.deepEqual([configFile, stateDir, warnings], ["", "", []]);
  assert.ok((await boss.status()).stateDir);
});

test("two clients with sessions of the same name each close their own", async () => {
  await using ci = await over(SECRETS.ci, { session: undefined });
  await using boss = await over(SECRETS.boss, { session: undefined });
  const [mine, theirs] = [ci.newSession({ session: "twin" }), boss.newSession({ session: "twin" })];
  await mine.navigate({ url: "http://a.test/" });
  await theirs.navigate({ url: "http://a.test/" });
  const clients = async () =>
    (await boss.sessions())
      .filter(({ id }) => id === "twin")
      .map(({ client }) => client)
      .sort();
  assert.deepEqual(await clients(), ["boss", "ci"]);
  const { ok } = await troupe.ask("CloseSession", { session: "ci/twin" });
  assert.ok(ok, "the socket's owner may close anybody's");
  assert.deepEqual(await clients(), ["boss"]);
});

test("every call leaves a log line with its client, tool, role and outcome", async () => {
  await using ci = await over(SECRETS.ci, { session: "audited" });
  await ci.session.navigate({ url: "http://a.test/" });
  await failure(() => ci.session.selectRole({ role: "visitor" }));
  const lines = troupe.lines
    .map((line) => JSON.parse(line))
    .filter(({ session, msg }) => session === "audited" && msg === "call");
  assert.deepEqual(
    lines.map(({ client, tool, role, outcome }) => [client, tool, role, outcome]),
    [
      ["ci", "browser_navigate", "customer", "OK"],
      ["ci", "select_role", "customer", "PERMISSION_DENIED"],
    ],
  );
  assert.ok(lines.every(({ requestId, level }) => /^[\da-f-]{36}$/.test(requestId) && level === 30));
  await failure(() => ci.restart("customer"));
  const control = troupe.lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "control")
    .at(-1);
  assert.deepEqual(
    [control.client, control.rpc, control.outcome, control.level],
    ["ci", "RestartRole", "PERMISSION_DENIED", 30],
  );
});

test("HTTP speaks TLS, takes configured tokens only, and reports a refused client", async () => {
  const { status, body } = await http("/v1/tools", SECRETS.ci);
  assert.equal(status, 200, body);
  assert.equal((await http("/metrics", SECRETS.ci)).status, 200);
  assert.equal((await http("/livez", undefined)).status, 200);
  const own = readFileSync(troupe.config.state.token, "utf8").trim();
  assert.equal((await http("/v1/tools", own)).status, 401);
  const profile = await http("/v1/tools", SECRETS.ci, { "x-troupe-profile": "full" });
  assert.deepEqual([profile.status, JSON.parse(profile.body).error.type], [403, "PERMISSION_DENIED"]);
});

test("plain HTTP to the port of HTTPS gets 400 and a sentence, and nothing is served", async () => {
  const plain = restClient(httpAddress().replace("https:", "http:"), troupe.config.state.token);
  for (const path of ["/livez", "/v1/tools"]) {
    const { status, json } = await plain.send(path);
    assert.deepEqual([status, json.error?.type], [400, "INVALID_ARGUMENT"]);
    assert.match(json.text, /this port speaks HTTPS[\s\S]*an address that begins with https:\/\//);
  }
});

test("an unknown authority, a wrong name and plain text get different errors, each with a remedy", async () => {
  const told = async (options: object) =>
    (await failure(() => connect({ address: tcp, token: SECRETS.ci, ...options }))).detail;
  const cases: [options: object, reason: RegExp, mend: RegExp][] = [
    [{ ca: certificates.file("other.crt") }, /authority that this client does not know/, /--ca FILE/],
    [
      { ca: ca(), address: tcp.replace("127.0.0.1", "localhost") },
      /another name than this address/,
      /daemon's certificate/,
    ],
    [{ ca: certificates.file("none.crt") }, /none\.crt, which cannot be read \(ENOENT\)/, /none\.crt/],
    [{ ca: ca(), cert: certificates.file("ada.crt") }, /belong together/, /--key/],
  ];
  for (const [options, reason, mend] of cases) {
    const { type, recoverable, message, steps } = await told(options);
    assert.deepEqual([type, recoverable], ["DAEMON_UNREACHABLE", false], message);
    assert.match(message, reason);
    assert.match(JSON.stringify(steps), mend);
  }
  assert.match((await told({})).message, /TLS/, "in plain text, where TLS is asked for");
});

/** Runs the command line at the TCP door. Resolves with its exit code and output. */
async function commanded(env: Record<string, string>, words = ["sessions", "--json"]) {
  let said = "";
  const print = (text: string) => {
    said += text;
  };
  const world = { cwd: "/", env: { TROUPE_ADDRESS: tcp, TROUPE_CA: ca(), ...env }, print, complain: print };
  return [await main(words, world), said] as const;
}

test("the command line shows its token and certificates from the environment", async () => {
  using temp = tempDir();
  writeFileSync(`${temp.dir}/token`, `${SECRETS.boss}\n`);
  const [done, said] = await commanded({ TROUPE_TOKEN_FILE: `${temp.dir}/token` });
  assert.equal(done, 0, said);
  const [refusedWith, why] = await commanded({ TROUPE_TOKEN: SECRETS.foreign });
  assert.equal(refusedWith, 1);
  assert.match(why, /UNAUTHENTICATED/);
  const [, untrusting] = await commanded({ TROUPE_CA: certificates.file("other.crt") });
  assert.match(untrusting, /What to do: name that authority's certificate with --ca FILE/);
});

test("the command line may do what its token allows, and reports what it forbids", async () => {
  const call = (...words: string[]) => commanded({ TROUPE_TOKEN: SECRETS.ci }, ["call", ...words]);
  const [done, said] = await call("browser_navigate", "url=http://a.test/", "--role", "customer");
  assert.equal(done, 0, said);
  assert.match(
    (await call("browser_navigate", "url=http://a.test/", "--role", "visitor"))[1],
    /role 'visitor'/,
  );
  assert.match((await call("clear_failures"))[1], /the profile full/);
});

test("with an authority for clients, a certificate names the client, and a foreign one is refused", async () => {
  await using strict = await testDaemon(
    {
      listen: ["127.0.0.1:0"],
      tls: { ...certificates.tls, clientCa: ca() },
      roles: { visitor: {} },
    },
    {},
  );
  const address = strict.daemon.addresses[0];
  const as = (name: string | undefined) =>
    connect({
      address,
      ca: ca(),
      ...(name && { cert: certificates.file(`${name}.crt`), key: certificates.file(`${name}.key`) }),
    });
  await using ada = await as("ada");
  await ada.session.navigate({ url: "http://a.test/" });
  assert.deepEqual(
    (await ada.sessions()).map(({ client }) => client),
    ["cert:ada"],
  );
  assert.equal((await failure(() => ada.drain())).type, "PERMISSION_DENIED");
  for (const [name, mend] of [
    [undefined, /--cert FILE --key FILE/],
    ["foreign", /tls\.clientCa/],
  ] as const) {
    const { detail } = await failure(async () => {
      await using client = await as(name);
      await client.session.navigate({ url: "http://a.test/" });
    });
    assert.equal(detail.type, "DAEMON_UNREACHABLE", detail.message);
    assert.match(JSON.stringify(detail.steps), mend, detail.message);
  }
});

function httpAddress(): string {
  return troupe.daemon.http[0] ?? "";
}

function http(path: string, token: string | undefined, more: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string>;
    body: string;
  }>();
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...more };
  get(new URL(path, httpAddress()), { headers, ca: readFileSync(ca()), agent: false }, (response) => {
    let body = "";
    response.on("data", (chunk) => {
      body += chunk;
    });
    response.on("error", reject);
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers as never, body }),
    );
  }).on("error", reject);
  return promise;
}
