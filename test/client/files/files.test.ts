// Files between a client's machine and pages, through daemon and worker: over MCP, HTTP, the SDK and the command line.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { connect } from "../../../client/sdk/index.ts";
import { runCommand } from "../../harness/program.ts";
import { restClient } from "../../harness/rest.ts";
import { shared } from "../../harness/shared.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { refOf, startTroupe } from "../../harness/troupe.ts";
import { serveSite } from "../../site/serve.ts";

const site = shared(await serveSite());
const troupe = shared(await startTroupe({ roles: { anywhere: {} } }));
const rest = restClient(troupe.http, path.join(troupe.stateDir, "token"));

/** Larger than a message. */
const LARGE = Buffer.alloc(6 * 2 ** 20, "0123456789abcdef");

const form =
  site.page(`<input type=file multiple aria-label=Papers onchange="show(files)"><output></output><script>
  async function show(list) {
    const texts = await Promise.all([...list].map(async (f) => f.name + " " + f.size + " " + (await f.slice(0, 5).text())));
    document.querySelector("output").textContent = "got " + texts.join("; ");
  }
</script>`);

function fileRoute(name: string, content: string | Buffer): string {
  return site.route((_request, response) => {
    response.writeHead(200, {
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    });
    response.end(content);
  });
}
const small = fileRoute("report.csv", "a,b\n1,2\n");
const binary = fileRoute("picture.bin", Buffer.from([0, 1, 2, 255]));
const large = fileRoute("large.bin", LARGE);
const linkTo = (file: string) => site.page(`<a href="${file}">Get</a>`);

async function agentWith(...flags: string[]) {
  return await troupe.agent("--role", "anywhere", "--profile", "full", ...flags);
}

test("an agent gives files of its folder, small and large, and only of its folder", async () => {
  using temp = tempDir();
  const folder = path.join(temp.dir, "work");
  mkdirSync(path.join(folder, "sub"), { recursive: true });
  writeFileSync(path.join(folder, "a.txt"), "hello");
  writeFileSync(path.join(folder, "large.bin"), LARGE);
  writeFileSync(path.join(temp.dir, "secret.txt"), "secret");
  symlinkSync(path.join(temp.dir, "secret.txt"), path.join(folder, "link.txt"));
  execFileSync("mkfifo", [path.join(folder, "fifo")]);
  await using agent = await agentWith("--files", folder);
  const page = await agent.text("browser_navigate", { url: form });
  const ref = refOf(page, "button", "Papers");
  const given = await agent.text("browser_file_upload", {
    ref,
    paths: ["a.txt", path.join(folder, "large.bin")],
  });
  assert.match(given, /got a\.txt 5 hello; large\.bin 6291456 01234/);
  for (const [file, problem] of [
    ["../secret.txt", "outside"],
    [path.join(temp.dir, "secret.txt"), "outside"],
    ["link.txt", "outside"],
    ["/dev/null", "outside"],
    ["none.txt", "missing"],
    ["sub", "folder"],
    ["fifo", "special"],
    ["a\u0000b", "unreadable"],
    ["x".repeat(3000), "unreadable"],
  ] as const) {
    const { error, text } = await agent.call("browser_file_upload", { ref, paths: [file] });
    assert.deepEqual([error?.type, error?.details.problem], ["FILE_NOT_ALLOWED", problem], text);
    assert.deepEqual(error?.details.allowed, [folder]);
  }
});

test("without --files an agent reads and writes nothing, and its plan says who must act", async () => {
  await using agent = await agentWith();
  const page = await agent.text("browser_navigate", { url: form });
  const ref = refOf(page, "button", "Papers");
  const { error, text } = await agent.call("browser_file_upload", { ref, paths: ["/etc/hostname"] });
  assert.equal(error?.type, "FILE_NOT_ALLOWED");
  assert.match(text, /Allowed folders: none[\s\S]*--files DIR/);
  const { error: other } = await agent.call("browser_pdf_save", { path: "/tmp/never.pdf" });
  assert.equal(other?.type, "FILE_NOT_ALLOWED");
});

