import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { peerFindings } from "../../../daemon/doctor/peers.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { blocksOf, pageText } from "../../readme/pages.ts";
import { authority } from "../../site/certificates.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();

interface Files {
  cert: string;
  key: string;
  ca: string;
}

async function judged({ cert, key, ca }: Files, nowMs = NOW_MS) {
  const tls = { cert: Buffer.from(cert), key: Buffer.from(key), clientCa: Buffer.from(ca) };
  const [finding, ...others] = await peerFindings({ tls }, nowMs);
  assert.deepEqual(others, []);
  return finding;
}

/** Returns files of the right authority, valid for these days from now on. */
function issued({ host = "troupe-peer", fromDays = -1, toDays = 1 } = {}): Files {
  const ca = authority("Peers");
  const at = (days: number) => new Date(NOW_MS + days * DAY_MS);
  return { ...ca.issue({ host, notBefore: at(fromDays), notAfter: at(toDays) }), ca: ca.cert };
}

test("daemons without peers have no such finding", async () => {
  assert.deepEqual(await peerFindings(undefined, NOW_MS), []);
});

test("a peers' certificate is well, or its finding says what other daemons would not take", async () => {
  const other = authority("Another").cert;
  const cases: [files: Files, isWell: boolean, found: RegExp][] = [
    [issued(), true, /take the certificate until 2\d{3}-/],
    [{ ...issued(), ca: other }, false, /refuse .*UNABLE_TO_VERIFY_LEAF_SIGNATURE/],
    [{ ...issued(), ca: other + issued().ca }, false, /refuse/],
    [issued({ host: "daemon-1.example" }), false, /lacks the DNS name troupe-peer/],
    [issued({ fromDays: 1, toDays: 2 }), false, /valid only from/],
    [issued({ fromDays: -2, toDays: -1 }), false, /has expired/],
    [issued({ fromDays: -300, toDays: 30 }), false, /expires soon/],
    [issued({ fromDays: -300, toDays: 60 }), true, /until/],
  ];
  for (const [files, isWell, words] of cases) {
    const { ok, found, remedy } = (await judged(files)) ?? {};
    assert.equal(ok, isWell, String(found));
    assert.match(found ?? "", words);
    assert.equal(remedy !== undefined, !isWell);
  }
});

test("a new authority beside the old one is taken", async () => {
  const files = issued();
  assert.equal((await judged({ ...files, ca: authority("New").cert + files.ca }))?.ok, true);
});

test("the page's commands make a certificate that is well, and one for servers alone is not", async () => {
  using temp = tempDir();
  const page = "docs/DAEMONS.md";
  const block = blocksOf(page, pageText(page)).find(({ text }) => text.includes("peer.ext"))?.text ?? "";
  const made = (commands: string) => {
    execFileSync("bash", ["-euc", commands], { cwd: temp.dir, stdio: "pipe" });
    const [cert = "", key = "", ca = ""] = ["peer.crt", "peer.key", "peer-ca.crt"].map((file) =>
      readFileSync(path.join(temp.dir, file), "utf8"),
    );
    return { cert, key, ca };
  };
  assert.equal((await judged(made(block), Date.now()))?.ok, true);
  const forServers = block.replace(
    "subjectAltName=DNS:troupe-peer",
    "extendedKeyUsage=serverAuth\\nsubjectAltName=DNS:troupe-peer",
  );
  assert.match((await judged(made(forServers), Date.now()))?.found ?? "", /refuse .*PURPOSE/);
});
