// The seccomp profile: Chrome has its sandbox under it, and what containers must not do stays denied.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { ROOT } from "../../readme/pages.ts";
import { keptObjects } from "./render.ts";

const run = promisify(execFile);
const PROFILE = path.join(ROOT, "deploy/kubernetes/node/troupe.json");
const RUNNER = path.join(import.meta.dirname, "under-profile.py");
const PYTHON = "/usr/bin/python3";
/** The user of the image. */
const UID = 10_001;
const NEW_USER_NAMESPACE = 0x1000_0000;
const NAMESPACES_DENIED = 0x0e02_0000;
const DENIED = [
  "mount",
  "umount2",
  "pivot_root",
  "bpf",
  "ptrace",
  "kexec_load",
  "init_module",
  "setns",
  "keyctl",
];
const skip = process.env.CI ? false : await whySkipped();

interface Rule {
  names: string[];
  action: string;
  args?: { value: number }[];
}

test("the profile allows what it names alone, and nothing that changes the machine", () => {
  const { defaultAction, syscalls } = profile();
  assert.equal(defaultAction, "SCMP_ACT_ERRNO");
  assert.ok(syscalls.every(({ action }) => action === "SCMP_ACT_ALLOW"));
  const allowed = new Set(syscalls.flatMap(({ names }) => names));
  assert.deepEqual(
    DENIED.filter((name) => allowed.has(name)),
    [],
  );
  assert.deepEqual(
    ruleOf("clone", syscalls).args?.map(({ value }) => value),
    [NAMESPACES_DENIED],
  );
});

test("the node's DaemonSet puts the profile where the pods look for it", () => {
  const [, map, daemonSet] = ["Namespace", "ConfigMap", "DaemonSet"].map((kind) =>
    keptObjects("node").find((each) => each.kind === kind),
  );
  assert.deepEqual(JSON.parse(map?.data["troupe.json"]), profile());
  const { volumes } = daemonSet?.spec.template.spec ?? {};
  const pod = keptObjects("team").find(({ kind }) => kind === "StatefulSet")?.spec.template.spec;
  assert.equal(
    `${volumes[1].hostPath.path}/troupe.json`,
    `/var/lib/kubelet/seccomp/${pod.securityContext.seccompProfile.localhostProfile}`,
  );
});

test("Chrome shows a page in its sandbox under the profile", { skip }, async () => {
  assert.match(await underProfile(profile()), /<p>it runs<\/p>/);
});

test("without user namespaces Chrome ends, so the test above is of its sandbox", { skip }, async () => {
  const without = profile();
  const [argument] = ruleOf("clone", without.syscalls).args ?? [];
  if (argument) argument.value += NEW_USER_NAMESPACE;
  await assert.rejects(underProfile(without), /sandbox|namespace/i);
});

async function whySkipped(): Promise<string | false> {
  if (!existsSync(PYTHON)) return `${PYTHON} is not here`;
  const { source } = await findBrowser({ env: process.env, platform: process.platform });
  if (source === "embedded") return "the embedded browser has no sandbox";
  return await run("unshare", ["--user", "true"]).then(
    () => false,
    () => "this machine allows no user namespaces",
  );
}

/** Resolves to what Chrome shows of a page. Chrome runs as an unprivileged user that can gain no privilege. */
async function underProfile(rules: object): Promise<string> {
  using temp = tempDir();
  const file = (name: string) => path.join(temp.dir, name);
  writeFileSync(file("profile.json"), JSON.stringify(rules));
  copyFileSync(RUNNER, file("run.py"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(temp.dir, UID, UID);
    for (const name of ["profile.json", "run.py"]) chmodSync(file(name), 0o644);
  }
  const { executable } = await findBrowser({ env: process.env, platform: process.platform });
  const privileges = ["--bounding-set=-all", "--inh-caps=-all"];
  const user = isRoot ? ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups", ...privileges] : [];
  const chrome = [executable, "--headless", "--disable-gpu", `--user-data-dir=${file("profile")}`];
  const [program = "", ...args] = [...user, PYTHON, file("run.py"), file("profile.json"), ...chrome];
  const env = { ...process.env, HOME: temp.dir, XDG_CACHE_HOME: temp.dir, XDG_CONFIG_HOME: temp.dir };
  const page = "data:text/html,<p>it runs</p>";
  const { stdout } = await run(program, [...args, "--dump-dom", page], {
    env,
    cwd: temp.dir,
    timeout: 60_000,
  });
  return stdout;
}

function profile(): { defaultAction: string; syscalls: Rule[] } {
  return JSON.parse(readFileSync(PROFILE, "utf8")) as { defaultAction: string; syscalls: Rule[] };
}

function ruleOf(name: string, rules: readonly Rule[]): Rule {
  const found = rules.find(({ names }) => names.includes(name));
  assert.ok(found);
  return found;
}
