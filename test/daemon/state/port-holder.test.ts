import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { portHolder } from "../../../daemon/state/port-holder.ts";
import { strangerAt } from "../../harness/daemon.ts";
import { startProgram } from "../../harness/program.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 30_000 };
const daemonProgram = fileURLToPath(new URL("../../harness/run-daemon.ts", import.meta.url));
const host = "127.0.0.1";

/** Starts a daemon in a project's folder. Its HTTP takes the default port if that is free. */
async function daemonOf(folder: string, args: string[] = []) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "troupe.yaml"), "roles: { buyer: {} }");
  const state = path.join(path.dirname(folder), `state-of-${path.basename(folder).length}`);
  const program = startProgram([daemonProgram, "--state-dir", state, ...args], { cwd: folder });
  await program.said(/ready/);
  const { http } = JSON.parse(readFileSync(path.join(state, "daemon.json"), "utf8"));
  return {
    program,
    port: Number(new URL(http[0]).port),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}

test(
  "another Troupe is named with its project and process, wherever its state folder is",
  DEADLINE,
  async () => {
    using temp = tempDir();
    await using shop = await daemonOf(path.join(temp.dir, "shop"), ["--http", `${host}:0`]);
    assert.equal(
      await portHolder({ host, port: shop.port }),
      `another Troupe: project shop, pid ${shop.program.child.pid}`,
    );
  },
);

test("any other program is named with its process", DEADLINE, async () => {
  using stranger = await strangerAt({ port: 0, host });
  const holder = await portHolder({ host, port: stranger.port });
  assert.match(holder, new RegExp(`^another program: \\S+, pid ${process.pid}$`));
});

test("a name of a folder cannot break the line", DEADLINE, async () => {
  using temp = tempDir();
  await using shop = await daemonOf(path.join(temp.dir, "a\nb\u001b[31m"), ["--http", `${host}:0`]);
  assert.match(await portHolder({ host, port: shop.port }), /^another Troupe: project a b\S*\[31m, pid \d+$/);
});

/** Asks as a user who cannot see this process. Only root can do so. */
function asAnotherUser(port: number) {
  const url = new URL("../../../daemon/state/port-holder.ts", import.meta.url);
  const ask = `import { portHolder } from "${url}"; console.log(await portHolder({ host: "${host}", port: ${port} }))`;
  const user = { uid: 65_534, gid: 65_534, env: { HOME: "/nonexistent" } };
  return promisify(execFile)(process.execPath, ["--input-type=module", "-e", ask], user);
}

const rootOnly = { ...DEADLINE, skip: process.getuid?.() === 0 ? false : "only root has another user" };

test("another user's program is asked for its name, and not followed elsewhere", rootOnly, async () => {
  const asked: string[] = [];
  const server = createHttpServer(({ url = "" }, response) => {
    asked.push(url);
    if (url === "/metrics") response.writeHead(302, { location: "/elsewhere" }).end();
    else response.end("troupe_calls_total 1");
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host }, resolve));
  const { port } = server.address() as AddressInfo;
  const { stdout } = await asAnotherUser(port);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.deepEqual([stdout, asked], ["another program\n", ["/metrics"]]);
});

test("a port of nobody has no process", DEADLINE, async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port: 0, host }, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await portHolder({ host, port }), "another program");
});

test("two projects without a configured port run side by side", DEADLINE, async () => {
  using temp = tempDir();
  await using _one = await daemonOf(path.join(temp.dir, "one"));
  const folder = path.join(temp.dir, "other");
  await using two = await daemonOf(folder);
  assert.notEqual(two.port, 7421);
  // The first project need not be the holder: any program of this machine may have the port.
  await two.program.said(
    /127\.0\.0\.1:7421 is taken by another .*pid \d+; HTTP is at http:\/\/127\.0\.0\.1:\d+/,
    "err",
  );
});
