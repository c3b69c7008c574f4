// No DNS question leaves a role's browser: Chrome asks no resolver, whatever its pages try.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { tempDir } from "../harness/temp-dir.ts";
import type { Seen } from "./names-asked.ts";

const PROGRAM = fileURLToPath(new URL("names-asked.ts", import.meta.url));
/** Every address belongs to this machine, and every DNS question comes to it. */
const NETWORK = `ip link set lo up && ip route add local 0.0.0.0/0 dev lo && mount --bind "$0" /etc/resolv.conf && exec "$@"`;
const NAMESPACES = ["--net", "--mount"];
const canUnshare = spawnSync("unshare", [...NAMESPACES, "ip", "link", "set", "lo", "up"]).status === 0;
const skip = canUnshare ? false : "a network of its own needs unshare, ip and their permission";

test("a page can only ask for names that its role lists, and sends no other datagram", {
  skip,
}, async () => {
  using temp = tempDir();
  const { dir } = temp;
  const settings = path.join(dir, "resolv.conf");
  await writeFile(settings, "nameserver 127.0.0.1\n");
  const args = [...NAMESPACES, "sh", "-c", NETWORK, settings, process.execPath, PROGRAM];
  const { stdout } = await promisify(execFile)("unshare", args);
  const { names, otherDatagrams, unknownHost }: Seen = JSON.parse(stdout.split("\n")[0] ?? "");
  assert.deepEqual(names.sort(), ["shop.test", "unknown.test"]);
  assert.equal(otherDatagrams, 0);
  assert.equal(unknownHost, "net::ERR_NAME_NOT_RESOLVED");
});
