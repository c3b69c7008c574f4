import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { readConfiguration } from "../../../daemon/config/read.ts";
import { definition } from "../../../daemon/config-schema/definition.ts";

/** Returns the problems of a text, as `line: words`. */
function problems(text: string): string[] {
  const read = readConfiguration(text);
  assert.ok("problems" in read, "expected problems");
  return read.problems.map(({ line, text: words }) => `${line}: ${words}`);
}

function configuration(text: string) {
  const read = readConfiguration(text);
  if ("problems" in read)
    assert.fail(read.problems.map(({ line, text: words }) => `${line}: ${words}`).join("\n"));
  return read.configuration;
}

test("an empty file means the defaults of the contract", () => {
  const { limits, restart, browser, roles, listen, journal } = configuration("");
  assert.deepEqual(limits, {
    callTimeout: 30_000,
    queueWait: 10_000,
    queue: 64,
    sessions: 10_000,
    sessionStore: 4 * 2 ** 30,
    sessionIdle: 3_600_000,
    sessionMax: 86_400_000,
    drain: 30_000,
  });
  assert.deepEqual(restart, { max: 5, within: 60_000, backoff: 250, cap: 30_000 });
  assert.deepEqual(journal, { size: 64 * 2 ** 20, age: 30 * 86_400_000 });
  assert.deepEqual(browser, { headless: true, sandbox: "auto", args: [] });
  assert.deepEqual(listen, ["unix:default"]);
  const role = roles.default;
  assert.ok(role);
  assert.deepEqual(
    [role.eager, role.isolation, role.sessions, role.authRequired, role.memory, role.maxAge],
    [false, "session", 8, false, 1500 * 2 ** 20, 86_400_000],
  );
});

test("the contract's complete example is valid", () => {
  const { tokens, oidc, tls, roles } = configuration(`
listen: [unix:default, "0.0.0.0:7420"]
tls: { cert: tls.crt, key: tls.key, clientCa: ca.crt }
tokens: [{ name: ci, sha256: ${"ab".repeat(32)}, roles: [customer], profiles: [core], control: read, sessions: 4, rate: 20/s, notAfter: 2027-01-01 }]
oidc: { issuer: https://id.example, audience: troupe, roles: troupe_roles }
stateKeys: [keys/2026-11, keys/2026-05]
browser: { executable: /opt/chrome/chrome, connect: http://127.0.0.1:9222 }
roles:
  customer:
    startUrl: https://shop.example/
    auth: auth/customer.json
    authRequired: true
    authCheck: { loginUrl: "https://*.shop.example/login*", loggedInText: "My account" }
    allow: ["https://*.shop.example"]
    allowRequests: ["https://cdn.example"]
    credentials: { password: { file: secrets/customer } }
    browser: {}
`);
  assert.deepEqual(tokens?.[0]?.rate, { count: 20, perMs: 1000 });
  assert.deepEqual(oidc, { issuer: "https://id.example", audience: ["troupe"], roles: "troupe_roles" });
  assert.equal(tls?.clientCa, "ca.crt");
  assert.deepEqual(roles.customer?.allow, ["https://*.shop.example"]);
});

test("never is read as a duration of 0", () => {
  const { roles } = configuration("roles:\n  a: { freezeAfter: never }\n  b: { freezeAfter: 5m }\n  c: {}\n");
  assert.deepEqual([roles.a?.freezeAfter, roles.b?.freezeAfter, roles.c?.freezeAfter], [0, 300_000, 60_000]);
});

test("keys without a value count as left out", () => {
  assert.equal(configuration("limits:\nroles:\n  a:\n  b: {}\n").roles.a?.sessions, 8);
  assert.equal(configuration("hosts:\nhttp:\n").http, undefined);
});

