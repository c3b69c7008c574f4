// The commands of docs/KUBERNETES.md make the files of the Secrets, and fill in the manifests.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { cpSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { tempDir } from "../../harness/temp-dir.ts";
import { blocksOf, pageText, ROOT } from "../../readme/pages.ts";
import { outside } from "./outside.ts";

const PAGE = "docs/KUBERNETES.md";
/** These Secrets need a database, peers or a person. */
const MADE_ELSEWHERE = ["troupe-database", "troupe-peers", "troupe-logins"];

test("the page's commands make keys and certificates, and put name, image and hashes into the manifests", () => {
  using temp = tempDir();
  const manifests = path.join(temp.dir, "deploy/kubernetes");
  cpSync(path.join(ROOT, "deploy/kubernetes"), manifests, { recursive: true });
  const commands = blocksOf(PAGE, pageText(PAGE)).filter(({ text }) => /openssl|sed -i/.test(text));
  execFileSync("bash", ["-euc", commands.map(({ text }) => text).join("")], { cwd: temp.dir, stdio: "pipe" });
  const made = (file: string) => readFileSync(path.join(temp.dir, file), "utf8");

  for (const [secret] of outside().secrets)
    if (!MADE_ELSEWHERE.includes(secret)) for (const file of filesOf(secret)) assert.ok(made(file), file);
  const door = new X509Certificate(made("tls.crt"));
  assert.ok(door.checkHost("troupe.troupe.svc") && door.checkHost("localhost"));
  assert.ok(door.verify(new X509Certificate(made("ca.crt")).publicKey));
  const [, name = ""] = /^entry=(\S+)$/m.exec(pageText(PAGE)) ?? [];
  assert.ok(new X509Certificate(made("entry.crt")).checkHost(name));

  const texts = globSync("**/*.yaml", { cwd: manifests }).map((file) => ({
    file,
    text: readFileSync(path.join(manifests, file), "utf8"),
  }));
  for (const { file, text } of texts)
    assert.doesNotMatch(text, /troupe\.example|0{63}|name: troupe, newTag/, file);
  const settings = texts.filter(({ file }) => path.basename(file) === "troupe.yaml");
  assert.equal(settings.length, 2);
  for (const { text } of settings)
    for (const token of ["ops", "prometheus"])
      assert.ok(
        text.includes(
          createHash("sha256")
            .update(made(`${token}.token`))
            .digest("hex"),
        ),
        token,
      );
});

/** Returns the files of which the page makes a Secret. */
function filesOf(secret: string): string[] {
  const [, options = ""] = new RegExp(`generic ${secret} (.*)`).exec(pageText(PAGE)) ?? [];
  return [...options.matchAll(/--from-file=(?:[^\s=]+=)?(\S+)/g)].map(([, file = ""]) => file);
}
