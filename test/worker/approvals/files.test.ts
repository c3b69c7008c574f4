// Tests files that wait for a person: what pages download, and what they are given.
import assert from "node:assert/strict";
import { test } from "node:test";
import { refOf } from "../../harness/worker.ts";
import { approvalsStage } from "./approvals-stage.ts";

const { worker, site, person } = await approvalsStage(() => ["downloads", "uploads"]);
const file = site.route((_request, response) =>
  response.setHeader("content-disposition", 'attachment; filename="report.csv"').end("a,b\n"),
);
const downloading = site.page(`<h1>Files</h1><a href="${file}">Report</a>`);
const FILES = [{ name: "mine.txt", mimeType: "text/plain", content: Buffer.from("mine").toString("base64") }];
const uploading = site.page(
  `<label>File <input type=file onchange="document.body.append('Got ' + this.files[0].name)"></label>`,
);

test("a download that is approved is got", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(downloading), "Report");
  const clicking = session.do("browser_click", { ref });
  const approval = await person.asked();
  assert.match(approval.what, /^download of "report\.csv" from http:/);
  assert.equal(await person.decide(approval.id), true);
  assert.match((await clicking).text, /Download: d1 "report\.csv" began/);
  await person.ended();
  const { text } = await session.do("browser_downloads", { action: "get", id: "d1" });
  assert.match(text, /Got d1 "report\.csv" \(4 bytes\)/);
});

test("a download is not got before it is approved, nor after it was denied", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(downloading), "Report");
  await session.refuse("APPROVAL_PENDING", "browser_click", { ref }, { deadlineMs: 10_000 });
  const get = { action: "get", id: "d1" };
  await session.refuse("APPROVAL_PENDING", "browser_downloads", get, { deadlineMs: 10_000 });
  const approval = await person.asked();
  assert.equal(await person.decide(approval.id, { deny: true }), true);
  await person.ended();
  await session.refuse("APPROVAL_DENIED", "browser_downloads", get);
  assert.match(
    (await session.do("browser_downloads", { action: "list" })).text,
    /failed: no person has approved it/,
  );
});

test("an upload that is approved in time is given to the page", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(uploading), "File");
  const giving = session.do("browser_file_upload", { ref, files: FILES });
  const approval = await person.asked();
  assert.match(approval.what, /^upload of "mine\.txt" \(4 bytes\) to http:/);
  assert.equal(await person.decide(approval.id), true);
  assert.match((await giving).text, /Got mine\.txt/);
  await person.ended();
});

test("an upload that is approved later is given by the call that its plan repeats", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(uploading), "File");
  const args = { ref, files: FILES };
  const pending = await session.refuse("APPROVAL_PENDING", "browser_file_upload", args, {
    deadlineMs: 10_000,
  });
  assert.doesNotMatch(await session.read(), /Got mine/);
  await person.approves();
  const last = pending.steps.at(-1);
  assert.equal(last?.tool, "browser_file_upload");
  const { text } = await session.do("browser_file_upload", last?.arguments ?? {});
  assert.match(text, /Got mine\.txt/);
});

test("an upload that is denied is not given to the page", async () => {
  await using session = worker.session();
  const ref = refOf(await session.open(uploading), "File");
  const giving = session.refuse("APPROVAL_DENIED", "browser_file_upload", { ref, files: FILES });
  const approval = await person.asked();
  assert.equal(await person.decide(approval.id, { deny: true }), true);
  assert.match((await giving).text, /Decided by: ann/);
  await person.ended();
  assert.doesNotMatch(await session.read(), /Got mine/);
});