test("an agent gets downloads: text inline, others as a resource, large ones into its folder", async () => {
  using temp = tempDir();
  await using agent = await agentWith("--files", temp.dir);
  const click = async (file: string) => {
    const page = await agent.text("browser_navigate", { url: linkTo(file) });
    return await agent.text("browser_click", { ref: refOf(page, "link", "Get") });
  };
  assert.match(
    await click(small),
    /Download: d1 "report\.csv" began; browser_downloads\(action: "get", id: "d1"\)/,
  );
  const got = await agent.text("browser_downloads", { action: "get", id: "d1" });
  assert.match(got, /^Got d1 "report\.csv" \(8 bytes\)\nContent of "report\.csv":\na,b\n1,2\n/);
  await click(binary);
  const { content } = await agent.client.callTool({
    name: "browser_downloads",
    arguments: { action: "get" },
  });
  const [, part] = content as { type: string; resource: { blob: string } }[];
  assert.deepEqual([part?.type, part?.resource.blob], ["resource", "AAEC/w=="]);
  await click(large);
  const { error } = await agent.call("browser_downloads", { action: "get", id: "d3" });
  assert.equal(error?.type, "RESULT_TOO_LARGE");
  const [step] = error?.steps ?? [];
  assert.deepEqual(step?.arguments, { action: "get", id: "d3", path: "large.bin" });
  const written = await agent.text(step?.tool ?? "", step?.arguments);
  assert.match(written, /Written to large\.bin \(6 MiB\)/);
  assert.ok(readFileSync(path.join(temp.dir, "large.bin")).equals(LARGE));
  const again = await agent.call("browser_downloads", { action: "get", id: "d3", path: "large.bin" });
  assert.equal(again.error?.details.problem, "exists", again.text);
  await agent.text("browser_downloads", { action: "get", id: "d1", path: "./" });
  assert.deepEqual(readdirSync(temp.dir).sort(), ["large.bin", "report.csv"]);
  const removed = await agent.text("browser_downloads", { action: "remove", id: "d3" });
  assert.match(removed, /^Removed d3 "large\.bin"\nd1 "report\.csv" 8 bytes http/);
});

test("a page's PDF and picture are written where the agent says", async () => {
  using temp = tempDir();
  await using agent = await agentWith("--files", temp.dir);
  await agent.text("browser_navigate", { url: form });
  await agent.text("browser_pdf_save", { path: "page.pdf" });
  await agent.text("browser_take_screenshot", { path: "page.png" });
  assert.equal(readFileSync(path.join(temp.dir, "page.pdf")).subarray(0, 4).toString(), "%PDF");
  assert.equal(readFileSync(path.join(temp.dir, "page.png")).subarray(1, 4).toString(), "PNG");
});

test("over HTTP a file is put, given and sent back, and no path is opened", async () => {
  const headers = { "x-troupe-session": "rest", "x-troupe-role": "anywhere", "x-troupe-profile": "full" };
  const put = await rest.send("/v1/files?name=../large.bin", {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: LARGE,
  });
  assert.equal(put.status, 201, put.body);
  const { id, name, size } = put.json as unknown as { id: string; name: string; size: number };
  assert.deepEqual([name, size], ["large.bin", LARGE.length]);
  const call = async (tool: string, args: object) => (await rest.call(tool, args, { headers })).json;
  const page = await call("browser_navigate", { url: form });
  const ref = refOf(page.text, "button", "Papers");
  const inline = { name: "b.txt", content: Buffer.from("inline").toString("base64") };
  const given = await call("browser_file_upload", { ref, files: [{ id }, inline] });
  assert.match(given.text, /got large\.bin 6291456 01234; b\.txt 6 inlin/);
  const refused = await call("browser_file_upload", { ref, paths: ["/etc/passwd"] });
  assert.deepEqual([refused.error?.type, refused.error?.details.problem], ["FILE_NOT_ALLOWED", "remote"]);
  const back = await rest.send(`/v1/files/${id}`, { headers });
  assert.deepEqual([back.status, back.body], [200, LARGE.toString()]);
  // To another session, another role and a client of a smaller profile, the file is not there.
  for (const [other, status] of [
    [{ "x-troupe-session": "other" }, 404],
    [{ "x-troupe-role": "visitor" }, 404],
    [{ authorization: "Bearer wrong" }, 401],
  ] as const) {
    const answer = await rest.send(`/v1/files/${id}`, { headers: { ...headers, ...other } });
    assert.equal(answer.status, status, answer.body);
  }
  const unknown = await rest.send("/v1/files/d9", { headers });
  assert.equal(unknown.status, 404);
  const without = await rest.send(`/v1/files/${id}`);
  assert.equal(without.status, 400);
});

