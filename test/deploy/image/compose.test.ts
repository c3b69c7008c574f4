// The files of deploy/compose, held to the product, to Prometheus and to each other.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import { loadConfig } from "../../../daemon/config/load.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { blocksOf, pageText, ROOT } from "../../readme/pages.ts";
import { pathOf, prometheusProgram, skipWithout } from "../prometheus/debian.ts";

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  depends_on?: Record<string, { condition: string }>;
  environment?: Record<string, string>;
  ports?: string[];
  networks: string[];
  volumes: string[];
  secrets?: string[];
  healthcheck?: object;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}

interface Compose {
  services: Record<string, Service>;
  networks: object;
  volumes: object;
  secrets: Record<string, { file: string }>;
}

const PAGE = "docs/DOCKER.md";
const FOLDER = path.join(ROOT, "deploy/compose");
const text = (file: string) => readFileSync(path.join(FOLDER, file), "utf8");
const compose = parse(text("compose.yaml")) as Compose;
const services = Object.entries(compose.services);
const { troupe, postgres, prometheus } = compose.services;
const PINNED = /^docker\.io\/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;
const run = promisify(execFile);
const tool = await prometheusProgram("promtool");

test("images of others have a tag for people and a digest", () => {
  for (const [name, { image, build }] of services) if (!build) assert.match(image, PINNED, name);
});

test("what services name is there", () => {
  const named = (part: keyof Service) =>
    services.flatMap(([, service]) => (service[part] as string[] | undefined) ?? []);
  for (const name of named("networks")) assert.ok(name in compose.networks, name);
  for (const name of named("secrets")) assert.ok(name in compose.secrets, name);
  for (const volume of named("volumes")) {
    const [source = ""] = volume.split(":");
    if (source.startsWith(".")) assert.ok(existsSync(path.join(FOLDER, source)), source);
    else assert.ok(source in compose.volumes, source);
  }
  const { context = "", dockerfile = "" } = troupe?.build ?? {};
  assert.equal(path.resolve(FOLDER, context), ROOT);
  assert.ok(existsSync(path.join(ROOT, dockerfile)));
  for (const [name, { condition }] of Object.entries(troupe?.depends_on ?? {})) {
    assert.equal(condition, "service_healthy");
    assert.ok(compose.services[name]?.healthcheck, name);
  }
});

test("the daemon runs as deploy/image prepares it, with what Chrome's sandbox needs", () => {
  assert.equal(troupe?.read_only, true);
  assert.deepEqual(troupe?.cap_drop, ["ALL"]);
  const options = troupe?.security_opt ?? [];
  assert.ok(options.includes("no-new-privileges:true"));
  const profile = options.find((each) => each.startsWith("seccomp="))?.slice("seccomp=".length) ?? "";
  const { syscalls } = JSON.parse(text(profile));
  assert.ok(syscalls.some(({ names }: { names: string[] }) => names.includes("unshare")));
});

test("the database is reached by the daemon alone, with the password that it has", () => {
  const [inside = ""] = postgres?.networks ?? [];
  assert.deepEqual(Reflect.get(compose.networks, inside), { internal: true });
  assert.deepEqual(
    services.flatMap(([name, { networks }]) => (networks.includes(inside) ? [name] : [])),
    ["troupe", "postgres"],
  );
  const {
    POSTGRES_USER: user,
    POSTGRES_DB: database,
    POSTGRES_PASSWORD: password,
  } = postgres?.environment ?? {};
  assert.equal(troupe?.environment?.TROUPE_STORE, `postgres://${user}:${password}@postgres:5432/${database}`);
  assert.equal(postgres?.ports, undefined);
});

test("the daemon reads its configuration, with the secrets that docs/DOCKER.md makes", async () => {
  using temp = tempDir();
  using certificates = certificateFolder();
  const secrets = path.join(temp.dir, "secrets");
  const secret = (name: string) => path.join(secrets, name);
  mkdirSync(secrets);
  copyFileSync(certificates.tls.cert, secret("tls.crt"));
  copyFileSync(certificates.tls.key, secret("tls.key"));
  const config = path.join(temp.dir, "troupe.yaml");
  const inside = text("troupe.yaml");
  writeFileSync(config, inside.replaceAll("/run/secrets", secrets));
  const recipe = blocksOf(PAGE, pageText(PAGE)).find((block) => block.text.includes("POSTGRES_PASSWORD"));
  await run("bash", ["-euc", `chown() { :; }\n${recipe?.text}`], { cwd: secrets });

  for (const [name = ""] of inside.matchAll(/(?<=\/run\/secrets\/)[\w.]+/g))
    assert.ok(troupe?.secrets?.includes(name), name);
  const flags = { listen: [], roles: [], example: false, config, stateDir: path.join(temp.dir, "state") };
  const env = { TROUPE_STORE: troupe?.environment?.TROUPE_STORE?.replace(/\$\{[^}]*\}/, "secret") };
  const { listen, http, hosts, tokens, store, warnings } = loadConfig({ flags, env, cwd: temp.dir });
  assert.deepEqual(warnings, []);
  assert.equal(store, "postgres://troupe:secret@postgres:5432/troupe");
  for (const { name, sha256 } of tokens ?? [])
    assert.equal(
      sha256,
      createHash("sha256")
        .update(readFileSync(secret(`${name}.token`)))
        .digest("hex"),
    );
  assert.match(readFileSync(path.join(temp.dir, ".env"), "utf8"), /^POSTGRES_PASSWORD=[0-9a-f]{48}\n$/);
  const ports = [...listen, ...http].flatMap((each) => ("port" in each ? [`${each.port}:${each.port}`] : []));
  assert.deepEqual(troupe?.ports, ports);
  const [job] = parse(text("prometheus.yaml")).scrape_configs;
  assert.deepEqual(job.static_configs, [{ targets: [`${hosts[0]}:${http[0]?.port}`] }]);
  assert.equal(hosts[0], "troupe");
});

test("Prometheus takes its configuration, with the rules that are mounted", {
  skip: skipWithout(tool),
  timeout: 60_000,
}, async () => {
  using temp = tempDir();
  const etc = path.join(temp.dir, "etc/prometheus");
  mkdirSync(etc, { recursive: true });
  for (const volume of prometheus?.volumes ?? []) {
    const [source = "", destination = ""] = volume.split(":");
    if (source.startsWith(".")) copyFileSync(path.join(FOLDER, source), path.join(temp.dir, destination));
  }
  const config = path.join(etc, "prometheus.yml");
  for (const name of prometheus?.secrets ?? []) writeFileSync(path.join(temp.dir, name), "");
  const given = readFileSync(config, "utf8");
  for (const [name = ""] of given.matchAll(/(?<=\/run\/secrets\/)[\w.]+/g))
    assert.ok(prometheus?.secrets?.includes(name), name);
  writeFileSync(config, given.replaceAll("/run/secrets", temp.dir));
  const { stdout } = await run(pathOf(tool), ["check", "config", config]);
  assert.match(stdout, /SUCCESS: \d+ rules found/);
});
