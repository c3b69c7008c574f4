// The container beside the daemon: it has the daemon read its files again when Kubernetes has changed them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startProgram } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { ROOT } from "../../readme/pages.ts";
import { type Fields, keptObjects } from "./render.ts";

const DAEMON = fileURLToPath(new URL("../../harness/run-daemon.ts", import.meta.url));

test("a changed file is read again, and a wrong one changes nothing until it is mended", async () => {
  using temp = tempDir();
  const at = (file: string) => path.join(temp.dir, file);
  mkdirSync(at("bin"));
  symlinkSync(path.join(ROOT, "troupe"), at("bin/troupe"));
  mkdirSync(at("secrets"));
  const configuration = mounted(at("etc"));
  configuration.change("http: off\nroles: { visitor: {} }\n");
  const secret = mounted(at("secrets/keys"));
  secret.change("0".repeat(64));

  const env = {
    ...process.env,
    PATH: `${at("bin")}:${process.env.PATH}`,
    TROUPE_CONFIG: at("etc/file"),
    TROUPE_STATE_DIR: at("state"),
  };
  await using daemon = startProgram([DAEMON], { env, cwd: temp.dir });
  await daemon.said(/ready/);
  await using beside = startShell(script(temp.dir), env);

  await beside.looked();
  configuration.change("http: off\nroles: { visitor: {}, second: {} }\n");
  await beside.said(/new roles: second/);
  secret.change("1".repeat(64));
  await beside.said(/Nothing is different/);
  configuration.change("rolls: {}\n");
  await beside.said(/not valid[\s\S]*rolls/);
  configuration.change("http: off\nroles: { visitor: {}, third: {} }\n");
  await beside.said(/new roles: third/);
  assert.match(daemon.output.err, /the configuration was read again/);

  beside.child.kill("SIGTERM");
  assert.deepEqual(await beside.ended, [0, null]);
});

/** Returns the container's script for this folder. It looks often, and says each look to standard error. */
function script(dir: string): string {
  const pod = keptObjects("team").find(({ kind }) => kind === "StatefulSet")?.spec.template.spec as Fields;
  const beside = (pod.initContainers as Fields[]).find(({ name }) => name === "reload");
  const text = String(beside?.args[0]);
  assert.ok(
    text.includes("sleep 10 &") && text.includes("/etc/troupe/..data") && text.includes("/secrets/*/"),
  );
  return text
    .replace("sleep 10 &", "echo looks >&2; sleep 0.1 &")
    .replace("/etc/troupe/", `${dir}/etc/`)
    .replace("/secrets/", `${dir}/secrets/`);
}

/** A folder as the kubelet mounts it: `file` leads to `..data`, which leads to a folder that is changed whole. */
function mounted(folder: string) {
  mkdirSync(folder);
  symlinkSync("..data/file", path.join(folder, "file"));
  let count = 0;
  return {
    change(text: string) {
      const name = `..${++count}`;
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, "file"), text);
      symlinkSync(name, path.join(folder, "..data_tmp"));
      renameSync(path.join(folder, "..data_tmp"), path.join(folder, "..data"));
      rmSync(path.join(folder, `..${count - 1}`), { recursive: true, force: true });
    },
  };
}

/** Its disposal kills the shell. */
function startShell(text: string, env: NodeJS.ProcessEnv) {
  const child = spawn("sh", ["-c", text], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "exit");
  let output = "";
  const heard = new EventTarget();
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
    heard.dispatchEvent(new Event("output"));
  });
  return {
    child,
    ended,
    /** Resolves when the shell has begun to look. */
    looked: () => once(child.stderr, "data"),
    /** Resolves when new output has the words. */
    async said(words: RegExp) {
      while (!words.test(output)) await once(heard, "output", { signal: AbortSignal.timeout(30_000) });
      output = "";
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