test("a client that dies in the middle of a file leaves no file, and the session goes on", async () => {
  const headers = {
    authorization: `Bearer ${rest.token}`,
    "x-troupe-session": "dying",
    "x-troupe-role": "anywhere",
    "x-troupe-profile": "full",
  };
  const dying = new AbortController();
  const first = Promise.withResolvers<void>();
  const body = async function* () {
    yield LARGE.subarray(0, 2 ** 20);
    first.resolve();
    // The rest never comes.
    await new Promise(() => undefined);
  };
  const sent = fetch(`${troupe.http}/v1/files`, {
    method: "PUT",
    headers,
    body: body() as never,
    duplex: "half",
    signal: dying.signal,
  } as RequestInit);
  await first.promise;
  dying.abort();
  await assert.rejects(sent);
  const whole = await rest.send("/v1/files?name=a.txt", { method: "PUT", headers, body: "whole" });
  assert.equal(whole.status, 201, whole.body);
});

test("a program gives bytes and paths, and reads a large download in parts", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "a.txt");
  writeFileSync(file, "hello");
  await using client = await connect({ address: troupe.address, role: "anywhere" });
  const { session } = client;
  const page = await session.navigate({ url: form });
  const ref = refOf(page.text, "button", "Papers");
  assert.match((await session.fileUpload({ ref, paths: [file] })).text, /got a\.txt 5 hello/);
  const bytes = await session.fileUpload({ ref, files: [{ name: "b.bin", content: LARGE }] });
  assert.match(bytes.text, /got b\.bin 6291456 01234/);
  const { text } = await session.navigate({ url: linkTo(large) });
  await session.click({ ref: refOf(text, "link", "Get") });
  const got = await session.downloads({ action: "get" });
  assert.equal(got.file?.size, LARGE.length);
  const parts: Uint8Array[] = [];
  for await (const part of session.file(got.file?.id ?? "")) parts.push(part);
  assert.ok(Buffer.concat(parts).equals(LARGE));
});

test("a person gives and gets files from the folder they are in", async () => {
  using temp = tempDir();
  writeFileSync(path.join(temp.dir, "a.txt"), "hello");
  const call = (...words: string[]) =>
    runCommand(["call", "--address", troupe.address, "--role", "anywhere", "--session", "person", ...words], {
      cwd: temp.dir,
    });
  const page = await call("browser_navigate", `url=${form}`);
  const ref = refOf(page.out, "button", "Papers");
  const given = await call("browser_file_upload", `ref=${ref}`, "paths=a.txt");
  assert.match(given.out, /got a\.txt 5 hello/);
  const refused = await call("--files", "/var", "browser_file_upload", `ref=${ref}`, "paths=/etc/hostname");
  assert.match(refused.out, /outside the allowed folders/);
  await call("browser_navigate", `url=${small}`);
  const got = await call("browser_downloads", "action=get", "path=out.csv");
  assert.match(got.out, /Written to out\.csv/);
  assert.equal(readFileSync(path.join(temp.dir, "out.csv"), "utf8"), "a,b\n1,2\n");
});
