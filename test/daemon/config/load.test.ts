import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { type Flags, parseFlags } from "../../../daemon/config/command-line.ts";
import { loadConfig } from "../../../daemon/config/load.ts";
import { EXIT, StartupError } from "../../../daemon/core/startup-error.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const none: Flags = { listen: [], roles: [], example: false };

/** Loads a configuration with that text from a folder of its own. */
function load(text: string, flags: Partial<Flags> = {}, env: Record<string, string> = {}) {
  using temp = tempDir();
  const config = path.join(temp.dir, "troupe.yaml");
  writeFileSync(config, text);
  const stateDir = path.join(temp.dir, "state");
  return {
    ...loadConfig({ flags: { ...none, config, stateDir, ...flags }, env, cwd: temp.dir }),
    dir: temp.dir,
  };
}

function refusal(run: () => unknown): StartupError {
  try {
    run();
  } catch (error) {
    if (error instanceof StartupError) return error;
    throw error;
  }
  assert.fail("nothing was refused");
}

test("without a configuration there is one role without login", () => {
  using temp = tempDir();
  const config = loadConfig({ flags: none, env: { HOME: temp.dir }, cwd: temp.dir });
  assert.deepEqual(
    config.roles.map(({ name }) => name),
    ["default"],
  );
  assert.equal(config.state.dir, path.join(temp.dir, ".local/state/troupe/default"));
  assert.deepEqual(config.listen, [{ kind: "unix", path: config.state.socket }]);
  assert.deepEqual(config.http, [{ host: "127.0.0.1", port: 7421, preferred: true }]);
});

test("the example has its own state folder, which clients without a configuration do not use", () => {
  using temp = tempDir();
  const fallbackFile = path.join(temp.dir, "troupe.yaml");
  const cwd = mkdtempSync(path.join(temp.dir, "elsewhere-"));
  writeFileSync(fallbackFile, "roles: { visitor: {} }");
  const from = { flags: none, env: { HOME: temp.dir }, fallbackFile };
  const { example, state } = loadConfig({ ...from, cwd: "/" });
  assert.equal(example, true);
  assert.match(path.basename(state.dir), /^trp-/);
  assert.deepEqual(loadConfig({ ...from, cwd }).state, state);
});

test("only a configured HTTP address must be had", () => {
  const named = [{ host: "127.0.0.1", port: 7421 }];
  assert.deepEqual(load("http: 127.0.0.1:7421").http, named);
  assert.deepEqual(load("", { http: "127.0.0.1:7421" }).http, named);
  assert.deepEqual(load("", { idleExitMs: 1000 }).http, [{ ...named[0], preferred: true }]);
  assert.deepEqual(load("http: off").http, []);
});

test("paths are relative to the file, and shown as they were written", () => {
  const { roles, dir, listen } = load(
    "listen: [unix:d.sock]\nroles: { a: { auth: auth/a.json, browser: { executable: chrome } } }",
  );
  assert.deepEqual(roles[0]?.auth, { file: path.join(dir, "auth/a.json"), shown: "auth/a.json" });
  assert.equal(roles[0]?.browser.executable, path.join(dir, "chrome"));
  assert.deepEqual(listen, [{ kind: "unix", path: path.join(dir, "d.sock") }]);
});

test("flags come before the environment, and that before the file", () => {
  const text = "http: 127.0.0.1:1\nlog: { level: warn }";
  assert.equal(load(text).http[0]?.port, 1);
  assert.equal(load(text, {}, { TROUPE_HTTP: "127.0.0.1:2" }).http[0]?.port, 2);
  assert.equal(load(text, { http: "127.0.0.1:3" }, { TROUPE_HTTP: "127.0.0.1:2" }).http[0]?.port, 3);
  assert.equal(load(text, {}, { TROUPE_LOG_LEVEL: "debug" }).log.level, "debug");
  assert.match(
    refusal(() => load(text, {}, { TROUPE_LOG_LEVEL: "loud" })).message,
    /^command line or environment: log\.level is "loud"/,
  );
});