const wrong: [what: string, text: string, problem: RegExp][] = [
  [
    "a misspelt key",
    "limits:\n  callTimout: 5s\n",
    /^2: unknown key limits\.callTimout; allowed in limits: callTimeout, .*Did you mean callTimeout\?$/,
  ],
  [
    "a misspelt key at the top",
    "log: {}\nrolls: {}\n",
    /^2: unknown key rolls; allowed at the top: listen, .*Did you mean roles\?$/,
  ],
  [
    "a misspelt key of a role",
    "roles:\n  a:\n    startURL: http://x/\n",
    /^3: unknown key roles\.a\.startURL; .*Did you mean startUrl\?$/,
  ],
  [
    "a key where none may stand",
    "files: { uploads: x }\n",
    /^1: unknown key files\.uploads; nothing is allowed in files$/,
  ],
  [
    "a number for a duration",
    "limits:\n  drain: 30\n",
    /^2: limits\.drain is 30; allowed: a duration from 0s to 1h/,
  ],
  ["a duration without a unit", "limits: { drain: '30' }", /^1: limits\.drain is "30"; allowed: a duration/],
  [
    "a duration out of bounds",
    "\nlimits: { callTimeout: 10ms }",
    /^2: limits\.callTimeout is "10ms"; allowed: a duration from 1s to 1h/,
  ],
  [
    "a size in another unit",
    "journal: { size: 64MB }",
    /journal\.size is "64MB"; allowed: a size from 1MiB to 1GiB/,
  ],
  [
    "a wrong word",
    "roles: { a: { isolation: sesion } }",
    /roles\.a\.isolation is "sesion"; allowed: session, role\. Did you mean session\?$/,
  ],
  [
    "a word for a boolean",
    "roles: { a: { eager: yes } }",
    /roles\.a\.eager is "yes"; allowed: true or false$/,
  ],
  [
    "a wrong sandbox",
    "browser: { sandbox: atuo }",
    /browser\.sandbox is "atuo"; allowed: auto, true or false\. Did you mean auto\?/,
  ],
  ["a list that is none", "listen: unix:default", /listen is "unix:default"; allowed: a list of addresses$/],
  [
    "an address that is none",
    "listen: [nowhere]",
    /listen\[0\] is "nowhere"; allowed: unix:default, unix:PATH or HOST:PORT$/,
  ],
  ["a number for http", "http: 7421", /http is 7421; allowed: HOST:PORT, a list of them, or off$/],
  [
    "a role's name with a blank",
    "roles:\n  a b: {}\n",
    /^2: roles has the key "a b"; allowed as a role's name: letters/,
  ],
  [
    "a while that is too short",
    "roles: { a: { freezeAfter: 10ms } }",
    /roles\.a\.freezeAfter is "10ms"; allowed: a duration from 1s to 1d, such as .*, or never$/,
  ],
  [
    "a word beside never",
    "roles: { a: { freezeAfter: nevr } }",
    /roles\.a\.freezeAfter is "nevr".*Did you mean never\?$/,
  ],
  ["no roles", "roles: {}", /roles is \{\}; allowed: at least one role$/],
  ["a role that is a word", "roles: { a: eager }", /roles\.a is "eager"; allowed: the role's keys$/],
  [
    "a file as startUrl",
    "roles: { a: { startUrl: 'file:///etc/passwd' } }",
    /roles\.a\.startUrl .*allowed: an http or https address/,
  ],
  [
    "an origin with a path",
    "roles: { a: { allow: ['https://a.test/b'] } }",
    /roles\.a\.allow\[0\] .*allowed: scheme:\/\/host/,
  ],
  ["a missing key", "tls: { cert: a }", /^1: tls\.key is missing; allowed: the path of a file$/],
  [
    "a login that is required and not there",
    "roles:\n  a:\n    authRequired: true\n",
    /^3: roles\.a\.authRequired is true, but the role has no auth/,
  ],
  [
    "requests held to a list, and documents to none",
    "roles:\n  a:\n    allowRequests: ['https://cdn.test']\n",
    /^3: roles\.a\.allowRequests is given, but no allow: /,
  ],
  [
    "a token for an unknown role",
    `tokens:\n  - { name: t, sha256: ${"ab".repeat(32)}, roles: [custmer] }\nroles: { customer: {} }`,
    /^2: tokens\[0\]\.roles names the role custmer; the roles are customer\. Did you mean customer\?/,
  ],
  [
    "a rate without a time",
    `tokens: [{ name: t, sha256: ${"ab".repeat(32)}, rate: 20 }]`,
    /tokens\[0\]\.rate is 20; allowed: a rate such as/,
  ],
  [
    "an issuer that anybody on the way can imitate",
    "oidc:\n  issuer: http://id.example\n  audience: troupe\n  roles: groups\n",
    /^2: oidc\.issuer is "http:\/\/id\.example"; allowed: the issuer's https address .*; http on loopback only/,
  ],
  [
    "an issuer with a query",
    "oidc: { issuer: 'https://id.example/?a=b', audience: troupe, roles: groups }",
    /^1: oidc\.issuer is .*; allowed: the issuer's https address/,
  ],
  [
    "an issuer without an audience",
    "oidc:\n  issuer: https://id.example\n  roles: groups\n",
    /^1: oidc\.audience is missing; allowed: the name that the issuer knows this daemon by/,
  ],
  [
    "a grant for an unknown role",
    "oidc:\n  issuer: https://id.example\n  audience: [troupe]\n  roles: groups\n  grants:\n    - { value: qa, roles: [custmer] }\nroles: { customer: {} }",
    /^6: oidc\.grants\[0\]\.roles names the role custmer; the roles are customer\. Did you mean customer\?/,
  ],
  [
    "a grant's key that is misspelt",
    "oidc: { issuer: https://id.example, audience: troupe, roles: groups, grants: [{ value: qa, rols: [a] }] }",
    /unknown key oidc\.grants\[0\]\.rols; allowed in oidc\.grants\[0\]: value, roles, .*Did you mean roles/,
  ],
  ["a list at the top", "- a\n- b\n", /allowed/],
  ["tabs and braces that do not close", "roles: {\n", /^\d: /],
  ["the same key twice", "log: {}\nlog: {}\n", /^2: .*unique/],
  ["an alias to nothing", "roles: *a", /^1: .*alias/i],
];

for (const [what, text, problem] of wrong) {
  test(`the problem of ${what} has its line and what is allowed`, () => {
    const found = problems(text);
    assert.match(found[0] ?? "", problem);
  });
}

test("all problems are reported at once, in the order of the file", () => {
  const found = problems("limits:\n  queue: -1\n  drain: soon\nroles:\n  a: { sesions: 3 }\n");
  assert.deepEqual(
    found.map((line) => line.split(":")[0]),
    ["2", "3", "5"],
  );
});

test("a token's digest is never shown, not even a wrong one", () => {
  const found = problems("tokens: [{ name: t, sha256: my-secret-token }]").join();
  assert.match(found, /tokens\[0\]\.sha256 is not well formed; allowed: 64 hexadecimal digits/);
  assert.doesNotMatch(found, /my-secret-token/);
});

test("a bomb of aliases is refused", () => {
  const levels = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (const [at, before] of ["ba", "cb", "dc", "ed", "fe"])
    levels.push(`${at}: &${at} [${`*${before},`.repeat(9)}]`);
  assert.ok(problems(levels.join("\n")).length > 0);
});

test("the definition can be written as JSON Schema, with every key described", () => {
  const schema = z.toJSONSchema(definition, { io: "input" });
  assert.equal(schema.additionalProperties, false);
  const undescribed = Object.entries(schema.properties ?? {}).filter(
    ([, each]) => typeof each === "object" && !each.description,
  );
  assert.deepEqual(undescribed, []);
});

const CIRCLES = [
  "a: &a\n  b: *a",
  "roles: &r { x: *r }",
  "roles: { x: &r { allow: [*r] } }",
  "tokens: [&t { name: *t }]",
];

for (const text of CIRCLES) {
  test(`an alias inside its own target is a problem with its line: ${JSON.stringify(text)}`, () => {
    const read = readConfiguration(text);
    assert.ok("problems" in read);
    assert.deepEqual(read.problems, [
      {
        line: text.split("\n").length,
        text: `the alias *${/&(\w)/.exec(text)?.[1]} stands inside what it names; write out what is meant`,
      },
    ]);
  });
}

for (const open of ["[", "{a: ", "- ", "a:\n "]) {
  test(`text nested without end is a problem, and no exception: ${JSON.stringify(open)}`, () => {
    const read = readConfiguration(open.repeat(5_000));
    assert.ok("problems" in read && read.problems.length > 0);
  });
}

test("features of older YAML are refused instead of read as empty", () => {
  for (const text of ["%YAML 1.1\n---\nlimits: 2001-01-01", "roles: !!set { a }", "%YAML 1.1\n---\n<<: [1]"])
    assert.ok("problems" in readConfiguration(text), text);
});
