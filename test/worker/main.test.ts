// The worker's process until its role is started.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tempDir } from "../harness/temp-dir.ts";

const DEADLINE = { timeout: 30_000 };
const MAIN = path.join(import.meta.dirname, "../../worker/main.ts");

/** A worker with a browser that does nothing but live as long as its pipe. Both end with the test. */
class BegunWorker implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #temp = tempDir();

  constructor(config: object) {
    const { dir } = this.#temp;
    const browser = path.join(dir, "browser");
    const lines = ["#!/bin/sh", `touch ${dir}/began`, "cat <&3 >&2", `touch ${dir}/ended`];
    writeFileSync(browser, lines.join("\n"), { mode: 0o755 });
    this.child = spawn(process.execPath, [MAIN, "--role", "r", "--socket", path.join(dir, "w.sock")], {
      stdio: ["pipe", "ignore", "inherit"],
      env: { ...process.env, TMPDIR: dir, TROUPE_BROWSER: browser },
    });
    this.child.stdin?.end(
      JSON.stringify({ name: "r", allow: [], allowRequests: [], daemonPorts: [], ...config }),
    );
  }

  /** Resolves when the browser has left that file. */
  async browser(did: "began" | "ended"): Promise<void> {
    const { dir } = this.#temp;
    using watcher = new DisposableStack();
    const watching = watcher.adopt(watch(dir), (each) => each.close());
    while (!existsSync(path.join(dir, did))) await once(watching, "change");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill("SIGKILL");
      await once(this.child, "exit");
    }
    this.#temp[Symbol.dispose]();
  }
}

const browser = {
  executable: "",
  executableShown: "",
  headless: true,
  sandbox: "auto",
  args: [],
  connect: "",
};

test("the browser starts before the role is asked for, and ends with its worker", DEADLINE, async () => {
  await using worker = new BegunWorker({ browser });
  await worker.browser("began");
  assert.equal(worker.child.exitCode, null);
  worker.child.kill("SIGKILL");
  await worker.browser("ended");
});