test("a role's browser keys override those for all roles", () => {
  const { roles } = load(
    "browser: { headless: false, args: [--a] }\nroles: { a: { browser: { args: [--b] } }, b: {} }",
  );
  assert.deepEqual(
    roles.map(({ browser }) => [browser.headless, browser.args]),
    [
      [false, ["--b"]],
      [false, ["--a"]],
    ],
  );
});

test("roles of the command line come first, with login paths relative to the working folder", () => {
  const roles = [{ name: "b", auth: "b.json", url: "http://b.test/" }, { name: "new" }];
  const config = load("roles: { a: {}, b: { sessions: 2 } }", { roles });
  assert.deepEqual(
    config.roles.map(({ name }) => name),
    ["b", "new", "a"],
  );
  assert.equal(config.roles[0]?.startUrl, "http://b.test/");
  assert.equal(config.roles[0]?.auth?.shown, "b.json");
});

test("a wrong configuration ends with 78, naming file and line", () => {
  const { exitCode, message } = refusal(() => load("log: { level: info }\nhtp: off"));
  assert.equal(exitCode, EXIT.configuration);
  assert.match(message, /^troupe\.yaml:2: unknown key htp/);
});

test("a missing configuration is reported as missing", () => {
  assert.match(
    refusal(() => load("", { config: "none.yaml" })).message,
    /Cannot read the configuration none\.yaml: it is not there/,
  );
});

const unsafe: [what: string, text: string, why: RegExp][] = [
  [
    "a certificate that is not there",
    "tls:\n  cert: a\n  key: b",
    /^troupe\.yaml:2: tls\.cert is a, which is not there$/,
  ],
  [
    "an address that is not loopback",
    'listen: ["0.0.0.0:7420"]',
    /^troupe\.yaml:1: listen\[0\] is 0\.0\.0\.0:7420, which is not loopback and needs tls;/,
  ],
  [
    "an HTTP address that is not loopback",
    "http: 192.0.2.1:80",
    /^troupe\.yaml:1: http is 192\.0\.2\.1:80, which is not loopback and needs tls;/,
  ],
  ["a port beyond all ports", "listen: ['127.0.0.1:99999']", /no address/],
];

for (const [what, text, why] of unsafe) {
  test(`${what} is refused if ignoring it would be unsafe`, () => {
    const { exitCode, message } = refusal(() => load(text));
    assert.equal(exitCode, EXIT.configuration);
    assert.match(message, why);
  });
}

const attached = "browser: { connect: 'http://127.0.0.1:9222' }";

test("settings that have no effect on an attached browser cause warnings, their defaults do not", () => {
  assert.deepEqual(load(`{ ${attached}, roles: { a: {}, b: {} } }`).warnings, []);
  const { warnings } = load(`roles: { a: { ${attached}, memory: 1GiB, maxAge: 1h, prepare: true } }`);
  assert.deepEqual(
    warnings.map((warning) => warning.replace(/ has no effect:.*/, "")),
    ["roles.a.memory", "roles.a.maxAge", "roles.a.prepare"],
  );
  const both = "browser: { connect: auto, executable: x }";
  assert.deepEqual(
    load(`{ ${both}, roles: { a: { ${both} } } }`).warnings.map((warning) =>
      warning.replace(/ has no.*/, ""),
    ),
    ["browser.executable", "roles.a.browser.executable"],
  );
  const [open, ...others] = load(`roles: { a: { ${attached}, isolation: role } }`).warnings;
  assert.match(open ?? "", /^role a: isolation: role works in the person's own context/);
  assert.deepEqual(others, []);
});

const contradictions: [text: string, why: RegExp][] = [
  [
    "{ browser: { connect: auto, headless: false } }",
    /^troupe\.yaml:1: browser\.headless is given beside connect/,
  ],
  [`{ ${attached}, roles: { a: { browser: { args: [--x] } } } }`, /roles\.a\.browser\.args is given beside/],
  ["{ roles: { a: { browser: { connect: auto, sandbox: true } } } }", /roles\.a\.browser\.sandbox is given/],
  [
    `{ roles: { a: { ${attached}, isolation: role, allow: ['https://a.test'] } } }`,
    /roles\.a\.allow cannot hold/,
  ],
  [`{ roles: { a: { ${attached}, isolation: role, auth: a.json } } }`, /roles\.a\.auth is given, but/],
  [`{ roles: { a: { ${attached}, isolation: role, saveAuth: true } } }`, /roles\.a\.saveAuth is given, but/],
  ["{ browser: { connect: 'ftp://x' } }", /browser\.connect is "ftp:\/\/x"; allowed: an address such as/],
  [
    "{ browser: { connect: 'http://me:word@127.0.0.1:9222' } }",
    /browser\.connect is .*; allowed: an address/,
  ],
  [
    "roles: { a: { browser: { connect: 'wss://browsers.example/x' } } }",
    /a\.browser\.connect leads to another machine/,
  ],
  [
    "browser: { connect: 'http://10.0.0.1:9222' }\nroles: { a: {} }",
    /:1: browser\.connect leads to another machine/,
  ],
  ["{ browser: { connect: autp } }", /Did you mean auto\?/],
];

for (const [text, why] of contradictions)
  test(`an attached browser and settings that contradict it are refused: ${text}`, () => {
    const { exitCode, message } = refusal(() => load(text));
    assert.equal(exitCode, EXIT.configuration);
    assert.match(message, why);
  });

test("a role's own connect goes before the common browser's start", () => {
  const { roles, warnings } = load(
    `{ browser: { args: [--lang=de] }, roles: { a: { ${attached} }, b: {} } }`,
  );
  assert.deepEqual(
    roles.map(({ browser }) => browser.connect),
    ["http://127.0.0.1:9222", undefined],
  );
  assert.deepEqual(warnings, []);
});

test("credentials have absolute paths, and are bound to allow, else to the start page's origin", () => {
  const roles = `{
    a: { allow: ['https://*.a.test'], startUrl: 'https://b.test/x', credentials: { p: { file: s/p }, q: { env: Q, origins: ['https://q.test'] } } },
    b: { startUrl: 'https://b.test:8443/x', credentials: { p: { totp: { command: [op, read] } } } },
    c: { credentials: { p: { env: P } } } }`;
  const [a, b, c] = load(`roles: ${roles}`).roles.map(({ credentials }) => credentials);
  const { file, origins } = a?.p ?? {};
  assert.ok(file && path.isAbsolute(file.path));
  assert.deepEqual([file.shown, origins], ["s/p", ["https://*.a.test"]]);
  assert.deepEqual(a?.q?.origins, ["https://q.test"]);
  assert.deepEqual(b?.p?.origins, ["https://b.test:8443"]);
  assert.deepEqual(b?.p?.totp?.command?.words, ["op", "read"]);
  assert.deepEqual(c?.p?.origins, []);
});

test("a credential has exactly one source, and a secret in its place is not repeated", () => {
  for (const given of [
    "{}",
    "{ file: a, env: B }",
    "hunter2-in-clear",
    "{ totp: hunter2-in-clear }",
    "{ env: 'no name' }",
    "{ command: [] }",
  ]) {
    const { message } = refusal(() => load(`roles: { a: { credentials: { p: ${given} } } }`));
    assert.match(message, /roles\.a\.credentials\.p/, given);
    assert.doesNotMatch(message, /hunter2/, given);
  }
});

test("roles are separated from the rest of the command line", () => {
  const flags = parseFlags(
    [
      "--role",
      "a",
      "auth.json",
      "https://a.test/",
      "--http",
      "off",
      "--role",
      "b",
      "http://b.test/",
      "--role=c",
      "--listen",
      "unix:x",
      "--listen",
      "127.0.0.1:1",
    ],
    () => undefined,
  );
  assert.deepEqual(flags?.roles, [
    { name: "a", auth: "auth.json", url: "https://a.test/" },
    { name: "b", url: "http://b.test/" },
    { name: "c" },
  ]);
  assert.deepEqual([flags?.http, flags?.listen], ["off", ["unix:x", "127.0.0.1:1"]]);
});

for (const [what, argv, why] of [
  ["an unknown flag", ["--confg", "x"], /--confg[\s\S]*--config/],
  ["a flag without its value", ["--config"], /argument missing/],
  ["a word too many", ["extra"], /too many arguments/],
  ["a role without a name", ["--role"], /--role wants a name/],
  ["a role's name with a slash", ["--role", "a/b"], /--role wants a name.*"a\/b"/],
  ["a wrong duration", ["--idle-exit", "soon"], /--idle-exit wants a duration/],
] as const) {
  test(`${what} ends with 64 and says what is wanted`, () => {
    const { exitCode, message } = refusal(() => parseFlags(argv, () => undefined));
    assert.equal(exitCode, EXIT.usage);
    assert.match(message, why);
  });
}

test("help shows examples and starts nothing", () => {
  let shown = "";
  assert.equal(
    parseFlags(["--help"], (text) => (shown += text)),
    undefined,
  );
  assert.match(shown, /Examples:/);
});

test("every wrong address, key and certificate is reported with file, line and key", () => {
  for (const [text, why] of [
    [
      "listen: [unix:default, 127.0.0.1:99999]",
      /^troupe\.yaml:1: listen\[1\] is 127.*99999, which is no address; allowed/,
    ],
    ["\nhttp: 127.0.0.1:99999", /^troupe\.yaml:2: http is 127.*99999, which is no address; allowed/],
    ["stateKeys: [none.key]", /^troupe\.yaml:1: stateKeys\[0\] is none\.key, which is not there/],
    [
      "stateKeys: [troupe.yaml]",
      /^troupe\.yaml:1: stateKeys\[0\] is troupe\.yaml, which is no key; a key is 32 bytes/,
    ],
    ["tls: { cert: ., key: . }", /^troupe\.yaml:1: tls\.cert is \., which is a folder/],
    [
      "tls: { cert: /dev/zero, key: . }",
      /^troupe\.yaml:1: tls\.cert is \/dev\/zero, which is larger than 1024 KiB/,
    ],
  ] as const)
    assert.match(refusal(() => load(text)).message, why);
});

test("a configuration that is a pipe is refused without a wait for its writer", () => {
  using temp = tempDir();
  const config = path.join(temp.dir, "troupe.yaml");
  assert.equal(spawnSync("mkfifo", [config]).status, 0);
  const { message, exitCode } = refusal(() =>
    loadConfig({ flags: { ...none, config }, env: {}, cwd: temp.dir }),
  );
  assert.match(message, /^Cannot read the configuration troupe\.yaml: it is no file\nName another/);
  assert.equal(exitCode, EXIT.configuration);
});

test("very many problems are cut to the first ones, with their number", () => {
  const { message } = refusal(() => load("? \n".repeat(200)));
  assert.equal(message.split("\n").length, 51);
  assert.match(message, /\nand \d+ problems more$/);
});

test("a problem is one line, whatever the file holds", () => {
  const text = 'tls: { cert: "a\\u2028b\\e[2J", key: k }\n"two\\nlines": 1';
  assert.equal(refusal(() => load(text)).message.split("\n").length, 1);
  const { message } = refusal(() => load(text.split("\n")[0] ?? ""));
  assert.equal(message, "troupe.yaml:1: tls.cert is a\\u2028b\\u001b[2J, which is not there");
});
